/* Which event a name means in a session, and whether there is hardware to count: on sessions made up here, so that it
 * does not matter what this machine counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "counting/counting.h"
#include "formulas/events/events.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

enum { PERF, UNCORE, SDE, GPU };

static cm_component_record components[] = {
    {.name = "perf_event", .hint = ""},
    {.name = "perf_event_uncore", .hint = ""},
    {.name = "sde", .hint = ""},
    {.name = "rocm", .hint = ""},
};

#define EVENT(of, n, p, c, ...)                                                                                        \
    {                                                                                                                  \
        .name = (n), .papi_name = (p), .component = (of), .countable = (c), .reason = "no such thing", .hint = "",     \
        __VA_ARGS__                                                                                                    \
    }

static void names_mean_what_can_be_counted(void **state)
{
    (void)state;
    cm_event_record events[] = {
        EVENT(PERF, "BR", "BR", false, ),       /* refused there, counted by the model */
        EVENT(PERF, "BOTH", "BOTH", true, ),    /* counted by two */
        EVENT(PERF, "NEVER", "NEVER", false, ), /* refused by two */
        EVENT(PERF, "TWICE", "TWICE", true, ),  /* listed twice by one */
        EVENT(PERF, "TWICE", "TWICE", true, ),  /**/
        EVENT(PERF, "perf::PF", "perf::PF", true, ),
        EVENT(UNCORE, "imc0::RD", "imc0::RD", true, ),
        EVENT(SDE, "BR", "sde:::model::BR", true, ),
        EVENT(SDE, "BOTH", "sde:::model::BOTH", true, ),
        EVENT(SDE, "NEVER", "sde:::model::NEVER", false, ),
        EVENT(SDE, "sde:::other::N", "sde:::other::N", true, ),
        EVENT(GPU, "rocm:::ADD:device=0", "rocm:::ADD:device=0", true, ),
    };
    enum { NONE = 99, AMBIGUOUS = 98, REFUSED = 97 };
    static const struct {
        const char *name;
        size_t found;
        const char *text; /* a part of the error's */
    } rows[] = {
        {"BR", 7, NULL},
        {"sde:::BR", 7, NULL},
        {"sde:::model::BR", 7, NULL},
        {"perf_event:::BR", REFUSED, "'perf_event:::BR' cannot be counted here: perf_event says: no such thing"},
        {"BOTH", AMBIGUOUS, "'BOTH' is ambiguous, expected perf_event:::BOTH or sde:::BOTH"},
        {"perf_event:::BOTH", 1, NULL},
        {"sde:::BOTH", 8, NULL},
        {"sde:::model::BOTH", 8, NULL},
        {"NEVER", REFUSED, "'NEVER' cannot be counted here: perf_event says: "},
        {"sde:::NEVER", REFUSED, "sde says: "},
        {"TWICE", 3, NULL},
        {"perf_event:::TWICE", 3, NULL},
        {"perf::PF", 5, NULL},
        {"perf_event:::perf::PF", 5, NULL},
        {"imc0::RD", 6, NULL},
        {"perf_event_uncore:::imc0::RD", 6, NULL},
        {"perf_event:::imc0::RD", NONE, "there is no event 'perf_event:::imc0::RD'"},
        {"sde:::other::N", 10, NULL},
        {"rocm:::ADD:device=0", 11, NULL},
        {"rocm:::BR", NONE, "there is no event"},
        {"br", NONE, "there is no event 'br'"},
        {"perf_event::BR", NONE, ""},
        {"perf_event:::", NONE, ""},
        {":::BR", NONE, ""},
        {"", NONE, ""},
    };
    cm_counting session = {.component_count = COUNT(components), .components = components};
    session.events = events;
    session.event_count = COUNT(events);
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_error error = {0};
        size_t event = NONE;
        cm_status status = cm_counting_find_event(&session, rows[i].name, &event, &error);
        cm_status expected = rows[i].text == NULL ? CM_OK : rows[i].found == REFUSED ? CM_UNSUPPORTED : CM_BAD_ARGUMENT;
        if (status != expected || (status == CM_OK && event != rows[i].found))
            fail_msg("%s: status %d, event %zu, %s", rows[i].name, status, event, error.text);
        if (rows[i].text != NULL && strstr(error.text, rows[i].text) == NULL)
            fail_msg("%s: %s", rows[i].name, error.text);
        assert_int_equal(cm_counting_find_event(&session, rows[i].name, &event, NULL), expected);
    }
    session.event_count = 0;
    size_t event = 0;
    assert_int_equal(cm_counting_find_event(&session, "BR", &event, NULL), CM_BAD_ARGUMENT);
}

