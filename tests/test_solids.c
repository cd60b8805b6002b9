/* Meshes with solid regions: the fluid as a mesh of its own. */
#include "solids_fixture.h"
#include "mesh_fixture.h"

static const char *const names[] = {"fluid", "plate", "core"};
static int plate_and_core(const double x[3]) { return x[0] < 0.5 ? 0 : x[1] < 0.5 ? 1 : 2; }

static double area_of(const struct mesh *m, const char *patch, int axis)
{
    double sum = 0;
    for (int p = 0; p < m->n_patches; p++)
        for (int32_t i = 0; !strcmp(m->patch[p].name, patch) && i < m->patch[p].count; i++)
            sum += face_vector(m->face_area, m, axis, m->patch[p].first + i);
    return sum;
}

static void check_fluid(enum grid kind, int periodic, double distortion)
{
    struct mesh whole = {0}, fluid;
    struct box_setting box = grid_box(kind, 4, distortion);
    struct error e;
    grid_mesh(&whole, kind, &box);
    mark_solids(&whole, names, 3, plate_and_core);
    if (!mesh_complete(&whole, ORDERING_HILBERT, (int[]){0, 1}, periodic, &e) || !mesh_take_fluid(&fluid, &whole, &e))
        fail_msg("%s", e.text);
    check_mesh(&whole), check_mesh(&fluid);
    for (int32_t c = 0; c < whole.n_cells; c++)
        assert_int_equal(c < whole.n_fluid, !strcmp(whole.region[whole.cell_region[c]], "fluid"));
    assert_int_equal(fluid.n_cells, whole.n_fluid);
    assert_int_equal(fluid.n_components, 1);
    if (!distortion) assert_true(fabs(total_volume(&fluid) - 0.5) < 1e-14);
    /* Each solid has a quarter of the surface, and another on the other side where that is joined. */
    for (int i = 1; i < 3; i++)
        if (!distortion) assert_true(fabs(area_of(&fluid, names[i], 0) - (periodic ? 0 : 0.5)) < 1e-14);
    int32_t *face = mesh_fluid_faces(&fluid);
    for (int32_t f = 0; f < fluid.n_faces; f++) {
        assert_int_equal(fluid.face_owner[f], whole.face_owner[face[f]]);
        for (int k = 0; k < fluid.dim; k++)
            assert_true(face_vector(fluid.face_r, &fluid, k, f) == face_vector(whole.face_r, &whole, k, face[f]));
        const struct ring a = face_ring(&fluid, f), b = face_ring(&whole, face[f]);
        assert_int_equal(a.n, b.n);
        for (int i = 0; i < a.n; i++) assert_int_equal(ring_vertex(&a, i), ring_vertex(&b, i));
    }
    for (int32_t c = 0; c < fluid.n_cells; c++)
        for (int64_t k = fluid.cell_face_start[c]; k < fluid.cell_face_start[c + 1]; k++)
            assert_int_equal(face[face_of_cell(&fluid, k)], face_of_cell(&whole, k));
    free(face), mesh_free(&fluid), mesh_free(&whole);
}

static void fluid_of_every_shape(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int periodic = 0; periodic < 2; periodic++) {
            check_fluid(kind, periodic, 0);
            if (!periodic) check_fluid(kind, 0, 0.2);
        }
}

static int all_solid(const double x[3]) { (void)x; return 1; }

/* Of solids alone: all of it, with its boundaries. */
static void whole_without_fluid(void **state)
{
    (void)state;
    struct mesh whole = {0}, flow;
    struct box_setting box = grid_box(GRID_MIXED_3D, 4, 0.1);
    struct error e;
    grid_mesh(&whole, GRID_MIXED_3D, &box);
    mark_solids(&whole, names, 3, all_solid);
    complete(&whole, ORDERING_HILBERT);
    assert_int_equal(whole.n_fluid, 0);
    assert_true(mesh_take_fluid(&flow, &whole, &e));
    check_mesh(&flow);
    assert_true(flow.n_cells == whole.n_cells && flow.n_faces == whole.n_faces && flow.n_patches == whole.n_patches);
    int32_t *face = mesh_fluid_faces(&flow);
    for (int32_t f = 0; f < flow.n_faces; f++) assert_int_equal(face[f], f);
    free(face), mesh_free(&flow), mesh_free(&whole);
}

static void rejected(void **state)
{
    (void)state;
    static const char *const as_boundary[] = {"fluid", "top", "core"};
    struct mesh whole = {0}, fluid;
    struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    struct error e;
    grid_mesh(&whole, GRID_QUADS, &box);
    mark_solids(&whole, as_boundary, 3, plate_and_core);
    complete(&whole, ORDERING_HILBERT);
    assert_false(mesh_take_fluid(&fluid, &whole, &e));
    assert_non_null(strstr(e.text, "both named \"top\""));
    mesh_free(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fluid_of_every_shape), cmocka_unit_test(whole_without_fluid),
                                       cmocka_unit_test(rejected)};
    return RUN_TESTS("solids", tests);
}
