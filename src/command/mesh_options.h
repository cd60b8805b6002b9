/* mesh_options.h: command-line options for mesh files, the equivalent of a case's mesh keys. */
#ifndef POISE_MESH_OPTIONS_H
#define POISE_MESH_OPTIONS_H
#include "command/command.h"
#include "mesh/mesh_setting.h"

/* For the table of options, with values passed to mesh_option(). */
#define MESH_OPTIONS                                                                                          \
    {"set", required_argument, NULL, 's'}, {"straight", no_argument, NULL, 'S'},                              \
    {"markers", required_argument, NULL, 'm'}, {"trust-geo", no_argument, NULL, 'T'},                    \
    {"scale", required_argument, NULL, 'x'}, {"rotate", required_argument, NULL, 'R'},                        \
    {"translate", required_argument, NULL, 'M'}

/* Stores one of these options, with optarg, in the setting, whose parameter array has room for it.  False with a
 * message. */
bool mesh_option(struct mesh_setting *s, int option);
/* Stores the file's path, or a box, in the setting; rejects options that do not suit it, as mesh_setting_check() does
 * with keys. */
bool mesh_options_of(struct mesh_setting *s, const char *file, struct error *e);
#endif
