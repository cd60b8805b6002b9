/* fuzz.h: shared by the harnesses (read_*.c) and their drivers (driver.c, or libFuzzer).
 *
 * A harness reads one input as Poise reads such a file.  Whatever the bytes are, the reader must return: a crash, a
 * report of a sanitizer, die() (an internal error), exit() and more than 10 s are failures.  Running out of memory,
 * which ends the program by design, is not: an allocation of more than 64 MB is rejected here, and the input ends. */
#ifndef POISE_FUZZ_H
#define POISE_FUZZ_H
#include <stddef.h>
#include <stdint.h>

/* The harness: data may be changed. */
void fuzz_one(uint8_t *data, size_t size);
/* Writes the bytes to a file of this name in a folder that is removed at the end; the path is valid until the next
 * call. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/* Updates the digest of an HDF5 file in Poise's format, so that damage reaches the code after the check. */
void fuzz_renew_digest(uint8_t *data, size_t size);
/* While set, foreign code runs (Gmsh's parser), and its crash is not a failure. */
extern int *fuzz_foreign;
/* Set by a harness: this process can handle no more inputs. */
extern int fuzz_spent;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);           /* libFuzzer's entry point */
#endif
