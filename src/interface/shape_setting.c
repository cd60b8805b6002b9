/* Keys of the shapes of the second fluid at the start, and their checks (shape_setting.h). */
#include "interface/shape_setting.h"
#include "case/section.h"

const char *const shape_type_words[N_SHAPE_TYPES] = {
    [SHAPE_SPHERE] = "sphere", [SHAPE_BOX] = "box", [SHAPE_HALF_SPACE] = "half-space",
    [SHAPE_LEVEL] = "level"};
/* The key with the position of each type of shape. */
static const char *const place_key[N_SHAPE_TYPES] = {
    [SHAPE_SPHERE] = "centre", [SHAPE_BOX] = "from", [SHAPE_HALF_SPACE] = "point", [SHAPE_LEVEL] = "function"};

static const struct key shape_keys[] = {
    {"type", KEY_WORD, OFFSET(shape_setting, type), WORDS_OF(shape_type_words), .help = "a sphere is a circle in 2-D; "
     "level: where a function is negative"},
    {"centre", KEY_VECTOR, OFFSET(shape_setting, centre), OFFSET(shape_setting, length), "length",
     .kinds = BIT(SHAPE_SPHERE), .help = "of the sphere"},
    {"radius", KEY_REAL, OFFSET(shape_setting, radius), .unit = "length", .range = "(0, inf)",
     .kinds = BIT(SHAPE_SPHERE), .help = "of the sphere"},
    {"from", KEY_VECTOR, OFFSET(shape_setting, from), OFFSET(shape_setting, length), "length", .kinds = BIT(SHAPE_BOX),
     .help = "lowest corner"},
    {"to", KEY_VECTOR, OFFSET(shape_setting, to), .unit = "length", .kinds = BIT(SHAPE_BOX), .help = "highest corner"},
    {"point", KEY_VECTOR, OFFSET(shape_setting, point), OFFSET(shape_setting, length), "length",
     .kinds = BIT(SHAPE_HALF_SPACE), .help = "of its plane"},
    {"normal", KEY_VECTOR, OFFSET(shape_setting, normal), .kinds = BIT(SHAPE_HALF_SPACE),
     .help = "of its plane, out of the second fluid; of any length"},
    {"function", KEY_VALUE, OFFSET(shape_setting, function), WORDS("x", "y", "z"), .kinds = BIT(SHAPE_LEVEL),
     .help = "of a level: negative in the second fluid, like y - 0.5 - 0.01*cos(2*pi*x)"},
    {"remove", KEY_INTEGER, OFFSET(shape_setting, remove), .range = "[0, 1]", .standard = "0",
     .help = "1: subtracted from the union of the shapes with 0"},
    {"copies", KEY_INTEGERS, OFFSET(shape_setting, copies), .range = "[1, inf)", .standard = "",
     .help = "number in each positive direction, including the shape itself (not given: 1)"},
    {"spacing", KEY_VECTOR, OFFSET(shape_setting, spacing), .unit = "length", .range = "[0, inf)", .standard = "",
     .help = "between copies; required with them"},
    {0}};

const struct section shape_section = {.path = "shapes", .key = shape_keys, .size = sizeof(struct shape_setting),
    .with = "second_fluid", .help = "two-phase: initial region of the second fluid"};

/* The other corner, the copies and their spacing need as many numbers as the shape's position. */
static bool check_vector(struct case_reader *r, const struct shape_setting *s, int i, const char *name)
{
    config_setting_t *v = case_named(r, "shapes", i, name);
    int n = v ? config_setting_length(v) : 0;
    if (!n || !s->length || n == s->length) return n > 0;
    case_complain(r, v, "%s has %d numbers, but %s has %d", case_path_of(v), n, place_key[s->type], s->length);
    return false;
}

static void check_box(struct case_reader *r, const struct shape_setting *s, int i)
{
    for (int k = 0; check_vector(r, s, i, "to") && k < s->length; k++)
        if (!(s->to[k] > s->from[k])) {
            case_complain(r, case_named(r, "shapes", i, NULL),
                          "shapes.%s: to must be greater than from in each direction; found %g and %g in direction %c",
                          s->name, s->to[k], s->from[k], "xyz"[k]);
            return;
        }
}

static void check_copies(struct case_reader *r, struct shape_setting *s, int i)
{
    config_setting_t *copies = case_named(r, "shapes", i, "copies"), *spacing = case_named(r, "shapes", i, "spacing");
    if (copies && !spacing)
        case_complain(r, copies, "shapes.%s.spacing is missing: copies need it, 2 or 3 numbers in brackets, like [0.5, "
                      "0.5] [length]", s->name);
    if (spacing && !copies)
        case_complain(r, spacing, "shapes.%s.spacing does not apply without copies; remove it", s->name);
    if (copies && s->type == SHAPE_LEVEL)
        case_complain(r, copies, "shapes.%s.copies does not apply to type \"level\"; remove it", s->name);
    if (s->function.table)
        case_complain(r, case_named(r, "shapes", i, "function"), "shapes.%s.function cannot be a table; expected an "
                      "expression of x, y and z", s->name);
    if (copies) check_vector(r, s, i, "copies");
    if (spacing) check_vector(r, s, i, "spacing");
    for (int k = 0; k < 3; k++) if (s->copies[k] < 1) s->copies[k] = 1;
}

void shape_setting_check(struct case_reader *r, const struct shape_settings *shapes)
{
    for (int i = 0; i < shapes->n; i++) {
        struct shape_setting *s = &shapes->item[i];
        if (s->type == SHAPE_BOX) check_box(r, s, i);
        if (s->type == SHAPE_HALF_SPACE && check_vector(r, s, i, "normal") &&
            !(s->normal[0] != 0 || s->normal[1] != 0 || s->normal[2] != 0))
            case_complain(r, case_named(r, "shapes", i, NULL), "shapes.%s.normal is zero: expected the direction out "
                          "of the second fluid, like [0.0, 1.0]", s->name);
        check_copies(r, s, i);
    }
}

void shape_setting_check_mesh(const struct shape_settings *shapes, struct findings *f)
{
    for (int i = 0; i < shapes->n; i++) {
        const struct shape_setting *s = &shapes->item[i];
        find_length(f, s->place, s->length, "shapes.%s.%s", s->name, place_key[s->type]);
    }
}
