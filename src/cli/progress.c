#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/terminal.h"

enum { BAR = 24, LINE_SIZE = 256 };

/* Seconds: work that ends before LONG shows nothing, and a line is drawn at most every STEP,
 * or, where there is no terminal, written every LOG_STEP. */
static const double LONG = 0.5, STEP = 0.1, LOG_STEP = 30.0;

cli_progress cli_progress_begin(void)
{
    const char *terminal = getenv("TERM");
    return (cli_progress){.terminal = isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0};
}

void cli_progress_show(const cm_sweep_progress *progress, void *data)
{
    cli_progress *state = data;
    if (state->benchmark != progress->benchmark) {
        state->benchmark = progress->benchmark;
        state->since = progress->seconds;
    }
    bool due = progress->seconds >= LONG && (!state->drawn || progress->seconds - state->last >= STEP);
    if (!state->terminal)
        due = progress->seconds - state->last >= LOG_STEP;
    if (!due || progress->total == 0)
        return;
    double part = (double)progress->done / (double)progress->total;
    char bar[BAR + 1], line[LINE_SIZE], left[32] = "";
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(part * BAR));
    bar[BAR] = '\0';
    if (progress->done > 0 && progress->done < progress->total)
        snprintf(left, sizeof left, ", %.0f s left", progress->seconds / part * (1.0 - part));
    double took = progress->seconds - state->since;
    double rate = took > 0.0 ? (double)progress->events / took : 0.0;
    snprintf(line, sizeof line, "%s%s%s%s %zu of %zu repetitions, %.0f %%, %zu events, %.1f a second, %zu failed%s",
             progress->benchmark, state->terminal ? " [" : ":", state->terminal ? bar : "", state->terminal ? "]" : "",
             progress->done, progress->total, 100.0 * part, progress->events, rate, progress->failures, left);
    if (!state->terminal) {
        cli_say("%s", line);
        state->last = progress->seconds;
        return;
    }
    size_t width = cli_width(stderr);
    fprintf(stderr, "\r\033[K%.*s", (int)(width > 1 ? width - 1 : 1), line);
    fflush(stderr);
    state->drawn = true;
    state->last = progress->seconds;
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress->drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = false;
}
