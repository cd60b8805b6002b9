#include "solve/batch.h"

void batch_iterate(struct batch *b, const double *x, void (*iterate)(void *), bool (*finished)(const void *),
                   void *solver)
{
    int launched = 0, look = b->last - b->last / 8;
    if (b->x != x) batch_free(b);
    if (!b->graph && !b->on_host) b->graph = device_graph_record(iterate, solver);
    b->x = x;
    do {
        do {
            if (b->graph) device_graph_launch(b->graph);
            else iterate(solver);
            launched += b->length;
        } while (launched + b->length <= look);
        look = launched + launched / 8;
    } while (!finished(solver));
}

void batch_free(struct batch *b)
{
    device_graph_free(b->graph);
    b->graph = NULL;
}
