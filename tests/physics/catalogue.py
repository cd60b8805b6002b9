"""All kinds of cases and all oracles, by name."""
import kinds_flow
import kinds_heat
import kinds_two
import oracles_known
import oracles_limit
import oracles_many
import oracles_one
import oracles_two

KINDS = {"conduction": kinds_heat.conduction, "heated-channel": kinds_heat.heated_channel,
         "channel-time": kinds_heat.channel_time, "conjugate": kinds_heat.conjugate,
         "conjugate-time": kinds_heat.conjugate_time, "buoyancy": kinds_heat.buoyancy, "chimney": kinds_heat.chimney,
         "cavity": kinds_flow.cavity, "channel": kinds_flow.channel, "circuits": kinds_flow.circuits,
         "driven": kinds_flow.driven, "ring": kinds_flow.ring, "oscillating": kinds_flow.oscillating,
         "two-fluids": kinds_two.two_fluids, "advection": kinds_two.advection}
# Of a single run, which every draw does.
ALWAYS = {"ends": oracles_one.ends, "finite": oracles_one.finite, "bounds": oracles_one.bounds,
          "balances": oracles_one.balances, "amounts": oracles_one.amounts}
ORACLES = {**ALWAYS, "tolerance": oracles_limit.tolerance, "steady-in-time": oracles_limit.steady_in_time,
           "long-time": oracles_limit.long_time, "schemes": oracles_limit.schemes, "steps": oracles_limit.steps,
           "finer": oracles_limit.finer, "uniform": oracles_known.uniform, "opposite": oracles_known.opposite,
           "slab": oracles_known.slab, "written": oracles_known.written, "reference": oracles_known.reference,
           "units": oracles_two.units, "level": oracles_two.level, "galilean": oracles_two.galilean,
           "translate": oracles_two.translate, "mirror": oracles_two.mirror, "turn": oracles_two.turn,
           "ordering": oracles_two.ordering, "restart": oracles_two.restart, "threads": oracles_many.threads,
           "lanes": oracles_many.lanes, "ranks": oracles_many.ranks, "cuda": oracles_many.cuda}
# These say something about few cases: they are tried earlier.
RARE = ("long-time", "schemes", "steps", "finer", "uniform", "opposite", "slab", "galilean", "reference")
