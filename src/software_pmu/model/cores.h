/* Models of processors with several types of cores: a directory with cores.csv, which names a model for each type. */
#ifndef CM_SOFTWARE_PMU_MODEL_CORES_H
#define CM_SOFTWARE_PMU_MODEL_CORES_H

#include <catmint/core_type.h>

#include "software_pmu/model/model.h"

/* The place of a model that --pmu names: MODEL, MODEL-facts, MODEL-coded, MODEL-coded@SEED, or MODEL@SEED of one whose
 * events are named by code; each with -loud behind MODEL. */
typedef struct cm_model_place {
    char *directory;
    bool answers_codes;
    bool facts; /* its events are the facts themselves */
    bool loud;  /* with a loud neighbour in the caches */
    uint64_t seed;
} cm_model_place;

/* A model or directory of exactly that name wins. CM_BAD_ARGUMENT if there is none. */
cm_status cm_model_locate(const char *model, cm_model_place *place, cm_error *error);

/* The types that the directory's cores.csv lists; *count is 0 if it has no such file. */
cm_status cm_model_cores_read(const char *directory, cm_core_type types[CM_CORE_TYPES], size_t *count, cm_error *error);

/* As cm_pmu_model_load; of a model with several types of cores, loads that of `core`: its events are called pmu::EVENT,
 * and it has the directory's name. CM_BAD_ARGUMENT if there is no such type; NULL is for models with one type. */
cm_status cm_model_core_load(const char *directory, const char *core, cm_pmu_model **model, cm_error *error);

/* Locates and loads a model. */
cm_status cm_pmu_model_open(const char *model, const char *core, cm_pmu_model **opened, cm_error *error);

#endif
