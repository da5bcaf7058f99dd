/* What memory moves for streams: worked out from counts, and counted on a model, whose memory is known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counting/uncore/uncore.h"
#include "machines/timed.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define RD "uncore_imc::UNC_M_CAS_COUNT:RD"
#define WR "uncore_imc::UNC_M_CAS_COUNT:WR"

enum { EVENTS = 2, MOST = 3, REPETITIONS = 3 };

static const char *names[EVENTS] = {RD, WR};
static const cm_defined_term read_terms[] = {{.event = RD, .coefficient = 64}};
static const cm_defined_term written_terms[] = {{.event = WR, .coefficient = 64}};
static const cm_defined_term both_terms[] = {{.event = RD, .coefficient = 64}, {.event = WR, .coefficient = 64}};
static const cm_defined_metric is_read = {.metric = "Memory Read Bytes", .term_count = 1, .terms = read_terms};
static const cm_defined_metric is_written = {.metric = "Memory Write Bytes", .term_count = 1, .terms = written_terms};
static const cm_defined_metric is_both = {.metric = "Memory Bytes", .term_count = 2, .terms = both_terms};

static void expect_reading(const char *row, const char *what, const cm_reading *found, const cm_reading *expected)
{
    const double figures[][2] = {
        {found->median, expected->median}, {found->lowest, expected->lowest}, {found->highest, expected->highest}};
    for (size_t i = 0; i < COUNT(figures); i++)
        if (isnan(figures[i][0]) != isnan(figures[i][1]) || fabs(figures[i][0] - figures[i][1]) > 1e-12)
            fail_msg("%s: %s: found %g, expected %g", row, what, figures[i][0], figures[i][1]);
}

/* Of 6400 bytes, a hundred lines. Counts are those of RD and WR, busy and quiet. */
static void counts_become_bytes_of_a_byte(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        const cm_defined_metric *metrics[CM_TRAFFIC_KINDS];
        size_t repetitions;
        long long counts[MOST][2][EVENTS];
        cm_moved moved;
    } rows[] = {
        {"a line that is read before it is written",
         {&is_read, &is_written, NULL},
         1,
         {{{100, 100}, {0, 0}}},
         {{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}}},
        {"what others move is taken off",
         {&is_read, &is_written, NULL},
         1,
         {{{150, 120}, {50, 20}}},
         {{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}}},
        {"each repetition has a background of its own",
         {&is_read, &is_written, NULL},
         2,
         {{{150, 120}, {50, 20}}, {{900, 400}, {800, 300}}},
         {{{1, 1, 1}, {1, 1, 1}, {2, 2, 2}}}},
        {"median and range",
         {&is_read, &is_written, NULL},
         3,
         {{{120, 0}, {0, 0}}, {{90, 0}, {0, 0}}, {{100, 0}, {0, 0}}},
         {{{1, 0.9, 1.2}, {0, 0, 0}, {1, 0.9, 1.2}}}},
        {"the sum is that of repetitions, not of medians",
         {&is_read, &is_written, NULL},
         3,
         {{{100, 200}, {0, 0}}, {{200, 100}, {0, 0}}, {{100, 100}, {0, 0}}},
         {{{1, 1, 2}, {1, 1, 2}, {3, 2, 3}}}},
        {"a background that was louder when nothing ran",
         {&is_read, &is_written, NULL},
         1,
         {{{10, 0}, {20, 0}}},
         {{{-0.1, -0.1, -0.1}, {0, 0, 0}, {-0.1, -0.1, -0.1}}}},
        {"reads alone are defined",
         {&is_read, NULL, NULL},
         1,
         {{{100, 100}, {0, 0}}},
         {{{1, 1, 1}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}}},
        {"the sum alone is defined",
         {NULL, NULL, &is_both},
         1,
         {{{100, 100}, {0, 0}}},
         {{{NAN, NAN, NAN}, {NAN, NAN, NAN}, {2, 2, 2}}}},
        {"reads and the sum are defined",
         {&is_read, NULL, &is_both},
         1,
         {{{100, 50}, {0, 0}}},
         {{{1, 1, 1}, {NAN, NAN, NAN}, {1.5, 1.5, 1.5}}}},
        {"no repetition",
         {&is_read, &is_written, NULL},
         0,
         {{{0}}},
         {{{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}}},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_traffic traffic = {.event_count = EVENTS, .names = names};
        cm_moved moved;
        memcpy(traffic.metrics, rows[i].metrics, sizeof traffic.metrics);
        assert_int_equal(
            cm_traffic_work_out(&traffic, &rows[i].counts[0][0][0], rows[i].repetitions, 6400.0, &moved, NULL), CM_OK);
        for (size_t kind = 0; kind < CM_TRAFFIC_KINDS; kind++) {
            static const char *const words[CM_TRAFFIC_KINDS] = {"read", "written", "both"};
            expect_reading(rows[i].name, words[kind], &moved.bytes[kind], &rows[i].moved.bytes[kind]);
        }
    }
}

