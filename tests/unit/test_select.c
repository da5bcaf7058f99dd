/* Which events patterns take: by name, and by component and name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "sweep/plan/benchmark.h"

#define COND "BR_INST_RETIRED:COND"
#define PUBLISHED "sde:::golden-cove::" COND

enum { MOST_GLOBS = 3 };

static size_t count_globs(const char *const *globs)
{
    size_t count = 0;
    while (count < MOST_GLOBS && globs[count] != NULL)
        count++;
    return count;
}

static cm_selection select_by(const char *const *globs, cm_sweep_options *options)
{
    cm_selection selection;
    cm_sweep_options_default(options);
    options->events = globs;
    options->events_count = count_globs(globs);
    assert_int_equal(cm_selection_make(options, &selection, NULL), CM_OK);
    return selection;
}

static void globs_select(void **state)
{
    (void)state;
    static const struct {
        const char *globs[MOST_GLOBS];
        const char *name;
        bool selected;
    } rows[] = {
        {{NULL}, "ANY", true},
        {{"FP_*"}, "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", true},
        {{"FP_*"}, "BR_INST_RETIRED:COND", false},
        {{"*:COND", "FP_*"}, "BR_INST_RETIRED:COND", true},
        {{"!BR_*"}, "BR_INST_RETIRED:COND", false},
        {{"!BR_*"}, "FP_X", true},
        {{"!*:COND", "BR_*"}, "BR_INST_RETIRED:COND", false},
        {{"BR_*", "!*:COND"}, "BR_INST_RETIRED:COND", false},
        {{"BR_*", "!*:COND"}, "BR_INST_RETIRED:NEAR", true},
        {{"BR_*", "!*:COND"}, "FP_X", false},
        {{"perf::PAGE-FAULT?"}, "perf::PAGE-FAULTS", true},
        {{"fp_*"}, "FP_X", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_sweep_options options;
        cm_selection selection = select_by(rows[i].globs, &options);
        if (cm_selection_takes(&selection, (cm_event_candidate){rows[i].name, "perf_event", NULL}) != rows[i].selected)
            fail_msg("row %zu", i);
        cm_selection_clear(&selection);
    }
}

/* Two events of one name, of which patterns may want one. */
static void components_part_namesakes(void **state)
{
    (void)state;
    static const struct {
        const char *globs[MOST_GLOBS];
        bool perf, sde;
    } rows[] = {
        {{NULL}, true, true},
        {{COND}, true, true},
        {{"perf_event:::" COND}, true, false},
        {{"sde:::" COND}, false, true},
        {{PUBLISHED}, false, true}, /* as PAPI spells it */
        {{"sde:::*"}, false, true},
        {{"!sde:::*"}, true, false},
        {{"BR_*", "!perf_event:::*"}, false, true},
        {{"!perf_event:::" COND, "sde:::" COND}, false, true},
        {{"perf_event:::" COND, "sde:::" COND}, true, true},
        {{"sde:::golden-cove::*"}, false, true},
        {{"*:::*:COND"}, true, true},
        {{"perf*:::BR_*"}, true, false},
        {{"perf_event:::BR_MISP*"}, false, false},
        {{"perf:::" COND}, false, false},
        {{"sde*"}, false, false}, /* a pattern without `:::` is about names alone */
        {{"!perf_event*"}, true, true},
        {{"sde::" COND}, false, false},
        {{":::" COND}, false, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_sweep_options options;
        cm_selection selection = select_by(rows[i].globs, &options);
        if (cm_selection_takes(&selection, (cm_event_candidate){COND, "perf_event", COND}) != rows[i].perf ||
            cm_selection_takes(&selection, (cm_event_candidate){COND, "sde", PUBLISHED}) != rows[i].sde)
            fail_msg("row %zu", i);
        cm_selection_clear(&selection);
    }
}

/* A file's numbers behind names count qualifiers, a component before the name or not. */
static void files_part_namesakes(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool perf, sde, may_begin;
        size_t qualifiers; /* wanted of perf_event's plain event */
    } rows[] = {
        {"BR_INST_RETIRED 1", true, true, true, 1},
        {"BR_INST_RETIRED 0", false, false, true, 1},
        {"perf_event:::BR_INST_RETIRED 1", true, false, true, 1},
        {"perf_event:::BR_INST_RETIRED 3", true, false, true, 3},
        {"perf_event:::BR_INST* 3", true, false, true, 3},
        {"sde:::BR_INST_RETIRED 3", false, true, false, 1},
        {"sde:::BR_INST* 3", false, true, false, 1},
        {"sde:::golden-cove::BR_INST_RETIRED 1", false, true, false, 1},
        {"perf_event:::BR_INST_RETIRED", false, false, false, 1},
    };
    char path[] = "/tmp/catmint-test-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *list = fopen(path, "w");
        assert_non_null(list);
        fprintf(list, "%s\n", rows[i].line);
        fclose(list);
        cm_sweep_options options;
        cm_selection selection;
        cm_sweep_options_default(&options);
        options.events_file = path;
        assert_int_equal(cm_selection_make(&options, &selection, NULL), CM_OK);
        const cm_event_candidate plain = {"BR_INST_RETIRED", "perf_event", "BR_INST_RETIRED"};
        if (cm_selection_takes(&selection, (cm_event_candidate){COND, "perf_event", COND}) != rows[i].perf ||
            cm_selection_takes(&selection, (cm_event_candidate){COND, "sde", PUBLISHED}) != rows[i].sde ||
            cm_selection_may_begin(&selection, plain) != rows[i].may_begin ||
            cm_selection_qualifiers(&selection, plain) != rows[i].qualifiers)
            fail_msg("row %zu", i);
        cm_selection_clear(&selection);
    }
    unlink(path);
}

static void what_fits_nothing_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *glob;
        bool noted;
    } rows[] = {
        {COND, true},
        {"sde:::" COND, true},
        {PUBLISHED, true},
        {"perf:::" COND, false},
        {"perf_event:::" COND, false},
        {"sde:::golden-cove::BR", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_sweep_options options;
        const char *globs[MOST_GLOBS] = {rows[i].glob};
        cm_selection selection = select_by(globs, &options);
        bool known;
        cm_selection_note(&selection, (cm_event_candidate){COND, "sde", PUBLISHED});
        if (cm_selection_noted(&selection, &selection.patterns[0], &known) != rows[i].noted || !known ||
            cm_selection_lists(&selection, &selection.patterns[0]) != rows[i].noted)
            fail_msg("row %zu", i);
        cm_selection_clear(&selection);
    }
}

static void a_component_is_no_qualifier(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t count;
    } rows[] = {
        {"INST", 0},
        {"BR:COND", 1},
        {"BR:COND:u", 2},
        {"perf::PAGE-FAULTS", 0},
        {"perf_event:::BR", 0},
        {"perf_event:::BR:COND", 1},
        {"perf_event:::perf::FAULTS:u", 1},
        {"sde:::golden-cove::BR:COND", 1},
        {"sde:::sde:::other::COUNT", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (cm_qualifier_count(rows[i].name) != rows[i].count)
            fail_msg("%s", rows[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(globs_select),
        cmocka_unit_test(components_part_namesakes),
        cmocka_unit_test(files_part_namesakes),
        cmocka_unit_test(what_fits_nothing_is_known),
        cmocka_unit_test(a_component_is_no_qualifier),
    };
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
