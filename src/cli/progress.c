#include "cli/sweeping.h"

enum { BAR = 24, LINE_SIZE = 256 };

/* Seconds: work that ends before LONG shows nothing; a line is drawn at most every STEP, or, without a terminal,
 * written every CLI_LOG_STEP. */
static const double LONG = 0.5, STEP = 0.1;

cli_progress cli_progress_begin(void)
{
    const char *terminal = getenv("TERM");
    return (cli_progress){.terminal = isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0};
}

/* The events a second of this benchmark. */
static double rate(const cm_sweep_progress *progress, double since)
{
    double took = progress->seconds - since;
    return took > 0.0 ? (double)progress->events / took : 0.0;
}

static const char *time_left(const cm_sweep_progress *progress, char *text, size_t size)
{
    text[0] = '\0';
    if (progress->done < progress->total && !isnan(progress->left))
        snprintf(text, size, ", %.0f s left", progress->left);
    return text;
}

/* The events that are complete, which first are none, and those that were given up. */
static const char *events_of(const cm_sweep_progress *progress, double since, char *text, size_t size)
{
    text[0] = '\0';
    if (progress->events > 0)
        snprintf(text, size, ", %zu %s, %.1f/s", progress->events, cm_plural(progress->events, "event", "events"),
                 rate(progress, since));
    if (progress->failures > 0)
        cm_text_append(text, size, "", ", %zu failed", progress->failures);
    return text;
}

/* The bar takes the columns that the words leave; 80 columns hold all words. */
static void draw_progress(const cm_sweep_progress *progress, double since)
{
    char words[LINE_SIZE], left[32], events[96], bar[BAR + 1] = "";
    double part = (double)progress->done / (double)progress->total;
    snprintf(words, sizeof words, "%zu/%zu repetitions, %.0f %%%s%s", progress->done, progress->total, 100.0 * part,
             events_of(progress, since, events, sizeof events), time_left(progress, left, sizeof left));
    size_t width = cli_width(stderr), used = strlen(progress->benchmark) + strlen(words) + sizeof " [] ";
    size_t columns = width > used ? width - used : 0, length = columns < BAR ? columns : BAR;
    memset(bar, '.', length);
    memset(bar, '#', (size_t)(part * (double)length));
    char line[2 * LINE_SIZE];
    snprintf(line, sizeof line, "%s %s%s%s%s", progress->benchmark, length > 0 ? "[" : "", bar, length > 0 ? "] " : "",
             words);
    fprintf(stderr, "\r\033[K%.*s", (int)(width > 1 ? width - 1 : 1), line);
    fflush(stderr);
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
        due = progress->seconds - state->last >= CLI_LOG_STEP;
    if (!due || progress->total == 0)
        return;
    state->last = progress->seconds;
    char left[32], events[96];
    if (state->terminal)
        draw_progress(progress, state->since);
    else
        cli_write("%s: %zu of %zu repetitions, %.0f %%%s%s", progress->benchmark, progress->done, progress->total,
                  100.0 * (double)progress->done / (double)progress->total,
                  events_of(progress, state->since, events, sizeof events), time_left(progress, left, sizeof left));
    state->drawn = state->terminal;
}

void cli_progress_end(cli_progress *progress)
{
    if (!progress->drawn)
        return;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->drawn = false;
}

void cli_progress_message(const char *text, void *progress)
{
    cli_progress_end(progress);
    cli_write("%s", text);
}
