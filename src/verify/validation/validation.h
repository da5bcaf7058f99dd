/* The inside of a validation. */
#ifndef CM_VERIFY_VALIDATION_VALIDATION_H
#define CM_VERIFY_VALIDATION_VALIDATION_H

#include <catmint/validation.h>

#include "analysis/state.h"
#include "discovery/results.h"
#include "programs/workloads/workloads.h"

/* ---- The kernels of a validation: an empty one, then programs or workloads ---- */

/* Zero-initialised: none. */
typedef struct cm_subjects {
    const char *benchmark;     /* name of their benchmark */
    size_t count;              /* without the empty one */
    const cm_kernel **kernels; /* including the empty one: count + 1 */
    void **buffers;            /* likewise: the data of each; NULL: none */
    uint64_t line_size;        /* of the machine that counts */
    cm_programs *programs;     /* NULL: they are workloads, or a GPU's */
    cm_workloads *workloads;
    cm_gpu_programs *gpu;   /* NULL: they are the processor's */
    cm_pmu_machine machine; /* description of the GPU */
} cm_subjects;

/* `model`: the machine that counts; NULL: hardware. `gpu`: the GPU of the programs; NULL: they are the processor's.
 * Clear also after a failure. */
cm_status cm_subjects_create(const cm_validation_options *options, const cm_pmu_machine *model,
                             const cm_pmu_machine *gpu, cm_subjects *subjects, cm_error *error);
void cm_subjects_clear(cm_subjects *subjects);

/* Its class of natural programs; "" for others. */
const char *cm_subjects_class(const cm_subjects *subjects, size_t kernel);
void cm_subjects_describe(const cm_subjects *subjects, size_t kernel, char *text, size_t size);

/* The facts of one run by construction, as cm_programs_facts; unknown for workloads. */
void cm_subjects_facts(const cm_subjects *subjects, size_t kernel, double *values, double *ranges);

/* Floating-point operations of a run under the software PMU by the algorithm; NaN: facts are known by construction. */
double cm_subjects_operations(const cm_subjects *subjects, size_t kernel);

/* ---- truth.c: the facts of programs and workloads, proven under the software PMU ---- */

/* For each program, without the empty one, one a fact, less the overhead of a run. */
typedef struct cm_program_facts {
    size_t count;
    double *values, *ranges;
} cm_program_facts;

/* Finds the facts by construction. If `model` is the machine that counts (NULL: hardware, whose caches and predictor
 * are not known), the software PMU gives the others: programs run as often, and in the same order, as in a sweep, and
 * the median over repetitions is taken. Facts by construction, and the operations of a workload's algorithm, are
 * proven: CM_UNSUPPORTED names one that differs. Free with cm_program_facts_clear, also after a failure. */
cm_status cm_program_facts_find(const cm_subjects *subjects, const cm_pmu_machine *model, size_t repetitions,
                                cm_program_facts *facts, cm_error *error);
void cm_program_facts_clear(cm_program_facts *facts);

/* ---- stages.c ---- */

/* The path of a stage's directory in a sweep's directory; the caller frees it. NULL without memory. */
char *cm_validation_path(const char *directory, cm_validation_stage stage);
/* The benchmark of the stage's table. */
const char *cm_validation_benchmark(cm_validation_stage stage);

/* The member of the counts' manifest that describes the validation. */
#define CM_VALIDATION_MEMBER "validation"

/* ---- judge.c: parts of a judgement on programs ---- */

/* The value of a meaning, an expression over facts, on a run of each program: values +- ranges, infinite if unknown.
 * CM_BAD_INPUT if it is no such expression; "" has no known value anywhere. */
cm_status cm_validation_means(const char *meaning, const cm_program_table *table, double *values, double *ranges,
                              cm_error *error);

/* The index of an event in the table; its event_count if it was not counted. */
size_t cm_program_table_find(const cm_program_table *table, const char *event);

/* The deviation of the definition on each program, relative and beyond the meaning's range; NaN if the program decides
 * nothing: the meaning is next to 0, or its range is as large as itself. Errors as of cm_validation_judge. */
cm_status cm_validation_deviations(const cm_validated_definition *definition, const cm_program_table *table,
                                   double *deviations, cm_error *error);

/* ---- manifest.c: the contents of catmint's manifests ---- */

/* Checks the manifest in the file against its schema and its own checksum; `path` is its name in messages. One without
 * the name of the catmint that wrote it was written by hand: it needs only the members that an analysis reads.
 * CM_BAD_INPUT. */
cm_status cm_manifest_check(const char *file, const char *path, cm_error *error);

/* ---- manifest_shape.c: the members of manifests ---- */

/* The shapes of the manifest of a sweep, a merge or a validation, and of an import's. */
extern const cm_json_shape cm_sweep_shape, cm_import_shape;

/* ---- The judgement of programs on the definitions that are built of a metric ---- */

/* The terms of the metric's definition. */
cm_event_sum cm_definition_sum(const cm_benchmark_result *result, size_t metric);

/* The definition alone. */
cm_status cm_judge_definition(const cm_benchmark_result *result, size_t metric, const cm_program_table *table,
                              cm_validation *validation, cm_error *error);

/* The definition, not composable if refuted, and the equivalents of its terms and alternatives, which are gone. */
cm_status cm_judge_metric(cm_benchmark_result *result, size_t metric, const cm_program_table *table, cm_error *error);

/* How far a definition of the metric is off on each program, relative; NaN if that says nothing. */
cm_status cm_deviations_of(const cm_benchmark_result *result, size_t metric, const cm_event_sum *sum,
                           const cm_program_table *table, double *deviations, cm_error *error);

/* ---- evidence_programs.c ---- */

/* Programs that are `chosen` become controls of all metrics. */
cm_status cm_evidence_add_programs(cm_evidence *evidence, const cm_program_table *table, const bool *chosen,
                                   cm_error *error);

#endif
