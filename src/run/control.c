/* Requests to a running case from outside: signals, the clock; control_file.c reads the file. */
#include "run/control.h"
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "base/log.h"
#include "base/timer.h"
#include "base/writer.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

#define SLOW_DISK 1e8           /* bytes a second, until the writing time is known */

/* ---------------------------------------------------------------- signals */
static volatile sig_atomic_t stop_asked, checkpoint_asked;

static void ask_to_stop(int number) { stop_asked = number; }
static void ask_for_checkpoint(int number) { checkpoint_asked = number; }

/* Some signals come more than once for one reason: a hang-up from the terminal and from its shell, the time limit every
 * second, a broken pipe at every line.  A repetition of these does not end the program.  The first four stay ignored if
 * the run was started that way (in the background, with nohup). */
static void catch_signals(void)
{
    static const int number[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
    struct sigaction old, stop = {.sa_handler = ask_to_stop, .sa_flags = SA_RESTART};
    const struct sigaction checkpoint = {.sa_handler = ask_for_checkpoint, .sa_flags = SA_RESTART};
    stop_asked = checkpoint_asked = 0;
    for (int i = 0; i < 5; i++) {
        stop.sa_flags = i < 2 ? (int)(SA_RESETHAND | SA_RESTART) : SA_RESTART;
        if (!sigaction(number[i], NULL, &old) && (old.sa_handler == SIG_DFL || number[i] == SIGPIPE))
            sigaction(number[i], &stop, NULL);
    }
    sigaction(SIGUSR1, &checkpoint, NULL);
}

void control_begin(struct control *k, struct case_settings *c, struct changes *changes, double deadline)
{
    *k = (struct control){.c = c, .changes = changes, .deadline = deadline, .saved = wall_seconds()};
    snprintf(k->path, sizeof k->path, "%s/control", c->output.directory);
    if (!ranks_own() && !unlink(k->path))
        log_print("           %s is older than this run and is removed\n", k->path);
    catch_signals();
}

/* ---------------------------------------------------------------- the clock */
void control_wrote(struct control *k, int what, double seconds)
{
    k->writing[what] = fmax(k->writing[what], seconds);
    if (what == CONTROL_CHECKPOINT) k->saved = wall_seconds();
}

/* Seconds that one more iteration and the end of the run may take. */
static double reserve(const struct control *k)
{
    double seconds = k->longest;
    for (int i = 0; i < 2; i++) seconds += k->writing[i] > 0 ? k->writing[i] : (double)device_bytes() / SLOW_DISK;
    return 1 + 2 * seconds;
}

static void look_at_clock(struct control *k, struct wishes *w)
{
    double now = wall_seconds(), minutes = k->c->output.checkpoint_minutes;
    if (k->looked > 0) k->longest = fmax(k->longest, now - k->looked);
    k->looked = now;
    if (k->deadline > 0 && now + reserve(k) > k->deadline) w->stop = STOP_BY_CLOCK;
    if (minutes > 0 && now - k->saved >= 60 * minutes) w->checkpoint = 1;
}

/* ---------------------------------------------------------------- all of it */
static void name_stop(struct asked *a, int stop)
{
    const char *name = stop == SIGINT ? "SIGINT, Ctrl-C" : stop == SIGTERM ? "SIGTERM" : stop == SIGHUP ? "SIGHUP" :
                       stop == SIGXCPU ? "SIGXCPU" : "SIGPIPE";
    if (stop == STOP_BY_CLOCK) snprintf(a->why, sizeof a->why, "before the time limit");
    else if (stop == STOP_BY_FILE) snprintf(a->why, sizeof a->why, "by the control file");
    else snprintf(a->why, sizeof a->why, "by signal %d (%s)", stop, name);
}

bool control_look(struct control *k, int64_t step, double time, struct asked *a, struct error *e)
{
    if (ranks_count() == 1 && !writer_good(e)) return false;    /* several ranks detect it together when they save */
    const int every = k->c->output.control_every, number = (int)checkpoint_asked;
    struct wishes w = {0};
    for (int i = 0; i < MOST_CONTROLLED; i++) w.value[i] = -INFINITY;
    look_at_clock(k, &w);
    if (every > 0 && step % every == 0) control_read(k, step, time, &w);
    if (stop_asked) w.stop = stop_asked;
    if (number) w.checkpoint = 1, checkpoint_asked = 0;
    largest_over_ranks((double *)&w, sizeof w / sizeof(double));
    *a = (struct asked){.stop = w.stop > 0, .write = w.write > 0, .checkpoint = w.checkpoint > 0};
    if (a->stop) name_stop(a, (int)w.stop);
    if (number && !a->stop) log_print("           writing a checkpoint, requested by signal %d\n", number);
    return control_apply(k, step, &w, e);
}
