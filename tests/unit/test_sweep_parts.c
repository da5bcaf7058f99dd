/* The sweep's parts that count nothing: planner. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"
#include "sweep/plan/plan.h"

/* ---- a PMU of paper: some events need the fixed counter, some refuse each other, some are refused altogether ---- */

enum { FIXED = 1000, NEVER = 2000, BROKEN = 3000, MOST = 64 };

typedef struct paper_pmu {
    size_t counters;
    bool conflicts; /* an even event and the next odd one do not go together */
    size_t held, events[MOST];
    bool fixed_taken;
    size_t tries, refused_count, refused[MOST];
} paper_pmu;

static cm_status paper_begin(void *data, cm_error *error)
{
    (void)error;
    paper_pmu *pmu = data;
    pmu->held = 0;
    pmu->fixed_taken = false;
    return CM_OK;
}

static cm_status paper_add(void *data, size_t event, cm_error *error)
{
    paper_pmu *pmu = data;
    pmu->tries++;
    if (event >= BROKEN)
        return cm_error_no_memory(error);
    bool fixed = event >= FIXED && event < NEVER;
    bool fits = event < NEVER && (fixed ? !pmu->fixed_taken : pmu->held < pmu->counters);
    for (size_t i = 0; pmu->conflicts && i < pmu->held; i++)
        fits = fits && (pmu->events[i] ^ 1u) != event;
    if (!fits)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "no room for %zu", event);
    if (fixed)
        pmu->fixed_taken = true;
    else
        pmu->events[pmu->held++] = event;
    return CM_OK;
}

static cm_status paper_refused(void *data, size_t event, const char *reason, cm_error *error)
{
    (void)error;
    paper_pmu *pmu = data;
    assert_true(strstr(reason, "no room for") == reason);
    pmu->refused[pmu->refused_count++] = event;
    return CM_OK;
}

static void plan_packs(void **state)
{
    (void)state;
    static const struct {
        size_t counters;
        bool conflicts;
        size_t count, events[12];
        const char *expected; /* sets separated by `|`, then the refused ones */
    } rows[] = {
        {4, false, 0, {0}, ""},
        {4, false, 4, {1, 2, 3, 4}, "1 2 3 4|"},
        {4, false, 6, {1, 2, 3, 4, 5, 6}, "1 2 3 4|5 6|"},
        {1, false, 3, {1, 2, 3}, "1|2|3|"},
        {2, false, 5, {1, 2, 3, FIXED, 4}, "1 2 1000|3 4|"}, /* the fixed counter is beside the others */
        {2, false, 3, {FIXED, FIXED + 1, 1}, "1000 1|1001|"},
        {4, true, 4, {2, 3, 4, 5}, "2 4|3 5|"}, /* what refuses each other is split */
        {4, false, 3, {1, NEVER, 2}, "1 2|-2000"},
        {4, false, 2, {NEVER, NEVER + 1}, "-2000-2001"},
        {0, false, 2, {1, FIXED}, "1000|-1"}, /* refused alone, and the next ones still tried */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        paper_pmu pmu = {.counters = rows[i].counters, .conflicts = rows[i].conflicts};
        cm_plan_trial trial = {&pmu, paper_begin, paper_add, paper_refused, NULL};
        cm_plan plan = {0};
        assert_int_equal(cm_plan_pack(&plan, rows[i].count, rows[i].events, &trial, NULL), CM_OK);
        char text[256] = "";
        for (size_t s = 0; s < plan.count; s++)
            for (size_t e = 0; e < plan.sets[s].count; e++)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%zu%s", plan.sets[s].events[e],
                         e + 1 < plan.sets[s].count ? " " : "|");
        for (size_t r = 0; r < pmu.refused_count; r++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "-%zu", pmu.refused[r]);
        if (strcmp(text, rows[i].expected) != 0)
            fail_msg("row %zu: %s", i, text);
        cm_plan_clear(&plan);
    }
}

/* Sets separated by `|`. */
static void print_plan(const cm_plan *plan, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t s = 0; s < plan->count; s++)
        for (size_t e = 0; e < plan->sets[s].count; e++)
            snprintf(text + strlen(text), size - strlen(text), "%zu%s", plan->sets[s].events[e],
                     e + 1 < plan->sets[s].count ? " " : "|");
}

