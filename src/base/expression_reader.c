/* Reads the text of an expression (expression_nodes.h), by recursive descent. */
#include "base/expression_nodes.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

static double sign_of(double x) { return x < 0 ? -1 : x > 0 ? 1 : 0; }
static double nearest_integer(double x) { return floor(x + 0.5); }

/* call: of one argument; `op`: joins the first argument with each further one. */
struct function { const char *name; int least, most; double (*call)(double); enum operation op; };
enum { ANY = 1000 };
#define FUNCTIONS(ONE, MORE) ONE(sin, sin) ONE(cos, cos) ONE(tan, tan) ONE(asin, asin) ONE(acos, acos) \
    ONE(atan, atan) MORE(atan2, 2, 2, OP_ATAN2) ONE(sinh, sinh) ONE(cosh, cosh) ONE(tanh, tanh) ONE(asinh, asinh) \
    ONE(acosh, acosh) ONE(atanh, atanh) ONE(exp, exp) ONE(log, log) ONE(log10, log10) ONE(log2, log2) \
    ONE(sqrt, sqrt) ONE(abs, fabs) ONE(sign, sign_of) ONE(rint, nearest_integer) MORE(min, 1, ANY, OP_MIN) \
    MORE(max, 1, ANY, OP_MAX) MORE(sum, 1, ANY, OP_ADD) MORE(avg, 1, ANY, OP_ADD)
#define ROW_OF_ONE(name, call) {#name, 1, 1, call, OP_FUNCTION},
#define ROW_OF_MORE(name, least, most, op) {#name, least, most, NULL, op},
#define NAME_OF_ONE(name, call) " " #name
#define NAME_OF_MORE(name, least, most, op) " " #name
static const struct function table[] = {FUNCTIONS(ROW_OF_ONE, ROW_OF_MORE)};
enum { N_FUNCTIONS = sizeof table / sizeof *table };
const char expression_functions[] = FUNCTIONS(NAME_OF_ONE, NAME_OF_MORE);

/* In the order in which their signs are tried; a higher level binds more. */
static const struct { const char *sign; int level; enum operation op; } operators[] = {
    {"||", 1, OP_OR}, {"&&", 2, OP_AND}, {"<=", 3, OP_LESS_EQUAL}, {">=", 3, OP_MORE_EQUAL}, {"==", 3, OP_EQUAL},
    {"!=", 3, OP_UNEQUAL}, {"<", 3, OP_LESS}, {">", 3, OP_MORE}, {"+", 4, OP_ADD}, {"-", 4, OP_SUBTRACT},
    {"*", 5, OP_MULTIPLY}, {"/", 5, OP_DIVIDE}, {"^", 6, OP_POWER}, {"?", 0, OP_CHOOSE}, {":", 0, OP_CHOOSE}};
enum { N_OPERATORS = sizeof operators / sizeof *operators, DEEPEST = 300 };

struct reader {
    const char *text, *const *names;
    int at, n, depth;
    struct node *node;
    int n_nodes;
    struct expression_fault *fault;
};

/* ---------------------------------------------------------------- faults */
static bool set_fault(struct expression_fault *fault, int position, const char *what, const char *found)
{
    fault->position = position;
    snprintf(fault->what, sizeof fault->what, "%s%s%.60s%s", what, *found ? " \"" : "", found, *found ? "\"" : "");
    return false;
}

static bool is_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static int word_length(const char *text)
{
    int n = 0;
    while (is_letter(text[n])) n++;
    return n;
}

static bool is_word(const char *word, const char *text, int length)
{
    return !strncmp(word, text, (size_t)length) && !word[length];
}

