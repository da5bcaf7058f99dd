/* Makes values of JSON documents. */
#ifndef CM_CORE_JSON_VALUE_H
#define CM_CORE_JSON_VALUE_H

#include <stddef.h>

#include <jansson.h>

#include "core/json_build.h"

/* A real; null unless it is finite. */
json_t *cm_json_number(double value);
/* null for NULL. */
json_t *cm_json_numbers(const double *values, size_t count);
json_t *cm_json_strings(char *const *texts, size_t count);
json_t *cm_json_count(size_t count);

#endif
