#!/usr/bin/env python3
"""Runs the cases and reports their error relative to the reference.

    POISE=build/poise /usr/bin/python3 tests/regression/cases.py [--full] [--list] [NAME ...]

Without --full: coarse meshes, for `make test`.  With it: the resolutions and bounds that Poise promises, for `make
verify`.  NAME: only the runs whose name begins so.  One line a run: "ok NAME: ERROR (bound BOUND)" or "not ok NAME:
why".
"""
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(TOP, "postproc"))
from poise import PoiseError, Run, Table, compare  # noqa: E402

POISE = os.environ.get("POISE", os.path.join(TOP, "build", "poise"))
QUADS, TRIANGLES, MIXED = 0, 1, 2
ELEMENTS = ("quads", "triangles", "mixed")


def reference(case, *names):
    return [os.path.join(TOP, "cases", case, "reference", name + ".csv") for name in names]


def profile(case, *names):
    """A measure: the largest deviation of the velocity profiles from the references, in % of the largest value
    there."""
    def measure(run):
        found = compare(run, reference(case, *names))
        scale = max(np.abs(c.reference).max() for c in found)
        return {"largest deviation": 100 * max(c.largest for c in found) / scale}
    return measure


def cylinder(run):
    """Errors of drag, lift and pressure difference in %."""
    table = reference("cylinder", "dfg_reference_values")[0]
    with open(table, encoding="utf-8") as file:
        rows = [line.split(",") for line in file if line.startswith("2D-1,")]
    wanted = {row[1]: float(row[2]) for row in rows if row[2]}
    force = run.table("forces", "cylinder.csv")
    pressure = [run.table("probes", name + ".csv")["pressure"][-1] for name in ("front", "back")]
    found = {"cd": force["coefficient_x"][-1], "cl": force["coefficient_y"][-1], "dp": pressure[0] - pressure[1]}
    names = {"cd": "drag", "cl": "lift", "dp": "pressure difference"}
    return {names[k]: 100 * (found[k] / wanted[k] - 1) for k in found}


def channel(run):
    """Errors of the profile, of the pressure along the axis and of the force on the walls, in % of the largest
    value."""
    found = compare(run, reference("channel", "poiseuille_u", "poiseuille_p"), "up")
    error = {c.quantity.replace("velocity_x", "velocity"): 100 * c.largest / np.abs(c.reference).max() for c in found}
    return error | {"force": 100 * (run.table("forces", "walls.csv")["force_x"][-1] / 0.48 - 1)}


def periodic_channel(run):
    """Errors of the profile and of the pressure gradient that a flow rate needs, in %; iterations."""
    found, table = compare(run, reference("periodic-channel", "poiseuille_u")), run.table("driven.csv")
    return {"velocity": 100 * found[0].largest / np.abs(found[0].reference).max(),
            "gradient": 100 * (table["pressure_gradient"][-1] / 0.12 - 1),
            "flow rate": 100 * (table["flow_rate"][-1] - 1), "iterations": table["iteration"][-1]}


def power_law(run):
    """The same of a power-law fluid."""
    found, table = compare(run, reference("power-law", "power_law_u")), run.table("driven.csv")
    return {"velocity": 100 * found[0].largest / np.abs(found[0].reference).max(),
            "gradient": 100 * (table["pressure_gradient"][-1] / (0.1 * np.sqrt(8)) - 1),
            "iterations": table["iteration"][-1]}


def taylor_couette(run):
    """Errors of the torque on both cylinders and of the velocity across the gap, in %."""
    exact, line = Table(reference("taylor-couette", "velocity")[0]), run.table("lines", "gap.csv")
    torque = {name: run.table("forces", name + ".csv")["moment_z"][-1] for name in ("inner", "outer")}
    found = np.interp(exact["x"], line["x"], line["velocity_y"])
    return {"inner torque": 100 * (torque["inner"] / (-1.6 * np.pi / 3) - 1),
            "outer torque": 100 * (torque["outer"] / (1.6 * np.pi / 3) - 1),
            "velocity": 100 * np.abs(found - exact["v"]).max()}


def plate(run):
    """Largest error of the surface temperature from x = 0.1 to 0.9, in %, of the heat balance, and iterations."""
    heat = run.table("heat.csv")
    exact, faces = Table(reference("plate", "temperature")[0]), run.table("surfaces", "plate", "faces.csv")
    order = np.argsort(faces["x"])
    found = np.interp(exact["x"] ** 0.5, faces["x"][order] ** 0.5, faces["temperature"][order])
    return {"temperature": 100 * np.abs(found / exact["temperature"] - 1).max(),
            "balance": 100 * abs(heat["balance"][-1] / heat["bottom"][-1]), "iterations": run.steps[-1]}


