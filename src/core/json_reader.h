/* Reads a JSON document of a known form; a difference is reported with its path, line and column. */
#ifndef CM_CORE_JSON_READER_H
#define CM_CORE_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include <catmint/error.h>

#include "core/arena.h"
#include "core/json_location.h"

enum { CM_JSON_DEPTH = 16 };

/* Texts and numbers are copied into the arena. */
typedef struct cm_json_reader {
    const char *file; /* NULL: there is none */
    const char *text; /* of the document, for lines and columns */
    cm_arena *arena;
    cm_error *error;
    cm_json_step path[CM_JSON_DEPTH]; /* of the current value */
    size_t depth;
} cm_json_reader;

/* Whether null may stand for an unknown value: never, for the whole member, or for single elements of a list. */
typedef enum cm_json_null { CM_JSON_NOT_NULL, CM_JSON_OR_NULL, CM_JSON_NULL_ELEMENTS } cm_json_null;

void cm_json_enter(cm_json_reader *reader, const char *key, size_t index);
void cm_json_leave(cm_json_reader *reader);

/* Returns CM_BAD_INPUT at the current value: "PATH SAYS". */
cm_status cm_json_fault(cm_json_reader *reader, const char *says, ...) CM_PRINTF(2, 3);

/* Each function below reads a member of `object`, which must exist. */
cm_status cm_json_read_text(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                            const char **text);
/* Null is NaN. */
cm_status cm_json_read_number(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                              double *number);
/* The same, for numbers of 0 or more. */
cm_status cm_json_read_figure(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                              double *figure);
cm_status cm_json_read_bool(cm_json_reader *reader, const json_t *object, const char *key, bool *value);
/* Reads `count` finite numbers; NULL for null, NaN for an element that is null. */
cm_status cm_json_read_numbers(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                               size_t count, const double **numbers);
/* Reads a list of texts. */
cm_status cm_json_read_texts(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **texts);
/* Reads a list of names: texts, none empty, none twice. */
cm_status cm_json_read_names(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **names);

/* Reads an object of a list into items[index]. */
typedef cm_status (*cm_json_read_item)(cm_json_reader *reader, const json_t *item, void *items, size_t index);
/* Reads a list of objects, each by `read_item`, into *items, which has `size` bytes, first zeroed, for each. */
cm_status cm_json_read_items(cm_json_reader *reader, const json_t *object, const char *key, size_t size,
                             cm_json_read_item read_item, size_t *count, void **items);

#endif
