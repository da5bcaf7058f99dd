/* What is said of two sweeps that are not compatible, thing by thing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "sweep/record/record.h"

static const char manifest_text[] =
    "{'schema': 'catmint.sweep/1', 'catmint': '1.0.0', 'pmu': 'software:golden-cove', 'papi_version': '7.0.0',"
    " 'repetitions': 5, 'prefixed_events': ['perf_event:::X', 'sde:::X'], 'shard': null, 'max_buffer': 1048576,"
    " 'options': {'events': ['BR_*', '!*:COND'], 'events_file': null, 'components': [], 'qualifiers': null,"
    "             'repetitions': 5, 'threads': 0, 'max_buffer': 0, 'max_kernel_seconds': 10.0, 'later': 1},"
    " 'model': {'l1d_size': 49152, 'l2_size': 2097152, 'l3_size': 0, 'counters': 0, 'predictor': 'tage',"
    "           'interference': 0.5, 'checksum': 'fnv1a64:0123456789abcdef'},"
    " 'machine': {'vendor': 'GenuineIntel', 'model_name': 'Xeon', 'family': 6, 'model': 143, 'stepping': 8,"
    "             'cores': 2, 'processing_units': 4, 'kernel_release': '6.1', 'hypervisor': 'KVM'},"
    " 'benchmarks': [{'benchmark': 'branch', 'file': 'branch.csv', 'threads': 1, 'left_out': [],"
    "                 'kernels': [{'kernel': 'b1', 'iterations': 100}, {'kernel': 'b2', 'iterations': 100}]},"
    "                {'benchmark': 'dcache', 'threads': 2,"
    "                 'kernels': [{'kernel': 'L1.1', 'iterations': 7, 'buffer': 4096, 'stride': 64}]}],"
    " 'selected events': ['perf_event:::X', 'sde:::X', 'sde:::Y'], 'seconds': 1.5, 'started': 'now'}";

/* Apostrophes are quotation marks. */
static json_t *parse(const char *text)
{
    char quoted[4096];
    snprintf(quoted, sizeof quoted, "%s", text);
    for (char *c = quoted; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    json_error_t fault;
    json_t *value = json_loads(quoted, JSON_DECODE_ANY, &fault);
    if (value == NULL)
        fail_msg("%s: %s", fault.text, text);
    return value;
}

/* Replaces a value: `path` has slashes between keys and numbers; "-" takes it away. */
static void change(json_t *document, const char *path, const char *value)
{
    char copy[128], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    json_t *at = document, *parent = NULL;
    char *last = NULL;
    while ((key = strsep(&rest, "/")) != NULL) {
        parent = at;
        last = key;
        at = json_is_array(at) ? json_array_get(at, (size_t)(*key - '0')) : json_object_get(at, key);
    }
    if (strcmp(value, "-") == 0)
        json_is_array(parent) ? json_array_remove(parent, (size_t)(*last - '0')) : json_object_del(parent, last);
    else if (json_is_array(parent) && (size_t)(*last - '0') < json_array_size(parent))
        json_array_set_new(parent, (size_t)(*last - '0'), parse(value));
    else if (json_is_array(parent))
        json_array_append_new(parent, parse(value));
    else
        json_object_set_new(parent, last, parse(value));
}

/* As the journal has it. */
static json_t *identity_of(const json_t *manifest)
{
    static const char *const more[] = {"shard", "max_buffer", "selected events"};
    json_t *identity = cm_sweep_identity(manifest);
    assert_non_null(identity);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        if (json_object_get(manifest, more[i]) != NULL)
            json_object_set(identity, more[i], json_object_get(manifest, more[i]));
    return identity;
}

#define RESUME "cannot resume: "
#define MERGE "cannot merge B with A: "

static const struct row {
    const char *path, *value;
    const char *resume; /* said behind "cannot resume: ", NULL: nothing, they are the same */
    const char *merge;  /* behind "cannot merge B with A: ", NULL: not compared there */
} rows[] = {
    {"pmu", "'hardware'", "the PMU was software:golden-cove for the sweep in DIR, and is hardware now",
     "the PMU is software:golden-cove in A, and hardware in B"},
    {"schema", "'catmint.sweep/2'",
     "the format of the manifest was catmint.sweep/1 for the sweep in DIR, and is catmint.sweep/2 now",
     "the format of the manifest is catmint.sweep/1 in A, and catmint.sweep/2 in B"},
    {"catmint", "'1.1.0'", "the version of catmint was 1.0.0 for the sweep in DIR, and is 1.1.0 now",
     "the version of catmint is 1.0.0 in A, and 1.1.0 in B"},
    {"papi_version", "'7.1.0'", "the version of PAPI was 7.0.0 for the sweep in DIR, and is 7.1.0 now",
     "the version of PAPI is 7.0.0 in A, and 7.1.0 in B"},
    {"papi_version", "-", "the version of PAPI was 7.0.0 for the sweep in DIR, and is unknown now",
     "the version of PAPI is 7.0.0 in A, and unknown in B"},
    {"model/checksum", "'fnv1a64:0123456789abcdee'",
     "events.csv or machine.csv of the model differs from that of the sweep in DIR",
     "events.csv or machine.csv of the model differs"},
    {"model/checksum", "-", NULL, NULL},
    {"repetitions", "3", "the sweep in DIR used --repetitions 5, this one uses 3", "A used --repetitions 5, B used 3"},
    {"options/events", "['FP_*']", "the sweep in DIR used --events 'BR_*' '!*:COND', this one uses 'FP_*'",
     "A used --events 'BR_*' '!*:COND', B used 'FP_*'"},
    {"options/events", "[]", "the sweep in DIR used --events 'BR_*' '!*:COND', this one uses none",
     "A used --events 'BR_*' '!*:COND', B used none"},
    {"options/events_file", "'list'", "the sweep in DIR used no --events-file, this one uses --events-file list",
     "A used no --events-file, B used list"},
    {"options/components", "['sde']", "the sweep in DIR used no --component, this one uses --component 'sde'",
     "A used no --component, B used 'sde'"},
    {"options/qualifiers", "0", "the sweep in DIR used no --qualifiers, this one uses --qualifiers 0",
     "A used no --qualifiers, B used 0"},
    {"options/threads", "4", "the sweep in DIR used no --threads, this one uses --threads 4",
     "A used no --threads, B used 4"},
    {"options/max_buffer", "4096", "the sweep in DIR used no --max-buffer, this one uses --max-buffer 4096",
     "A used no --max-buffer, B used 4096"},
    {"options/max_kernel_seconds", "2.5", "the sweep in DIR used --max-kernel-seconds 10, this one uses 2.5",
     "A used --max-kernel-seconds 10, B used 2.5"},
    {"options/later", "2", "the value of later of the options was 1 for the sweep in DIR, and is 2 now",
     "the value of later of the options is 1 in A, and 2 in B"},
    {"benchmarks/1", "-", "the sweep in DIR used --benchmark branch,dcache, this one uses branch",
     "A used --benchmark branch,dcache, B used branch"},
    {"benchmarks/1/threads", "3", "the number of threads of dcache was 2 for the sweep in DIR, and is 3 now",
     "the number of threads of dcache is 2 in A, and 3 in B"},
    {"benchmarks/0/kernels/0/kernel", "'b7'", "kernel 1 of branch was b1 for the sweep in DIR, and is b7 now",
     "kernel 1 of branch is b1 in A, and b7 in B"},
    {"benchmarks/0/kernels/1", "-", "kernel 2 of branch was b2 for the sweep in DIR, and is none now",
     "kernel 2 of branch is b2 in A, and none in B"},
    {"benchmarks/0/kernels/2", "{'kernel': 'b3', 'iterations': 1}",
     "kernel 3 of branch was none for the sweep in DIR, and is b3 now", "kernel 3 of branch is none in A, and b3 in B"},
    {"benchmarks/0/kernels/1/iterations", "1",
     "the value of iterations of kernel b2 of branch was 100 for the sweep in DIR, and is 1 now",
     "the value of iterations of kernel b2 of branch is 100 in A, and 1 in B"},
    {"benchmarks/1/kernels/0/buffer", "8192",
     "the value of buffer of kernel L1.1 of dcache was 4096 for the sweep in DIR, and is 8192 now",
     "the value of buffer of kernel L1.1 of dcache is 4096 in A, and 8192 in B"},
    {"benchmarks/1/kernels/0/stride", "128",
     "the value of stride of kernel L1.1 of dcache was 64 for the sweep in DIR, and is 128 now",
     "the value of stride of kernel L1.1 of dcache is 64 in A, and 128 in B"},
    {"model/l1d_size", "1", "the value of l1d_size of the model was 49152 for the sweep in DIR, and is 1 now",
     "the value of l1d_size of the model is 49152 in A, and 1 in B"},
    {"model/l2_size", "1", "the value of l2_size of the model was 2097152 for the sweep in DIR, and is 1 now",
     "the value of l2_size of the model is 2097152 in A, and 1 in B"},
    {"model/l3_size", "1", "the value of l3_size of the model was 0 for the sweep in DIR, and is 1 now",
     "the value of l3_size of the model is 0 in A, and 1 in B"},
    {"model/counters", "7", "the value of counters of the model was 0 for the sweep in DIR, and is 7 now",
     "the value of counters of the model is 0 in A, and 7 in B"},
    {"model/predictor", "'none'", "the value of predictor of the model was tage for the sweep in DIR, and is none now",
     "the value of predictor of the model is tage in A, and none in B"},
    {"model/interference", "0.25",
     "the value of interference of the model was 0.5 for the sweep in DIR, and is 0.25 now",
     "the value of interference of the model is 0.5 in A, and 0.25 in B"},
    {"machine/vendor", "'AuthenticAMD'",
     "the vendor of the processor was GenuineIntel for the sweep in DIR, and is AuthenticAMD now",
     "the vendor of the processor is GenuineIntel in A, and AuthenticAMD in B"},
    {"machine/model_name", "'EPYC'", "the processor was Xeon for the sweep in DIR, and is EPYC now",
     "the processor is Xeon in A, and EPYC in B"},
    {"machine/family", "7", "the family of the processor was 6 for the sweep in DIR, and is 7 now",
     "the family of the processor is 6 in A, and 7 in B"},
    {"machine/model", "7", "the model of the processor was 143 for the sweep in DIR, and is 7 now",
     "the model of the processor is 143 in A, and 7 in B"},
    {"machine/stepping", "7", "the stepping of the processor was 8 for the sweep in DIR, and is 7 now",
     "the stepping of the processor is 8 in A, and 7 in B"},
    {"machine/cores", "null", "the number of cores was 2 for the sweep in DIR, and is unknown now",
     "the number of cores is 2 in A, and unknown in B"},
    {"machine/processing_units", "7", "the number of processing units was 4 for the sweep in DIR, and is 7 now",
     "the number of processing units is 4 in A, and 7 in B"},
    {"machine/kernel_release", "'6.2'", "the release of Linux was 6.1 for the sweep in DIR, and is 6.2 now",
     "the release of Linux is 6.1 in A, and 6.2 in B"},
    {"shard", "{'number': 2, 'of': 3}", "the sweep in DIR used no --shard, this one uses --shard 2/3", NULL},
    {"max_buffer", "4096", "the most bytes of one chain was 1048576 for the sweep in DIR, and is 4096 now", NULL},
    {"selected events/0", "-", "the events differ: the sweep in DIR counts perf_event:::X, this one does not", NULL},
    {"selected events/3", "'sde:::Z'", "the events differ: the sweep in DIR does not count sde:::Z, this one does",
     NULL},
    {"selected events", "['sde:::X', 'perf_event:::X', 'sde:::Y']",
     "the order of the events differs from that of the sweep in DIR", NULL},
    {"selected events", "'0123456789abcdef'",
     "the events differ: the sweep in DIR counts perf_event:::X, this one does not", NULL},
    {"prefixed_events", "[]",
     "tables of the sweep in DIR name perf_event:::X with its component, those of this one do not",
     "only the tables of A name perf_event:::X with its component"},
    {"prefixed_events/2", "'sde:::Y'",
     "tables of the sweep in DIR do not name sde:::Y with its component, those of this one do",
     "only the tables of B name sde:::Y with its component"},
    {"seconds", "2.5", NULL, NULL},
    {"started", "'later'", NULL, NULL},
    {"machine/hypervisor", "'Xen'", NULL, NULL},
    {"benchmarks/0/left_out", "['b9']", NULL, NULL},
};

static void check_row(const struct row *row)
{
    json_t *first = parse(manifest_text), *second = parse(manifest_text);
    change(second, row->path, row->value);
    json_t *ours = identity_of(first), *theirs = identity_of(second);
    cm_sweep_difference difference;
    cm_error error = {0};
    bool differ = cm_sweeps_differ(ours, theirs, &difference);
    if (differ != (row->resume != NULL))
        fail_msg("%s: they %s", row->path, differ ? "differ" : "are the same");
    if (differ) {
        assert_int_equal(cm_sweep_resumes(ours, theirs, "DIR", &error), CM_BAD_ARGUMENT);
        if (strncmp(error.text, RESUME, strlen(RESUME)) != 0 || strcmp(error.text + strlen(RESUME), row->resume) != 0)
            fail_msg("%s: %s", row->path, error.text);
    }
    if (cm_sweeps_differ(theirs, ours, &difference) != differ)
        fail_msg("%s: the other way round it is not the same", row->path);
    cm_status status = cm_sweeps_compatible(first, "A", second, "B", &error);
    if (status != (row->merge != NULL ? CM_BAD_INPUT : CM_OK))
        fail_msg("%s: %s", row->path, error.text);
    if (row->merge != NULL &&
        (strncmp(error.text, MERGE, strlen(MERGE)) != 0 || strcmp(error.text + strlen(MERGE), row->merge) != 0))
        fail_msg("%s: %s", row->path, error.text);
    json_decref(ours);
    json_decref(theirs);
    json_decref(first);
    json_decref(second);
}

static void every_thing_is_said_in_words(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        check_row(&rows[i]);
}

/* A model without one of its events has another checksum, too. */
static void an_event_says_more_than_a_checksum(void **state)
{
    (void)state;
    cm_error error = {0};
    json_t *first = parse(manifest_text), *second = parse(manifest_text);
    change(second, "model/checksum", "'fnv1a64:0123456789abcdee'");
    change(second, "selected events/2", "-");
    json_t *ours = identity_of(first), *theirs = identity_of(second);
    assert_int_equal(cm_sweep_resumes(ours, theirs, "DIR", &error), CM_BAD_ARGUMENT);
    assert_string_equal(error.text, RESUME "the events differ: the sweep in DIR counts sde:::Y, this one does not");
    json_decref(ours);
    json_decref(theirs);
    json_decref(first);
    json_decref(second);
}

/* A manifest that an earlier version wrote names no events; there were none with a component before them. */
static void nothing_is_as_good_as_an_empty_list(void **state)
{
    (void)state;
    json_t *first = parse(manifest_text), *second = parse(manifest_text);
    change(first, "prefixed_events", "[]");
    change(second, "prefixed_events", "-");
    assert_int_equal(cm_sweeps_compatible(first, "A", second, "B", NULL), CM_OK);
    assert_int_equal(cm_sweeps_compatible(second, "A", first, "B", NULL), CM_OK);
    json_decref(first);
    json_decref(second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_thing_is_said_in_words),
        cmocka_unit_test(an_event_says_more_than_a_checksum),
        cmocka_unit_test(nothing_is_as_good_as_an_empty_list),
    };
    return cmocka_run_group_tests_name("compatible", tests, NULL, NULL);
}
