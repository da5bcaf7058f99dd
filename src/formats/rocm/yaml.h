/* YAML, read entry by entry. */
#ifndef CM_FORMATS_ROCM_YAML_H
#define CM_FORMATS_ROCM_YAML_H

#include <stddef.h>

#include <catmint/error.h>

enum { CM_YAML_DEPTH = 32 };

/* A key and its value, or an item of a list, whose key is "". */
typedef struct cm_yaml_entry {
    const char *file;
    size_t depth;            /* at least 1 */
    const char *const *keys; /* from the outermost to its own */
    const char *value;       /* "" if more entries are inside; lines keep their blanks, so that locations hold */
    size_t line, column;     /* of the value */
} cm_yaml_entry;

typedef cm_status (*cm_yaml_take)(const cm_yaml_entry *entry, void *data, cm_error *error);

/* Reads a file, entry by entry, until `take` refuses one. CM_BAD_INPUT if it is no YAML, or nested too deep. */
cm_status cm_yaml_each(const char *path, cm_yaml_take take, void *data, cm_error *error);

#endif
