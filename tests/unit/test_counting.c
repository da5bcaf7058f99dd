#include <errno.h>
#include <fcntl.h>
#include <papi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/counting.h>

#include "counting/counting.h"
#include "counting/papi/papi.h"

static void texts_are_kept_and_cleaned(void **state)
{
    (void)state;
    cm_text_store store = {0};
    const char *first = cm_text_store_add(&store, "a\tb\n");
    assert_string_equal(first, "a b ");
    assert_string_equal(cm_text_store_add(&store, "\xc2\xb5s \xe9t\xe9 \xe2\x82"), "\xc2\xb5s ?t? ??");
    char large[100000];
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    assert_string_equal(cm_text_store_add(&store, large), large);
    for (int i = 0; i < 20000; i++) {
        char text[32];
        snprintf(text, sizeof text, "EVENT_%d", i);
        assert_string_equal(cm_text_store_add(&store, text), text);
    }
    assert_string_equal(first, "a b ");
    assert_ptr_equal(cm_text_store_add(&store, "again"), cm_text_store_add(&store, "again"));
    assert_string_equal(cm_text_store_add(&store, NULL), "");
    cm_text_store_clear(&store);
    cm_text_store_clear(&store);
}

static void choices_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        cm_status status;
        cm_pmu_kind kind;
        const char *model;
    } rows[] = {
        {"auto", CM_OK, CM_PMU_AUTO, NULL},
        {"hardware", CM_OK, CM_PMU_HARDWARE, NULL},
        {"software", CM_OK, CM_PMU_SOFTWARE, NULL},
        {"software:zen4", CM_OK, CM_PMU_SOFTWARE, "zen4"},
        {"software:./a:b", CM_OK, CM_PMU_SOFTWARE, "./a:b"},
        {"software:", CM_BAD_ARGUMENT, CM_PMU_AUTO, NULL},
        {"Software", CM_BAD_ARGUMENT, CM_PMU_AUTO, NULL},
        {"", CM_BAD_ARGUMENT, CM_PMU_AUTO, NULL},
        {"hardware:x", CM_BAD_ARGUMENT, CM_PMU_AUTO, NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_pmu_choice choice = {.kind = CM_PMU_AUTO, .model = NULL};
        assert_int_equal(cm_pmu_choice_parse(rows[i].text, &choice, NULL), rows[i].status);
        assert_int_equal(choice.kind, rows[i].kind);
        if (rows[i].model == NULL)
            assert_null(choice.model);
        else
            assert_string_equal(choice.model, rows[i].model);
    }
}

