/* What fits into a budget of time: on times made up here, so that no clock is asked. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <catmint/sweep.h>

#include "counting/counting.h"
#include "sweep/plan/plan.h"

enum { MOST = 4 };

static void the_most_metrics_for_their_time_come_first(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count;
        double seconds[MOST];
        size_t metrics[MOST];
        double budget;
        size_t fit, order[MOST];
    } rows[] = {
        {"all fit", 3, {1.0, 2.0, 3.0}, {1, 1, 1}, 6.0, 3, {0, 1, 2}},
        {"by metrics for their time", 3, {4.0, 2.0, 1.0}, {8, 1, 1}, 7.0, 3, {0, 2, 1}},
        {"the last does not fit", 3, {1.0, 2.0, 3.0}, {1, 1, 1}, 5.9, 2, {0, 1, 2}},
        {"a shorter one after it does", 3, {1.0, 9.0, 3.0}, {9, 18, 1}, 4.0, 2, {0, 2, 1}},
        {"none fits", 2, {1.0, 2.0, 0.0}, {1, 1}, 0.5, 0, {0, 1}},
        {"equals stay as they are", 4, {1.0, 1.0, 1.0, 1.0}, {2, 2, 2, 2}, 2.0, 2, {0, 1, 2, 3}},
        {"no metric is last", 2, {1.0, 5.0}, {0, 1}, 6.0, 2, {1, 0}},
        {"an unknown time fits nowhere", 3, {NAN, 1.0, 2.0}, {9, 1, 1}, 1e9, 2, {1, 2, 0}},
        {"what takes no time fits", 2, {0.0, 1.0}, {1, 1}, 0.0, 1, {0, 1}},
        {"nothing", 0, {0.0}, {0}, 1.0, 0, {0}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_sweep_forecast_part parts[MOST] = {{0}};
        size_t order[MOST] = {0};
        for (size_t i = 0; i < rows[r].count; i++)
            parts[i].seconds = rows[r].seconds[i];
        const cm_sweep_forecast forecast = {.benchmark_count = rows[r].count, .benchmarks = parts};
        size_t fit = cm_sweep_fit(&forecast, rows[r].metrics, rows[r].budget, order);
        if (fit != rows[r].fit)
            fail_msg("%s: %zu fit", rows[r].name, fit);
        for (size_t i = 0; i < rows[r].count; i++)
            if (order[i] != rows[r].order[i])
                fail_msg("%s: %zu is at %zu", rows[r].name, order[i], i);
    }
}

static void one_that_does_not_fit_is_begun(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        double seconds[MOST];
        size_t sets[MOST], fit;
        double budget;
        bool begun;
        size_t order[MOST];
        bool once;
    } rows[] = {
        {"a set of the next fits", {1.0, 9.0, 9.0, 9.0}, {1, 9, 9, 9}, 1, 2.5, true, {0, 1, 2, 3}, false},
        {"of the next not even a set fits", {1.0, 9.0, 9.0, 9.0}, {1, 3, 9, 9}, 1, 2.5, true, {0, 2, 1, 3}, false},
        {"exactly one", {1.0, 9.0, 9.0, 9.0}, {1, 9, 9, 9}, 1, 2.0, true, {0, 1, 2, 3}, false},
        {"of none", {1.0, 9.0, 9.0, 9.0}, {1, 2, 2, 2}, 1, 2.0, false, {0, 1, 2, 3}, false},
        {"none fits as a whole", {9.0, 8.0, 7.0, 6.0}, {4, 4, 4, 4}, 0, 1.8, true, {2, 0, 1, 3}, false},
        {"an unknown time", {NAN, NAN, NAN, 2.0}, {9, 9, 9, 9}, 0, 1e9, true, {3, 0, 1, 2}, false},
        {"all fit", {1.0, 1.0, 1.0, 1.0}, {9, 9, 9, 9}, 4, 9.0, false, {0, 1, 2, 3}, false},
        {"stepped once", {1.0, 9.0, 9.0, 2.0}, {9, 9, 9, 9}, 1, 3.5, true, {0, 3, 1, 2}, true},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_sweep_forecast_part parts[MOST] = {{0}};
        size_t order[MOST];
        for (size_t i = 0; i < MOST; i++)
            parts[order[i] = i] =
                (cm_sweep_forecast_part){.seconds = rows[r].seconds[i], .sets = rows[r].sets[i], .once = rows[r].once};
        const cm_sweep_forecast forecast = {.benchmark_count = MOST, .benchmarks = parts};
        if (cm_sweep_fit_part(&forecast, rows[r].budget, rows[r].fit, order) != rows[r].begun)
            fail_msg("%s: begun or not", rows[r].name);
        for (size_t i = 0; i < MOST; i++)
            if (order[i] != rows[r].order[i])
                fail_msg("%s: %zu is at %zu", rows[r].name, order[i], i);
    }
}

/* Names, and codes with and without names; all others keep their order behind them. */
static void promising_events_come_first(void **state)
{
    (void)state;
    cm_event_record events[] = {{.name = "CYCLES:ALL", .description = ""},
                                {.name = "adl_grt::br_inst_retired:cond", .description = ""},
                                {.name = "FP_ARITH:SCALAR", .description = "branch"}, /* what a name says is not read */
                                {.name = "cpu:event=0x3c,umask=0x00", .description = ""},
                                {.name = "cpu:event=0xc4,umask=0x11", .description = ""},
                                {.name = "cpu:event=0x99,umask=0x00", .description = "BR_MISP_RETIRED:COND"},
                                {.name = "armv8_pmuv3_0:event=0x0021", .description = ""},
                                {.name = "INST_RETIRED:ANY", .description = ""}};
    enum { COUNT = sizeof events / sizeof events[0] };
    static const size_t branch[COUNT] = {1, 4, 5, 6, 7, 0, 2, 3}, flops[COUNT] = {2, 6, 7, 0, 1, 3, 4, 5};
    const struct {
        const char *benchmark;
        const size_t *order;
    } rows[] = {{"branch", branch}, {"cpu-flops", flops}};
    cm_counting counting = {.event_count = COUNT, .events = events};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_sweep_benchmark benchmark = {.name = rows[r].benchmark};
        const cm_sweep_state sweep = {.counting = &counting, .benchmark_count = 1, .benchmarks = &benchmark};
        size_t order[COUNT];
        for (size_t i = 0; i < COUNT; i++)
            order[i] = i;
        assert_int_equal(cm_promising_first(&sweep, order, COUNT, NULL), CM_OK);
        for (size_t i = 0; i < COUNT; i++)
            if (order[i] != rows[r].order[i])
                fail_msg("%s: %s is at %zu", rows[r].benchmark, events[order[i]].name, i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_metrics_for_their_time_come_first),
        cmocka_unit_test(one_that_does_not_fit_is_begun),
        cmocka_unit_test(promising_events_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
