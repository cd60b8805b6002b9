/* Closed forms for a ball and a triangle, and for a circle and an edge (shapes.h). */
#include <math.h>
#include "interface/body.h"
#include "interface/shapes.h"

/* An edge seen from the foot of the perpendicular on its face, at the distance `away` from the edge's line; s is the
 * coordinate along the edge.  The part of s1 .. s2 with |s| <= reach lies inside the disc in which the sphere cuts the
 * face.  inside: length of that part; angle: the angle at the foot that the rest covers; bent: the same for asin(lift
 * sin(angle)). */
struct sweep { double inside, angle, bent; };

static void add_outside(struct sweep *w, double s1, double s2, double away, double lift)
{
    if (!(s2 > s1)) return;
    w->angle += atan2(s2, away) - atan2(s1, away);
    w->bent += asin(lift * s2 / hypot(s2, away)) - asin(lift * s1 / hypot(s1, away));
}

static struct sweep sweep(double s1, double s2, double away, double disc, double lift)
{
    struct sweep w = {0};
    double reach = disc > away ? sqrt((disc - away) * (disc + away)) : 0;
    w.inside = fmax(0, fmin(s2, reach) - fmax(s1, -reach));
    add_outside(&w, s1, fmin(s2, -reach), away, lift);
    add_outside(&w, fmax(s1, reach), s2, away, lift);
    return w;
}

double circle_under_edge(const double a[2], const double b[2], double radius)
{
    double e[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(e[0], e[1]), cross = a[0] * b[1] - a[1] * b[0];
    if (!(length > 0) || cross == 0) return 0;
    double away = fabs(cross) / length;
    struct sweep w = sweep((a[0] * e[0] + a[1] * e[1]) / length, (b[0] * e[0] + b[1] * e[1]) / length, away, radius, 0);
    return copysign(0.5 * (away * w.inside + radius * radius * w.angle), cross);
}

/* h: height of the centre over the face.  Along a ray through the face at distance rho from the foot, the cone has a
 * volume of h rho^2 / 6 per angle while rho <= disc, disc^2 = R^2 - h^2, and beyond it in addition
 *   R^3/3 (h / max(R, h) - h / sqrt(h^2 + rho^2)), the solid angle under the sphere.
 * With rho = away / cos(angle) the integral of the last term is asin(h sin(angle) / sqrt(h^2 + away^2)). */
double ball_under_triangle(double corner[3][3], double radius)
{
    double arm[2][3], n[3], volume = 0, R = radius;
    for (int k = 0; k < 3; k++) arm[0][k] = corner[1][k] - corner[0][k], arm[1][k] = corner[2][k] - corner[0][k];
    cross(arm[0], arm[1], n);
    double size = sqrt(dot(n, n));
    if (!(size > 0)) return 0;
    for (int k = 0; k < 3; k++) n[k] /= size;
    double height = dot(corner[0], n), h = fabs(height);
    if (h == 0) return 0;
    double disc2 = (R - h) * (R + h) > 0 ? (R - h) * (R + h) : 0;
    for (int i = 0; i < 3; i++) {
        double p[3], q[3], e[3], turn[3];
        for (int k = 0; k < 3; k++) p[k] = corner[i][k] - height * n[k], q[k] = corner[(i + 1) % 3][k] - height * n[k];
        for (int k = 0; k < 3; k++) e[k] = q[k] - p[k];
        double length = sqrt(dot(e, e));
        cross(p, q, turn);
        double twice = dot(turn, n), away = fabs(twice) / length;
        if (!(length > 0) || twice == 0) continue;
        struct sweep w = sweep(dot(p, e) / length, dot(q, e) / length, away, sqrt(disc2), h / hypot(h, away));
        double cube = R * R * R / 3;
        double part = h * away * w.inside / 6 + w.angle * (h * disc2 / 6 + cube * h / fmax(R, h)) - cube * w.bent;
        volume += (twice > 0) == (height > 0) ? part : -part;
    }
    return volume;
}