def heated_channel(run):
    """Errors of the temperature's profile at x = 8, in % of what the walls are hotter than the axis by, and of its
    rise, the slope of a straight line from x = 6.5 to 9: the inlet's effect on it is 2e-4 % at 6 and falls to an
    eighth per unit of length."""
    line, axis = run.table("lines", "across.csv"), run.table("lines", "axis.csv")
    exact = Table(reference("heated-channel", "temperature")[0])
    found = np.interp(exact["y"], line["y"], line["temperature"]) - np.interp(0.5, line["y"], line["temperature"])
    there = (axis["x"] > 6.45) & (axis["x"] < 9.05)
    slope = np.polyfit(axis["x"][there], axis["temperature"][there], 1)[0]
    return {"profile": 100 * np.abs(found - exact["temperature"]).max() / exact["temperature"].max(),
            "rise": 100 * (slope / 2 - 1)}


def convection(run):
    """Errors of the Nusselt number of the hot wall and of the largest velocities on the middle lines, in %."""
    with open(reference("convection", "devahldavis1983")[0], encoding="utf-8") as file:
        header, *rows = (line.strip().split(",") for line in file)
    heat, wall = run.table("heat.csv"), run.table("surfaces/hot", "faces.csv")
    flux = np.average(wall["temperature-flux"], weights=wall["area"])
    diffusivity = flux / heat["hot_nusselt"][-1]
    rayleigh = 1 / (0.71 * diffusivity ** 2)
    row, = (row for row in rows if abs(float(row[0]) / rayleigh - 1) < 1e-3)
    wanted = dict(zip(header[1:], map(float, row[1:])))
    found = {"nusselt": flux / diffusivity,
             "u_max": run.table("lines", "vertical.csv")["velocity_x"].max() / diffusivity,
             "v_max": run.table("lines", "horizontal.csv")["velocity_y"].max() / diffusivity}
    names = {"nusselt": "Nusselt number", "u_max": "horizontal velocity", "v_max": "vertical velocity"}
    error = {names[k]: 100 * (found[k] / wanted[k] - 1) for k in found}
    return error | {"heat balance": 100 * heat["balance"][-1] / heat["hot"][-1],
                    "iterations": run.table("residuals.csv")["iteration"][-1]}


def cavity(reynolds, elements, n, bound, *names, stretch=None, **more):
    settings = {"fluid.viscosity": 1 / reynolds, "mesh.parameters.elements": elements, "mesh.parameters.n": n, **more}
    if stretch:
        settings["mesh.parameters.stretch"] = stretch
    return (f"cavity-re{reynolds}-{ELEMENTS[elements]}-{n}", "cavity", settings, profile("cavity", *names),
            {"largest deviation": bound})


MARCHI = {100: ("marchi2009_u_Re100", "marchi2009_v_Re100"), 400: ("marchi2009_u_Re400", "marchi2009_v_Re400")}
BOTELLA = ("botella1998_u_p_x05_Re1000", "botella1998_v_p_y05_Re1000")
GHIA3200 = ("ghia1982_u_Re3200", "ghia1982_v_Re3200")
CUBE = ("ak2005_U_on_vertical_centreline_Re1000_cube", "ak2005_V_on_horizontal_centreline_Re1000_cube")

def cylinder_run(elements, h, tolerance, drag, lift, pressure):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.h": h, "solver.tolerance": tolerance}
    return (f"cylinder-{ELEMENTS[elements]}-{h:g}", "cylinder", settings, cylinder,
            {"drag": drag, "lift": lift, "pressure difference": pressure})


def channel_run(elements, n, velocity, pressure, force):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n}
    return (f"channel-{ELEMENTS[elements]}-{n}", "channel", settings, channel,
            {"velocity": velocity, "pressure": pressure, "force": force})


def periodic_run(algorithm, elements, n, velocity, gradient, iterations):
    settings = {"solver.algorithm": algorithm, "mesh.parameters.elements": elements, "mesh.parameters.n": n}
    return (f"periodic-channel-{algorithm}-{ELEMENTS[elements]}-{n}", "periodic-channel", settings, periodic_channel,
            {"velocity": velocity, "gradient": gradient, "flow rate": 1e-7, "iterations": iterations})


def power_law_run(algorithm, elements, n, velocity, gradient, iterations):
    settings = {"solver.algorithm": algorithm, "mesh.parameters.elements": elements, "mesh.parameters.n": n}
    return (f"power-law-{algorithm}-{ELEMENTS[elements]}-{n}", "power-law", settings, power_law,
            {"velocity": velocity, "gradient": gradient, "iterations": iterations})


def couette_run(elements, n, inner, outer, velocity, **more):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n, **more}
    return (f"taylor-couette-{ELEMENTS[elements]}-{n}", "taylor-couette", settings, taylor_couette,
            {"inner torque": inner, "outer torque": outer, "velocity": velocity})


