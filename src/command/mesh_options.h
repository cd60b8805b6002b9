/* mesh_options.h: how a mesh file is read, as options of the command line: what a case says by keys of its mesh. */
#ifndef POISE_MESH_OPTIONS_H
#define POISE_MESH_OPTIONS_H
#include "command/command.h"
#include "mesh/mesh_setting.h"

/* For the table of options, with values that mesh_option() takes. */
#define MESH_OPTIONS                                                                                          \
    {"set", required_argument, NULL, 's'}, {"straight", no_argument, NULL, 'S'},                              \
    {"markers", required_argument, NULL, 'm'}, {"trust-geo", no_argument, NULL, 'T'}

/* One of these options, with optarg, into the setting, whose parameter has room for it.  False with a message. */
bool mesh_option(struct mesh_setting *s, int option);
/* Puts the file's path, or a box, into the setting; refuses options that do not suit it, as mesh_setting_check() does
 * with keys. */
bool mesh_options_of(struct mesh_setting *s, const char *file, struct error *e);
#endif
