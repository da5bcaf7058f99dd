/* The kernels of a validation: an empty one, then programs or workloads. */
#ifndef CM_VALIDATION_SUBJECTS_H
#define CM_VALIDATION_SUBJECTS_H

#include <catmint/software_pmu.h>
#include <catmint/validation.h>

#include "programs/programs.h"
#include "programs/workloads/workloads.h"

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

#endif
