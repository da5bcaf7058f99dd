/* The judgement on programs, on figures made by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/software_pmu.h>
#include <catmint/validation.h>

enum { PROGRAMS = 3, EVENTS = 2 };

/* Loads and stores of three programs, and what two events count there. */
static double *facts, *ranges;
static double counts[EVENTS * PROGRAMS] = {1000, 2000, 4000, 0, 100, 200};
static char *names[] = {"one", "two", "three"}, *descriptions[] = {"1 load", "2 loads", "3 loads"};
static char *events[] = {"LOADS", "STORES"};
static cm_program_table table = {.seed = 5,
                                 .program_count = PROGRAMS,
                                 .programs = names,
                                 .descriptions = descriptions,
                                 .event_count = EVENTS,
                                 .events = events,
                                 .counts = counts};

static void set(const char *fact, size_t program, double value, double range)
{
    size_t at = program * cm_fact_count() + (size_t)cm_fact_find(fact);
    facts[at] = value;
    ranges[at] = range;
}

static int set_up(void **state)
{
    (void)state;
    static const double loads[] = {1000, 2000, 4000}, stores[] = {0, 100, 200};
    table.facts = facts = calloc(PROGRAMS * cm_fact_count(), sizeof *facts);
    table.ranges = ranges = calloc(PROGRAMS * cm_fact_count(), sizeof *ranges);
    if (facts == NULL || ranges == NULL)
        return 1;
    for (size_t i = 0; i < PROGRAMS; i++) {
        set("loads", i, loads[i], 0.0);
        set("stores", i, stores[i], 0.0);
        set("l1d_load_hit", i, 0.0, INFINITY);
        set("mispredicted_cond", i, 1000.0, 50.0);
    }
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(facts);
    free(ranges);
    return 0;
}

static void definitions_are_judged(void **state)
{
    (void)state;
    static const cm_validated_term loads = {"LOADS", 1.0}, off[] = {{"LOADS", 1.02}}, slightly[] = {{"LOADS", 1.01}};
    static const cm_validated_term both[] = {{"LOADS", 1.0}, {"STORES", -1.0}}, missing[] = {{"OTHER", 1.0}};
    static const cm_validated_term stores[] = {{"STORES", 2.0}};
    static const struct {
        const char *meaning;
        size_t count;
        const cm_validated_term *terms;
        size_t programs, failed;
        double median, worst;
        const char *program;
        bool refuted;
    } rows[] = {
        {"loads", 1, &loads, 3, 0, 0.0, 0.0, "one (1 load)", false},
        {"loads", 1, off, 3, 3, 0.02, 0.02, "one (1 load)", true},
        {"loads", 1, slightly, 3, 0, 0.01, 0.01, "one (1 load)", false},    /* the factor is 1.5 */
        {"loads - stores", 2, both, 3, 0, 0.0, 0.0, "one (1 load)", false}, /* a sum */
        {"loads", 2, both, 3, 2, 0.05, 0.05, "two (2 loads)", true},        /* two of three: the median */
        {"stores", 1, stores, 2, 2, 1.0, 1.0, "two (2 loads)", true},       /* where there is none, it says nothing */
        {"0.5*stores", 1, stores, 1, 1, 3.0, 3.0, "three (3 loads)", true}, /* 50 is too little */
        {"loads", 1, missing, 0, 0, NAN, NAN, "", false},                   /* not counted */
        {"", 1, &loads, 0, 0, NAN, NAN, "", false},                         /* nobody says what it means */
        {"l1d_load_hit", 1, &loads, 0, 0, NAN, NAN, "", false},             /* nobody knows */
        {"l1d_load_hit + loads", 1, &loads, 0, 0, NAN, NAN, "", false},     /* nor of a sum with it */
        {"mispredicted_cond", 1, &loads, 3, 2, 0.95, 2.95, "three (3 loads)", true}, /* beyond the range */
        {"2*mispredicted_cond", 1, &loads, 3, 2, 0.45, 0.95, "three (3 loads)", true},
        {"loads", 0, NULL, 3, 3, 1.0, 1.0, "one (1 load)", true}, /* a definition of nothing */
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const cm_validated_definition claim = {
            .meaning = rows[r].meaning, .tolerance = 0.01, .term_count = rows[r].count, .terms = rows[r].terms};
        cm_validation found;
        cm_error error;
        if (cm_validation_judge(&claim, &table, &found, &error) != CM_OK)
            fail_msg("row %zu: %s", r, error.text);
        bool median = isnan(rows[r].median) ? isnan(found.median) : fabs(found.median - rows[r].median) < 1e-12;
        bool worst = isnan(rows[r].worst) ? isnan(found.worst) : fabs(found.worst - rows[r].worst) < 1e-12;
        if (found.programs != rows[r].programs || found.failed != rows[r].failed || !median || !worst ||
            strcmp(found.worst_program, rows[r].program) != 0 || found.refuted != rows[r].refuted || found.seed != 5)
            fail_msg("row %zu (%s): %zu programs, %zu failed, median %g, worst %g in '%s', %srefuted", r,
                     rows[r].meaning, found.programs, found.failed, found.median, found.worst, found.worst_program,
                     found.refuted ? "" : "not ");
    }
}

