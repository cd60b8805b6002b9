/* SPDX-License-Identifier: GPL-2.0-or-later (it is linked with Gmsh, as poise-gmsh, whose steps these are)
 *
 * Harness: a .msh, read by Poise's part of poise-gmsh, after Gmsh's parser.  The parser crashes and hangs on damaged
 * files, or leaves a model on which Gmsh's other functions crash; poise reports it as Gmsh's failure, and here it is
 * not a failure. */
#include <dlfcn.h>
#include <execinfo.h>
#include <sanitizer/common_interface_defs.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "fuzz.h"
#include "mesh/gmsh/confine.h"
#include "mesh/gmsh/import.h"

void note(const char *format, ...) { (void)format; }
void confine(bool on, const char *file) { (void)on, (void)file; }         /* the driver writes files in this process */

/* Gmsh is started once, before the workers; its model is cleared between inputs. */
void __wrap_gmshInitialize(void);
void __wrap_gmshInitialize(void) {}

/* AddressSanitizer's last callback, also called if it fails itself because Gmsh has overwritten its data: does the
 * stack contain Gmsh's code before ours? */
static void look_where(void)
{
    void *frame[64];
    Dl_info at, here;
    int n = backtrace(frame, 64), ours = 0;                     /* the first of ours is this function's */
    dladdr(fuzz_one, &here);
    for (int i = 0; i < n && ours < 2; i++) {
        if (!dladdr(frame[i], &at)) continue;
        ours += at.dli_fbase == here.dli_fbase;
        if (ours < 2 && strstr(at.dli_fname, "libgmsh")) *fuzz_foreign = 1;
    }
}

void __real_gmshInitialize(int argc, char **argv, uintptr_t a, uintptr_t b, uintptr_t c);
__attribute__((constructor)) static void start(void)
{
    static char *argv[] = {"read_msh", NULL};
    static int error;                           /* the fourth argument or, in newer versions, the fifth */
    bool four = _Generic(&gmshInitialize, void (*)(int, char **, const int, int *): true, default: false);
    void *frame[1];
    backtrace(frame, 1);                        /* the first call loads a library */
    __real_gmshInitialize(1, argv, 0, four ? (uintptr_t)&error : 0, (uintptr_t)&error);
}

void __real_gmshOpen(const char *path, int *error);
void __wrap_gmshOpen(const char *path, int *error);
void __wrap_gmshOpen(const char *path, int *error)
{
    __sanitizer_set_death_callback(look_where);  /* here: fork removes it, tests/fuzz/fuzz.c */
    *fuzz_foreign = 1;
    alarm(2);                                   /* the driver's time limit is for Poise's part */
    gmshClear(error);
    __real_gmshOpen(path, error);
    fuzz_spent = *error;                        /* after an error it opens no more files */
    alarm(10);
    *fuzz_foreign = 0;
}

void fuzz_one(uint8_t *data, size_t size)
{
    struct mesh m = {0};
    struct import im = {.path = fuzz_file("input.msh", data, size), .m = &m};
    struct error e;
    strcpy(m.source, "input.msh");
    if (import_load(&im, NULL, 0, &e) && import_groups(&im, &e) && import_cells(&im, &e) && import_boundary(&im, &e))
        mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e);
    free(im.cell_entity), free(im.face_entity), free(im.vertex);
    mesh_free(&m);
}
