/* Chooses benchmarks within a budget of time. Pure: the caller passes the times. */
#include <math.h>

#include <catmint/sweep.h>

static double gain_of(const cm_sweep_forecast *forecast, const size_t *metrics, size_t benchmark)
{
    double seconds = forecast->benchmarks[benchmark].seconds;
    return isnan(seconds) ? -1.0 : (double)metrics[benchmark] / fmax(seconds, 1e-9);
}

/* Sorts by metrics a second; equal ones keep their order. */
static void sort_by_gain(const cm_sweep_forecast *forecast, const size_t *metrics, size_t *order)
{
    for (size_t i = 0; i < forecast->benchmark_count; i++) {
        size_t at = i;
        for (; at > 0 && gain_of(forecast, metrics, order[at - 1]) < gain_of(forecast, metrics, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

/* Moves the benchmark at `from` to `to`, which is before it. */
static void move_ahead(size_t *order, size_t from, size_t to)
{
    size_t benchmark = order[from];
    for (; from > to; from--)
        order[from] = order[from - 1];
    order[to] = benchmark;
}

size_t cm_sweep_fit(const cm_sweep_forecast *forecast, const size_t *metrics, double seconds, size_t *order)
{
    size_t fit = 0;
    sort_by_gain(forecast, metrics, order);
    for (size_t i = 0; i < forecast->benchmark_count; i++) {
        double needed = forecast->benchmarks[order[i]].seconds;
        if (isnan(needed) || needed > seconds)
            continue;
        seconds -= needed;
        move_ahead(order, i, fit++);
    }
    return fit;
}

bool cm_sweep_fit_part(const cm_sweep_forecast *forecast, double seconds, size_t fit, size_t *order)
{
    for (size_t i = 0; i < fit; i++)
        seconds -= forecast->benchmarks[order[i]].seconds;
    for (size_t i = fit; i < forecast->benchmark_count; i++) {
        const cm_sweep_forecast_part *part = &forecast->benchmarks[order[i]];
        if (isnan(part->seconds) || part->seconds > seconds * (double)(part->once ? 1 : part->sets))
            continue;
        move_ahead(order, i, fit);
        return true;
    }
    return false;
}
