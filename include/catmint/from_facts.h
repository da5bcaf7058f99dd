/* Sweeps of models without counting: facts that were counted once on a machine are kept, and every model of that
 * machine follows from them. */
#ifndef CATMINT_FROM_FACTS_H
#define CATMINT_FROM_FACTS_H

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes into `directory` the sweep of `model`, a name or directory as behind "software:", with counts from the facts
 * in `facts`: the directory of a sweep under MODEL-facts, or NULL for those that come with catmint. Repetitions and
 * kernels are those of the facts. CM_BAD_ARGUMENT if there is no such model; CM_BAD_INPUT if the facts are missing, of
 * another machine than the model's, or lack facts that this version of catmint has; CM_IO if the directory cannot be
 * written. */
CM_API cm_status cm_sweep_from_facts(const char *model, const char *facts, const char *directory, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
