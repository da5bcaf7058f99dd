/* Values of JSON documents. jansson hands NULL on when memory is short: json_pack of a NULL is NULL, so only the whole
 * needs a look. */
#ifndef CM_RESULTS_JSON_VALUE_H
#define CM_RESULTS_JSON_VALUE_H

#include <stddef.h>

#include <jansson.h>

/* A real; null for what is not finite. */
json_t *cm_json_number(double value);
/* null for NULL. */
json_t *cm_json_numbers(const double *values, size_t count);
json_t *cm_json_strings(char *const *texts, size_t count);
json_t *cm_json_count(size_t count);
/* Appends and gives `array`; NULL, with the array gone, where that fails or `array` is NULL already. */
json_t *cm_json_append(json_t *array, json_t *value);

#endif
