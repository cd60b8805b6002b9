/* Reads the case file and the files that it includes into one text, and parses that into libconfig's tree of settings.
 * A file that begins with a brace is JSON, which has the same structure.
 *
 * libconfig would open included files itself: they would not pass through put_token() below, a pipe would block it for
 * ever, and a directory would end the program.  So @include is processed here, and the case stores which lines come
 * from which file. */
#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/file.h"
#include "base/memory.h"
#include "case/reader.h"

enum { MOST = 10000000, MOST_DEPTH = 10, MOST_FILES = 1000 };   /* bytes; nesting of includes; files in total */
enum { MOST_IN_GROUP = 10000, MOST_GROUPS = 16 };       /* names; nesting of groups.  libconfig compares each name of a
                                                           group with all previous ones */

/* ---------------------------------------------------------------- line numbers */
int case_line_in_file(const struct case_source *s, int line, const char **file)
{
    int part = s->n_parts - 1;
    while (part > 0 && s->part[part].from > line) part--;
    *file = part < 0 ? s->path : s->part[part].file;
    return part < 0 ? line : s->part[part].line + line - s->part[part].from;
}

/* Lines of the whole text from `from` on are those of the file from `line` on. */
static void add_part(struct case_source *s, const char *file, int from, int line)
{
    RESIZE(s->part, s->n_parts + 1);
    s->part[s->n_parts++] = (struct case_part){strdup(file), from, line};
}

/* ---------------------------------------------------------------- the file */
size_t case_name_length(const char *file)
{
    size_t n = strlen(file);
    return n > 4 && file_ends_in(file, ".cfg") ? n - 4 : n > 5 && file_ends_in(file, ".json") ? n - 5 : n;
}

static bool is_case(const char *name) { return case_name_length(name) < strlen(name); }

/* As file_text(), but errno is EFBIG for a file that is not text. */
static char *load(const char *path, const char **why)
{
    size_t bytes;
    char *text = file_text(path, MOST, &bytes, why);
    if (text && strlen(text) < bytes) free(text), text = NULL, errno = EFBIG;
    if (!text && errno == EFBIG) *why = "this is not a text file";
    return text;
}

static char *load_case(const char *path, struct error *e)
{
    char inside[PATH_LENGTH + 1];
    const char *why;
    char *text = load(path, &why);
    if (text) return text;
    if (errno == EFBIG) return refuse(e, EXIT_INPUT, "%s: %s; expected a case file", path, why), NULL;
    snprintf(inside, sizeof inside, errno == EISDIR ? "%s/" : "%s", path);
    return refuse(e, EXIT_INPUT, "%s: %s%s", inside, why, file_others(inside, "case files", is_case)), NULL;
}

/* ---------------------------------------------------------------- syntax that libconfig rejects or misreads */
/* The text in the file and the text for libconfig; both have the same lines. */
struct text {
    FILE *raw, *plain;
    char *raw_text, *plain_text;
    size_t raw_size, plain_size;
    int line;
    bool json;
    int depth;                  /* of braces */
    int names[MOST_GROUPS];     /* in the group at each depth, so far */
};

static void open_text(struct text *t)
{
    *t = (struct text){.line = 1};
    t->raw = open_memstream(&t->raw_text, &t->raw_size), t->plain = open_memstream(&t->plain_text, &t->plain_size);
    if (!t->raw || !t->plain) die("open_memstream: %s", strerror(errno));
}

/* A string, a comment, a word or number, or a single character. */
static size_t token_length(const char *p)
{
    size_t n = 1;
    if (*p == '"') {
        while (p[n] && p[n] != '"') n += p[n] == '\\' && p[n + 1] ? 2 : 1;
        return n + (p[n] == '"');
    }
    if (*p == '#' || (p[0] == '/' && p[1] == '/')) return strcspn(p, "\n");
    if (p[0] == '/' && p[1] == '*') {
        const char *end = strstr(p + 2, "*/");
        return end ? (size_t)(end + 2 - p) : strlen(p);
    }
    if (isalnum((unsigned char)*p) || *p == '.')
        while (isalnum((unsigned char)p[n]) || (p[n] && strchr("_-.*", p[n]))) n++;
    return n;
}

