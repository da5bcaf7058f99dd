/* What a validation says about itself, in the manifest of what it counts. */
#ifndef CM_VALIDATION_DESCRIBE_H
#define CM_VALIDATION_DESCRIBE_H

#include <jansson.h>

#include <catmint/validation.h>

#include "validation/truth.h"

/* Where a sweep's directory has what is counted for its validation, and the table there. */
#define CM_VALIDATION_FOLDER "validation"
#define CM_VALIDATION_MEMBER "validation"

/* The path of that folder; the caller frees it. NULL without memory. */
char *cm_validation_path(const char *directory);

/* What makes the sweep in `directory` this one: its manifest's checksum, JSON's null where there is none. */
cm_status cm_validation_origin(const char *directory, json_t **origin, cm_error *error);

/* {"seed", "programs"}; NULL without memory. */
json_t *cm_validation_describe_options(const cm_validation_options *options);
/* {"validation": {"sweep", "seed", "programs": [{"program", "description", "facts": {"loads": 5, "l1d_load_hit":
 * null}}]}}: of facts that are not exact [value, range], of unknown ones null; those that are 0 are not named. NULL
 * without memory. */
json_t *cm_validation_describe(const cm_validation_options *options, const json_t *origin, const cm_programs *programs,
                               const cm_program_facts *facts);

#endif
