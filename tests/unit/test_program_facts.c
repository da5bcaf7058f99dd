/* The file of a whole program's facts: made, read, refused, and without memory. What counts into it: tests/foreign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "failing_memory.h"
#include "software_pmu/qemu/program_facts.h"

static const cm_pmu_machine machine = {.line_size = 64, .page_size = 4096};

static void a_new_file_holds_zeros(void **state)
{
    const char *path = *state;
    uint64_t facts[CM_FACT_COUNT];
    cm_program_summary summary;
    memset(facts, 1, sizeof facts);
    assert_int_equal(cm_program_facts_create(path, &machine, 256, false, NULL, NULL), CM_OK);
    assert_int_equal(cm_program_facts_read(path, facts, &summary, NULL), CM_OK);
    for (size_t i = 0; i < CM_FACT_COUNT; i++)
        assert_int_equal(facts[i], 0);
    assert_int_equal(summary.threads + summary.uncounted + summary.other_programs, 0);
}

static void slots_are_added_up(void **state)
{
    const char *path = *state;
    uint64_t facts[CM_FACT_COUNT], written = 7;
    cm_program_summary summary;
    assert_int_equal(cm_program_facts_create(path, &machine, 0, false, NULL, NULL), CM_OK);
    FILE *file = fopen(path, "r+e");
    assert_non_null(file);
    for (long slot = 0; slot < CM_PROGRAM_SLOTS; slot += CM_PROGRAM_SLOTS - 1) {
        long fact = CM_FACT_LOADS * (long)sizeof written;
        assert_int_equal(fseek(file, CM_PROGRAM_SLOTS_AT + slot * CM_PROGRAM_SLOT_SIZE + fact, SEEK_SET), 0);
        assert_int_equal(fwrite(&written, sizeof written, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(cm_program_facts_read(path, facts, &summary, NULL), CM_OK);
    assert_int_equal(facts[CM_FACT_LOADS], 14);
    assert_int_equal(facts[CM_FACT_STORES], 0);
}

static void other_files_are_refused(void **state)
{
    const char *path = *state;
    uint64_t facts[CM_FACT_COUNT];
    cm_program_summary summary;
    cm_error error;
    assert_int_equal(truncate(path, 100), 0);
    assert_int_equal(cm_program_facts_read(path, facts, &summary, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "no file of facts of this version of catmint");
    assert_int_equal(cm_program_facts_read("/nonexistent/facts", facts, &summary, &error), CM_IO);
    assert_int_equal(cm_program_facts_create("/nonexistent/facts", &machine, 0, false, NULL, &error), CM_IO);
    char *plugin = NULL;
    assert_int_equal(cm_program_plugin("pdp11", &plugin, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "libcatmint_qemu_pdp11.so"));
    assert_null(plugin);
}

static void memory_runs_out(void **state)
{
    const char *path = *state;
    uint64_t facts[CM_FACT_COUNT];
    cm_program_summary summary;
    char *plugin = NULL;
    for (long left = 0; left < 2; left++) {
        atomic_store(&allocations_left, left);
        cm_status created = cm_program_facts_create(path, &machine, 0, false, NULL, NULL);
        atomic_store(&allocations_left, left);
        cm_status read = cm_program_facts_read(path, facts, &summary, NULL);
        atomic_store(&allocations_left, 0);
        cm_status found = cm_program_plugin("x86_64", &plugin, NULL);
        atomic_store(&allocations_left, -1);
        assert_int_equal(created, left == 0 ? CM_NO_MEMORY : CM_OK);
        assert_int_equal(read, left == 0 ? CM_NO_MEMORY : CM_OK);
        assert_int_equal(found, CM_NO_MEMORY);
        assert_int_equal(cm_program_facts_create(path, &machine, 0, false, NULL, NULL), CM_OK);
    }
}

static int make_file(void **state)
{
    static char path[] = "/tmp/catmint-program-facts-XXXXXX";
    int file = mkstemp(path);
    *state = path;
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state)
{
    return unlink(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_holds_zeros),
        cmocka_unit_test(slots_are_added_up),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("program_facts", tests, make_file, remove_file);
}
