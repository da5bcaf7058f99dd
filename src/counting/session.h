/* What a counting session holds. */
#ifndef CM_COUNTING_SESSION_H
#define CM_COUNTING_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/counting.h>

#include "counting/device_cores.h"
#include "counting/machine.h"
#include "counting/text_store.h"
#include "gpu/session.h"
#include "software_pmu/model/model.h"

/* Texts live in the session's store. */
typedef struct cm_event_record {
    const char *name;
    const char *papi_name;
    const char *description;
    const char *reason; /* "" where countable */
    const char *hint;
    size_t component;
    int code;                /* the source's, for as long as it is up */
    bool hardware;           /* counted by the core's counters: under the software PMU they would count the stepping */
    bool software;           /* the model's */
    bool floating;           /* PAPI hands out the bits of a double */
    bool countable;          /* only once tried */
    const char *outcome;     /* what became of it while it was counted, NULL while all goes well */
    cm_pmu_fault fault;      /* the model's, for tests */
    size_t model_event;      /* of the model's: its number there */
    bool moved;              /* counted more than nothing when tried */
    struct cm_raw_code *raw; /* what it is where it is counted by code, NULL elsewhere; the event's own */
} cm_event_record;

typedef struct cm_component_record {
    const char *name;
    const char *description;
    const char *reason; /* "" where enabled */
    const char *hint;
    bool enabled;
    bool failed; /* it killed or hung its probe */
    size_t event_count;
} cm_component_record;

struct cm_counting {
    bool papi_owned;
    cm_machine machine;
    cm_text_store texts;
    const char **lost; /* one a component: what became of its probe, NULL where all went well; NULL: none was probed */
    size_t component_count;
    cm_component_record *components;
    size_t event_count, event_capacity;
    cm_event_record *events;
    size_t tried; /* events, and the seconds that it took */
    double trial_seconds;
    cm_pmu_model *model; /* NULL under hardware */
    cm_software_pmu *software_pmu;
    cm_gpu_session *gpu;         /* NULL: no GPU's kernels run */
    const cm_pmu_choice *choice; /* while it is opened, then NULL */
    struct cm_raw *raw;          /* NULL: no code was asked for */
    struct cm_uncore *uncore;    /* NULL: no event of a socket was asked for */
    cm_core_type core;           /* whose name is "": none is chosen */
    cm_device_cores device_cores;
    const char *pmu;
    const char *reason;
    const char *papi_version;
};

#endif
