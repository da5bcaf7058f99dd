/* Workloads: algorithms of real use, sized for each level of memory. Each is a kernel and counted like one. */
#ifndef CM_PROGRAMS_WORKLOADS_WORKLOADS_H
#define CM_PROGRAMS_WORKLOADS_WORKLOADS_H

#include <stddef.h>

#include <catmint/error.h>
#include <catmint/kernels.h>

/* The benchmark's name for workloads. */
#define CM_WORKLOADS_BENCHMARK "workloads"

enum { CM_WORKLOAD_LEVELS = 3 };

typedef struct cm_workloads cm_workloads;

/* Creates all that this processor can execute, for caches of these sizes in bytes (0: none). Kernel 0 is an empty one
 * that measures the overhead of a run. CM_UNSUPPORTED if the processor has no kernels. */
cm_status cm_workloads_create(const size_t *caches, cm_workloads **workloads, cm_error *error);
void cm_workloads_free(cm_workloads *workloads);

size_t cm_workloads_count(const cm_workloads *workloads); /* without the empty one */
const cm_kernel *cm_workloads_kernel(const cm_workloads *workloads, size_t kernel);
/* Its data, for the kernel's buffer; NULL: none. */
void *cm_workloads_buffer(const cm_workloads *workloads, size_t kernel);
/* "matrix product, blocked" */
void cm_workloads_describe(const cm_workloads *workloads, size_t kernel, char *text, size_t size);

/* Floating-point operations of a run under the software PMU, by the algorithm: a multiply-add is two. */
double cm_workloads_operations(const cm_workloads *workloads, size_t kernel);

#endif
