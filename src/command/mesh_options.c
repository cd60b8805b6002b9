/* Options for mesh files on the command line. */
#include "command/mesh_options.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "mesh/format.h"
#include "mesh/mesh.h"

static bool read_parameter(const char *text, struct parameter *p)
{
    static const char path[] = "mesh.parameters.";      /* the same parameter's key in a case */
    if (!strncmp(text, path, sizeof path - 1)) text += sizeof path - 1;
    const char *equals = strchr(text, '=');
    char *end;
    p->value = equals ? strtod(equals + 1, &end) : 0;
    if (equals && equals > text && equals - text < NAME_LENGTH && end > equals + 1 && !*end && isfinite(p->value)) {
        snprintf(p->name, NAME_LENGTH, "%.*s", (int)(equals - text), text);
        return true;
    }
    log_error("poise: --set %s: expected name=number for a parameter of the .geo file\n", text);
    return false;
}

/* Numbers with commas between them. */
static bool read_numbers(const char *option, const char *text, double *to, int most, int *n)
{
    *n = 0;
    for (const char *at = text; *n < most; at++) {
        char *end;
        to[*n] = strtod(at, &end);
        if (end == at || !isfinite(to[*n]) || (*end && *end != ',')) break;
        ++*n;
        if (!*end) return true;
        at = end;
    }
    log_error("poise: --%s %s: expected a number, or up to %d with commas between them and no blanks\n", option, text,
              most);
    return false;
}

static bool read_scale(struct transform_setting *t)
{
    if (!read_numbers("scale", optarg, t->scale, 3, &t->n_scale)) return false;
    for (int k = 0; k < t->n_scale; k++)
        if (!(t->scale[k] > 0)) return log_error("poise: --scale %s: expected numbers > 0\n", optarg), false;
    return true;
}

bool mesh_option(struct mesh_setting *s, int option)
{
    if (option == 's') return read_parameter(optarg, &s->parameter[s->n_parameters++]);
    if (option == 'S') s->curved = CURVED_STRAIGHT;
    if (option == 'T') mesh_trust_geo(true);
    if (option == 'x') return read_scale(&s->transform);
    struct transform_setting *t = &s->transform;
    if (option == 'R') return read_numbers("rotate", optarg, t->rotate, 4, &t->n_rotate);
    if (option == 'M') return read_numbers("translate", optarg, t->translate, 3, &t->n_translate);
    if (option != 'm') return true;
    if (*optarg && strlen(optarg) < sizeof s->markers) return strcpy(s->markers, optarg), true;
    log_error("poise: --markers \"%s\": expected the name of an array, of at most %zu letters\n", optarg,
              sizeof s->markers - 1);
    return false;
}

bool mesh_options_of(struct mesh_setting *s, const char *file, struct error *e)
{
    enum mesh_format format = mesh_format_of(file);
    if (strlen(file) >= sizeof s->file) return refuse(e, EXIT_INPUT, "%s: the path is too long", file);
    strcpy(s->file, file);
    if (*s->markers && format != FORMAT_VTK && format != FORMAT_VTU)
        return refuse(e, EXIT_INPUT, "--markers is for .vtk and .vtu files and does not apply to %s", file);
    if (s->n_parameters && format != FORMAT_GEO)
        return refuse(e, EXIT_INPUT, "--set is for parameters of a .geo file; %s has none", file);
    if (s->curved == CURVED_STRAIGHT && (format == FORMAT_NONE || format == FORMAT_NATIVE || format == FORMAT_FOAM))
        return refuse(e, EXIT_INPUT, "--straight does not apply to %s, whose cells are straight-sided", file);
    return true;
}
