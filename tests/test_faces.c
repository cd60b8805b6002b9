/* Faces own their vertices and cells their faces: both agree with the shapes of the cells on every kind of mesh, at
 * periodic faces too, and in the parts of several ranks. */
#define ranks_own pretended_own                 /* part.c is compiled here with simulated ranks */
#define ranks_count pretended_count
#define ranks_cut pretended_cut
#include "../src/mesh/part.c"
#undef ranks_cut
#undef ranks_own
#undef ranks_count
#include "flow_fixture.h"
#include "mesh/cell_shape.h"
#include "mesh/rings.h"

static int n_ranks = 1, own_rank;
int pretended_own(void) { return own_rank; }
int pretended_count(void) { return n_ranks; }
int64_t pretended_cut(int64_t n, int rank) { return ranks_cut_of(n, n_ranks, rank); }

/* The ring equals the vertices of the cell's face `local` from its shape, with the same start and order. */
static void check_ring(const struct mesh *m, const struct ring *ring, int32_t cell, int local)
{
    double corner[4][3];
    int32_t vertex[4];
    int n = cell_face(m, cell, local, corner, vertex);
    assert_int_equal(ring->n, n);
    for (int i = 0; i <= n; i++) assert_int_equal(ring_vertex(ring, i), vertex[i % n]);
    for (int i = 0; i < n; i++) assert_memory_equal(ring_corner(m, ring, i), corner[i], sizeof corner[i]);
}

/* One entry of cell_face: the face is one of the cell's, and the owner sees it unreversed. */
static void check_entry(const struct mesh *m, int32_t cell, int64_t k)
{
    const int32_t f = face_of_cell(m, k), ring = abs(m->cell_face[k]) - 1;
    assert_in_range(f, 0, m->n_faces - 1);
    if (m->face_owner[f] == cell) {
        assert_int_equal(m->cell_face[k], f + 1);
        assert_int_equal(m->cell_face_first[k], 0);
        return;
    }
    assert_true(f < m->n_internal && m->face_neighbour[f] == cell);
    if (ring < m->n_faces) assert_true(m->cell_face[k] < 0);            /* the other way round */
    else assert_int_equal(m->joint_face[ring - m->n_faces], f);
}

static void check_whole(const struct mesh *m)
{
    assert_int_equal(m->cell_face_start[m->n_cells], m->n_faces + m->n_internal);
    for (int32_t c = 0; c < m->n_cells; c++) {
        assert_int_equal(m->cell_face_start[c + 1] - m->cell_face_start[c], cell_shape[m->cell_type[c]].n_faces);
        for (int64_t k = m->cell_face_start[c]; k < m->cell_face_start[c + 1]; k++) {
            const struct ring ring = cell_ring(m, k);
            check_ring(m, &ring, c, (int)(k - m->cell_face_start[c]));
            check_entry(m, c, k);
        }
    }
    for (int32_t j = 0; j < m->n_joints; j++) {         /* the same vertices on both sides of the periodic boundary */
        const struct ring own = face_ring(m, m->joint_face[j]), other = face_ring(m, m->n_faces + j);
        assert_int_equal(own.n, other.n);
        for (int i = 0; i < own.n; i++) {
            int found = 0;
            for (int l = 0; l < other.n; l++) {
                double away = 0;
                for (int k = 0; k < 3; k++)
                    away = fmax(away, fabs(ring_corner(m, &own, i)[k] + m->joint_shift[3 * (int64_t)j + k] -
                                           ring_corner(m, &other, l)[k]));
                found += away < 1e-12;
            }
            assert_int_equal(found, 1);
        }
    }
}

/* A rank's part: every cell has, in order, the faces that exist there, own cells all of them. */
static void check_part(const struct mesh *m, const struct mesh *w)
{
    for (int32_t c = 0; c < m->n_all; c++) {
        const int32_t from = mesh_cell_in_whole(m, c);
        int64_t k = m->cell_face_start[c];
        for (int64_t l = from < 0 ? 0 : w->cell_face_start[from]; from >= 0 && l < w->cell_face_start[from + 1]; l++) {
            if (k == m->cell_face_start[c + 1] || m->part->face[face_of_cell(m, k)] != face_of_cell(w, l)) {
                assert_true(c >= m->n_cells);
                continue;
            }
            const struct ring ring = cell_ring(m, k);
            check_ring(m, &ring, c, (int)(l - w->cell_face_start[from]));
            check_entry(m, c, k++);
        }
        assert_int_equal(k, m->cell_face_start[c + 1]);
    }
}

static void check_parts(const struct mesh *whole)
{
    for (n_ranks = 1; n_ranks <= 4; n_ranks++)
        for (own_rank = 0; own_rank < n_ranks; own_rank++)
            for (int layers = 0; layers <= INTERFACE_LAYERS; layers += INTERFACE_LAYERS) {
                struct mesh part;
                struct error e;
                if (!mesh_take_part(&part, whole, layers, &e)) fail_msg("%s", e.text);
                check_part(&part, whole);
                mesh_free(&part);
            }
    n_ranks = 1, own_rank = 0;
}

static void rings_and_shapes(void **state)
{
    static const int pairs[] = {0, 1, 3, 2}, cells[] = {46, 33, 40, 13, 8, 11, 8, 9};     /* 4 slices at least */
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int periodic = 0; periodic < 2; periodic++)
            for (enum ordering o = ORDERING_HILBERT; o <= ORDERING_NONE; o += ORDERING_NONE - ORDERING_HILBERT) {
                const struct box_setting box = grid_box(kind, cells[kind], periodic ? 0 : 0.2);
                struct mesh m;
                struct error e;
                if (periodic && kind == GRID_MIXED_3D) continue;        /* its sides do not match */
                grid_mesh(&m, kind, &box);
                if (!mesh_complete(&m, o, pairs, periodic ? 1 + (kind != GRID_MIXED_2D) : 0, &e))
                    fail_msg("%s: %s", grid_name[kind], e.text);
                assert_true((m.n_joints > 0) == periodic);
                check_whole(&m);
                check_parts(&m);
                mesh_free(&m);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rings_and_shapes)};
    return RUN_TESTS("faces", tests);
}
