/* The inside of definitions. */
#ifndef CM_DEFINITIONS_DEFINITIONS_H
#define CM_DEFINITIONS_DEFINITIONS_H

#include <jansson.h>

#include <catmint/definitions.h>

#include "core/arena.h"
#include "core/json_reader.h"

/* An event that is named by its code. */
typedef struct cm_named_code {
    const char *event, *names; /* "A, B" */
} cm_named_code;

/* A benchmark as the file has it. */
typedef struct cm_read_benchmark {
    cm_defined_benchmark listed;
    cm_defined_event *events;
    size_t metric_count;
    cm_defined_metric *metrics;
    size_t code_count;
    cm_named_code *codes;
} cm_read_benchmark;

/* Events that were tried as one set. */
typedef struct cm_counted_set {
    cm_together together;
    size_t count, refusing_count;
    const char *const *events;
    const char *const *refusing; /* of them, those that refuse each other */
} cm_counted_set;

struct cm_definitions {
    cm_arena arena; /* of all that follows */
    const char *pmu;
    const char *machine;
    const char *identity;
    const char *architecture;   /* of the processor that was measured; NULL: unknown */
    const char *not_comparable; /* why the results are not; NULL: they are */
    bool by_paper;              /* found by the paper's method, without controls */
    size_t cache_levels;        /* of the machine that was measured, 0: unknown */
    size_t core_count;          /* types of cores, 0: all are alike */
    cm_core_type *cores;
    size_t benchmark_count;
    cm_read_benchmark *benchmarks;
    size_t set_count;
    cm_counted_set *sets;
};

/* What is known of these events: where they were counted together, fewer of them can be; where some refuse each other,
 * no others help. */
cm_together cm_definitions_find_together(const cm_definitions *definitions, const char *const *events, size_t count);

/* Whether it is the name of a PMU; CM_DEFINITIONS_PMU says what is wrong where it is not. */
bool cm_definitions_knows_pmu(const char *pmu);
#define CM_DEFINITIONS_PMU "%sis '%.100s', expected \"hardware\" or \"software:<model>\""

#define CM_DEFINITIONS_NOT_COMPARABLE "results of an experiment, which are not comparable: %.300s"

/* What cm_definitions_identity gives for the object "machine" of a document. */
enum { CM_IDENTITY_SIZE = 128 };
void cm_definitions_identify(const json_t *machine, char identity[CM_IDENTITY_SIZE]);

/* Whether a metric of that name and preset ("": none) may be spelled so, as in cm_definitions_resolve. */
bool cm_metric_is_called(const char *metric, const char *preset, const char *name);

/* Fills empty definitions from a document. For messages: its file and its text. */
cm_status cm_definitions_read(cm_definitions *definitions, const json_t *document, const char *file, const char *text,
                              cm_error *error);

/* code_names.c: the names of codes, of a benchmark as the document has it, which may have none. CM_NO_MEMORY with the
 * error set. */
cm_status cm_definitions_take_code_names(cm_arena *arena, const json_t *code_names, cm_read_benchmark *benchmark,
                                         cm_error *error);
cm_status cm_definitions_read_code_names(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark);

/* sight.c: what the law looks at, of results in memory and of a document; older documents have none. */
cm_status cm_definitions_take_sight(cm_arena *arena, const cm_benchmark_result *result, cm_read_benchmark *benchmark,
                                    cm_error *error);
cm_status cm_definitions_read_sight(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark);

/* together.c: what a document says of events in one set; documents of older versions say nothing. */
cm_status cm_definitions_read_together(cm_json_reader *reader, const json_t *item, cm_together *together);
cm_status cm_definitions_read_sets(cm_json_reader *reader, const json_t *document, cm_definitions *definitions);

/* read_cores.c: the types of cores, to one of which each benchmark of a hybrid processor belongs. */
/* The type of a benchmark; "" where cores are all alike. */
cm_status cm_definitions_read_core(cm_json_reader *reader, const json_t *item, const char **core);
cm_status cm_definitions_read_cores(cm_json_reader *reader, const json_t *document, cm_definitions *definitions);

/* read_law.c: where a metric's definition holds, and what it may be off; documents of older versions say nothing of
 * that. */
cm_status cm_definitions_read_law(cm_json_reader *reader, const json_t *item, cm_defined_metric *metric);

/* read_controls.c: controls of a benchmark, counts of its events there, and what its metrics are held to. Documents of
 * older versions have no more of them than how many definitions were held to. */
cm_status cm_definitions_read_controls(cm_json_reader *reader, const json_t *item, cm_read_benchmark *benchmark);

#endif
