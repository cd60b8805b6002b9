/* Checks the settings of a case with solids and without a fluid: rejects those of a flow. */
#include <stdio.h>
#include "case/section.h"
#include "flow/flow_setting.h"
#include "flow/scalar_setting.h"

static void drop_in_named(struct case_reader *r, const char *section, int n, const char *const *key)
{
    for (int i = 0; i < n; i++)
        for (const char *const *k = key; *k; k++) {
            const config_setting_t *at = case_named(r, section, i, *k);
            if (at && !case_is_standard(at))
                case_complain(r, at, "%s does not apply to solids; remove it", case_path_of(at));
        }
}

void conduction_check(struct case_reader *r, struct flow_setting *c)
{
    static const struct { const char *group, *name; } of_flow[] = {
        {"solver", "pressure"}, {"solver", "velocity"}, {"solver", "coupled"}, {"time", "courant"},
        {"initial", "field"}, {"initial", "velocity"}, {"initial", "pressure"},
        {"fluid", "density"}, {"fluid", "viscosity"}, {"fluid", "viscosity_model"}, {"fluid", "gravity"},
        {"fluid", "acceleration"}, {"fluid", "heat_capacity"}, {"fluid", "conductivity"}, {"fluid", "expansion"},
        {"fluid", "reference_temperature"}, {"", "second_fluid"}, {"", "prescribed"}, {"", "scalars"}, {"", "buoyancy"},
        {"", "driven"}, {"", "forces"}, {"", "nusselt"}};
    static const char *const of_boundary[] = {"velocity", "rotation", NULL}, *const of_source[] = {"force",
                                                                                                  "resistance", NULL};
    if (!c->solids.n)
        case_complain(r, case_setting(r, "solver.algorithm"), "solids = { ... } is missing: algorithm \"%s\" needs "
                      "it", algorithm_words[c->solver.algorithm]);
    if (flow_is_transient(c)) flow_check_time(r, c);
    else flow_drop_setting(r, c, "", "time", ", or set solver.algorithm = \"transient-conduction\"");
    for (size_t i = 0; i < sizeof of_flow / sizeof *of_flow; i++)
        flow_drop_setting(r, c, of_flow[i].group, of_flow[i].name, "");
    drop_in_named(r, "boundary", c->boundary.n, of_boundary);
    drop_in_named(r, "sources", c->sources.n, of_source);
    if (flow_is_transient(c)) c->solver.velocity.tolerance = 1e-4;      /* as of a flow in time */
    c->solver.convection_temperature = SCALAR_BOUNDED;
}
