/* Sets of a socket's events: on hardware a counter in each box, for all that runs on the socket; under the software PMU
 * the answers of the model's boxes. */
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

#include "counting/uncore/uncore.h"

struct cm_uncore_set {
    const cm_counting *counting;
    size_t size, capacity;
    struct member {
        size_t model_event, file_count;
        int *files; /* one a box; NULL: software PMU */
    } * members;
};

int cm_uncore_set_create(const cm_counting *counting, cm_uncore_set **set)
{
    *set = calloc(1, sizeof **set);
    if (*set == NULL)
        return ENOMEM;
    (*set)->counting = counting;
    return 0;
}

static void close_member(struct member *member)
{
    for (size_t i = 0; i < member->file_count; i++)
        close(member->files[i]);
    free(member->files);
    *member = (struct member){0};
}

/* Opens a counter. Boxes do not distinguish modes, so no mode may be excluded. */
static int open_box(uint32_t type, const cm_raw_code *code, int cpu)
{
    struct perf_event_attr attributes = {
        .type = type,
        .size = sizeof attributes,
        .config = code->words[0],
        .config1 = code->words[1],
        .config2 = code->words[2],
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attributes, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Opens a counter in each box of this socket; a code of errno. */
static int open_boxes(const struct cm_uncore *uncore, const cm_raw_code *code, struct member *member)
{
    const cm_uncore_device *device = &uncore->devices[code->device];
    int cpu = cm_uncore_cpu_of_socket(uncore->root, device->cpus);
    if (cpu < 0)
        return ENODEV;
    member->files = malloc(device->box_count * sizeof *member->files);
    if (member->files == NULL)
        return ENOMEM;
    for (size_t i = 0; i < device->box_count; i++) {
        int file = open_box(device->types[i], code, cpu);
        if (file < 0)
            return errno;
        member->files[member->file_count++] = file;
    }
    return 0;
}

int cm_uncore_set_add(cm_uncore_set *set, const cm_event_record *event)
{
    if (!CM_GROW(set->members, set->size + 1, &set->capacity))
        return ENOMEM;
    struct member *member = &set->members[set->size];
    *member = (struct member){.model_event = event->model_event};
    int code = set->counting->model == NULL ? open_boxes(set->counting->uncore, event->raw, member) : 0;
    if (code == 0)
        set->size++;
    else
        close_member(member);
    errno = code;
    return code;
}

static int control_set(const cm_uncore_set *set, unsigned long request)
{
    for (size_t i = 0; i < set->size; i++)
        for (size_t k = 0; k < set->members[i].file_count; k++)
            if (ioctl(set->members[i].files[k], request, 0) != 0)
                return errno;
    return 0;
}

int cm_uncore_set_start(cm_uncore_set *set)
{
    if (set->counting->model != NULL) {
        cm_model_counts_restart();
        return 0;
    }
    int code = control_set(set, PERF_EVENT_IOC_RESET);
    return code == 0 ? control_set(set, PERF_EVENT_IOC_ENABLE) : code;
}

/* Adds the counts of all boxes; a code of errno. */
static int read_boxes(const struct member *member, long long *count)
{
    struct {
        uint64_t value, enabled, running;
    } reading;
    *count = 0;
    for (size_t i = 0; i < member->file_count; i++) {
        ssize_t got = read(member->files[i], &reading, sizeof reading);
        if (got < 0)
            return errno;
        if ((size_t)got != sizeof reading || reading.enabled != reading.running)
            return EBUSY; /* other processes hold the box's counters */
        *count += (long long)reading.value;
    }
    return 0;
}

/* The model's count of the event until now, summed over the boxes of the socket. */
static long long sum_boxes(const cm_pmu_model *model, size_t event)
{
    uint64_t run = 0;
    const uint64_t *facts = cm_model_counts_facts(&run);
    long long sum = 0;
    for (size_t box = 0; facts != NULL && box < cm_pmu_model_uncore_boxes(model); box++)
        sum += cm_pmu_model_uncore_evaluate(model, event, box, facts, run, cm_model_counts_ticks());
    return sum;
}

int cm_uncore_set_read(cm_uncore_set *set, long long *counts)
{
    const cm_pmu_model *model = set->counting->model;
    int code = 0;
    for (size_t i = 0; code == 0 && i < set->size; i++) {
        if (model == NULL)
            code = read_boxes(&set->members[i], &counts[i]);
        else
            counts[i] = sum_boxes(model, set->members[i].model_event);
    }
    return code;
}

int cm_uncore_set_stop(cm_uncore_set *set, long long *counts)
{
    int code = set->counting->model == NULL ? control_set(set, PERF_EVENT_IOC_DISABLE) : 0;
    return code == 0 ? cm_uncore_set_read(set, counts) : code;
}

void cm_uncore_set_free(cm_uncore_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 0; i < set->size; i++)
        close_member(&set->members[i]);
    CM_FREE(set->members, set);
}