static void core_events_differ_from_the_kernels(void **state)
{
    (void)state;
    static const struct {
        const char *component, *name;
        bool core;
    } rows[] = {
        {"perf_event", "FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", true},
        {"perf_event", "adl_glc::INST_RETIRED:ANY", true},
        {"perf_event", "perf::INSTRUCTIONS", true},
        {"perf_event", "perf::L1-DCACHE-LOADS", true},
        {"perf_event", "perf::TASK-CLOCK", false},
        {"perf_event", "perf::PAGE-FAULTS:u=0", false},
        {"perf_event", "perf::PERF_COUNT_SW_CPU_CLOCK", false},
        {"perf_event", "perf::CONTEXT-SWITCHES", false},
        {"perf_event_uncore", "hswep_unc_cbo0::UNC_C_CLOCKTICKS", false},
        {"sde", "sde:::golden-cove::INST_RETIRED:ANY", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (cm_is_core_event(rows[i].component, rows[i].name) != rows[i].core)
            fail_msg("row %zu: %s", i, rows[i].name);
}

/* Machines that a hint must distinguish. */
static const cm_machine virtual_machine = {
    .vendor = "AuthenticAMD", .family = 26, .model = 2, .hypervisor = true, .paranoid = 2, .perf_errno = ENOENT};
static const cm_machine unknown_cpu = {.vendor = "AuthenticAMD", .family = 26, .model = 2, .paranoid = 2};
static const cm_machine paranoid_three = {.vendor = "GenuineIntel", .paranoid = 3, .perf_errno = EACCES};
static const cm_machine in_container = {.paranoid = 2, .perf_errno = EPERM, .seccomp = true};
static const cm_machine no_system_call = {.paranoid = CM_PARANOID_UNKNOWN, .perf_errno = ENOSYS};
static const cm_machine counts_well = {.vendor = "GenuineIntel", .paranoid = 1};

static void hints_fit_the_machine(void **state)
{
    (void)state;
    static const char unknown[] = "Error libpfm4 no default PMU found";
    static const char limits[] = "Event exists, but cannot be counted due to hardware resource limits";
    static const struct {
        const cm_machine *machine;
        const char *component, *reason;
        const char *expected; /* a part of the hint; "" for none */
    } rows[] = {
        {&virtual_machine, "perf_event", unknown, "this virtual machine has no PMU"},
        {&virtual_machine, "perf_event", "Event does not exist", "pmu=on"},
        {&unknown_cpu, "perf_event", unknown, "(AuthenticAMD family 26 model 2)"},
        {&unknown_cpu, "perf_event", unknown, "LIBPFM_FORCE_PMU"},
        {&paranoid_three, "perf_event", "perf_event support disabled by Linux with paranoid=3",
         "PAPI 7.0 counts nothing, not even for root: `sudo sysctl kernel.perf_event_paranoid=2`"},
        {&paranoid_three, "perf_event", "Permission level does not permit operation",
         "perf_event_paranoid is 3: `sudo sysctl kernel.perf_event_paranoid=2`"},
        {&in_container, "perf_event", "Permission level does not permit operation", "seccomp=unconfined"},
        {&no_system_call, "perf_event", "Error reading paranoid level", "CONFIG_PERF_EVENTS"},
        {&counts_well, "perf_event", limits, "nmi_watchdog"},
        {&counts_well, "perf_event", "Event does not exist", "qualifiers"},
        {&counts_well, "perf_event", "Bug! Unknown error code", ""},
        {&counts_well, "perf_event_uncore",
         "Insufficient permissions for uncore access.  Set /proc/sys/kernel/perf_event_paranoid to 0 or run as root.",
         "kernel.perf_event_paranoid=0` (it is 1)"},
        {&counts_well, "perf_event_uncore", "No uncore PMUs or events found", "core events do not need one"},
        {&virtual_machine, "rocm_smi", "librocm_smi64.so not found.", "rocm-smi-lib"},
        {&virtual_machine, "cuda", "libcupti.so.12 not found.", "LD_LIBRARY_PATH"},
        {&virtual_machine, "sde", "libsde API not found. No SDEs exist in this executable.", "libsde"},
        {&virtual_machine, "net", "something else", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char hint[CM_HINT_SIZE];
        cm_counting_hint(rows[i].machine, rows[i].component, rows[i].reason, hint, sizeof hint);
        bool fits = rows[i].expected[0] == '\0' ? hint[0] == '\0' : strstr(hint, rows[i].expected) != NULL;
        if (!fits || strchr(hint, '{') != NULL)
            fail_msg("row %zu: \"%s\"", i, hint);
    }
    char small[16];
    assert_true(strlen(cm_counting_hint(&paranoid_three, "perf_event", unknown, small, sizeof small)) < sizeof small);
}

/* What a child process found, so that PAPI can be initialised afresh with another environment. */
static int in_child(int (*body)(void))
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body());
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                            \
            return 1;                                                                                                  \
        }                                                                                                              \
    } while (0)

enum { NOTHING_TO_SEE = 77 };

/* libpfm4 is told to take this CPU for a Zen 4: events are listed, with umasks, and refused where there is no PMU. */
static int list_forced_events(void)
{
    setenv("LIBPFM_FORCE_PMU", "amd64_fam19h_zen4", 1);
    cm_machine machine;
    cm_machine_read(&machine);
    if (machine.perf_errno != ENOENT)
        return NOTHING_TO_SEE;
    cm_pmu_choice choice = {.kind = CM_PMU_HARDWARE, .model = NULL};
    cm_counting *counting = NULL;
    cm_error error;
    CHECK(cm_counting_open(&choice, &counting, &error) == CM_UNSUPPORTED);
    CHECK(strstr(error.text, "no hardware event can be counted here: perf_event refuses all ") == error.text);
    CHECK(counting == NULL);
    return 0;
}

