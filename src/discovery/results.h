/* The inside of a results document, for its readers and writers. */
#ifndef CM_DISCOVERY_RESULTS_H
#define CM_DISCOVERY_RESULTS_H

#include <jansson.h>

#include <catmint/results.h>

typedef struct cm_component_list cm_component_list; /* of sweep/record */

/* An event that was not counted, as the sweep's events.csv says. */
typedef struct cm_unavailable_event {
    char *event;
    char *component; /* "": unknown */
    char *reason;
} cm_unavailable_event;

struct cm_results {
    char *pmu; /* NULL: unknown */
    char *pmu_reason;
    json_t *machine;        /* an object, as the sweep's manifest.json describes it; empty where unknown */
    json_t *findings;       /* what disturbed counting, an array as in the manifest; NULL if it does not say */
    json_t *not_comparable; /* a text, why, as in the manifest; NULL: they are comparable */
    json_t *incomplete;  /* what the sweep lacks, for it was ended early, an array as in the manifest; NULL: nothing */
    size_t line;         /* bytes of a cache line there; 0: unknown */
    size_t cache_levels; /* there; 0: unknown */
    bool deterministic;  /* nothing disturbed the counts there */
    bool uncore;         /* events count for a whole socket */
    json_t *code_names;  /* as in cm_sweep_origin */
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
