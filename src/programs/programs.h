/* Validation programs: straight-line code in a counted loop, in executable memory. Each is a kernel and is counted like
 * one; its facts are known by construction. */
#ifndef CM_PROGRAMS_PROGRAMS_H
#define CM_PROGRAMS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>
#include <catmint/kernels.h>

/* The benchmark's name for programs. */
#define CM_PROGRAMS_BENCHMARK "programs"

typedef struct cm_programs cm_programs;

/* Creates `count` programs, every other one of a class of natural programs, and before them, as kernel 0, an empty one
 * that measures the overhead of a run; all run `iterations` times, at most CM_PROGRAM_ITERATIONS. CM_UNSUPPORTED if
 * code cannot be written for this processor, or no executable memory can be mapped. */
cm_status cm_programs_create(uint64_t seed, size_t count, uint64_t iterations, cm_programs **programs, cm_error *error);
void cm_programs_free(cm_programs *programs);

/* Whether programs can be written for this processor. */
bool cm_programs_available(void);

enum { CM_PROGRAM_ITERATIONS = 1 << 14 };

/* The empty one and the others: count + 1. */
const cm_kernel *cm_programs_kernel(const cm_programs *programs, size_t kernel);
/* Its class of natural programs (bases/natural-programs.csv); "": none. */
const char *cm_programs_class(const cm_programs *programs, size_t kernel);
/* Its most frequent work; "" for the empty one. */
void cm_programs_describe(const cm_programs *programs, size_t kernel, char *text, size_t size);

/* The facts of one run: each is `values` +- `ranges`, both of cm_fact_count() elements. The range is infinite for facts
 * of caches and wrong paths, which construction does not determine. */
void cm_programs_facts(const cm_programs *programs, size_t kernel, double *values, double *ranges);

/* Whether the machine determines the fact: its caches, predictor, wrong paths, clock. */
bool cm_fact_is_of_machine(size_t fact);

#endif
