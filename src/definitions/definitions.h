/* The inside of definitions that were read back. */
#ifndef CM_DEFINITIONS_DEFINITIONS_H
#define CM_DEFINITIONS_DEFINITIONS_H

#include <jansson.h>

#include <catmint/definitions.h>

#include "core/arena.h"

/* A benchmark as the file has it. */
typedef struct cm_read_benchmark {
    cm_defined_benchmark listed;
    cm_defined_event *events;
    size_t metric_count;
    cm_defined_metric *metrics;
} cm_read_benchmark;

struct cm_definitions {
    cm_arena arena; /* of all that follows */
    const char *pmu;
    const char *machine;
    size_t benchmark_count;
    cm_read_benchmark *benchmarks;
};

/* Fills empty definitions from a document. For messages: its file, NULL where there is none, and its text. */
cm_status cm_definitions_read(cm_definitions *definitions, const json_t *document, const char *file, const char *text,
                              cm_error *error);

#endif
