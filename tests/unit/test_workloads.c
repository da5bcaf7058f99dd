/* Workloads do what their algorithms say, and one that does not is found. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/facts.h"
#include "validation/validation.h"

static const cm_pmu_machine machine = {.line_size = 64,
                                       .page_size = 4096,
                                       .l1d_size = 8192,
                                       .l1d_ways = 8,
                                       .l2_size = 32768,
                                       .l2_ways = 8,
                                       .predictor = "bimodal"};

static void create(cm_subjects *subjects)
{
    const cm_validation_options options = {.size = sizeof options, .stage = CM_STAGE_WORKLOADS};
    cm_error error;
    if (cm_subjects_create(&options, &machine, NULL, subjects, &error) != CM_OK)
        fail_msg("%s", error.text);
}

static double fact(const cm_subjects *subjects, const cm_program_facts *facts, const char *name, const char *what)
{
    for (size_t i = 0; i < facts->count; i++)
        if (strcmp(subjects->kernels[i + 1]->name, name) == 0)
            return facts->values[i * cm_fact_count() + (size_t)cm_fact_find(what)];
    return NAN; /* there is no such workload */
}

static void algorithms_are_executed(void **state)
{
    (void)state;
    static const struct {
        const char *workload, *fact;
        double least, most;
    } rows[] = {
        /* By hand: 4096 bytes are 170 elements, of which 128 are whole multiples of 64, 128 times. */
        {"stream-l1.scalar", "store_bytes", 128 * 128 * 8, 128 * 128 * 8},
        {"stream-l1.128", "store_bytes", 128 * 128 * 8, 128 * 128 * 8},
        {"stream-l1.scalar", "fp_d_scalar_mul", 128 * 128, 128 * 128},
        {"stream-l1.128", "fp_d_128_add", 128 * 64, 128 * 64},
        {"stream-l1.scalar", "l1d_load_miss", 0, 16},      /* a run before has loaded them */
        {"stream-memory.scalar", "l2_load_miss", 64, 1e9}, /* 65536 bytes in a cache of half of that */
        {"stream-l3.scalar", "loads", NAN, NAN},           /* no such cache */
        {"conflict-none.scalar", "fp_d_scalar_mul", 1 << 14, 1 << 14},
        {"conflict-all.scalar", "fp_d_scalar_mul", 1 << 14, 1 << 14},
        {"crunch-single.scalar", "fp_s_scalar_mul", 256 * 32, 256 * 32},
        {"matrix-blocked.scalar", "fp_d_scalar_add", 32 * 32 * 32, 32 * 32 * 32},
        {"nbody-arrays.scalar", "fp_d_scalar_sqrt", 2 * 48 * 48, 2 * 48 * 48},
        {"nbody-structures.scalar", "fp_d_scalar_div", 2 * 48 * 48, 2 * 48 * 48},
    };
    cm_subjects subjects;
    cm_program_facts facts;
    cm_error error;
    create(&subjects);
    if (cm_program_facts_find(&subjects, &machine, 1, &facts, &error) != CM_OK)
        fail_msg("%s", error.text);
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        double found = fact(&subjects, &facts, rows[r].workload, rows[r].fact);
        bool right = isnan(rows[r].least) ? isnan(found) : found >= rows[r].least && found <= rows[r].most;
        if (!right)
            fail_msg("row %zu (%s, %s): %g", r, rows[r].workload, rows[r].fact, found);
    }
    cm_program_facts_clear(&facts);
    cm_subjects_clear(&subjects);
}

/* a[i] = b[i] + s * c[i] in memory: of three arrays, the one that is written is read as well, or is not. */
static void whole_lines_are_read_unless_that_is_evaded(void **state)
{
    (void)state;
    static const char *const streams[] = {"stream-memory.scalar", "stream-memory.128"};
    double loads[2], stores[2], written[2];
    for (unsigned evasion = 0; evasion < 2; evasion++) {
        cm_pmu_machine evading = machine;
        cm_subjects subjects;
        cm_program_facts facts;
        cm_error error;
        evading.write_allocate_evasion = evasion;
        create(&subjects);
        if (cm_program_facts_find(&subjects, &evading, 1, &facts, &error) != CM_OK)
            fail_msg("%s", error.text);
        for (size_t i = 0; i < 2; i++) {
            double lines = fact(&subjects, &facts, streams[i], "store_bytes") / 64;
            loads[i] = fact(&subjects, &facts, streams[i], "l2_load_miss") / lines;
            stores[i] = fact(&subjects, &facts, streams[i], "l2_store_miss") / lines;
            written[i] = fact(&subjects, &facts, streams[i], "l2_written_back") / lines;
            double expected = evasion != 0 ? 0 : 1;
            if (fabs(loads[i] - 2) > 0.05 || fabs(stores[i] - expected) > 0.05 || fabs(written[i] - 1) > 0.05)
                fail_msg("%s, %u: %g and %g read, %g written", streams[i], evasion, loads[i], stores[i], written[i]);
        }
        cm_program_facts_clear(&facts);
        cm_subjects_clear(&subjects);
    }
}

/* It is run once more than the algorithm says. */
static void what_is_not_executed_is_found(void **state)
{
    (void)state;
    cm_subjects subjects;
    cm_program_facts facts;
    cm_error error;
    create(&subjects);
    cm_kernel longer = *subjects.kernels[1];
    longer.software_iterations++;
    subjects.kernels[1] = &longer;
    assert_int_equal(cm_program_facts_find(&subjects, NULL, 1, &facts, &error), CM_UNSUPPORTED);
    char expected[128];
    snprintf(expected, sizeof expected, "%s does not do the work of its algorithm", subjects.kernels[1]->name);
    if (strstr(error.text, expected) == NULL)
        fail_msg("%s", error.text);
    cm_program_facts_clear(&facts);
    cm_subjects_clear(&subjects);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(algorithms_are_executed),
        cmocka_unit_test(whole_lines_are_read_unless_that_is_evaded),
        cmocka_unit_test(what_is_not_executed_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