static void forced_events_are_listed_and_refused(void **state)
{
    (void)state;
    int found = in_child(list_forced_events);
    if (found == NOTHING_TO_SEE) {
        print_message("skipped: the kernel of this machine has a PMU, or none that PAPI can be made to list\n");
        skip();
    }
    assert_int_equal(found, 0);
}

/* Hardware counting, where there is any: PAPI's choice and ours agree, and an event counts. */
static int count_on_hardware(void)
{
    cm_pmu_choice choice = {.kind = CM_PMU_HARDWARE, .model = NULL};
    cm_counting *counting = NULL;
    cm_error error;
    cm_status status = cm_counting_open(&choice, &counting, &error);
    if (status == CM_UNSUPPORTED) {
        CHECK(strstr(error.text, "no hardware event can be counted here: ") == error.text);
        return 0;
    }
    CHECK(status == CM_OK);
    CHECK(strcmp(cm_counting_pmu(counting), "hardware") == 0);
    CHECK(cm_counting_software_pmu(counting) == NULL);
    cm_counting *second = NULL;
    CHECK(cm_counting_open(&choice, &second, &error) == CM_BAD_ARGUMENT);
    cm_counting_close(counting);
    CHECK(cm_counting_open(&choice, &counting, &error) == CM_OK);
    cm_counting_close(counting);
    return 0;
}

static void hardware_counts_or_says_why_not(void **state)
{
    (void)state;
    assert_int_equal(in_child(count_on_hardware), 0);
}

static size_t open_descriptors(void)
{
    size_t count = 0;
    for (int descriptor = 0; descriptor < 1024; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

/* With `initialised` the program has PAPI at work already. */
static int open_and_close(bool initialised)
{
    cm_pmu_choice choice = {.kind = CM_PMU_AUTO};
    cm_counting *counting = NULL;
    cm_error error;
    CHECK(!initialised || PAPI_library_init(PAPI_VER_CURRENT) == PAPI_VER_CURRENT);
    size_t before = open_descriptors();
    cm_status status = cm_counting_open(&choice, &counting, &error);
    if (status == CM_UNSUPPORTED)
        return NOTHING_TO_SEE;
    CHECK(status == CM_OK);
    for (size_t i = 0; i < cm_counting_component_count(counting); i++)
        CHECK(!cm_counting_component(counting, i).failed);
    CHECK((counting->lost == NULL) == initialised); /* what is initialised already is not probed */
    CHECK(waitpid(-1, NULL, WNOHANG) == -1 && errno == ECHILD);
    cm_counting_close(counting);
    CHECK((PAPI_is_initialized() != PAPI_NOT_INITED) == initialised);
    CHECK(open_descriptors() == before);
    return 0;
}

static int open_afresh(void)
{
    return open_and_close(false);
}

static int open_in_a_program_with_papi(void)
{
    return open_and_close(true);
}

static void probes_leave_nothing_behind(void **state)
{
    (void)state;
    int found = in_child(open_afresh), found_again = in_child(open_in_a_program_with_papi);
    if (found == NOTHING_TO_SEE || found_again == NOTHING_TO_SEE) {
        print_message("skipped: nothing can be counted here\n");
        skip();
    }
    assert_int_equal(found, 0);
    assert_int_equal(found_again, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_kept_and_cleaned),           cmocka_unit_test(choices_are_read),
        cmocka_unit_test(core_events_differ_from_the_kernels),  cmocka_unit_test(hints_fit_the_machine),
        cmocka_unit_test(forced_events_are_listed_and_refused), cmocka_unit_test(hardware_counts_or_says_why_not),
        cmocka_unit_test(probes_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("counting", tests, NULL, NULL);
}