/* A name that is none: of the variables, constants and functions the nearest one, and the variables. */
static bool set_unknown(const struct reader *r, int position)
{
    const char *known[MOST_VARIABLES + 2 + N_FUNCTIONS], *function[N_FUNCTIONS], *text = r->text + position;
    char word[64], list[200] = "";
    int count = 0, end = 0, length = word_length(text);
    bool is_function = false;
    snprintf(word, sizeof word, "%.*s", length, text);
    for (int k = 0; k < r->n; k++) known[count++] = r->names[k];
    known[count++] = "pi", known[count++] = "e";
    for (int k = 0; k < N_FUNCTIONS; k++) {
        function[k] = known[count++] = table[k].name;
        is_function |= !strcmp(table[k].name, word);
    }
    for (int k = 0; k < r->n && end < 120; k++)
        end += snprintf(list + end, sizeof list - (size_t)end, "%s%.40s", k == 0 ? "" : k + 1 < r->n ? ", " : " or ",
                        r->names[k]);
    char *what = r->fault->what;
    const size_t size = sizeof r->fault->what;
    r->fault->position = position;
    if (is_function)
        snprintf(what, size, "the function \"%s\" needs brackets, like %s(x)", word, word);
    else if (text[length] == '(')
        snprintf(what, size, "there is no function \"%s\"%s; the functions are%s", word,
                 did_you_mean(word, "", function, N_FUNCTIONS), expression_functions);
    else
        snprintf(what, size, "there is no variable \"%s\"%s; expected %s%sa number, pi, e or a function", word,
                 did_you_mean(word, "", known, count), list, r->n ? ", " : "");
    return false;
}

static int operator_at(const struct reader *r)
{
    int i = 0;
    while (i < N_OPERATORS && strncmp(operators[i].sign, r->text + r->at, strlen(operators[i].sign))) i++;
    return i;
}

/* The word or number at the position, else one letter. */
static bool fault_here(const struct reader *r, const char *what)
{
    const char *text = r->text + r->at;
    char found[80];
    int length = word_length(text);
    if (!length) length = 1;
    while ((text[length] & 0xC0) == 0x80) length++;                     /* UTF-8 */
    snprintf(found, sizeof found, "%.*s", length, text);
    return set_fault(r->fault, r->at, what, found);
}

/* Neither a value nor its end is possible here. */
static bool fault_of_sign(const struct reader *r)
{
    const int i = operator_at(r);
    const char c = r->text[r->at];
    if (!c) return set_fault(r->fault, r->at, "the expression ends too early", "");
    if (c == ',') return set_fault(r->fault, r->at, "a comma is not expected here", "");
    if (c == ')' || c == '(') return fault_here(r, "a bracket is not expected here:");
    if (i < N_OPERATORS)
        return set_fault(r->fault, r->at, "an operator is not expected here:", operators[i].sign);
    return fault_here(r, "this is no part of an expression:");
}

/* After a value neither an operator nor the sign `expected` follows; 0: the end. */
static bool fault_after_value(const struct reader *r, char expected)
{
    const char c = r->text[r->at];
    if (expected == ':' && (!c || c == ')' || c == ','))
        return set_fault(r->fault, r->at, "after ? a : and the other value are missing", "");
    if (!c) return set_fault(r->fault, r->at, "a closing ) is missing", "");
    if (c == ',' && !expected)
        return set_fault(r->fault, r->at, "a comma separates arguments; expected one value; decimals have a point", "");
    return is_letter(c) || c == '(' || c == '.' ? fault_here(r, "an operator like * is missing before")
                                               : fault_of_sign(r);
}

/* ---------------------------------------------------------------- nodes */
static int last_node(const struct reader *r) { return r->n_nodes - 1; }

static struct node *add_node(struct reader *r, enum operation op)
{
    RESIZE(r->node, r->n_nodes + 1);
    struct node *k = &r->node[r->n_nodes++];
    *k = (struct node){.op = op};
    return k;
}

static void add_number(struct reader *r, double number) { add_node(r, OP_NUMBER)->number = number; }

