/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * confine.h: restricts what Gmsh may do while it reads and meshes an untrusted file: no command, no new process, no
 * socket, no file written, renamed or removed, nothing read from a pipe or a device, which may have no end.  Gmsh's
 * language has many ways to ask for these (SystemCall, System, Printf > file, Save, Print, CreateDir, OnelabRun,
 * Plugin, Field ExternalProcess ...) and can compose their names from strings, so instead of scanning the text the C
 * library's functions are intercepted. */
#ifndef POISE_GMSH_CONFINE_H
#define POISE_GMSH_CONFINE_H
#include <stdbool.h>

/* While on, the first such call ends the program: file, line and the attempted action on stderr, exit status
 * EXIT_INPUT.  file: the name to report if Gmsh is not parsing a file. */
void confine(bool on, const char *file);
#endif
