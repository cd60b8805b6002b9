/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * confine.h: what Gmsh may do while it reads and meshes a file from a stranger: no command, no new process, no socket,
 * no file written, renamed or removed, nothing read from a pipe or a device, which may have no end.  Gmsh's language
 * has many ways to ask for these (SystemCall, System, Printf > file, Save, Print, CreateDir, OnelabRun, Plugin, Field
 * ExternalProcess ...) and can put their names together from strings, so it is not the text that is looked through: the
 * C library's functions that do it are caught. */
#ifndef POISE_GMSH_CONFINE_H
#define POISE_GMSH_CONFINE_H
#include <stdbool.h>

/* While on, the first such call ends the program: file, line and what was asked for on stderr, exit status EXIT_INPUT.
 * file: the name to tell where Gmsh is not in the middle of one. */
void confine(bool on, const char *file);
#endif
