#include "solve/batch.h"

void batch_iterate(struct batch *b, bool (*finished)(const void *), const void *solver)
{
    int launched = 0, look = b->last - b->last / 8;
    do {
        do {
            device_graph_launch(b->graph);
            launched += b->length;
        } while (launched + b->length <= look);
        look = launched + launched / 8;
    } while (!finished(solver));
}
