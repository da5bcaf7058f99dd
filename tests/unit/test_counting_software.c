/* Counting on the software PMU: the same road as on hardware, with counts that are known exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/counting.h>

#define TINY CM_TEST_SOURCE_DIR "/tests/data/pmu/tiny"

enum { TURNS = 50, PAPI_MOST = 40 };

/* Opens a session on a model's directory, or skips where the software PMU cannot work. */
static cm_counting *open_model(const char *directory)
{
    cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = directory};
    cm_counting *counting = NULL;
    cm_error error = {0};
    cm_status status = cm_counting_open(&choice, &counting, &error);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    if (status != CM_OK)
        fail_msg("%s: %s", directory, error.text);
    return counting;
}

static size_t find_event(const cm_counting *counting, const char *name)
{
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (strcmp(event.name, name) == 0 && strncmp(event.papi_name, "sde:::", 6) == 0)
            return i;
    }
    return SIZE_MAX;
}

static size_t sde_component(const cm_counting *counting)
{
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        if (strcmp(cm_counting_component(counting, i).name, "sde") == 0)
            return i;
    return SIZE_MAX;
}

/* Two scalar double-precision instructions and one branch a turn; a sanitizer would add its own. */
__attribute__((no_sanitize("address", "undefined"))) static void turn_around(void *argument)
{
    uint64_t turns = *(const uint64_t *)argument;
    __asm__ volatile("1: mulsd %%xmm0, %%xmm1\n\taddsd %%xmm0, %%xmm1\n\tdec %0\n\tjnz 1b"
                     : "+r"(turns)
                     :
                     : "xmm0", "xmm1", "cc");
}

static void events_are_listed(void **state)
{
    (void)state;
    cm_counting *counting = open_model(TINY);
    assert_string_equal(cm_counting_pmu(counting), "software:tiny");
    assert_string_equal(cm_counting_reason(counting), "requested");
    assert_non_null(cm_counting_software_pmu(counting));
    assert_string_equal(cm_pmu_model_name(cm_counting_model(counting)), "tiny");
    assert_true(strlen(cm_counting_papi_version(counting)) >= 5);
    static const char *const names[] = {"INST_RETIRED:ANY", "FP_RETIRED:SCALAR_DOUBLE", "BR_RETIRED:COND",
                                        "BR_RETIRED:COND_TAKEN", "MEM_RETIRED:LOADS"};
    size_t previous = 0, sde = sde_component(counting);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t index = find_event(counting, names[i]);
        assert_true(index != SIZE_MAX && index >= previous); /* in the model's order */
        previous = index;
        cm_native_event event = cm_counting_event(counting, index);
        assert_int_equal(event.component, sde);
        assert_true(event.countable);
        assert_string_equal(event.reason, "");
        char papi_name[64];
        snprintf(papi_name, sizeof papi_name, "sde:::tiny::%s", names[i]);
        assert_string_equal(event.papi_name, papi_name);
    }
    assert_string_equal(cm_counting_event(counting, previous).description, "Loads retired");
    assert_true(cm_counting_component(counting, sde).enabled);
    assert_int_equal(cm_counting_component(counting, sde).event_count, sizeof names / sizeof names[0]);
    assert_true(find_event(counting, "NONE") == SIZE_MAX);
    cm_counting_close(counting);
    cm_counting_close(NULL);
}

static void counts_are_exact(void **state)
{
    (void)state;
    cm_counting *counting = open_model(TINY);
    cm_event_set *set = NULL;
    assert_int_equal(cm_event_set_create(counting, sde_component(counting), &set, NULL), CM_OK);
    static const struct {
        const char *event;
        long long expected;
    } rows[] = {
        {"BR_RETIRED:COND_TAKEN", TURNS - 1},
        {"FP_RETIRED:SCALAR_DOUBLE", 2 * TURNS},
        {"BR_RETIRED:COND", TURNS},
    };
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(cm_event_set_add(set, find_event(counting, rows[i].event), NULL), CM_OK);
    assert_int_equal(cm_event_set_size(set), 3);
    uint64_t turns = TURNS;
    for (int repetition = 0; repetition < 3; repetition++) {
        long long counts[3] = {-1, -1, -1};
        assert_int_equal(cm_event_set_start(set, NULL), CM_OK);
        assert_int_equal(cm_counting_run(counting, turn_around, &turns, NULL), CM_OK);
        assert_int_equal(cm_event_set_stop(set, counts, NULL), CM_OK);
        for (size_t i = 0; i < 3; i++)
            if (counts[i] != rows[i].expected)
                fail_msg("%s counted %lld", rows[i].event, counts[i]);
        /* What runs while nothing counts is not counted. */
        assert_int_equal(cm_counting_run(counting, turn_around, &turns, NULL), CM_OK);
    }
    cm_event_set_free(set);
    cm_event_set_free(NULL);
    cm_counting_close(counting);
}

