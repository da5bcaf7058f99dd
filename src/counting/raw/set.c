/* Sets of codes: on hardware a group of perf_event_open, in user mode; under the software PMU the model's answers. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "counting/raw/raw.h"

/* WORDS: the words of a group's reading before its counts: number, time enabled, time running. */
enum { WORDS = 3 };

struct cm_raw_set {
    const cm_counting *counting;
    size_t size, capacity;
    union member {
        int file;
        cm_code_answer answer;
    } * members;
    uint64_t *reading; /* space for a group's reading */
};

int cm_raw_set_create(const cm_counting *counting, cm_raw_set **set)
{
    *set = calloc(1, sizeof **set);
    if (*set == NULL)
        return ENOMEM;
    (*set)->counting = counting;
    return 0;
}

/* Opens a counter in the set's group; -1 with errno. */
static int open_counter(const cm_raw_set *set, const cm_raw_code *code)
{
    struct perf_event_attr attributes = {
        .type = set->counting->raw->devices[code->device].type,
        .size = sizeof attributes,
        .config = code->words[0],
        .config1 = code->words[1],
        .config2 = code->words[2],
        .read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = set->size == 0,
        .pinned = set->size == 0,
        .exclude_kernel = 1,
        .exclude_hv = 1,
    };
    int leader = set->size != 0 ? set->members[0].file : -1;
    return (int)syscall(SYS_perf_event_open, &attributes, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

/* Opens a member, or finds the model's answer. Returns 0 or errno. */
static int make_member(cm_raw_set *set, const cm_raw_code *code, union member *member)
{
    const cm_pmu_model *model = set->counting->model;
    if (model == NULL) {
        member->file = open_counter(set, code);
        return member->file >= 0 ? 0 : errno;
    }
    bool only_first_word = code->words[1] == 0 && code->words[2] == 0;
    unsigned counters = cm_pmu_model_machine(model)->counters;
    if (counters != 0 && set->size >= counters)
        return ENOSPC;
    if (!only_first_word || !cm_model_codes_find(cm_pmu_model_codes(model), code->words[0], &member->answer))
        return EINVAL;
    return 0;
}

int cm_raw_set_add(cm_raw_set *set, const cm_raw_code *code)
{
    if (!CM_GROW(set->members, set->size + 1, &set->capacity) || !CM_RESIZE(set->reading, set->capacity + WORDS))
        return ENOMEM;
    int failure = make_member(set, code, &set->members[set->size]);
    set->size += failure == 0;
    return failure;
}

static int control_set(const cm_raw_set *set, unsigned long request)
{
    return ioctl(set->members[0].file, request, PERF_IOC_FLAG_GROUP) == 0 ? 0 : errno;
}

int cm_raw_set_start(cm_raw_set *set)
{
    if (set->size == 0)
        return 0;
    if (set->counting->model == NULL) {
        int code = control_set(set, PERF_EVENT_IOC_RESET);
        return code == 0 ? control_set(set, PERF_EVENT_IOC_ENABLE) : code;
    }
    for (size_t i = 0; i < set->size; i++)
        cm_pmu_fault_show(set->members[i].answer.fault, CM_PMU_FAULT_CRASH, CM_PMU_FAULT_HANG);
    cm_model_counts_restart();
    return 0;
}

/* Reads the counts of the group. Returns 0 or errno. */
static int read_group(cm_raw_set *set, long long *counts)
{
    ssize_t wanted = (ssize_t)((set->size + WORDS) * sizeof *set->reading);
    ssize_t got = read(set->members[0].file, set->reading, (size_t)wanted);
    if (got < 0)
        return errno;
    if (got != wanted || set->reading[1] != set->reading[2])
        return EBUSY; /* other processes hold the counters */
    for (size_t i = 0; i < set->size; i++)
        counts[i] = (long long)set->reading[WORDS + i];
    return 0;
}

int cm_raw_set_read(cm_raw_set *set, long long *counts)
{
    uint64_t run = 0;
    if (set->size == 0)
        return 0;
    if (set->counting->model == NULL)
        return read_group(set, counts);
    const uint64_t *facts = cm_model_counts_facts(&run);
    for (size_t i = 0; i < set->size; i++) {
        const cm_code_answer *answer = &set->members[i].answer;
        counts[i] = answer->terms != 0 ? cm_pmu_model_answer(set->counting->model, answer, facts, run) : 0;
    }
    return 0;
}

int cm_raw_set_stop(cm_raw_set *set, long long *counts)
{
    int code = set->size != 0 && set->counting->model == NULL ? control_set(set, PERF_EVENT_IOC_DISABLE) : 0;
    return code == 0 ? cm_raw_set_read(set, counts) : code;
}

void cm_raw_set_free(cm_raw_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = set->size; set->counting->model == NULL && i-- > 0;)
        close(set->members[i].file);
    CM_FREE(set->members, set->reading, set);
}
