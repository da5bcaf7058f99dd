/* What a sweep says about itself, read back: manifest.json and events.csv. */
#ifndef CM_SWEEP_RECORD_READ_H
#define CM_SWEEP_RECORD_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* The manifest's member with the bytes of a cache line. */
#define CM_LINE_KEY "line_size"
/* How many levels of caches for data there are. */
#define CM_LEVELS_KEY "cache_levels"

/* Why what was counted is not comparable. */
#define CM_NOT_COMPARABLE_KEY "not_comparable"

/* Between the names of a code in the manifest. */
#define CM_CODE_NAMES_BETWEEN ", "

/* What counted, and where; all NULL of an import, which does not say. */
typedef struct cm_sweep_origin {
    char *pmu, *pmu_reason;
    json_t *machine;        /* an object */
    json_t *findings;       /* what disturbed counting, an array; NULL where the manifest does not say */
    json_t *incomplete;     /* what a sweep lacks that was ended early, an array; NULL: nothing */
    size_t line;            /* bytes of a cache line, 0 where the manifest does not say */
    bool uncore;            /* events count for a whole socket */
    size_t cache_levels;    /* of data, 0 where the manifest does not say */
    json_t *not_comparable; /* why it is not, a text; NULL: it is */
    json_t *code_names; /* of events that are named by their codes: arrays of the names that a table has; NULL: none */
} cm_sweep_origin;

/* Of the manifest at `path`. */
cm_status cm_sweep_origin_read(const char *path, cm_sweep_origin *origin, cm_error *error);
void cm_sweep_origin_clear(cm_sweep_origin *origin);

/* Called once an event that was not counted; `component` is "" where the file does not say. */
typedef cm_status (*cm_sweep_take_unavailable)(const char *event, const char *component, const char *reason, void *data,
                                               cm_error *error);
/* Of the events.csv at `path`. */
cm_status cm_sweep_unavailable_read(const char *path, cm_sweep_take_unavailable take, void *data, cm_error *error);

#endif
