/* The members of manifests. */
#ifndef CM_VALIDATION_MANIFEST_SHAPE_H
#define CM_VALIDATION_MANIFEST_SHAPE_H

#include "core/json.h"

/* Of the manifest of a sweep, a merge or a validation, and of an import's. */
extern const cm_json_shape cm_sweep_shape, cm_import_shape;

#endif
