/* Expressions of named variables (expression.h). */
#include "base/expression.h"
#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"

#define FUNCTIONS(F) F(sin) F(cos) F(tan) F(asin) F(acos) F(atan) F(atan2) F(sinh) F(cosh) F(tanh) F(asinh) F(acosh) \
    F(atanh) F(exp) F(log) F(log10) F(log2) F(sqrt) F(abs) F(sign) F(rint) F(min) F(max) F(sum) F(avg)
#define QUOTED(name) #name,
#define LISTED(name) " " #name
static const char *const functions[] = {FUNCTIONS(QUOTED)};
const char expression_functions[] = FUNCTIONS(LISTED);
enum { N_FUNCTIONS = sizeof functions / sizeof *functions };

/* A parser, and its variables: one for each piece of the points. */
struct lane { muParserHandle_t parser; double value[MOST_VARIABLES]; };
struct expression {
    char *text, *names[MOST_VARIABLES];
    int n, n_lanes;
    struct lane **lane;
    bool uses[MOST_VARIABLES];
};

/* ---------------------------------------------------------------- faults */
/* muParser's codes of errors, in its muParserError.h. */
enum { UNEXPECTED_OPERATOR = 0, UNKNOWN_TOKEN = 1, UNEXPECTED_END = 2, UNEXPECTED_COMMA = 3, UNEXPECTED_VALUE = 5,
       UNEXPECTED_VARIABLE = 6, UNEXPECTED_BRACKET = 7, MISSING_BRACKET = 11, UNEXPECTED_FUNCTION = 12,
       TOO_MANY_ARGUMENTS = 14, TOO_FEW_ARGUMENTS = 15, TEXT_RESULT = 17, EMPTY = 25, MISSING_ELSE = 33 };

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

/* A name that is none: of the variables, constants and functions the nearest one, and the variables. */
static bool set_unknown(struct expression_fault *fault, const char *text, int position, const char *const *names, int n)
{
    const char *known[MOST_VARIABLES + 2 + N_FUNCTIONS];
    char word[64], list[200] = "";
    int count = 0, end = 0, length = word_length(text + position);
    snprintf(word, sizeof word, "%.*s", length, text + position);
    for (int k = 0; k < n; k++) known[count++] = names[k];
    known[count++] = "pi", known[count++] = "e";
    bool called = text[position + length] == '(', function = false;
    for (int k = 0; k < N_FUNCTIONS; k++) function |= !strcmp(functions[k], word);
    for (int k = 0; k < N_FUNCTIONS; k++) known[count++] = functions[k];
    for (int k = 0; k < n && end < 120; k++)
        end += snprintf(list + end, sizeof list - (size_t)end, "%s%.40s", k == 0 ? "" : k + 1 < n ? ", " : " or ",
                        names[k]);
    fault->position = position;
    if (function)
        snprintf(fault->what, sizeof fault->what, "the function \"%s\" needs brackets, like %s(x)", word, word);
    else if (called)
        snprintf(fault->what, sizeof fault->what, "there is no function \"%s\"%s; the functions are%s", word,
                 did_you_mean(word, "", functions, N_FUNCTIONS), expression_functions);
    else
        snprintf(fault->what, sizeof fault->what, "there is no variable \"%s\"%s; expected %s%sa number, pi, e or a "
                 "function", word, did_you_mean(word, "", known, count), list, n ? ", " : "");
    return false;
}

static bool set_parser_fault(struct expression_fault *fault, muParserHandle_t parser, const char *text,
                             const char *const *names, int n)
{
    int length = (int)strlen(text), at = mupGetErrorPos(parser);
    const char *token = mupGetErrorToken(parser);
    char copy[80];
    snprintf(copy, sizeof copy, "%.60s", token);
    int end = at < 0 || at > length ? length : at, letters = word_length(text + end);
    switch (mupGetErrorCode(parser)) {
    case UNKNOWN_TOKEN:
        if (letters && !isdigit((unsigned char)text[end])) return set_unknown(fault, text, end, names, n);
        snprintf(copy, sizeof copy, "%.*s", letters ? letters : 1, text + end);
        return set_fault(fault, end, "this is no part of an expression:", copy);
    case UNEXPECTED_END: case EMPTY: return set_fault(fault, length, "the expression ends too early", "");
    case UNEXPECTED_OPERATOR: return set_fault(fault, end, "an operator is not expected here:", copy);
    case UNEXPECTED_COMMA: return set_fault(fault, end, "a comma is not expected here", "");
    case UNEXPECTED_VALUE: case UNEXPECTED_VARIABLE: case UNEXPECTED_FUNCTION:
        return set_fault(fault, end, "an operator like * is missing before", copy);
    case UNEXPECTED_BRACKET: return set_fault(fault, end, "a bracket is not expected here:", copy);
    case MISSING_BRACKET: return set_fault(fault, length, "a closing ) is missing", "");
    case TOO_MANY_ARGUMENTS: return set_fault(fault, end ? end - 1 : 0, "too many arguments of", copy);
    case TOO_FEW_ARGUMENTS: return set_fault(fault, end ? end - 1 : 0, "too few arguments of", copy);
    case MISSING_ELSE: return set_fault(fault, length, "after ? a : and the other value are missing", "");
    case TEXT_RESULT: return set_fault(fault, 0, "the value is a text, not a number:", copy);
    default: return set_fault(fault, end, "the expression cannot be read", "");
    }
}