/* The code point of the escape \uXXXX at p, 0: there is none. */
static unsigned escaped(const char *p)
{
    unsigned code;
    char digits[5] = "";
    if (strncmp(p, "\\u", 2) || strspn(strncpy(digits, p + 2, 4), "0123456789abcdefABCDEF") != 4) return 0;
    return sscanf(digits, "%x", &code) == 1 ? code : 0;
}

/* A string of JSON with its escapes \/ and \uXXXX, which libconfig does not know, as UTF-8; others stay. */
static void put_string(FILE *to, const char *p, size_t n)
{
    for (const char *end = p + n; p < end;) {
        unsigned code = escaped(p), low = code ? escaped(p + 6) : 0, length = code ? 6 : 2;
        if (code >> 10 == 0x36 && low >> 10 == 0x37)            /* two halves of one */
            code = 0x10000 + ((code & 0x3FF) << 10) + (low & 0x3FF), length = 12;
        if (*p != '\\') fputc(*p, to), length = 1;
        else if (p[1] == '/') fputc('/', to);
        else if (!code) fwrite(p, 1, end - p < 2 ? 1 : 2, to);
        else if (code < ' ' || code == '"' || code == '\\') fprintf(to, "\\x%02X", code);
        else if (code < 0x80) fputc((int)code, to);
        else {
            const int further = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
            fputc((int)((0xFF00u >> (further + 1) & 0xFF) | code >> 6 * further), to);
            for (int k = further - 1; k >= 0; k--) fputc((int)(0x80 | (code >> 6 * k & 0x3F)), to);
        }
        p += length;
    }
}

/* libconfig rejects [1, 2.5] (an array of mixed types) but accepts the list (1, 2.5); and it silently truncates
 * integers of more than 32 bits.  So outside strings and comments brackets become parentheses, and long integers get a
 * decimal point.  JSON is converted by dropping the outermost braces and the quotes around names. */
static void put_token(struct text *t, const char *p, size_t n)
{
    const int deeper = n == 1 ? (*p == '{') - (*p == '}') : 0;
    const bool outermost = t->json && deeper && t->depth == (deeper < 0);
    const bool name = t->json && *p == '"' && p[n + strspn(p + n, " \t\r\n")] == ':';
    enum { LONG = 10 };                                 /* digits; in base 16, with 0x, 8 fit */
    bool hexadecimal = n >= LONG && p[0] == '0' && strchr("xX", p[1]) &&
                       2 + strspn(p + 2, "0123456789abcdefABCDEF") == n;
    t->depth += deeper;
    fwrite(p, 1, n, t->raw);
    if (outermost) fputc(' ', t->plain);
    else if (name) fwrite(p + 1, 1, n - 2, t->plain);
    else if (t->json && *p == '"') put_string(t->plain, p, n);
    else if (n == 1 && *p == '[') fputc('(', t->plain);
    else if (n == 1 && *p == ']') fputc(')', t->plain);
    else if (hexadecimal) fprintf(t->plain, "%.17e", strtod(p, NULL) < HUGE_VAL ? strtod(p, NULL) : DBL_MAX);
    else fwrite(p, 1, n, t->plain);
    if (n >= LONG && strspn(p, "0123456789") == n) fputs(".0", t->plain);
    for (size_t i = 0; i < n; i++) t->line += p[i] == '\n';
    if (t->depth < 0 || t->depth >= MOST_GROUPS || n != 1) return;
    if (deeper > 0) t->names[t->depth] = 0;
    if (*p == '=' || *p == ':') t->names[t->depth]++;
}

static bool too_many_names(const struct text *t)
{
    return t->depth >= 0 && t->depth < MOST_GROUPS && t->names[t->depth] > MOST_IN_GROUP;
}

static bool put_file(struct case_reader *r, struct text *t, const char *path, const char *text, int depth,
                     struct error *e);

