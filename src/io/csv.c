/* CSV tables that grow during a run (output.h). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/file.h"
#include "base/memory.h"
#include "gpu/ranks.h"
#include "io/output.h"

/* Number of such files that remain open; others are opened for every row, because a process may have only 1024 open
 * files. */
enum { MOST_OPEN = 256 };
static int n_open;

struct csv {
    char path[2 * PATH_LENGTH];
    int file, every;            /* file: -1: not open */
    bool stays;                 /* remains open between rows */
    off_t end, due_end;         /* due_end: end of the rows whose iterations are multiples of `every` */
};

/* The whole file as text, NULL if it could not be read. */
static char *read_text(int file)
{
    struct stat found;
    if (fstat(file, &found)) return NULL;
    char *text = allocate((size_t)found.st_size + 1, 1, "CSV file");
    size_t n = 0;
    for (ssize_t got; (got = pread(file, text + n, (size_t)found.st_size - n, (off_t)n)) != 0; n += (size_t)got)
        if (got < 0 && errno != EINTR) return free(text), NULL;
        else if (got < 0) got = 0;
    return text;
}

/* Length of the part of `text` to keep on a restart: the header and the whole lines up to resumed_step.  0: no header
 * line; -1: a different header.  *due_end: as in struct csv. */
static off_t kept(const char *text, const char *header, int every, int64_t resumed_step, off_t *due_end)
{
    const char *line = strchr(text, '\n');
    if (!line) return 0;
    if (strlen(header) != (size_t)(line - text) || strncmp(text, header, strlen(header))) return -1;
    *due_end = line + 1 - text;
    for (const char *end; (end = strchr(++line, '\n')); line = end) {
        char *number_end;
        int64_t step = strtoll(line, &number_end, 10);
        if (number_end == line || *number_end != ',' || step > resumed_step) break;
        if (step % every == 0) *due_end = end + 1 - text;
    }
    return line - text;
}

/* Truncates an earlier run's rows to the point of the restart. */
static bool resume_rows(struct csv *c, const char *header, int64_t resumed_step, struct error *e)
{
    char *text = read_text(c->file);
    if (!text) return file_refuse(e, c->path, "could not be read");
    c->end = kept(text, header, c->every, resumed_step, &c->due_end);
    bool ok = c->end >= 0 || refuse(e, EXIT_INPUT, "%s: its first line is \"%.*s\", this run would write \"%s\"; "
                                    "remove the file, or run without --restart", c->path,
                                    (int)strcspn(text, "\n"), text, header);
    free(text);
    return ok;
}

static bool append(struct csv *c, const char *text, size_t length, struct error *e)
{
    if (file_write_all(c->file, text, length)) return c->end += (off_t)length, true;
    file_refuse(e, c->path, "a line could not be written");
    if (ftruncate(c->file, c->end)) return false;       /* removes an incomplete line; a restart would drop it too */
    return false;
}

/* Removes the row that was written only because an earlier run ended there. */
static bool drop_last(struct csv *c, struct error *e)
{
    if (c->due_end < c->end && ftruncate(c->file, c->due_end)) return file_refuse(e, c->path, "could not be truncated");
    c->end = c->due_end;
    return true;
}

struct csv *csv_open(const char *path, const char *header, int every, bool resume, int64_t resumed_step,
                     struct error *e)
{
    struct csv *c;
    NEW(c, 1);
    c->every = every;
    snprintf(c->path, sizeof c->path, "%s", path);
    c->file = -1;
    if (ranks_own()) return c;
    c->file = file_continue(path, e);
    bool ok = c->file >= 0;
    if (ok && resume) ok = resume_rows(c, header, resumed_step, e);
    if (ok && ftruncate(c->file, c->end)) ok = file_refuse(e, path, "could not be truncated");
    if (ok && !c->end) {
        size_t length = strlen(header);
        char *line = allocate(length + 2, 1, "CSV header");
        snprintf(line, length + 2, "%s\n", header);
        ok = append(c, line, length + 1, e);
        free(line);
        c->due_end = c->end;
    }
    c->stays = ok && n_open < MOST_OPEN;
    if (c->stays) n_open++;
    else if (c->file >= 0) close(c->file), c->file = -1;
    if (ok) return c;
    free(c);
    return NULL;
}

static bool add_row(struct csv *c, const char *row, size_t length, struct error *e)
{
    if (!c->stays && (c->file = file_continue(c->path, e)) < 0) return false;
    bool ok = drop_last(c, e) && append(c, row, length, e);
    c->due_end = c->end;
    if (!c->stays) close(c->file), c->file = -1;
    return ok;
}

bool csv_row(struct csv *c, int64_t step, const double *value, int n, struct error *e)
{
    enum { WIDTH = 32 };
    if (ranks_own()) return true;
    char *row = allocate((size_t)(n + 1) * WIDTH, 1, "CSV row");
    int length = sprintf(row, "%" PRId64, step);
    for (int k = 0; k < n; k++) length += sprintf(row + length, ",%.17g", value[k]);
    row[length++] = '\n';
    bool ok = add_row(c, row, (size_t)length, e);
    free(row);
    return ok;
}

bool csv_words(struct csv *c, int64_t step, const char *const *word, int n, struct error *e)
{
    char *row;
    size_t length;
    if (ranks_own()) return true;
    FILE *to = open_memstream(&row, &length);
    if (!to) die("no memory stream for a row");
    fprintf(to, "%" PRId64, step);
    for (int k = 0; k < n; k++) {
        bool quotes = strpbrk(word[k], ",\" ");
        fputs(quotes ? ",\"" : ",", to);
        for (const char *at = word[k]; *at; at++) fprintf(to, *at == '"' ? "\"\"" : "%c", *at);
        if (quotes) fputc('"', to);
    }
    fputc('\n', to);
    fclose(to);
    bool ok = add_row(c, row, length, e);
    free(row);
    return ok;
}

void csv_close(struct csv *c)
{
    if (!c) return;
    if (c->stays) close(c->file), n_open--;
    free(c);
}
