/* memory.h: host memory.  Failed allocations end the program with exit status 4 and a message; files are written under
 * temporary names and renamed, so none is left incomplete.  The same holds for allocations of libraries: in a program
 * that links this file malloc(), calloc() and realloc() never fail except for requests beyond the computer's memory. */
#ifndef POISE_MEMORY_H
#define POISE_MEMORY_H
#include <stddef.h>

/* For a process that answers only its parent (hdf5_server.c): from here on, when memory is exhausted, the program ends
 * with status 4 and prints nothing to the terminal or log.txt, which belong to the parent. */
void memory_end_is_told_by_parent(void);

/* A line for the message about exhausted memory; the caller keeps the text valid. */
void memory_end_also_says(const char *text);

void *allocate(size_t count, size_t size, const char *what);            /* zeroed; count * size may be 0 */
void *resize(void *p, size_t count, size_t size, const char *what);     /* keeps the contents, does not zero the new
                                                                           part */
/* Array of count elements of the pointer's own type. */
#define NEW(p, count) ((p) = allocate((size_t)(count), sizeof *(p), #p))
#define RESIZE(p, count) ((p) = resize((p), (size_t)(count), sizeof *(p), #p))
/* For tests: makes the n-th allocation from now fail (0: none). */
void allocation_fails_at(long n);
#endif
