/* fuzz.h: what the harnesses (read_*.c) and what drives them (driver.c, or libFuzzer) have in common.
 *
 * A harness reads one input as Poise reads such a file.  Whatever the bytes are, the reader must return: a crash, a
 * report of a sanitizer, die() (an internal error), exit() and more than 10 s are failures.  Running out of memory,
 * which ends the program by design, is not: an allocation of more than 64 MB is refused here, and the input is over. */
#ifndef POISE_FUZZ_H
#define POISE_FUZZ_H
#include <stddef.h>
#include <stdint.h>

/* The harness: data may be changed. */
void fuzz_one(uint8_t *data, size_t size);
/* The bytes as a file of this name in a folder that is gone at the end; its path stays until the next call. */
const char *fuzz_file(const char *name, const uint8_t *data, size_t size);
/* An HDF5 file as Poise writes it gets the digest that its contents have, so that damage reaches what is behind it. */
void fuzz_renew_digest(uint8_t *data, size_t size);
/* While it is set, the code that runs is not Poise's (Gmsh's parser), and its death is no failure. */
extern int *fuzz_foreign;
/* Set by a harness: this process is good for no more inputs. */
extern int fuzz_spent;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);           /* libFuzzer's name for it */
#endif