/* An assignment, which muParser allows and which would change a variable; more letters than it reads. */
static bool check_text(const char *text, struct expression_fault *fault)
{
    if (strlen(text) >= EXPRESSION_LENGTH) return set_fault(fault, 0, "the expression is too long", "");
    for (int i = 0; text[i]; i++) {
        if (text[i] == '"') return set_fault(fault, i, "this is no part of an expression:", "\"");
        if (text[i] != '=') continue;
        if (text[i + 1] == '=') i++;
        else if (!i || !strchr("<>!", text[i - 1]))
            return set_fault(fault, i, "a value cannot be assigned; a comparison is ==", "");
    }
    return true;
}

void expression_mark(char *to, int size, const char *text, int position)
{
    enum { WIDTH = 100, BEFORE = 60 };                  /* of a long text the part around the position */
    int length = (int)strlen(text), from = position > WIDTH - 10 ? position - BEFORE : 0;
    int blanks = position - from, shown = length - from < WIDTH ? length - from : WIDTH;
    for (int i = from; i < position; i++) blanks -= (text[i] & 0xC0) == 0x80;           /* UTF-8 */
    snprintf(to, (size_t)size, "    %.*s\n    %*s^", shown, text + from, blanks, "");
}

bool expression_knows_as_name(const char *name)
{
    bool taken = !strcmp(name, "pi") || !strcmp(name, "e") || isdigit((unsigned char)*name);
    for (int k = 0; k < N_FUNCTIONS; k++) taken |= !strcmp(functions[k], name);
    return !taken && *name && !name[word_length(name)];
}

/* ---------------------------------------------------------------- expressions */
static void ignore(muParserHandle_t parser) { (void)parser; }           /* errors are asked for */

static struct lane *new_lane(const struct expression *x)
{
    struct lane *lane;
    NEW(lane, 1);
    muParserHandle_t p = lane->parser = mupCreate(muBASETYPE_FLOAT);
    mupSetErrorHandler(p, ignore);
    mupClearConst(p);
    mupDefineConst(p, "pi", M_PI), mupDefineConst(p, "e", M_E);
    for (int k = 0; k < x->n; k++) mupDefineVar(p, x->names[k], &lane->value[k]);
    mupSetExpr(p, x->text);
    return lane;
}

void expression_share(struct expression *x, int pieces)
{
    if (x->n_lanes >= pieces) return;
    RESIZE(x->lane, pieces);
    while (x->n_lanes < pieces) {
        x->lane[x->n_lanes] = new_lane(x);
        mupEval(x->lane[x->n_lanes++]->parser);         /* translates the text, which is not for several threads */
    }
}

static bool prepare(struct expression *x, struct expression_fault *fault)
{
    int results = 0;
    NEW(x->lane, 1);
    struct lane *lane = x->lane[x->n_lanes++] = new_lane(x);
    muParserHandle_t p = lane->parser;
    if (!mupError(p)) mupEvalMulti(p, &results);
    if (mupError(p)) return set_parser_fault(fault, p, x->text, (const char *const *)x->names, x->n);
    if (results != 1)
        return set_fault(fault, (int)strcspn(x->text, ","), "a comma separates arguments; expected one value; decimals "
                         "have a point", "");
    int used = mupGetExprVarNum(p);
    for (int i = 0; i < used; i++) {
        const char *name;
        double *value;
        mupGetExprVar(p, (unsigned)i, &name, &value);
        x->uses[value - lane->value] = true;
    }
    return true;
}

struct expression *expression_create(const char *text, const char *const *names, int n, struct expression_fault *fault)
{
    struct expression *x;
    if (n > MOST_VARIABLES) die("%d variables", n);
    if (!check_text(text, fault)) return NULL;
    NEW(x, 1);
    x->text = strdup(text), x->n = n;
    for (int k = 0; k < n; k++) x->names[k] = strdup(names[k]);
    if (prepare(x, fault)) return x;
    expression_free(x);
    return NULL;
}

void expression_free(struct expression *x)
{
    if (!x) return;
    for (int i = 0; i < x->n_lanes; i++) mupRelease(x->lane[i]->parser), free(x->lane[i]);
    for (int k = 0; k < x->n; k++) free(x->names[k]);
    free(x->lane), free(x->text), free(x);
}

bool expression_uses(const struct expression *x, int k) { return x->uses[k]; }

void expression_evaluate_piece(struct expression *x, int piece, int pieces, const struct expression_input *at,
                               int64_t n, double *to)
{
    struct lane *lane = x->lane[piece];
    int used[MOST_VARIABLES], n_used = 0;
    for (int k = 0; k < x->n; k++) if (x->uses[k]) used[n_used++] = k;
    for (int64_t i = n * piece / pieces; i < n * (piece + 1) / pieces; i++) {
        for (int j = 0; j < n_used; j++) lane->value[used[j]] = at[used[j]].value[i * at[used[j]].step];
        to[i] = mupEval(lane->parser);
    }
}

void expression_evaluate(struct expression *x, const struct expression_input *at, int64_t n, double *to)
{
    expression_evaluate_piece(x, 0, 1, at, n, to);
}