static void the_model_limits_a_set(void **state)
{
    (void)state;
    cm_counting *counting = open_model(TINY);
    cm_event_set *set = NULL;
    cm_error error = {0};
    size_t sde = sde_component(counting), first = find_event(counting, "INST_RETIRED:ANY");
    assert_int_equal(cm_event_set_create(counting, sde, &set, NULL), CM_OK);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(cm_event_set_add(set, first + i, NULL), CM_OK);
    assert_int_equal(cm_event_set_add(set, first + 4, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "the model counts 4 events at a time");
    assert_int_equal(cm_event_set_size(set), 4);
    assert_int_equal(cm_event_set_add(set, SIZE_MAX, &error), CM_BAD_ARGUMENT);
    assert_int_equal(cm_event_set_start(set, NULL), CM_OK);
    /* One set of a component at a time. */
    cm_event_set *second = NULL;
    assert_int_equal(cm_event_set_create(counting, sde, &second, NULL), CM_OK);
    assert_int_equal(cm_event_set_add(second, first, NULL), CM_OK);
    assert_int_equal(cm_event_set_start(second, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "EventSet is currently counting");
    cm_event_set_free(second);
    cm_event_set_free(set); /* while it runs */
    assert_int_equal(cm_event_set_create(counting, 1000, &set, &error), CM_BAD_ARGUMENT);
    cm_counting_close(counting);
}

static void write_model(const char *directory, const char *events)
{
    char path[128], command[4096];
    assert_int_equal(mkdir(directory, 0777), 0);
    snprintf(path, sizeof path, "%s/events.csv", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(events, file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "sed 's/^counters,.*/counters,0/' '%s/machine.csv' > '%s/machine.csv'", TINY,
             directory);
    assert_int_equal(system(command), 0);
}

static void remove_model(const char *directory)
{
    char path[128];
    snprintf(path, sizeof path, "%s/events.csv", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/machine.csv", directory);
    unlink(path);
    rmdir(directory);
}

/* Somebody's model of many events: sets as large as PAPI takes. */
static void papi_limits_a_set(void **state)
{
    (void)state;
    enum { EVENTS = 300 };
    char parent[] = "/tmp/catmint-test-XXXXXX", directory[64];
    assert_non_null(mkdtemp(parent));
    snprintf(directory, sizeof directory, "%s/foreign", parent);
    static char events[EVENTS * 64];
    size_t used = (size_t)snprintf(events, sizeof events, "event,description,expression\n");
    for (size_t i = 0; i < EVENTS; i++)
        used += (size_t)snprintf(events + used, sizeof events - used, "X%zu.EVENT,,%s\n", i,
                                 i % 100 == 7 ? "fp_d_scalar" : "calls");
    write_model(directory, events);
    cm_counting *counting = open_model(directory);
    remove_model(directory);
    rmdir(parent);
    size_t sde = sde_component(counting), first = find_event(counting, "X0.EVENT");
    assert_int_equal(cm_counting_component(counting, sde).event_count, EVENTS);
    cm_event_set *set = NULL;
    assert_int_equal(cm_event_set_create(counting, sde, &set, NULL), CM_OK);
    cm_status status = CM_OK;
    cm_error error = {0};
    for (size_t i = 0; i < EVENTS && status == CM_OK; i++)
        status = cm_event_set_add(set, first + i, &error);
    assert_int_equal(status, CM_UNSUPPORTED);
    assert_int_equal(cm_event_set_size(set), PAPI_MOST);
    long long counts[PAPI_MOST];
    uint64_t turns = TURNS;
    assert_int_equal(cm_event_set_start(set, NULL), CM_OK);
    assert_int_equal(cm_counting_run(counting, turn_around, &turns, NULL), CM_OK);
    assert_int_equal(cm_event_set_stop(set, counts, NULL), CM_OK);
    for (size_t i = 0; i < PAPI_MOST; i++)
        assert_int_equal(counts[i], i == 7 ? 2 * TURNS : 0);
    cm_event_set_free(set);
    cm_counting_close(counting);
}

/* PAPI keeps names for ever; sessions must not see each other's, even under one name. */
static void sessions_follow_each_other(void **state)
{
    (void)state;
    char parent[] = "/tmp/catmint-test-XXXXXX", directory[64];
    assert_non_null(mkdtemp(parent));
    snprintf(directory, sizeof directory, "%s/tiny", parent);
    write_model(directory,
                "event,description,expression\nNEW:ONE,,loads\nINST_RETIRED:ANY,another text,branches_cond\n");
    for (int turn = 0; turn < 3; turn++) {
        cm_counting *counting = open_model(directory);
        assert_int_equal(cm_counting_component(counting, sde_component(counting)).event_count, 2);
        assert_true(find_event(counting, "NEW:ONE") != SIZE_MAX);
        assert_true(find_event(counting, "MEM_RETIRED:LOADS") == SIZE_MAX);
        size_t event = find_event(counting, "INST_RETIRED:ANY");
        assert_string_equal(cm_counting_event(counting, event).description, "another text");
        cm_event_set *set = NULL;
        long long count = -1;
        uint64_t turns = TURNS;
        assert_int_equal(cm_event_set_create(counting, sde_component(counting), &set, NULL), CM_OK);
        assert_int_equal(cm_event_set_add(set, event, NULL), CM_OK);
        assert_int_equal(cm_event_set_start(set, NULL), CM_OK);
        assert_int_equal(cm_counting_run(counting, turn_around, &turns, NULL), CM_OK);
        assert_int_equal(cm_event_set_stop(set, &count, NULL), CM_OK);
        assert_int_equal(count, TURNS); /* its own expression, not the other tiny's */
        cm_event_set_free(set);
        cm_counting *second = NULL;
        cm_error error = {0};
        assert_int_equal(cm_counting_open(&(cm_pmu_choice){.kind = CM_PMU_SOFTWARE, .model = TINY}, &second, &error),
                         CM_BAD_ARGUMENT);
        assert_non_null(strstr(error.text, "open already"));
        cm_counting_close(counting);
        counting = open_model(TINY);
        assert_true(find_event(counting, "NEW:ONE") == SIZE_MAX);
        assert_true(find_event(counting, "MEM_RETIRED:LOADS") != SIZE_MAX);
        cm_counting_close(counting);
    }
    remove_model(directory);
    rmdir(parent);
}

static void models_that_are_none_are_refused(void **state)
{
    (void)state;
    cm_counting *counting = NULL;
    cm_error error = {0};
    static const struct {
        const char *model;
        cm_status expected;
    } rows[] = {
        {"no-such-model", CM_BAD_ARGUMENT},
        {"../no-such-model", CM_BAD_ARGUMENT},
        {"", CM_BAD_ARGUMENT},
        {TINY "/events.csv", CM_BAD_ARGUMENT},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = rows[i].model};
        if (cm_counting_open(&choice, &counting, &error) != rows[i].expected)
            fail_msg("row %zu: %s", i, error.text);
        assert_null(counting);
    }
    cm_counting_close(open_model(TINY)); /* a refused session does not stand in the way */
}

/* In a child, and before this process has opened a session, since libpfm4 reads its environment once: events that the
 * kernel refuses stand beside the model's. */
static int list_refused_beside_software(void)
{
    setenv("LIBPFM_FORCE_PMU", "amd64_fam19h_zen4", 1);
    cm_pmu_choice choice = {.kind = CM_PMU_SOFTWARE, .model = TINY};
    cm_counting *counting = NULL;
    if (cm_counting_open(&choice, &counting, NULL) != CM_OK)
        return 77;
    size_t refused = 0, qualified = 0;
    for (size_t i = 0; i < cm_counting_event_count(counting); i++) {
        cm_native_event event = cm_counting_event(counting, i);
        if (strcmp(cm_counting_component(counting, event.component).name, "perf_event") != 0)
            continue;
        if (strchr(event.name, '=') != NULL)
            return 2;
        if (strcmp(event.name, "RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS") == 0)
            qualified++;
        if (event.countable || event.reason[0] == '\0' || event.hint[0] == '\0')
            return 3;
        refused++;
    }
    cm_counting_close(counting);
    if (refused == 0)
        return 77;
    return qualified == 1 && refused > 100 ? 0 : 4;
}

static void refused_events_carry_reason_and_hint(void **state)
{
    (void)state;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(list_refused_beside_software());
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77) {
        print_message("skipped: PAPI lists no perf events here, or there is no software PMU\n");
        skip();
    }
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_events_carry_reason_and_hint), /* first: see there */
        cmocka_unit_test(events_are_listed),
        cmocka_unit_test(counts_are_exact),
        cmocka_unit_test(the_model_limits_a_set),
        cmocka_unit_test(papi_limits_a_set),
        cmocka_unit_test(sessions_follow_each_other),
        cmocka_unit_test(models_that_are_none_are_refused),
    };
    return cmocka_run_group_tests_name("counting, software PMU", tests, NULL, NULL);
}
