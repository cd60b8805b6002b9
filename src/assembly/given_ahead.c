/* Values of the next step, evaluated by a thread of their own (given_ahead.h). */
#include "assembly/given_ahead.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/given_points.h"
#include "base/memory.h"

struct given_ahead {
    const struct mesh *m;
    struct given *item;         /* [n] copies of the list's entries, with values of their own */
    bool *good;                 /* [n] */
    int n;
    double t;
    pthread_t thread;
    bool runs;
};

static void *work(void *ahead)
{
    struct given_ahead *a = ahead;
    struct error e;             /* lost: the values are evaluated again */
    for (int i = 0; i < a->n; i++) {
        struct given *g = &a->item[i];
        if (!given_is_in_time(g)) continue;
        a->good[i] = given_evaluate(g, a->m, a->t, g->change != NULL, g->value, &e);
        if (a->good[i] && g->change) g->change(g->value, g->components, given_places(g, a->m), g->data);
    }
    return NULL;
}

static void create(struct given_list *list)
{
    struct given_ahead *a;
    NEW(a, 1), NEW(a->item, list->n), NEW(a->good, list->n);
    a->m = list->m, a->n = list->n;
    for (int i = 0; i < a->n; i++) {
        struct given *g = &a->item[i];
        *g = list->item[i], g->aside = true;
        if (!given_is_in_time(g)) continue;
        const int64_t n = (int64_t)g->components * given_places(g, a->m);
        const double *now = g->value;
        NEW(g->value, n);
        memcpy(g->value, now, (size_t)n * sizeof *now);         /* of components without the time */
    }
    list->ahead = a;
}

void given_ahead_start(struct given_list *list, double t)
{
    sigset_t all, before;
    if (!list->ahead) create(list);
    struct given_ahead *a = list->ahead;
    a->t = t;
    memset(a->good, 0, (size_t)a->n * sizeof *a->good);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);        /* signals go to the main thread */
    a->runs = !pthread_create(&a->thread, NULL, work, a);       /* else the next step evaluates its values itself */
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void given_ahead_wait(struct given_list *list)
{
    struct given_ahead *a = list->ahead;
    if (a && a->runs) pthread_join(a->thread, NULL), a->runs = false;
}

bool given_ahead_take(struct given_list *list, int i)
{
    struct given_ahead *a = list->ahead;
    if (!a || !a->good[i] || a->t != list->time) return false;
    struct given *to = &list->item[i], *from = &a->item[i];
    double *values = to->value;
    to->value = from->value, from->value = values;
    memcpy(to->low, from->low, sizeof to->low), memcpy(to->high, from->high, sizeof to->high);
    a->good[i] = false;
    return true;
}

void given_ahead_free(struct given_list *list)
{
    struct given_ahead *a = list->ahead;
    given_ahead_wait(list);
    for (int i = 0; a && i < a->n; i++) if (given_is_in_time(&a->item[i])) free(a->item[i].value);
    if (a) free(a->item), free(a->good);
    free(a);
    list->ahead = NULL;
}
