/* Workloads: algorithms of real use, sized for each level of memory. Each is a kernel and counted like one. */
#ifndef CM_PROGRAMS_WORKLOADS_WORKLOADS_H
#define CM_PROGRAMS_WORKLOADS_WORKLOADS_H

#include <catmint/error.h>
#include <catmint/kernels.h>

/* ---- algorithms ---- */

/* The algorithms of workloads, and their compiled code: the same C several times, for vectors of several widths. */

/* D. Barry's thesis calls them Algorithms 1 to 8; two of them are here in two forms. */
typedef enum cm_algorithm {
    CM_ALGORITHM_STREAM,
    CM_ALGORITHM_CRUNCH_DOUBLE,
    CM_ALGORITHM_CRUNCH_SINGLE,
    CM_ALGORITHM_CONFLICT,
    CM_ALGORITHM_MATRIX,
    CM_ALGORITHM_MATRIX_TRANSPOSED,
    CM_ALGORITHM_MATRIX_UNROLLED,
    CM_ALGORITHM_MATRIX_BLOCKED,
    CM_ALGORITHM_BODIES_ARRAYS,
    CM_ALGORITHM_BODIES_STRUCTURES,
    CM_ALGORITHMS
} cm_algorithm;

enum { CM_WORKLOAD_ARRAYS = 7, CM_WORKLOAD_UNROLLED = 8, CM_CRUNCH_TRIALS = 32 };

/* The data of an algorithm: a kernel's buffer. */
typedef struct cm_workload_data {
    size_t size; /* elements of an array, rows of a matrix, bodies; a multiple of 16 */
    size_t step; /* distance of visited elements; or rows of a block, which divide the matrix */
    double scalar;
    void *arrays[CM_WORKLOAD_ARRAYS];
} cm_workload_data;

/* Position, velocity and mass of a body. */
typedef struct cm_body {
    double position[3], velocity[3], mass;
} cm_body;

typedef void cm_workload_body(uint64_t repetitions, cm_kernel_data *data);

/* The compiler's code for vectors of one width; one body an algorithm. */
typedef struct cm_workload_variant {
    const char *name;
    unsigned isa; /* instruction sets that it needs */
    cm_workload_body *const *bodies;
} cm_workload_variant;

/* The variants of this architecture. */
extern const cm_workload_variant *const cm_workload_variants;
extern const size_t cm_workload_variant_count;

extern cm_workload_body *const cm_workloads_scalar[CM_ALGORITHMS];
extern cm_workload_body *const cm_workloads_128[CM_ALGORITHMS];

/* ---- workloads ---- */

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

/* ---- code for vectors that only some x86-64 processors have ---- */

extern cm_workload_body *const cm_workloads_256[CM_ALGORITHMS];
extern cm_workload_body *const cm_workloads_512[CM_ALGORITHMS];

#endif
