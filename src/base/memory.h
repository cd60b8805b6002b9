/* memory.h: host memory.  Running out of it ends the program with exit status 4 and says what was wanted; files are
 * written beside and renamed, so nothing half-written stays.  The same holds for what libraries allocate: a program
 * that uses this file has malloc(), calloc() and realloc() that never fail but for more than the machine has. */
#ifndef POISE_MEMORY_H
#define POISE_MEMORY_H
#include <stddef.h>

/* For a process that answers its parent alone (hdf5_server.c): from here on the program ends with status 4 without a
 * word where memory ends, neither on the terminal nor in log.txt, which are the parent's. */
void memory_end_is_told_by_parent(void);

/* A line for the message where memory ends; the text must stay. */
void memory_end_also_says(const char *text);

void *allocate(size_t count, size_t size, const char *what);            /* zeroed; count * size may be 0 */
void *resize(void *p, size_t count, size_t size, const char *what);     /* contents kept, the new part is not zeroed */
/* Array of count elements of the pointer's own type. */
#define NEW(p, count) ((p) = allocate((size_t)(count), sizeof *(p), #p))
#define RESIZE(p, count) ((p) = resize((p), (size_t)(count), sizeof *(p), #p))
/* For tests: the n-th allocation from now fails (0: never). */
void allocation_fails_at(long n);
#endif
