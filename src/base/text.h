/* text.h: the text of a file of numbers in memory, read word by word. */
#ifndef POISE_TEXT_H
#define POISE_TEXT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/error.h"

struct text {
    const char *path;
    char *begin;                /* the whole file, ended by a 0; the caller's to free */
    const char *at, *end;       /* where reading is */
};

/* Unpacks what is compressed.  False with a message; nothing is left then. */
bool text_load(struct text *t, const char *path, struct error *e);
/* Refuses with "file:line: " of t->at in front of the message and the line itself behind it. */
__attribute__((format(printf, 3, 4)))
bool text_refuse(const struct text *t, struct error *e, const char *format, ...);

void text_skip_blanks(struct text *t);
/* Goes over empty lines and comments, which begin with %. */
void text_skip_lines(struct text *t);
/* Goes to the next line; false: this is the last one, and t is at its end. */
bool text_next_line(struct text *t);
/* True where there are only blanks up to the end of the line; then goes on to the next one. */
bool text_end_line(struct text *t);
/* The next number, of at most 18 digits without a sign but +; a finite one.  False: it is none, and t and v stay. */
bool text_whole(struct text *t, int64_t *v);
bool text_real(struct text *t, double *v);
/* The next word of this line, up to a blank or one of (){}[];,=<>", and its length; 0, with t where it is: there is
 * none, or none so short. */
size_t text_word(struct text *t, char *word, size_t size);
#endif
