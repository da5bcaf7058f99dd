/* Programs for GPUs: loops of single instructions in free proportions, composed by seed; only a part of the threads
 * runs some of them. Their facts are known by construction. */
#ifndef CM_PROGRAMS_GPU_H
#define CM_PROGRAMS_GPU_H

#include <catmint/kernels.h>

#include "cat-kernels/gpu/run.h"
#include "software_pmu/machine/facts.h"

typedef struct cm_gpu_programs cm_gpu_programs;

/* Creates an empty program and `count` others, of instructions that the devices have. Free with cm_gpu_programs_free.
 */
cm_status cm_gpu_programs_create(uint64_t seed, size_t count, cm_gpu_vendor vendor, unsigned target,
                                 cm_gpu_programs **programs, cm_error *error);
void cm_gpu_programs_free(cm_gpu_programs *programs);

const cm_kernel *cm_gpu_programs_kernel(const cm_gpu_programs *programs, size_t kernel);
const cm_gpu_kernel *cm_gpu_programs_description(const cm_gpu_programs *programs, size_t kernel);
/* Its most frequent instructions; "" for the empty one. */
void cm_gpu_programs_describe(const cm_gpu_programs *programs, size_t kernel, char *text, size_t size);
/* The facts of one run, cm_fact_count() of them: only the loop's, since the rest is the empty program's, too. */
void cm_gpu_programs_facts(const cm_gpu_programs *programs, size_t kernel, double *values);

#endif
