/* Keys of the mesh section and their checks (mesh_setting.h). */
#include "mesh/mesh_setting.h"
#include <stdint.h>
#include <string.h>
#include "case/section.h"
#include "mesh/format.h"

static const struct key mesh_keys[] = {
    {"file", KEY_PATH, OFFSET(mesh_setting, file), .standard = "",
     .help = ".geo, .msh, .h5 or another format (poise help formats), relative to the case's folder; or use mesh.box"},
    {"parameters", KEY_PARAMETERS, OFFSET(mesh_setting, parameter), OFFSET(mesh_setting, n_parameters), .standard = "",
     .help = "values of parameters that the .geo file defines in DefineConstant[...]"},
    {"curved", KEY_WORD, OFFSET(mesh_setting, curved), .standard = "refuse",
     WORDS([CURVED_REFUSE] = "refuse", [CURVED_STRAIGHT] = "straight"),
     .help = "elements of higher order: straight replaces them by straight-sided cells with the same corners"},
    {"markers", KEY_NAME, OFFSET(mesh_setting, markers), .standard = "",
     .help = "for .vtk and .vtu: the integer cell array whose values n name boundary_n and region_n"},
    {"scale", KEY_NUMBERS, OFFSET(mesh_setting, transform.scale), OFFSET(mesh_setting, transform.n_scale),
     .range = "(0, inf)", .standard = "",
     .help = "factor of all lengths, or one for each direction: 0.001 makes metres of millimetres",
     .expected = "a number > 0, or one for each direction in brackets, like [1.0, 0.5]"},
    {"rotate", KEY_NUMBERS, OFFSET(mesh_setting, transform.rotate), OFFSET(mesh_setting, transform.n_rotate),
     .standard = "", .help = "after scale: degrees about the origin, anticlockwise; in 3-D [x, y, z, degrees], about "
     "this axis through the origin",
     .expected = "an angle in degrees, or in 3-D an axis and an angle in brackets, like [0.0, 0.0, 1.0, 90.0]"},
    {"translate", KEY_VECTOR, OFFSET(mesh_setting, transform.translate), OFFSET(mesh_setting, transform.n_translate),
     .unit = "length", .standard = "", .help = "shift, after scale and rotate"},
    {"ordering", KEY_WORD, OFFSET(mesh_setting, ordering), .standard = "hilbert",
     WORDS_OF(ordering_words),
     .help = "internal numbering of the cells, for speed; output keeps the order of the mesh file"},
    {"parts", KEY_WORD, OFFSET(mesh_setting, parts), .standard = "hilbert",
     WORDS([PARTS_BY_HILBERT] = "hilbert", [PARTS_BY_METIS] = "metis"),
     .help = "division among ranks: along that order, same results on any number; or METIS's k-way parts"},
    {0}};
static const struct key box_keys[] = {
    {"cells", KEY_INTEGERS, OFFSET(box_setting, cells), OFFSET(box_setting, dim), .range = "[1, inf)",
     .help = "cells in each direction: 2 numbers make a 2-D box, 3 a 3-D one"},
    {"from", KEY_VECTOR, OFFSET(box_setting, from), .unit = "length", .standard = "[0.0, 0.0, 0.0]",
     .help = "lowest corner"},
    {"to", KEY_VECTOR, OFFSET(box_setting, to), .unit = "length", .standard = "[1.0, 1.0, 1.0]",
     .help = "highest corner"},
    {"stretch", KEY_VECTOR, OFFSET(box_setting, stretch), .range = "[1, inf)", .standard = "[1.0, 1.0, 1.0]",
     .help = "largest over smallest cell width, cells finer towards both ends; 1 = uniform"},
    {"distortion", KEY_REAL, OFFSET(box_setting, distortion), .range = "[0, 0.5)", .standard = "0.0",
     .help = "random shift of the inner vertices, in cell widths"},
    {0}};

const struct section mesh_section = {.path = "mesh", .key = mesh_keys, .help = "the mesh: a file or a box"};
const struct section box_section = {.path = "mesh.box", .key = box_keys, .optional = true,
    .help = "built-in mesh of quadrilaterals or hexahedra; boundaries left right bottom top (back front)"};

