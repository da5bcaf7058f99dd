/* The state of a counting session. */
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
    const char *reason; /* "" if countable */
    const char *hint;
    size_t component;
    int code;                /* the source's, valid while the source is open */
    bool hardware;           /* counted by the core's counters, which under the software PMU would count the stepping */
    bool software;           /* an event of the model */
    bool floating;           /* PAPI returns the bits of a double */
    bool countable;          /* set by trying */
    const char *outcome;     /* how it failed while it was counted, NULL: it did not */
    cm_pmu_fault fault;      /* of the model, for tests */
    size_t model_event;      /* its number in the model */
    bool moved;              /* its count was not zero when tried */
    struct cm_raw_code *raw; /* its code if it is counted by code, else NULL; owned by the event */
} cm_event_record;

typedef struct cm_component_record {
    const char *name;
    const char *description;
    const char *reason; /* "" if enabled */
    const char *hint;
    bool enabled;
    bool failed; /* it ended or hung its probe */
    size_t event_count;
} cm_component_record;

struct cm_counting {
    bool papi_owned;
    cm_machine machine;
    cm_text_store texts;
    const char **lost; /* one a component: how its probe failed, NULL if it did not; NULL: none was probed */
    size_t component_count;
    cm_component_record *components;
    size_t event_count, event_capacity;
    cm_event_record *events;
    size_t tried; /* events tried, and the seconds this took */
    double trial_seconds;
    cm_pmu_model *model; /* NULL: hardware */
    cm_software_pmu *software_pmu;
    cm_gpu_session *gpu;         /* NULL: no kernels of a GPU run */
    const cm_pmu_choice *choice; /* while the session is being opened, then NULL */
    struct cm_raw *raw;          /* NULL: no codes */
    struct cm_uncore *uncore;    /* NULL: no events of a socket */
    cm_core_type core;           /* with the name "": none is chosen */
    cm_device_cores device_cores;
    const char *pmu;
    const char *reason;
    const char *papi_version;
};

#endif
