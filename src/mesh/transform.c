/* Scales, rotates and shifts a mesh as the case asks (mesh.h). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/dense.h"
#include "base/digest.h"
#include "mesh/cells.h"

int transform_fault(const struct transform_setting *t, int dim, char text[200])
{
    static const double none[3] = {0};
    if (t->n_scale > 1 && (t->n_scale == 4 || (dim && t->n_scale != dim)))
        return snprintf(text, 200, "has %d numbers: expected one for all directions%s", t->n_scale, dim == 2 ?
                        ", or 2 in 2-D" : dim == 3 ? ", or 3 in 3-D" : ", or one for each"), 0;
    if (t->n_rotate == 2 || t->n_rotate == 3 || (dim && t->n_rotate && t->n_rotate != (dim == 2 ? 1 : 4)))
        return snprintf(text, 200, "has %d number%s: expected %s", t->n_rotate, t->n_rotate == 1 ? "" : "s", dim == 2 ?
                        "one in 2-D, the degrees" : dim == 3 ? "4 in 3-D, [x, y, z, degrees] with an axis" :
                        "the degrees in 2-D, or [x, y, z, degrees] with an axis in 3-D"), 1;
    if (t->n_rotate == 4 && !memcmp(t->rotate, none, sizeof none))
        return snprintf(text, 200, "= [0, 0, 0, %g]: expected an axis of length > 0", t->rotate[3]), 1;
    if (dim && t->n_translate && t->n_translate != dim)
        return snprintf(text, 200, "has %d numbers: expected %d in %d-D", t->n_translate, dim, dim), 2;
    return -1;
}

/* Cosine and sine of degrees, exact for right angles: a box turned by them has the same faces. */
static void turn_of(double degrees, double *c, double *s)
{
    static const double pi = 3.14159265358979323846;
    const double quarters = nearbyint(degrees / 90), rest = (degrees - 90 * quarters) * pi / 180;
    const double a = rest == 0 ? 1 : cos(rest), b = rest == 0 ? 0 : sin(rest);
    const int k = (int)fmod(fmod(quarters, 4) + 4, 4);
    *c = k == 0 ? a : k == 1 ? -b : k == 2 ? -a : b;
    *s = k == 0 ? b : k == 1 ? a : k == 2 ? -b : -a;
}

/* Rodrigues' formula. */
static void rotation_of(const struct transform_setting *t, double q[3][3])
{
    double c, s, axis[3] = {0, 0, 1};
    if (t->n_rotate == 4) {
        const double size = fmax(fabs(t->rotate[0]), fmax(fabs(t->rotate[1]), fabs(t->rotate[2])));
        for (int k = 0; k < 3; k++) axis[k] = t->rotate[k] / size;              /* its square is finite */
        const double length = sqrt(dot(axis, axis));
        for (int k = 0; k < 3; k++) axis[k] /= length;
    }
    turn_of(t->rotate[t->n_rotate - 1], &c, &s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = 3 - i - j;
            const double cross = i == j ? 0 : (j == (i + 1) % 3 ? -1 : 1) * axis[k];
            q[i][j] = (1 - c) * axis[i] * axis[j] + (i == j ? c : 0) + s * cross;
        }
}

void transform_key(char key[256], const struct transform_setting *t)
{
    if (!*key || !transform_given(t)) return;
    uint64_t h = digest_add(DIGEST_START, key, strlen(key) + 1);
    const int n[] = {t->n_scale, t->n_rotate, t->n_translate};
    h = digest_add(h, n, sizeof n);
    h = digest_add(h, t->scale, (size_t)n[0] * sizeof *t->scale);
    h = digest_add(h, t->rotate, (size_t)n[1] * sizeof *t->rotate);
    h = digest_add(h, t->translate, (size_t)n[2] * sizeof *t->translate);
    snprintf(key, 256, "transformed 1, fnv1a %016" PRIx64, h);
}

static bool refuse_transform(const struct mesh *m, const struct transform_setting *t, int k, const char *text,
                             struct error *e)
{
    static const char *const names[] = {"scale", "rotate", "translate"};
    if (t->place[k].source)
        return refuse(e, EXIT_INPUT, "%s: mesh.%s %s; the mesh is %s", case_place_text(t->place[k]), names[k], text,
                      m->source);
    return refuse(e, EXIT_INPUT, "%s: --%s %s", m->source, names[k], text);
}

bool mesh_transform(struct mesh *m, const struct transform_setting *t, struct error *e)
{
    double q[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, factor[3];
    char text[200];
    if (!transform_given(t)) return true;
    const int fault = transform_fault(t, m->dim, text);
    if (fault >= 0) return refuse_transform(m, t, fault, text, e);
    for (int k = 0; k < 3; k++) factor[k] = !t->n_scale ? 1 : t->scale[k < t->n_scale ? k : 0];
    if (t->n_rotate) rotation_of(t, q);
    for (int32_t v = 0; v < m->n_vertices; v++) {
        double *x = m->vertex + 3 * (int64_t)v, y[3];
        for (int k = 0; k < 3; k++) y[k] = factor[k] * x[k];
        for (int k = 0; k < 3; k++)
            x[k] = (t->n_rotate ? dot(q[k], y) : y[k]) + (k < t->n_translate ? t->translate[k] : 0);
    }
    transform_key(m->key, t);
    return mesh_check_coordinates(m, e);
}