def plate_run(n, temperature, iterations):
    return (f"plate-{n}", "plate", {"mesh.parameters.n": n}, plate,
            {"temperature": temperature, "balance": 1e-5, "iterations": iterations})


def heated_run(elements, n, profile_bound, rise):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n}
    return (f"heated-channel-{ELEMENTS[elements]}-{n}", "heated-channel", settings, heated_channel,
            {"profile": profile_bound, "rise": rise})


def convection_run(rayleigh, elements, n, nusselt, velocity, iterations, algorithm="coupled", **more):
    """Bounds of the errors in %, and of the number of iterations."""
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n, "solver.algorithm": algorithm,
                "fluid.viscosity": float(np.sqrt(0.71 / rayleigh)),
                "fluid.conductivity": float(1 / np.sqrt(0.71 * rayleigh)), **more}
    return (f"convection-ra{rayleigh:.0e}-{ELEMENTS[elements]}-{algorithm}-{n}", "convection", settings, convection,
            {"Nusselt number": nusselt, "horizontal velocity": velocity, "vertical velocity": velocity,
             "heat balance": 1e-4, "iterations": iterations})


IN_TIME = {"solver.tolerance": None, "time.end": 120.0, "time.step": 0.2, "time.courant": 1.5}


def cube(elements, n, bound):
    settings = {"mesh.parameters.elements": elements, "mesh.parameters.n": n}
    return (f"cavity3d-{('hexahedra', 'tetrahedra')[elements]}-{n}", "cavity3d", settings, profile("cavity3d", *CUBE),
            {"largest deviation": bound})


# (name, case, settings, measure, bounds in %)
COARSE = [
    cavity(100, QUADS, 32, 0.6, *MARCHI[100]),
    cavity(100, TRIANGLES, 32, 2.4, *MARCHI[100]),
    cavity(100, MIXED, 32, 0.51, *MARCHI[100]),
    cavity(1000, QUADS, 64, 0.31, *BOTELLA),
    cavity(1000, TRIANGLES, 64, 1.25, *BOTELLA),
    cavity(1000, MIXED, 64, 0.71, *BOTELLA),
    # The inflow is exact: 1, the mean over the faces.  Pressure and force then have an error of second order, 0.22 to
    # 0.014 % from 16 to 64; a profile sampled at the faces' centres has none, but 0.2 % too much inflow.
    channel_run(QUADS, 16, 0.7, 0.25, 0.32),
    # On these two errors cancelled before the shear at walls was of second order: force 0.1, pressure difference 0.8
    # then.  Both fall with the square of the mesh size: 0.34 to 0.021 % from 16 to 64, 1.31 to 0.09 % from 0.005 to
    # 0.0015.  So did those of the cylinder's drag and lift before it was at curved walls too: 0.1 and 6.3 % at 0.005.
    channel_run(TRIANGLES, 16, 0.63, 1.1, 0.4),
    periodic_run("coupled", QUADS, 16, 0.4, 0.25, 30),
    periodic_run("simplec", TRIANGLES, 16, 0.2, 0.08, 375), periodic_run("simple", TRIANGLES, 16, 0.2, 0.08, 420),
    power_law_run("coupled", QUADS, 16, 0.4, 0.1, 45), power_law_run("simplec", TRIANGLES, 16, 0.42, 0.35, 900),
    couette_run(QUADS, 8, 0.1, 0.1, 0.3),
    couette_run(TRIANGLES, 8, 0.3, 0.3, 0.3),
    plate_run(40, 0.5, 60),
    heated_run(QUADS, 16, 0.6, 0.001),
    heated_run(TRIANGLES, 16, 0.4, 0.26),
    convection_run(1e5, QUADS, 40, 0.2, 2, 40),
    convection_run(1e5, QUADS, 40, 0.2, 2, 120, "simplec", **{"solver.acceleration": 10}),
    cylinder_run(QUADS, 0.005, 1e-6, 1.3, 8.5, 1.5),
    cylinder_run(TRIANGLES, 0.005, 1e-6, 0.42, 0.75, 0.1),
    cube(0, 16, 6.5),
]
FULL = [
    cavity(100, QUADS, 128, 0.04, *MARCHI[100]),
    cavity(400, QUADS, 128, 0.085, *MARCHI[400]),
    cavity(1000, QUADS, 128, 0.09, *BOTELLA),
    cavity(1000, TRIANGLES, 128, 0.2, *BOTELLA),
    cavity(1000, MIXED, 128, 0.17, *BOTELLA),
    cavity(3200, QUADS, 128, 5.8, *GHIA3200),
    cylinder_run(QUADS, 0.0015, 1e-8, 0.1, 0.64, 0.11),
    cylinder_run(TRIANGLES, 0.0015, 1e-8, 0.055, 0.25, 0.035),
    channel_run(QUADS, 64, 0.045, 0.016, 0.022),
    channel_run(TRIANGLES, 64, 0.04, 0.11, 0.023),
    periodic_run("coupled", QUADS, 64, 0.03, 0.016, 30),
    periodic_run("coupled", TRIANGLES, 64, 0.005, 0.001, 30),
    power_law_run("coupled", QUADS, 64, 0.07, 0.002, 55), power_law_run("coupled", TRIANGLES, 64, 0.025, 0.025, 80),
    couette_run(QUADS, 32, 0.02, 0.02, 0.03),
    couette_run(TRIANGLES, 32, 0.02, 0.02, 0.03),
    heated_run(QUADS, 64, 0.04, 1e-4),
    heated_run(TRIANGLES, 64, 0.04, 1e-3),
    convection_run(1e3, QUADS, 80, 0.1, 0.3, 40),
    convection_run(1e4, QUADS, 80, 0.1, 0.4, 40),
    convection_run(1e5, QUADS, 80, 0.15, 0.5, 40),
    convection_run(1e6, QUADS, 80, 0.4, 1.2, 42),
    convection_run(1e3, TRIANGLES, 80, 0.1, 0.4, 45),
    convection_run(1e4, TRIANGLES, 80, 0.15, 0.6, 45),
    convection_run(1e5, TRIANGLES, 80, 0.15, 1.2, 45),
    convection_run(1e6, TRIANGLES, 80, 0.3, 1.6, 45),
    convection_run(1e5, QUADS, 80, 0.15, 0.5, 2500, "piso", **IN_TIME),
    cube(0, 64, 0.37),
    cube(1, 24, 9),
    cube(1, 64, 2.2),
]