/* An operation on a, b and c, of which the last one is the last node; on numbers it is carried out. */
static void add_operation(struct reader *r, struct node k, int a, int b, int c)
{
    const struct node *x = &r->node[a], *y = &r->node[b], *z = &r->node[c];
    if (x->op == OP_NUMBER && y->op == OP_NUMBER && z->op == OP_NUMBER) {
        double value;
        node_evaluate(&k, &x->number, &y->number, &z->number, 1, &value);
        r->n_nodes = a;                                 /* the operands are the last nodes */
        add_number(r, value);
        return;
    }
    k.from[0] = a, k.from[1] = b, k.from[2] = c;
    k.uses = x->uses | y->uses | z->uses;
    *add_node(r, k.op) = k;
}

static void add_binary(struct reader *r, enum operation op, int a)
{
    const int b = last_node(r);
    const double power = r->node[b].op == OP_NUMBER ? r->node[b].number : 0;
    if (op != OP_POWER || r->node[a].op == OP_NUMBER || !(power == 2 || power == 3 || power == 4)) {
        add_operation(r, (struct node){.op = op}, a, b, a);
        return;
    }
    r->n_nodes--;
    for (int i = 1; i < power; i++)
        add_operation(r, (struct node){.op = OP_MULTIPLY}, i == 1 ? a : last_node(r), a, a);
}

/* ---------------------------------------------------------------- grammar */
static bool read_choice(struct reader *r);
static bool read_signed(struct reader *r);

static char skip_blanks(struct reader *r)
{
    while (isspace((unsigned char)r->text[r->at])) r->at++;
    return r->text[r->at];
}

static bool read_number(struct reader *r)
{
    const char *text = r->text;
    char copy[EXPRESSION_LENGTH];
    int end = r->at, digits = 0;
    for (; isdigit((unsigned char)text[end]); end++) digits++;
    if (text[end] == '.') end++;
    for (; isdigit((unsigned char)text[end]); end++) digits++;
    if (!digits) return fault_of_sign(r);
    if (text[end] == 'e' || text[end] == 'E') {
        int after = end + 1 + (text[end + 1] == '+' || text[end + 1] == '-');
        for (; isdigit((unsigned char)text[after]); after++) end = after + 1;
    }
    snprintf(copy, sizeof copy, "%.*s", end - r->at, text + r->at);
    add_number(r, strtod(copy, NULL));
    r->at = end;
    return true;
}

static bool read_arguments(struct reader *r, const struct function *f, int bracket)
{
    int count = 0;
    r->at = bracket + 1;
    if (skip_blanks(r) == ')') return set_fault(r->fault, bracket, "too few arguments of", f->name);
    do {
        skip_blanks(r);
        if (count == f->most) return set_fault(r->fault, r->at, "too many arguments of", f->name);
        const int before = last_node(r);
        if (!read_choice(r)) return false;
        if (count++ > 0) add_operation(r, (struct node){.op = f->op}, before, last_node(r), before);
    } while (skip_blanks(r) == ',' && r->at++ >= 0);
    if (r->text[r->at] != ')') return fault_after_value(r, ')');
    if (count < f->least) return set_fault(r->fault, bracket, "too few arguments of", f->name);
    r->at++;
    const int value = last_node(r);
    if (f->call) add_operation(r, (struct node){.op = f->op, .function = f->call}, value, value, value);
    if (!strcmp(f->name, "avg")) add_number(r, count), add_binary(r, OP_DIVIDE, value);
    return true;
}

static bool read_word(struct reader *r)
{
    const char *word = r->text + r->at;
    const int length = word_length(word), position = r->at;
    r->at += length;
    for (int k = 0; k < r->n; k++) {
        if (!is_word(r->names[k], word, length)) continue;
        struct node *v = add_node(r, OP_VARIABLE);
        v->variable = k, v->uses = 1u << k;
        return true;
    }
    if (is_word("pi", word, length)) return add_number(r, M_PI), true;
    if (is_word("e", word, length)) return add_number(r, M_E), true;
    bool called = skip_blanks(r) == '(';
    for (int k = 0; k < N_FUNCTIONS && called; k++)
        if (is_word(table[k].name, word, length)) return read_arguments(r, &table[k], r->at);
    return set_unknown(r, position);
}