/* p: at @include, in line `line` of the file; the length of the whole directive, 0: rejected. */
static size_t put_included(struct case_reader *r, struct text *t, const char *path, int line, const char *p, int depth,
                           struct error *e)
{
    char name[PATH_LENGTH], file[2 * PATH_LENGTH];
    const char *why, *slash = strrchr(r->source->path, '/'), *at = p + strlen("@include");
    size_t n = 0;
    at += strspn(at, " \t");
    bool quoted = *at == '"';
    if (quoted)
        for (at++; *at && !strchr("\"\n", *at) && n + 1 < sizeof name; at++)
            name[n++] = *at == '\\' && at[1] && strchr("\"\\", at[1]) ? *++at : *at;
    name[n] = 0;
    if (!quoted || *at != '"' || !n)
        return refuse(e, EXIT_INPUT, "%s:%d: @include: expected a file name in quotes, at most %d letters: @include "
                      "\"part.cfg\"", path, line, PATH_LENGTH - 1);
    if (depth == MOST_DEPTH || r->source->n_parts > 2 * MOST_FILES)
        return refuse(e, EXIT_INPUT, "%s:%d: @include \"%s\": files are included more than %d deep, or more than %d in "
                      "all; does one include itself?", path, line, name, MOST_DEPTH, MOST_FILES);
    bool beside = *name != '/' && slash;
    snprintf(file, sizeof file, "%.*s%s", beside ? (int)(slash - r->source->path + 1) : 0, r->source->path, name);
    char *text = load(file, &why);
    if (!text) return refuse(e, EXIT_INPUT, "%s:%d: @include \"%s\": %s", path, line, name, why);
    bool good = put_file(r, t, file, text, depth + 1, e);
    free(text);
    add_part(r->source, path, t->line, line);
    return good ? (size_t)(at + 1 - p) : 0;
}

/* r == NULL: text from no file, without includes. */
static bool put_text(struct case_reader *r, struct text *t, const char *path, const char *text, int depth,
                     struct error *e)
{
    bool begins = true;                                 /* at the start of a line, ignoring blanks */
    int line = 1;
    for (size_t n; *text; text += n) {
        bool included = begins && !strncmp(text, "@include", 8);
        if (included && !r) return false;
        n = included ? put_included(r, t, path, line, text, depth, e) : token_length(text);
        if (!n) return false;
        if (!included) put_token(t, text, n);
        for (size_t i = 0; i < n; i++) line += text[i] == '\n';
        begins = text[n - 1] == '\n' || (begins && strchr(" \t", *text));
        if (r && ftell(t->raw) > MOST)
            return refuse(e, EXIT_INPUT, "%s:%d: with the files that it includes the case is longer than %d bytes",
                          path, line, MOST);
        if (r && too_many_names(t))
            return refuse(e, EXIT_INPUT, "%s:%d: more than %d names in one group; for many points give a line "
                          "(lines = { ... }), for many equal shapes `copies`", path, line, MOST_IN_GROUP);
    }
    return true;
}

/* Ends with a line end.  Some editors write a byte order mark before UTF-8, which is skipped. */
static bool put_file(struct case_reader *r, struct text *t, const char *path, const char *text, int depth,
                     struct error *e)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t n = strlen(text);
    add_part(r->source, path, t->line, 1);
    if (!put_text(r, t, path, strncmp(text, mark, strlen(mark)) ? text : text + strlen(mark), depth, e)) return false;
    if (n && text[n - 1] != '\n' && depth) put_token(t, "\n", 1);
    return true;
}

static void close_text(struct text *t)
{
    fclose(t->raw), fclose(t->plain);
    free(t->raw_text), free(t->plain_text);
}

bool case_read_string(config_t *config, const char *text)
{
    struct text t;
    open_text(&t);
    bool good = put_text(NULL, &t, NULL, text, 0, NULL) && !fflush(t.plain) && config_read_string(config, t.plain_text);
    close_text(&t);
    return good;
}