# Measures that are not in %.
PLAIN = ("volume error", "beyond [0, 1]", "capillary number", "largest speed", "front", "order", "iterations")


def within(value, bound):
    """bound: the largest magnitude, or (least, largest)."""
    return bound[0] <= value <= bound[1] if isinstance(bound, tuple) else abs(value) <= bound


def told(key, value, bound):
    unit = "" if key.startswith(PLAIN) else " %"
    limit = f"from {bound[0]:g} to {bound[1]:g}" if isinstance(bound, tuple) else f"{bound:g}"
    return f"{key} {value:.3g}{unit} (bound {limit}{unit})"


def compute(case, settings, folder, file=None):
    """Runs a case with settings; returns its output directory, or raises PoiseError with the end of what it printed."""
    output = os.path.join(folder, case + ".out")
    command = [POISE, "run", os.path.join(TOP, "cases", case, (file or case) + ".cfg"), "--set",
               f'output.directory="{output}"']
    for key, value in settings.items():
        command += ["--set", f"{key}={'' if value is None else repr(value)}".replace("'", '"')]     # None: removed
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    stopped = done.returncode == 2 and "time.max_steps" in settings             # as was asked for
    if done.returncode and not stopped:
        raise PoiseError(f"exit status {done.returncode}: {' | '.join(done.stdout.strip().splitlines()[-3:])}")
    return output


def execute(name, case, settings, measure, bounds, beyond=None):
    """Runs one case, or a study: the same with each of a list of settings; returns the line to print and whether it is
    good.  case: its folder's name, or "FOLDER/FILE" where it has several.
    beyond: bounds within which a miss is known, and why; its line ends with "# TODO" and the reason, and does not
    count."""
    study = settings if isinstance(settings, list) else [settings]
    case, _, file = case.partition("/")
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        try:
            runs = [Run(compute(case, s, os.path.join(folder, str(i)), file)) for i, s in enumerate(study)]
            errors = measure(runs if isinstance(settings, list) else runs[0])
            iterations = runs[-1].table("residuals.csv")["iteration"][-1]
        except PoiseError as error:
            return f"not ok {name}: {error}", False
        seconds = time.monotonic() - start
    good = all(within(errors[key], bounds[key]) for key in bounds)
    text = ", ".join(told(key, errors[key], bounds[key]) for key in bounds)
    line = f"{'ok' if good else 'not ok'} {name}: {text}; {iterations:.0f} iterations, {seconds:.1f} s"
    if not good and beyond and all(within(errors[key], (bounds | beyond[0])[key]) for key in bounds):
        return f"{line} # TODO {beyond[1]}", True
    return line, good


def main(coarse, full, known=None):
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    runs = [r for r in (full if "--full" in sys.argv else coarse) if not names or r[0].startswith(tuple(names))]
    if "--list" in sys.argv:
        print("\n".join(r[0] for r in runs))
        return 0
    failed = not runs
    for run in runs:
        line, good = execute(*run, (known or {}).get(run[0]))
        print(line, flush=True)
        failed |= not good
    return failed


if __name__ == "__main__":
    sys.exit(main(COARSE, FULL))
