/* stopwatch.h: how long the parts of a repeated piece of work take on the machine, without waiting for it.  On a GPU
 * launched work goes on while the host runs ahead: there moments are CUDA events, noted in the order of the launches
 * and read once they are long past; on the CPU they are the clock's time. */
#ifndef POISE_STOPWATCH_H
#define POISE_STOPWATCH_H
#include <stdint.h>

/* So many parts are told apart; so many moments are kept before the oldest is read. */
enum { STOPWATCH_PARTS = 8, STOPWATCH_MOMENTS = 64 };

/* All zero: a new one. */
struct stopwatch {
    double seconds[STOPWATCH_PARTS];    /* of the moments that have been read */
    void *moment[STOPWATCH_MOMENTS];
    int part[STOPWATCH_MOMENTS];        /* whose is the time before the moment; -1: nobody's */
    int64_t noted, read;
};

/* From here on time counts. */
void stopwatch_start(struct stopwatch *s);
/* The time since the last call of either function was this part's.  Never while launches are recorded. */
void stopwatch_lap(struct stopwatch *s, int part);
/* Seconds of every part so far, [STOPWATCH_PARTS], until the next call; waits for the last moment. */
const double *stopwatch_seconds(struct stopwatch *s);
void stopwatch_free(struct stopwatch *s);
#endif