static void what_refused_together_is_not_tried_again(void **state)
{
    (void)state;
    static const size_t events[] = {2, 3, 4, 5, 6, 7, 8, 9};
    enum { EVENTS = sizeof events / sizeof events[0], MOST_GROUPS = 2 };
    static const struct {
        size_t counters;
        bool conflicts;
        size_t groups[MOST_GROUPS][4]; /* that are known to refuse, 0 ends one */
        size_t first, again;           /* events that are tried: the first time, and once more */
        const char *expected;
    } rows[] = {
        {64, false, {{0}}, 8, 8, "2 3 4 5 6 7 8 9|"},
        {4, false, {{0}}, 12, 8, "2 3 4 5|6 7 8 9|"}, /* four were refused by a full set */
        {64, true, {{0}}, 12, 8, "2 4 6 8|3 5 7 9|"},
        {64, false, {{2, 3}}, 8, 8, "2 4 5 6 7 8 9|3|"},
        {64, false, {{2, 3, 4}}, 8, 8, "2 3 5 6 7 8 9|4|"},
        {64, false, {{2, 3}, {2, 4, 5}}, 8, 8, "2 4 6 7 8 9|3 5|"},
        {64, false, {{9}, {2, 20}}, 8, 8, "2 3 4 5 6 7 8 9|"}, /* one alone is no group, nor is one that is not there */
        {4, true, {{2, 6}}, 11, 8, "2 4 7 8|3 5 6 9|"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_conflicts *conflicts = NULL;
        assert_int_equal(cm_conflicts_create(MOST, &conflicts, NULL), CM_OK);
        for (size_t g = 0; g < MOST_GROUPS; g++) {
            size_t count = 0;
            while (count < 4 && rows[i].groups[g][count] != 0)
                count++;
            assert_int_equal(cm_conflicts_remember(conflicts, count, rows[i].groups[g], NULL), CM_OK);
        }
        for (int again = 0; again < 3; again++) {
            paper_pmu pmu = {.counters = rows[i].counters, .conflicts = rows[i].conflicts};
            cm_plan_trial trial = {&pmu, paper_begin, paper_add, paper_refused, conflicts};
            cm_plan plan = {0};
            char text[256];
            assert_int_equal(cm_plan_pack(&plan, EVENTS, events, &trial, NULL), CM_OK);
            print_plan(&plan, text, sizeof text);
            size_t expected = again == 0 ? rows[i].first : rows[i].again;
            if (strcmp(text, rows[i].expected) != 0 || pmu.tries != expected)
                fail_msg("row %zu, time %d: %s after %zu tries", i, again, text, pmu.tries);
            cm_plan_clear(&plan);
        }
        cm_conflicts_free(conflicts);
    }
    cm_conflicts_free(NULL);
}

static void without_a_memory_everything_is_tried_again(void **state)
{
    (void)state;
    static const size_t events[] = {2, 3, 4, 5, 6, 7, 8, 9};
    for (int again = 0; again < 2; again++) {
        paper_pmu pmu = {.counters = 4};
        cm_plan_trial trial = {&pmu, paper_begin, paper_add, paper_refused, NULL};
        cm_plan plan = {0};
        assert_int_equal(cm_plan_pack(&plan, sizeof events / sizeof events[0], events, &trial, NULL), CM_OK);
        assert_int_equal(pmu.tries, 12);
        cm_plan_clear(&plan);
    }
}

static void plan_is_linear_in_the_events(void **state)
{
    (void)state;
    enum { EVENTS = 50000, COUNTERS = 8 };
    size_t *events = malloc(EVENTS * sizeof *events);
    assert_non_null(events);
    for (size_t i = 0; i < EVENTS; i++)
        events[i] = i % 1000;
    paper_pmu pmu = {.counters = COUNTERS};
    cm_plan_trial trial = {&pmu, paper_begin, paper_add, paper_refused, NULL};
    cm_plan plan = {0};
    assert_int_equal(cm_plan_pack(&plan, EVENTS, events, &trial, NULL), CM_OK);
    assert_int_equal(plan.count, EVENTS / COUNTERS);
    assert_true(pmu.tries <= EVENTS / COUNTERS * (COUNTERS + CM_PLAN_REFUSALS));
    cm_plan_clear(&plan);
    free(events);
}

static void plan_fails_without_a_trace(void **state)
{
    (void)state;
    paper_pmu pmu = {.counters = 1};
    cm_plan_trial trial = {&pmu, paper_begin, paper_add, paper_refused, NULL};
    cm_plan plan = {0};
    cm_error error;
    assert_int_equal(cm_plan_pack(&plan, 2, (const size_t[]){1, 2}, &trial, NULL), CM_OK);
    assert_int_equal(cm_plan_pack(&plan, 3, (const size_t[]){1, BROKEN, 2}, &trial, &error), CM_NO_MEMORY);
    assert_int_equal(plan.count, 2);
    assert_string_equal(error.text, "out of memory");
    cm_plan_clear(&plan);
    cm_plan_clear(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plan_packs),
        cmocka_unit_test(what_refused_together_is_not_tried_again),
        cmocka_unit_test(without_a_memory_everything_is_tried_again),
        cmocka_unit_test(plan_is_linear_in_the_events),
        cmocka_unit_test(plan_fails_without_a_trace),
    };
    return cmocka_run_group_tests_name("sweep parts", tests, NULL, NULL);
}
