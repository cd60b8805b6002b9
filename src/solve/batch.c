/* Launches iterations in batches and decides when the host reads the residual (batch.h). */
#include "solve/batch.h"

static void iterate_times(void *context)
{
    const struct batch_body *body = context;
    for (int i = 0; i < body->times; i++) body->iterate(body->solver);
}

static struct device_graph *recording(struct batch *b, struct batch_arrays arrays, struct batch_body body)
{
    for (int i = 0; i < BATCH_RECORDINGS; i++) {
        const struct batch_arrays *of = &b->recorded[i].arrays;
        if (b->recorded[i].graph && of->x == arrays.x && of->val == arrays.val && of->diag == arrays.diag &&
            of->b == arrays.b && b->recorded[i].body.times == body.times)
            return b->recorded[i].graph;
    }
    int i = b->next;
    b->next = (i + 1) % BATCH_RECORDINGS;
    device_graph_free(b->recorded[i].graph);
    b->recorded[i].arrays = arrays;
    b->recorded[i].body = body;
    b->recorded[i].graph = device_graph_record(iterate_times, &b->recorded[i].body);
    return b->recorded[i].graph;
}

void batch_launch(struct batch *b, struct batch_arrays arrays, int times, void (*iterate)(void *), void *solver)
{
    const int most = b->length < BATCH_ITERATIONS ? BATCH_ITERATIONS / (b->length ? b->length : 1) : 1;
    for (int n; times > 0; times -= n) {
        struct batch_body body = {iterate, solver, n = times < most ? times : most};
        if (b->on_host) iterate_times(&body);
        else device_graph_launch(recording(b, arrays, body));
    }
}

void batch_iterate(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *), bool (*finished)(void *),
                   void *solver)
{
    int launched = 0, look = b->last - b->last / 8;
    do {
        int times = (look - launched) / b->length;
        if (times < 1) times = 1;
        batch_launch(b, arrays, times, iterate, solver);
        launched += times * b->length;
        look = launched + launched / 8;
    } while (!finished(solver));
}

void batch_free(struct batch *b)
{
    for (int i = 0; i < BATCH_RECORDINGS; i++) {
        device_graph_free(b->recorded[i].graph);
        b->recorded[i].graph = NULL;
    }
    b->next = 0;
}
