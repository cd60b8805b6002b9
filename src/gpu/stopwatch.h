/* stopwatch.h: measures the parts of a repeated task on the device without waiting for it.  On a GPU launched work runs
 * behind the host: there moments are CUDA events, recorded in the order of the launches and read once they are long
 * past; on the CPU they are clock times. */
#ifndef POISE_STOPWATCH_H
#define POISE_STOPWATCH_H
#include <stdint.h>

/* Maximum number of parts, and of moments kept before the oldest is read. */
enum { STOPWATCH_PARTS = 8, STOPWATCH_MOMENTS = 64 };

/* Zero-initialise it. */
struct stopwatch {
    double seconds[STOPWATCH_PARTS];    /* from the moments read so far */
    void *moment[STOPWATCH_MOMENTS];
    int part[STOPWATCH_MOMENTS];        /* part that the time before the moment belongs to; -1: none */
    int64_t noted, read;
};

/* Starts timing. */
void stopwatch_start(struct stopwatch *s);
/* The time since the last call of either function belongs to this part.  Never call it while launches are recorded. */
void stopwatch_lap(struct stopwatch *s, int part);
/* Seconds of every part so far, [STOPWATCH_PARTS], valid until the next call; waits for the last moment. */
const double *stopwatch_seconds(struct stopwatch *s);
void stopwatch_free(struct stopwatch *s);
#endif
