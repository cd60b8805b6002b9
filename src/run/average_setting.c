/* The section `averages` of a case. */
#include "run/average_setting.h"
#include "case/section.h"

static const struct key averages_keys[] = {
    {"from", KEY_REAL, OFFSET(averages_setting, from), .unit = "time; steady: iterations", .range = "[0, inf)",
     .standard = "0.0", .help = "from when on; a step is cut so that it ends then"},
    {"fields", KEY_NAMES, OFFSET(averages_setting, field), OFFSET(averages_setting, n_fields),
     .standard = "[\"velocity\", \"pressure\"]",
     .help = "averaged in all cells, and written as NAME_mean and NAME_rms with the fields: any of output.fields but "
             "gradient"},
    {0}};
const struct section averages_section = {.path = "averages", .key = averages_keys, .optional = true,
    .help = "means and root mean squares in time: of fields, probes, lines, forces, surfaces"};

void averages_setting_check(struct case_reader *r, struct averages_setting *a, double end)
{
    config_setting_t *at = case_setting(r, "averages");
    a->given = at != NULL;
    if (!at) return;
    a->place = case_place_of(r, at);
    config_setting_t *from = case_setting(r, "averages.from");
    if (from && end > 0 && !(a->from < end))
        case_complain(r, from, "%s = %g: expected a time before the end of the run, %g", case_path_of(from), a->from,
                      end);
}