static void the_kernels_events_are_no_hardware(void **state)
{
    (void)state;
    static const struct {
        cm_event_record event;
        bool hardware, anything;
    } rows[] = {
        {EVENT(PERF, "BR", "BR", false, .hardware = true), false, false},
        {EVENT(PERF, "BR", "BR", true, .hardware = true), false, true}, /* it is taken, and counts nothing */
        {EVENT(PERF, "perf::PAGE-FAULTS", "perf::PAGE-FAULTS", true, ), false, true},
        {EVENT(PERF, "perf::PAGE-FAULTS", "perf::PAGE-FAULTS", false, ), false, false},
        {EVENT(UNCORE, "imc0::RD", "imc0::RD", true, ), true, true},
        {EVENT(UNCORE, "imc0::RD", "imc0::RD", false, ), false, false},
        {EVENT(GPU, "rocm:::ADD:device=0", "rocm:::ADD:device=0", true, ), true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_event_record event = rows[i].event;
        cm_counting session = {.component_count = COUNT(components), .components = components};
        session.events = &event;
        session.event_count = 1;
        if (cm_anything_to_count(&session, false) != rows[i].hardware ||
            cm_anything_to_count(&session, true) != rows[i].anything)
            fail_msg("row %zu: %s", i, event.name);
    }
}

static void components_stand_before_names(void **state)
{
    (void)state;
    static const struct {
        const char *text, *component, *name, *key; /* the key of component and name */
        bool named, is_key;
        size_t length;
        const char *bare;
    } rows[] = {
        {"sde:::BR:COND", "sde", "BR:COND", "sde:::BR:COND", true, true, 3, "BR:COND"},
        {"sde:::BR:COND", "perf_event", "BR:COND", "perf_event:::BR:COND", true, false, 3, "BR:COND"},
        {"sde:::BR", "sde", "BR:COND", "sde:::BR:COND", true, false, 3, "BR"},
        {"BR:COND", "sde", "sde:::BR:COND", "sde:::BR:COND", false, false, 0, "BR:COND"},
        {"perf::CYCLES", "perf_event", "perf::CYCLES", "perf_event:::perf::CYCLES", false, false, 0, "perf::CYCLES"},
        {":::BR", "", "BR", ":::BR", true, true, 0, ":::BR"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char text[64], *key = cm_component_key(rows[i].component, rows[i].name);
        if (strcmp(key, rows[i].key) != 0 || cm_component_is_named(rows[i].text) != rows[i].named ||
            cm_component_is_key(rows[i].text, rows[i].component, rows[i].name) != rows[i].is_key ||
            cm_spelling_component(rows[i].text) != rows[i].length ||
            strcmp(cm_component_bare(rows[i].text), rows[i].bare) != 0)
            fail_msg("row %zu: %s", i, key);
        free(key);
        assert_true(cm_component_spell("a", rows[i].name, text, strlen(rows[i].name) + 5));
        assert_false(cm_component_spell("a", rows[i].name, text, strlen(rows[i].name) + 4));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(components_stand_before_names),
        cmocka_unit_test(names_mean_what_can_be_counted),
        cmocka_unit_test(the_kernels_events_are_no_hardware),
    };
    return cmocka_run_group_tests_name("find_event", tests, NULL, NULL);
}
