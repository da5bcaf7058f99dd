/* The inside of a results document, for its readers and writers. */
#ifndef CM_DISCOVERY_RESULTS_H
#define CM_DISCOVERY_RESULTS_H

#include <catmint/results.h>

#include "sweep/record/record.h"

/* An event that was not counted, as the sweep's events.csv says. */
typedef struct cm_unavailable_event {
    char *event;
    char *component; /* "": unknown */
    char *reason;
} cm_unavailable_event;

struct cm_results {
    cm_sweep_origin origin; /* of a sweep directory; `machine` is empty and `pmu_reason` "" where it is unknown */
    cm_unavailable_event *unavailable;
    size_t unavailable_count;
    char *events_file;             /* events.csv of the sweep; NULL: there is none */
    cm_component_list *components; /* as it says; NULL: nobody asked */
    cm_tried_sets *tried;          /* of a sweep directory; NULL: unknown */
    size_t benchmark_count;
    cm_benchmark_result **benchmarks;
    size_t program_count; /* that they were validated on; 0: none */
    uint64_t program_seed;
    size_t workload_count; /* likewise of workloads */
    size_t part_count;     /* of a hybrid processor: its types of cores, and the results of each */
    cm_core_type cores[CM_CORE_TYPES];
    cm_results *parts[CM_CORE_TYPES]; /* `benchmarks` are theirs then */
    cm_results *whole;                /* NULL: it is no part */
};

#endif
