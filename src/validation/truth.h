/* The facts of programs and workloads, proven under the software PMU. */
#ifndef CM_VALIDATION_TRUTH_H
#define CM_VALIDATION_TRUTH_H

#include <catmint/software_pmu.h>

#include "validation/subjects.h"

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

#endif
