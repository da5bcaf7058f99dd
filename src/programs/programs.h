/* Validation programs: straight-line code in a counted loop, in executable memory. Each is a kernel, so that it is
 * counted as kernels are, and its facts are known by construction. */
#ifndef CM_PROGRAMS_PROGRAMS_H
#define CM_PROGRAMS_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>
#include <catmint/kernels.h>

/* The benchmark that they are counted as. */
#define CM_PROGRAMS_BENCHMARK "programs"

typedef struct cm_programs cm_programs;

/* `count` programs, every other one of a class of natural programs, and before them, as kernel 0, an empty one for what
 * comes with a run; all run `iterations` times, which is at most CM_PROGRAM_ITERATIONS. CM_UNSUPPORTED where this
 * processor is not one that code is written for, or no executable memory is to be had. */
cm_status cm_programs_create(uint64_t seed, size_t count, uint64_t iterations, cm_programs **programs, cm_error *error);
void cm_programs_free(cm_programs *programs);

/* Whether programs can be written for this processor. */
bool cm_programs_available(void);

enum { CM_PROGRAM_ITERATIONS = 1 << 14 };

/* Of the empty one and the others: count + 1. */
const cm_kernel *cm_programs_kernel(const cm_programs *programs, size_t kernel);
/* Of natural programs the class (bases/natural-programs.csv); "": it is of none. */
const char *cm_programs_class(const cm_programs *programs, size_t kernel);
/* What there is most of in it; "" for the empty one. */
void cm_programs_describe(const cm_programs *programs, size_t kernel, char *text, size_t size);

/* The facts of one run: each is `values` +- `ranges`, both of cm_fact_count() elements. Construction does not tell what
 * caches and wrong paths do: there the range is infinite. */
void cm_programs_facts(const cm_programs *programs, size_t kernel, double *values, double *ranges);

/* Whether the machine decides what the fact is: its caches, predictor, wrong paths, clock. */
bool cm_fact_is_of_machine(size_t fact);

#endif
