/* The entries of a validation in the manifest of its counts. */
#ifndef CM_VALIDATION_DESCRIBE_H
#define CM_VALIDATION_DESCRIBE_H

#include <jansson.h>

#include <catmint/validation.h>

#include "validation/truth.h"

/* The member of its manifest that describes the counts. */
#define CM_VALIDATION_MEMBER "validation"

/* The path of a stage's directory in a sweep's directory; the caller frees it. NULL without memory. */
char *cm_validation_path(const char *directory, cm_validation_stage stage);
/* The benchmark of the stage's table. */
const char *cm_validation_benchmark(cm_validation_stage stage);

/* The identity of the sweep in `directory`: its manifest's checksum, JSON's null if there is none. */
cm_status cm_validation_origin(const char *directory, json_t **origin, cm_error *error);

/* CM_BAD_ARGUMENT if the session counts on another PMU than the sweep's. (count.c) */
cm_status cm_validation_check_pmu(const cm_counting *counting, const char *directory, cm_error *error);

/* {"seed", "programs"}, {"workloads"}: their number; NULL without memory. */
json_t *cm_validation_describe_options(const cm_validation_options *options, const cm_subjects *subjects);
/* {"validation": {"sweep", "seed", "programs": [{"program", "description", "facts": {"loads": 5, "l1d_load_hit":
 * null}}]}}: facts that are not exact are [value, range], unknown ones null; those that are 0 are left out. NULL
 * without memory. */
json_t *cm_validation_describe(const cm_validation_options *options, const json_t *origin, const cm_subjects *subjects,
                               const cm_program_facts *facts);

#endif
