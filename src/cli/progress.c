#include "cli/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/terminal.h"

enum { BAR = 24, LINE_SIZE = 256 };

/* Seconds: work that ends before LONG shows nothing, and a line is drawn at most every STEP. */
static const double LONG = 0.5, STEP = 0.1;

cli_progress cli_progress_begin(void)
{
    const char *terminal = getenv("TERM");
    return (cli_progress){.terminal = isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0};
}

void cli_progress_show(const cm_sweep_progress *progress, void *data)
{
    cli_progress *state = data;
    bool due = progress->seconds >= LONG && (!state->drawn || progress->seconds - state->last >= STEP);
    if (!state->terminal || !due || progress->total == 0)
        return;
    double part = (double)progress->done / (double)progress->total;
    char bar[BAR + 1], line[LINE_SIZE], left[32] = "";
    memset(bar, '.', BAR);
    memset(bar, '#', (size_t)(part * BAR));
    bar[BAR] = '\0';
    if (progress->done > 0 && progress->done < progress->total)
        snprintf(left, sizeof left, ", %.0f s left", progress->seconds / part * (1.0 - part));
    snprintf(line, sizeof line, "%-10s [%s] %3.0f %%  %zu events, %zu failed%s", progress->benchmark, bar, 100.0 * part,
             progress->events, progress->failures, left);
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