/* ---------------------------------------------------------------- syntax errors */
/* The error in the value at p, or NULL. */
static const char *value_hint(const char *p)
{
    if (!*p) return NULL;                                       /* the line ends, or its copy was cut here */
    const bool list = *p == '{', number = isdigit((unsigned char)*p) || strchr("+-.", *p);
    const char *first = p + 1 + strspn(p + 1, " \t");
    char *end;
    if (list && *first && (isdigit((unsigned char)*first) || strchr("+-.\"", *first)))
        return "write a list in brackets: name = [1.0, 0.0];";
    if (isalpha((unsigned char)*p) && strncasecmp(p, "true", 4) && strncasecmp(p, "false", 5))
        return "write words in quotes: name = \"word\";";
    if (!number) return NULL;
    strtod(p, &end);
    end += strspn(end, " \t");
    if (*end == ',') return "write numbers with a decimal point, no comma, and several in brackets: [1.0, 0.0]";
    return isalpha((unsigned char)*end) || *end == '%' ? "write numbers without units: name = 1.0;" : NULL;
}

/* A key with dots, in the form of --set, such as "  solver.pressure.tolerance = ". */
static bool is_dotted(const char *line, bool json)
{
    static const char of_name[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-*";
    line += strspn(line, json ? " \t{,\"" : " \t{;");
    size_t first = strspn(line, of_name);
    if (!first || !isalpha((unsigned char)*line) || line[first] != '.' || !isalpha((unsigned char)line[first + 1]))
        return false;
    while (line[first] == '.') first += 1 + strspn(line + first + 1, of_name);
    line += first + (json && line[first] == '"');
    line += strspn(line, " \t");
    return *line == '=' || *line == ':';
}

/* Advice about libconfig's "syntax error", from the look of the line. */
static const char *syntax_hint(const char *error, const char *line, bool json)
{
    if (!strcmp(error, "duplicate setting name")) return "a name may occur once in a group: remove one of the two";
    if (!line[strspn(line, " \t")]) return "the file ends too early: a closing } or ] or quote is missing";
    if (is_dotted(line, json))
        return json ? "keys with dots are for --set; in a file groups are nested: \"fluid\": { \"viscosity\": 0.001 }"
                    : "keys with dots are for --set; in a file groups are nested: fluid = { viscosity = 0.001; };";
    if (json)
        return "expected  \"name\": value  or  \"name\": { ... }, as in JSON, with names that begin with a letter";
    int open = 0;                                               /* brackets */
    for (size_t n; *line && *line != '#' && strncmp(line, "//", 2); line += n) {
        n = token_length(line);
        const char *hint = strchr("=:", *line) ? value_hint(line + 1 + strspn(line + 1, " \t")) : NULL;
        if (hint) return hint;
        if (*line == '\'') return "write words in double quotes: name = \"word\";";
        if (*line == '"' && (n == 1 || line[n - 1] != '"')) return "a closing quote is missing";
        open += (*line == '[') - (*line == ']');
    }
    if (open > 0) return "a closing ] is missing";
    return "expected  name = value;  or  name = { ... };  the error may be at the end of the previous line";
}

static bool refuse_syntax(struct case_reader *r, const char *text, bool json, struct error *e)
{
    const char *file, *error = config_error_text(&r->config);
    int whole_line = config_error_line(&r->config), line = case_line_in_file(r->source, whole_line, &file);
    for (int i = 1; i < whole_line && text; i++) text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    char copy[200];
    snprintf(copy, sizeof copy, "%.*s", text ? (int)strcspn(text, "\r\n") : 0, text ? text : "");
    bool empty = !copy[strspn(copy, " \t")];
    return refuse(e, EXIT_INPUT, "%s:%d: %s; %s%s%s", file, line, error, syntax_hint(error, copy, json),
                  empty ? "" : "\n    ", empty ? "" : copy);
}

bool case_read_file(struct case_reader *r, struct error *e)
{
    struct text t;
    char *text = load_case(r->source->path, e);
    if (!text) return false;
    open_text(&t);
    t.json = text[strspn(text, "\xEF\xBB\xBF \t\r\n")] == '{';
    bool good = put_file(r, &t, r->source->path, text, 0, e);
    fflush(t.raw), fflush(t.plain);
    if (good && t.json && t.depth > 0)
        good = refuse(e, EXIT_INPUT, "%s:%d: syntax error; the file ends too early: a closing } is missing",
                      r->source->path, t.line);
    if (good && !config_read_string(&r->config, t.plain_text)) good = refuse_syntax(r, t.raw_text, t.json, e);
    close_text(&t);
    free(text);
    return good;
}
