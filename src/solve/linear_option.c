/* A linear solver from the command line, with the same table of keys as the case file's solver.pressure. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "case/reader.h"
#include "solve/linear_section.h"

/* Short names of methods, as in the papers listed in docs/explanation/solvers.md. */
static const struct { const char *name, *is, *set; } shorthands[] = {
    {"jr", "jacobi-richardson", NULL},        {"gs", "gauss-seidel", "direction=forward"},
    {"sgs", "gauss-seidel", NULL},            {"gs2", "two-stage-gs", "direction=forward"},
    {"sgs2", "two-stage-gs", NULL},           {"neumann1", "neumann", "terms=1"},
    {"neumann2", "neumann", "terms=2"},
};
/* The only section that the command line can set. */
static const struct section section = {.path = "solver.pressure", .key = linear_keys, .gone = linear_gone};
static const struct placed_section placed = {&section, 0};
static const struct case_table table = {.section = &placed, .n_sections = 1, .size = sizeof(struct linear_setting)};
enum { N_SHORTHANDS = sizeof shorthands / sizeof *shorthands };
static const char deflated[] = "deflated-";

/* Adds key=value to the group, as if it were in a case file; mark: its origin, for messages. */
static bool set(config_setting_t *group, const char *text, void *mark)
{
    char name[NAME_LENGTH];
    size_t n = strcspn(text, "=");
    if (!text[n] || n == 0 || n >= sizeof name) return false;
    snprintf(name, sizeof name, "%.*s", (int)n, text);
    if (!strcmp(name, "inner") && isdigit((unsigned char)text[n + 1])) strcpy(name, "parts");      /* Yang's name for
                                                                                                      it */
    const struct key *k = section_key(&section, name);
    return case_insert(group, name, text + n + 1, k && k->type == KEY_WORD, mark) != NULL;
}

/* Adds the method's name to the group, and the settings of a shorthand. */
static bool set_name(config_setting_t *group, const char *text, const char *deflation, void *mark)
{
    char name[NAME_LENGTH], kind[NAME_LENGTH];
    bool is_deflated = !strncmp(text, deflated, sizeof deflated - 1);
    if (is_deflated) text += sizeof deflated - 1;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ":"), text);
    snprintf(kind, sizeof kind, "deflation=%s", deflation);
    bool good = !is_deflated || set(group, kind, mark);
    for (int i = 0; i < N_SHORTHANDS; i++)
        if (!strcmp(name, shorthands[i].name)) {
            snprintf(name, sizeof name, "%s", shorthands[i].is);
            good = good && (!shorthands[i].set || set(group, shorthands[i].set, mark));
        }
    return good && case_insert(group, "preconditioner", name, true, mark);
}

/* Adds the command line's defaults to the group: settings that apply to the method and that the text does not set. */
static void set_standard(config_setting_t *group, const char *text)
{
    char key[NAME_LENGTH];
    int kind = 0;
    const char *name = config_setting_get_string(config_setting_get_member(group, "preconditioner"));
    while (kind < N_PRECONDITIONERS && (!name || strcmp(name, preconditioner_words[kind]))) kind++;
    snprintf(key, sizeof key, "%.*s", (int)strcspn(text, "="), text);
    const struct key *k = section_key(&section, key);
    if (!k) die("there is no key %s", key);
    bool applies = !k->kinds || k->kinds >> kind & 1;
    if (applies && !config_setting_get_member(group, k->name)) set(group, text, case_standard_mark);
}

bool linear_setting_read(struct linear_setting *s, const char *text, const char *deflation, const char *const *standard,
                         int n, struct error *e)
{
    struct case_source none = {0};
    struct case_reader r = {.table = &table, .source = &none, .settings = s, .option = "--preconditioner"};
    config_init(&r.config);
    config_setting_t *group = config_root_setting(&r.config);
    char *copy = strdup(text), *save = NULL;
    bool good = set_name(group, text, deflation, (void *)text);
    strtok_r(copy, ":", &save);
    for (char *part; good && (part = strtok_r(NULL, ":", &save));)
        if (!set(group, part, (void *)text))
            good = refuse(e, EXIT_INPUT, "--preconditioner %s: found \"%s\"; expected NAME[:key=value]..., like "
                          "two-stage-gs:sweeps=2", text, part);
    for (int i = 0; good && i < n; i++) set_standard(group, standard[i]);
    if (good) {
        *s = (struct linear_setting){0};
        case_read_group(&r, &section, group, (char *)s);
        linear_setting_check(&r, group, s);
        good = case_report(&r, e);
    }
    config_destroy(&r.config);
    free(copy);
    return good;
}
