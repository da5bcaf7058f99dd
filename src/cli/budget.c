#include "cli/sweeping.h"

#include "core/system.h"

enum { NAMES_SIZE = 1024, DURATION_SIZE = 32 };

/* The share of the budget of `discover` that the sweep gets; programs and analysis follow. */
static const double sweep_share = 0.75;

bool cli_read_duration(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1.0}, {"s", 1.0}, {"m", 60.0}, {"h", 3600.0}};
    double number = 0.0;
    const char *end = text + cm_number_prefix(text, &number);
    for (size_t i = 0; end != text && i < CM_COUNT_OF(units); i++)
        if (strcmp(end, units[i].unit) == 0) {
            *seconds = number * units[i].seconds;
            return *seconds > 0.0 && *seconds <= 1e8;
        }
    return false;
}

const char *cli_show_duration(double seconds, char *text, size_t size)
{
    if (seconds < 120.0)
        snprintf(text, size, "%.1f s", seconds);
    else if (seconds < 7200.0)
        snprintf(text, size, "%.0f minutes", seconds / 60.0);
    else
        snprintf(text, size, "%.1f hours", seconds / 3600.0);
    return text;
}

/* The number of metrics that the benchmark's signatures define, 0 if they cannot be read. */
static size_t count_metrics(const char *benchmark)
{
    char name[256], *file = NULL;
    cm_signatures *signatures = NULL;
    size_t count = 0;
    snprintf(name, sizeof name, "signatures/%s.csv", benchmark);
    if (cm_data_path(name, &file, NULL) == CM_OK && cm_signatures_load(file, &signatures, NULL) == CM_OK)
        count = signatures->metric_count;
    cm_signatures_free(signatures);
    free(file);
    return count;
}

/* Writes "branch (2.0 s), mem-ops (40.1 s)" for `count` benchmarks in that order; returns their seconds in all. */
static double name_parts(const cm_sweep_forecast *forecast, const size_t *order, size_t count, char *text)
{
    double seconds = 0.0;
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        const cm_sweep_forecast_part *part = &forecast->benchmarks[order[i]];
        char duration[DURATION_SIZE];
        cm_text_append(text, NAMES_SIZE, ", ", "%s (%s)", part->name,
                       cli_show_duration(part->seconds, duration, sizeof duration));
        seconds += part->seconds;
    }
    return seconds;
}

/* Says that the first `fit` of `order` are counted, those up to `begun` as time allows, and the others not. */
static void write_choice(const cm_sweep_forecast *forecast, const size_t *order, size_t fit, size_t begun,
                         double budget)
{
    char names[NAMES_SIZE], duration[DURATION_SIZE], within[DURATION_SIZE];
    double seconds = name_parts(forecast, order, fit, names);
    cli_show_duration(budget, within, sizeof within);
    if (fit > 0)
        cli_write("counting takes about %s, within a budget of %s: %s",
                  cli_show_duration(seconds, duration, sizeof duration), within, names);
    name_parts(forecast, order + fit, begun - fit, names);
    if (begun > fit)
        cli_write("begun with the most promising events, since not all of it fits into a budget of %s: %s", within,
                  names);
    name_parts(forecast, order + begun, forecast->benchmark_count - begun, names);
    if (begun < forecast->benchmark_count)
        cli_write("left out, since they do not fit into a budget of %s: %s", within, names);
}

/* Keeps the benchmarks that fit, and says which; CLI_IMPOSSIBLE if none does. */
static cli_exit choose_benchmarks(const cm_sweep_forecast *forecast, double budget, double most, cli_list *benchmarks)
{
    size_t count = forecast->benchmark_count, *order = calloc(2 * count + 1, sizeof *order), fit = 0, begun = 0;
    if (order == NULL)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    size_t *metrics = order + count;
    for (size_t i = 0; i < count; i++)
        metrics[i] = count_metrics(forecast->benchmarks[i].name);
    fit = cm_sweep_fit(forecast, metrics, most, order);
    begun = fit + cm_sweep_fit_part(forecast, most, fit, order);
    write_choice(forecast, order, fit, begun, budget);
    for (size_t i = 0; i < begun; i++)
        benchmarks->items[i] = forecast->benchmarks[order[i]].name;
    benchmarks->count = begun;
    free(order);
    if (begun > 0)
        return CLI_DONE;
    return cli_end(CLI_IMPOSSIBLE, "no benchmark fits; --events, --repetitions or a longer --budget makes one fit");
}

static double budget_share(const cli_options *options, bool more_follows)
{
    return options->budget * (more_follows ? sweep_share : 1.0);
}

cli_exit cli_keep_budget(cm_counting *counting, const cli_options *options, bool more_follows, cli_list *benchmarks,
                         cm_sweep_options *sweep)
{
    cm_sweep_forecast *forecast = NULL;
    cm_error error;
    bool limited = options->budget > 0.0;
    if (options->resume || !(limited || isatty(STDERR_FILENO)))
        return CLI_DONE;
    cli_interrupt_after(0.0);        /* ends the timer, which may be that of another type of cores */
    cm_sweep_options quiet = *sweep; /* the sweep itself will print its messages */
    quiet.message = NULL;
    if (cm_sweep_forecast_create(counting, &quiet, &forecast, &error) != CM_OK)
        return cli_fail(&error);
    if (!limited) {
        char duration[DURATION_SIZE];
        cli_write("counting takes about %s", cli_show_duration(forecast->seconds, duration, sizeof duration));
        cm_sweep_forecast_free(forecast);
        return CLI_DONE;
    }
    cli_exit code = choose_benchmarks(forecast, options->budget, budget_share(options, more_follows), benchmarks);
    cm_sweep_forecast_free(forecast);
    sweep->benchmark_count = benchmarks->count;
    return code;
}

cm_status cli_sweep_in_time(cm_counting *counting, const cli_options *options, bool more_follows,
                            const cm_sweep_options *sweep, cm_sweep_summary *summary, cm_error *error)
{
    static const double least = 1e-3; /* 0 would mean no limit */
    double began = cm_clock_seconds();
    if (options->budget > 0.0)
        cli_interrupt_after(budget_share(options, more_follows));
    cm_status status = cm_sweep(counting, sweep, summary, error);
    if (status != CM_OK || options->budget <= 0.0)
        return status;
    if (more_follows)
        cli_interrupt_after(fmax(options->budget - (cm_clock_seconds() - began), least));
    else
        cli_interrupt_forget();
    return status;
}

/* The command names the chosen benchmarks: a second estimate may choose others, as each type of cores does. */
void cli_write_expired(const cm_sweep_options *sweep, const cli_options *options)
{
    char names[NAMES_SIZE] = "", quoted[CLI_QUOTED_SIZE];
    for (size_t i = 0; i < sweep->benchmark_count; i++)
        cm_text_append(names, sizeof names, ",", "%s", sweep->benchmarks[i]);
    if (options->out != NULL)
        cli_write("the time for counting is used up; 'catmint sweep --out %s%s%s --resume --benchmark %s', with the "
                  "other options of this command, counts the rest",
                  cli_quote(options->out, quoted), options->core != NULL ? " --core " : "",
                  options->core != NULL ? options->core : "", names);
    else
        cli_write("the time for counting is used up");
}
