/* text.h: the text of a file of numbers in memory, read word by word. */
#ifndef POISE_TEXT_H
#define POISE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

struct text {
    const char *path;
    char *begin;                /* the whole file with a terminating 0; the caller frees it */
    const char *at, *end;       /* read position, end of the text */
};

/* Reads the file, unpacking it if compressed.  False with a message, and nothing to free. */
bool text_load(struct text *t, const char *path, struct error *e);
/* Rejects the input: prefixes the message with "file:line: " of t->at and appends the line itself. */
__attribute__((format(printf, 3, 4)))
bool text_refuse(const struct text *t, struct error *e, const char *format, ...);

void text_skip_blanks(struct text *t);
/* Skips empty lines and comments, which begin with %. */
void text_skip_lines(struct text *t);
/* Moves to the next line; false: this is the last one, and t is at its end. */
bool text_next_line(struct text *t);
/* True if only blanks remain on the line; then moves to the next one. */
bool text_end_line(struct text *t);
/* Reads the next number, finite, of at most 18 digits, without a sign other than +.  False: not such a number; t and v
 * are unchanged. */
bool text_whole(struct text *t, int64_t *v);
bool text_real(struct text *t, double *v);
/* Copies the next word of this line, up to a blank or one of (){}[];,=<>", and returns its length; 0, with t unchanged:
 * no word, or too long. */
size_t text_word(struct text *t, char *word, size_t size);
#endif