static void check_box(struct case_reader *r, struct box_setting *box)
{
    static const char *const paths[] = {"mesh.box.from", "mesh.box.to", "mesh.box.stretch"};
    box->given = true;
    for (int k = 0; k < 3; k++) {
        config_setting_t *s = case_setting(r, paths[k]);
        if (!s || !box->dim) continue;
        if (case_is_standard(s) && box->dim == 2) config_setting_remove_elem(s, 2);
        if (config_setting_length(s) != box->dim)
            case_complain(r, s, "%s has %d numbers, but cells has %d: expected %d", case_path_of(s),
                          config_setting_length(s), box->dim, box->dim);
    }
    for (int k = 0; k < box->dim; k++)
        if (!(box->to[k] > box->from[k])) {
            case_complain(r, case_setting(r, "mesh.box"),
                          "mesh.box: to must be greater than from in each direction; found %g and %g in direction %c",
                          box->to[k], box->from[k], "xyz"[k]);
            break;
        }
    if (box->dim && box_faces(box) > INT32_MAX)
        case_complain(r, case_setting(r, "mesh.box.cells"), "mesh.box.cells: too many: Poise counts the faces of all "
                      "cells in 32 bits, which is enough for %d cells in %d-D", INT32_MAX / (2 * box->dim), box->dim);
}

static void check_transform(struct case_reader *r, struct mesh_setting *m)
{
    static const char *const paths[] = {"mesh.scale", "mesh.rotate", "mesh.translate"};
    char text[200];
    for (int k = 0; k < 3; k++) {
        const config_setting_t *s = case_setting(r, paths[k]);
        if (s) m->transform.place[k] = case_place_of(r, s);
    }
    const int k = transform_fault(&m->transform, m->box.dim, text);
    if (k >= 0) case_complain(r, case_setting(r, paths[k]), "%s %s", paths[k], text);
}

void mesh_setting_check(struct case_reader *r, struct mesh_setting *m)
{
    config_setting_t *group = case_group(r, "mesh"), *file = case_setting(r, "mesh.file");
    config_setting_t *box = case_setting(r, "mesh.box"), *parameters = case_setting(r, "mesh.parameters");
    if (!group) return;
    m->place = case_place_of(r, file ? file : group);
    if (box && config_setting_is_group(box)) check_box(r, &m->box);
    check_transform(r, m);
    if (file && box) case_complain(r, box, "mesh.box and mesh.file are both given; remove one");
    if (!file && !box)
        case_complain(r, group, "the mesh is missing: expected mesh = { file = \"name.geo\"; } (or .msh, .h5) "
                      "or mesh = { box = { cells = [64, 64]; }; }");
    for (int i = 0; box && group && i < 2; i++) case_drop(r, group, i ? "curved" : "markers",
                                                          "a box does not use it");
    if (box && parameters)
        case_complain(r, parameters, "mesh.parameters are for a .geo file and do not apply to a box; remove them");
    if (!*m->file) return;
    enum mesh_format format = mesh_format_of(m->file);
    config_setting_t *curved = case_setting(r, "mesh.curved"), *markers = case_setting(r, "mesh.markers");
    if (format == FORMAT_NONE)
        case_complain(r, file, "mesh.file = \"%s\": expected the name of a mesh: " MESH_FORMATS, m->file);
    else if (markers && !case_is_standard(markers) && format != FORMAT_VTK && format != FORMAT_VTU)
        case_complain(r, markers, "mesh.markers is for .vtk and .vtu files and does not apply to %s; remove it",
                      m->file);
    else if (curved && !case_is_standard(curved) && (format == FORMAT_NATIVE || format == FORMAT_FOAM))
        case_complain(r, curved, "mesh.curved does not apply to %s, whose cells are straight-sided; remove it",
                      m->file);
    else if (parameters && format != FORMAT_GEO)
        case_complain(r, parameters, "mesh.parameters are for a .geo file and do not apply to %s; remove them",
                      m->file);
    case_join_folder(r, file, m->file);
}
