/* Names of events that are ambiguous, lists that are odd, and memory that runs out. */
#include "event_lists.h"
#include "formulas/events/events.h"
#include "failing_memory.h"

static void ambiguity_lists_the_candidates(void **state)
{
    (void)state;
    static const struct {
        const char *spelling, *message; /* NULL: no error */
        size_t index;
    } rows[] = {
        {"uops_issued.any", NULL, 6},
        {"nothing", NULL, CM_NO_NAME},
        {"A_B_C", "event 'A_B_C' is ambiguous, expected 'A:B_C' or 'A:B:C'", 0},
        {"UNC_M_CAS_COUNT_RD:cpu=0",
         "event 'UNC_M_CAS_COUNT_RD:cpu=0' is ambiguous, expected 'skx_unc_imc0::UNC_M_CAS_COUNT:RD:cpu=0' or "
         "'skx_unc_imc1::UNC_M_CAS_COUNT:RD:cpu=0'",
         0},
    };
    cm_event_names *names = create(machine, COUNT(machine));
    for (size_t i = 0; i < COUNT(rows); i++) {
        cm_error error;
        size_t index = 1234;
        cm_status status = cm_event_names_resolve(names, rows[i].spelling, &index, &error);
        assert_int_equal(status, rows[i].message != NULL ? CM_BAD_INPUT : CM_OK);
        assert_int_equal(index, rows[i].message != NULL ? 1234 : rows[i].index);
        if (rows[i].message != NULL)
            assert_string_equal(error.text, rows[i].message);
    }
    cm_event_names_free(names);

    static const char *const many[] = {"A_B_C_D", "A:B:C:D", "A.B.C.D", "A_B:C:D", "A_B_C:D",
                                       "A:B_C_D", "A:B:C_D", "A:B_C:D", "A_B:C_D", "A_B.C_D"};
    names = create(many, COUNT(many));
    cm_error error;
    size_t index, indices[2] = {99, 99}, count;
    assert_int_equal(cm_event_names_resolve(names, "a_b_c_d", &index, &error), CM_BAD_INPUT);
    assert_string_equal(error.text,
                        "event 'a_b_c_d' is ambiguous, expected 'A_B_C_D', 'A:B:C:D', 'A.B.C.D', 'A_B:C:D', "
                        "'A_B_C:D', 'A:B_C_D', 'A:B:C_D', 'A:B_C:D' or one of 2 more");
    assert_int_equal(cm_event_names_find(names, "a_b_c_d", indices, 1, &count), CM_NAME_AMBIGUOUS);
    assert_int_equal(count, COUNT(many));
    assert_int_equal(indices[0], 0);
    assert_int_equal(indices[1], 99);
    cm_event_names_free(names);
}

static void odd_lists(void **state)
{
    (void)state;
    char text[64];
    cm_event_names *names = create(NULL, 0);
    assert_string_equal(find(names, NULL, "A", text, sizeof text), "");
    cm_event_names_free(names);
    cm_event_names_free(NULL);

    static const char *const twice[] = {"B", "A:B", "A:B", "", "::"};
    names = create(twice, COUNT(twice));
    size_t index, count;
    assert_int_equal(cm_event_names_find(names, "A:B", &index, 1, &count), CM_NAME_FOUND);
    assert_int_equal(index, 1);
    assert_int_equal(cm_event_names_find(names, "A_B", &index, 1, &count), CM_NAME_FOUND);
    assert_int_equal(index, 1);
    cm_event_names_free(names);

    /* Longer than any event's name: by exact spelling only. */
    static char longest[3000];
    memset(longest, 'x', sizeof longest - 1);
    const char *const giant[] = {longest};
    names = create(giant, 1);
    assert_int_equal(cm_event_names_find(names, longest, &index, 1, &count), CM_NAME_FOUND);
    longest[0] = 'X';
    assert_int_equal(cm_event_names_find(names, longest, &index, 1, &count), CM_NAME_UNKNOWN);
    cm_event_names_free(names);

    /* The longest that is split, of qualifiers alone that grow, and of PMUs. */
    static const char *const pieces[] = {":e", "::a", ":a", ":x=0xf", "_", "/", "@a/"};
    for (size_t i = 0; i < COUNT(pieces); i++) {
        char built[1024] = "A";
        while (strlen(built) + strlen(pieces[i]) + 3 < sizeof built)
            strcat(built, pieces[i]);
        strcat(built, "::A");
        const char *const list[] = {built};
        names = create(list, 1);
        assert_int_equal(cm_event_names_find(names, built, &index, 1, &count), CM_NAME_FOUND);
        built[0] = 'a';
        cm_event_names_find(names, built, &index, 1, &count);
        cm_event_names_free(names);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    enum { MANY = 4000 }; /* more than the first blocks and tables hold */
    static char texts[MANY][40];
    static const char *list[MANY];
    for (size_t i = 0; i < MANY; i++) {
        snprintf(texts[i], sizeof texts[i], "pmu::EVENT_%zu:MASK:c=%zu", i / 3, i % 3 + 1);
        list[i] = texts[i];
    }
    cm_status status = CM_NO_MEMORY;
    long allowed = 0;
    for (; status == CM_NO_MEMORY && allowed < 1000; allowed++) {
        cm_event_names *names = NULL;
        cm_error error;
        atomic_store(&allocations_left, allowed);
        status = cm_event_names_create(list, MANY, &names, &error);
        atomic_store(&allocations_left, -1);
        assert_true(status == CM_OK || (status == CM_NO_MEMORY && names == NULL && error.status == status));
        cm_event_names_free(names);
    }
    assert_int_equal(status, CM_OK);
    assert_in_range(allowed, 10, 999);
}

static void clocks_and_the_system_vary_by_nature(void **state)
{
    (void)state;
    static const struct {
        const char *event, *nature; /* NULL: none */
    } rows[] = {
        {"CPU_CLK_UNHALTED:THREAD_P", "counts time"},
        {"INST_RETIRED:STALL_CYCLES", "counts time"},
        {"perf::TASK-CLOCK", "counts time"},
        {"LS_NOT_HALTED_CYC", "counts time"},
        {"TOPDOWN:SLOTS_P", "counts time"},
        {"perf::PAGE-FAULTS", "counts what the system does"},
        {"perf_event:::perf::CONTEXT-SWITCHES", "counts what the system does"},
        {"powercap:::ENERGY_UJ:ZONE0", "counts what the system does"},
        {"BR_INST_RETIRED:COND", NULL},
        {"CYCLOPS_RETIRED", NULL},
        {"RESYNCS_OR_NC_REDIRECTS", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *nature = cm_event_nature(rows[i].event);
        if (rows[i].nature == NULL)
            assert_null(nature);
        else
            assert_string_equal(nature, rows[i].nature);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ambiguity_lists_the_candidates),
        cmocka_unit_test(odd_lists),
        cmocka_unit_test(clocks_and_the_system_vary_by_nature),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("event_names_odd", tests, NULL, NULL);
}
