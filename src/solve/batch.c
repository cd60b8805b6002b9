#include "solve/batch.h"

static struct device_graph *recording(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *),
                                      void *solver)
{
    for (int i = 0; i < BATCH_RECORDINGS; i++) {
        const struct batch_arrays *of = &b->recorded[i].arrays;
        if (b->recorded[i].graph && of->x == arrays.x && of->val == arrays.val && of->diag == arrays.diag &&
            of->b == arrays.b)
            return b->recorded[i].graph;
    }
    int i = b->next;
    b->next = (i + 1) % BATCH_RECORDINGS;
    device_graph_free(b->recorded[i].graph);
    b->recorded[i].graph = device_graph_record(iterate, solver);
    b->recorded[i].arrays = arrays;
    return b->recorded[i].graph;
}

void batch_launch(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *), void *solver)
{
    if (b->on_host) iterate(solver);
    else device_graph_launch(recording(b, arrays, iterate, solver));
}

void batch_iterate(struct batch *b, struct batch_arrays arrays, void (*iterate)(void *), bool (*finished)(void *),
                   void *solver)
{
    int launched = 0, look = b->last - b->last / 8;
    do {
        do {
            batch_launch(b, arrays, iterate, solver);
            launched += b->length;
        } while (launched + b->length <= look);
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