/* A number, a name, a function or brackets. */
static bool read_value(struct reader *r)
{
    const char c = skip_blanks(r);
    if (isdigit((unsigned char)c) || c == '.') return read_number(r);
    if (is_letter(c)) return read_word(r);
    if (c != '(') return fault_of_sign(r);
    r->at++;
    if (!read_choice(r)) return false;
    if (skip_blanks(r) != ')') return fault_after_value(r, ')');
    r->at++;
    return true;
}

/* A value, perhaps to a power, perhaps with a sign before: -x^2 is -(x^2), and 2^-x is possible. */
static bool read_signed(struct reader *r)
{
    const char c = skip_blanks(r);
    if (++r->depth > DEEPEST) return set_fault(r->fault, r->at, "too many brackets and signs within each other", "");
    bool good = true;
    if (c == '-' || c == '+') {
        r->at++;
        good = read_signed(r);
        const int value = last_node(r);
        if (good && c == '-') add_operation(r, (struct node){.op = OP_NEGATE}, value, value, value);
    } else {
        good = read_value(r);
        const int base = last_node(r);
        if (good && skip_blanks(r) == '^') {
            r->at++;
            good = read_signed(r);
            if (good) add_binary(r, OP_POWER, base);
        }
    }
    r->depth--;
    return good;
}

/* Values joined by operators of this level or higher ones. */
static bool read_level(struct reader *r, int least)
{
    if (!read_signed(r)) return false;
    for (skip_blanks(r);; skip_blanks(r)) {
        const int i = operator_at(r), a = last_node(r);
        if (i == N_OPERATORS || operators[i].level < least) return true;
        r->at += (int)strlen(operators[i].sign);
        if (!read_level(r, operators[i].level + 1)) return false;
        add_binary(r, operators[i].op, a);
    }
}

/* With ? and :, which are joined from the right. */
static bool read_choice(struct reader *r)
{
    if (!read_level(r, 1)) return false;
    const int condition = last_node(r);
    if (skip_blanks(r) != '?') return true;
    r->at++;
    if (!read_choice(r)) return false;
    const int yes = last_node(r);
    if (skip_blanks(r) != ':') return fault_after_value(r, ':');
    r->at++;
    if (!read_choice(r)) return false;
    add_operation(r, (struct node){.op = OP_CHOOSE}, condition, yes, last_node(r));
    return true;
}

static bool check_text(const char *text, struct expression_fault *fault)
{
    if (strlen(text) >= EXPRESSION_LENGTH) return set_fault(fault, 0, "the expression is too long", "");
    for (int i = 0; text[i]; i++) {
        if (text[i] != '=') continue;
        if (text[i + 1] == '=') i++;
        else if (!i || !strchr("<>!", text[i - 1]))
            return set_fault(fault, i, "a value cannot be assigned; a comparison is ==", "");
    }
    return true;
}

bool expression_read(const char *text, const char *const *names, int n, struct node **node, int *n_nodes,
                     struct expression_fault *fault)
{
    struct reader r = {.text = text, .names = names, .n = n, .fault = fault};
    bool good = check_text(text, fault) && read_choice(&r);
    if (good && skip_blanks(&r)) good = fault_after_value(&r, 0);
    *node = r.node, *n_nodes = r.n_nodes;
    return good;
}

bool expression_knows_as_name(const char *name)
{
    bool taken = !strcmp(name, "pi") || !strcmp(name, "e") || isdigit((unsigned char)*name);
    for (int k = 0; k < N_FUNCTIONS; k++) taken |= !strcmp(table[k].name, name);
    return !taken && *name && !name[word_length(name)];
}