/* One program of three is off: the median forgives it, unless it is of a class of its own, or of none beside classes;
 * and its noise, or what the claim says that it leaks, does. */
static void the_worst_class_refutes(void **state)
{
    (void)state;
    static char server[] = "server", copies[] = "copies", none[] = "";
    static char *classes[] = {copies, copies, server}, *classless[] = {none, none, none};
    static double errors[EVENTS * PROGRAMS];
    static const double leaks[] = {0.0, 0.0, 60.0}, more[] = {0.0, 0.0, 5000.0};
    static const cm_validated_term terms[] = {{"LOADS", 1.0}, {"STORES", 0.5}};
    static const struct {
        char **classes;
        double error;
        const double *leaks;
        double median;
        const char *worst;
    } rows[] = {
        {NULL, 0.0, NULL, 0.025, ""}, /* no classes: one */
        {classes, 0.0, NULL, 0.025, "server"},
        {classes, 30.0, NULL, 0.0125, "copies"}, /* four times 30 of 4000 */
        {classes, 0.0, leaks, 0.0125, "copies"},
        {classes, 0.0, more, 0.0125, "copies"}, /* it says nothing there */
        {classless, 0.0, NULL, 0.025, ""},      /* each by itself */
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const cm_validated_definition claim = {
            .meaning = "loads", .tolerance = 0.01, .term_count = 2, .terms = terms, .leaks = rows[r].leaks};
        cm_program_table classed = table;
        cm_validation found;
        cm_error error;
        classed.classes = rows[r].classes;
        classed.errors = errors;
        errors[PROGRAMS - 1] = rows[r].error;
        assert_int_equal(cm_validation_judge(&claim, &classed, &found, &error), CM_OK);
        if (fabs(found.median - rows[r].median) > 1e-12 || strcmp(found.worst_class, rows[r].worst) != 0 ||
            found.refuted != (rows[r].median > 0.015))
            fail_msg("row %zu: median %g in '%s', %srefuted", r, found.median, found.worst_class,
                     found.refuted ? "" : "not ");
    }
}

static void meanings_must_be_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *meaning, *text;
    } rows[] = {{"loads +", "expected"}, {"lods", "unknown fact 'lods'"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const cm_validated_definition claim = {.meaning = rows[r].meaning, .tolerance = 0.01};
        cm_validation found;
        cm_error error;
        assert_int_equal(cm_validation_judge(&claim, &table, &found, &error), CM_BAD_INPUT);
        if (strstr(error.text, rows[r].text) == NULL)
            fail_msg("row %zu: %s", r, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(definitions_are_judged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_worst_class_refutes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(meanings_must_be_expressions, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