/* ---- counted ---- */

/* NULL where nothing can be counted. */
static cm_counting *open_model(cm_traffic *traffic, size_t events[EVENTS])
{
    const cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = "golden-cove"};
    cm_counting *counting = NULL;
    cm_error error = {0};
    cm_status status = cm_timed_clock() != NULL ? cm_counting_open(&choice, &counting, &error) : CM_UNSUPPORTED;
    if (status == CM_UNSUPPORTED)
        return NULL;
    if (status != CM_OK || cm_uncore_open(counting, NULL, &error) != CM_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < EVENTS; i++)
        assert_int_equal(cm_counting_find_event(counting, names[i], &events[i], NULL), CM_OK);
    *traffic = (cm_traffic){.counting = counting,
                            .metrics = {&is_read, &is_written, NULL},
                            .event_count = EVENTS,
                            .names = names,
                            .events = events,
                            .component = counting->uncore->component};
    return counting;
}

/* Those with the widest vectors, which few instructions move all bytes of. */
static bool find_streams(const cm_traffic *traffic, cm_timing timings[MOST])
{
    static const char *const operations[MOST] = {"load", "store", "store_nt"};
    const char *vectors = NULL;
    for (size_t i = 0; i < cm_timed_kernel_count; i++)
        if (strcmp(cm_timed_kernels[i].operation, operations[MOST - 1]) == 0 &&
            cm_timed_available(&cm_timed_kernels[i]))
            vectors = cm_timed_kernels[i].vectors;
    for (size_t i = 0; i < MOST && vectors != NULL; i++)
        timings[i] = (cm_timing){.kernel = cm_timed_find(CM_TIMED_STREAM, operations[i], CM_DOUBLE, vectors),
                                 .bytes = cm_traffic_bytes(traffic, 0)};
    return vectors != NULL;
}

/* A process steps on a PMU of its own, so that of `cores` the first counts its part alone. */
static void expect_moved(const cm_traffic *traffic, const cm_timing *timings, size_t cores)
{
    static const double bytes[MOST][EVENTS] = {{1, 0}, {1, 1}, {0, 0}}; /* read and written */
    cm_cores found = {0};
    cm_moved moved[MOST];
    cm_error error = {0};
    if (cm_cores_find_all("", &found, &error) != CM_OK)
        fail_msg("%s", error.text);
    if (found.available < cores) {
        print_message("not counted on %zu cores: there are %zu\n", cores, found.available);
        cm_cores_clear(&found);
        return;
    }
    found.count = cores;
    const cm_timing_options options = {.cores = &found, .repetitions = REPETITIONS, .seconds = 0.01};
    if (cm_traffic_count(traffic, &options, timings, MOST, moved, &error) != CM_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < MOST; i++)
        for (size_t kind = 0; kind < EVENTS; kind++) {
            /* what is left of the model's background, and of its interference */
            const double off = moved[i].bytes[kind].median - bytes[i][kind] / (double)cores;
            if (!(fabs(off) < 0.1))
                fail_msg("%s on %zu cores, %s: off by %g", timings[i].kernel->operation, cores, names[kind], off);
        }
    assert_true((cm_traffic_obstacle(traffic, &found) == NULL) == (cores == 1));
    cm_cores_clear(&found);
}

static void a_model_moves_what_it_should(void **state)
{
    (void)state;
    cm_traffic traffic;
    size_t events[EVENTS];
    cm_timing timings[MOST];
    cm_counting *counting = open_model(&traffic, events);
    const bool known = counting != NULL && find_streams(&traffic, timings);
    if (known) {
        expect_moved(&traffic, timings, 1);
        expect_moved(&traffic, timings, 2);
    }
    cm_counting_close(counting);
    if (!known) {
        print_message("skipped: no timed kernels or no software PMU for this processor\n");
        skip();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_become_bytes_of_a_byte),
        cmocka_unit_test(a_model_moves_what_it_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
