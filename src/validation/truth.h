/* What programs and workloads really do, under the software PMU. */
#ifndef CM_VALIDATION_TRUTH_H
#define CM_VALIDATION_TRUTH_H

#include <catmint/software_pmu.h>

#include "validation/subjects.h"

/* Of each, the empty one not among them, one a fact: less what comes with a run. */
typedef struct cm_program_facts {
    size_t count;
    double *values, *ranges;
} cm_program_facts;

/* Facts by construction, and from the software PMU those that construction does not tell, where `model` is the machine
 * that counts (NULL: hardware, of which no caches and predictor are known): then they run as often, and in the same
 * order, as a sweep runs them, and the median over repetitions is taken. Facts that construction tells, and of
 * workloads the operations that their algorithm has, are proven: CM_UNSUPPORTED names one that does something else.
 * Free with cm_program_facts_clear, also after a failure. */
cm_status cm_program_facts_find(const cm_subjects *subjects, const cm_pmu_machine *model, size_t repetitions,
                                cm_program_facts *facts, cm_error *error);
void cm_program_facts_clear(cm_program_facts *facts);

#endif
