/* Reads a sweep's description back: manifest.json and events.csv. */
#ifndef CM_SWEEP_RECORD_READ_H
#define CM_SWEEP_RECORD_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* The manifest's member with the bytes of a cache line. */
#define CM_LINE_KEY "line_size"
/* The manifest's member with the number of levels of data caches. */
#define CM_LEVELS_KEY "cache_levels"

/* The manifest's member with the reason why counts are not comparable. */
#define CM_NOT_COMPARABLE_KEY "not_comparable"

/* The manifest's member that says whether nothing disturbed the counts. */
#define CM_DETERMINISTIC_KEY "deterministic"

/* Separates the names of a code in the manifest. */
#define CM_CODE_NAMES_BETWEEN ", "

/* The PMU and the machine that counted; all NULL for an import, which does not know them. */
typedef struct cm_sweep_origin {
    char *pmu, *pmu_reason;
    json_t *machine;        /* an object */
    json_t *findings;       /* disturbances of counting, an array; NULL if the manifest has none of this */
    json_t *incomplete;     /* benchmarks that lack events after an early end, an array; NULL: none */
    size_t line;            /* bytes of a cache line, 0 if the manifest does not have it */
    bool uncore;            /* events count for a whole socket */
    size_t cache_levels;    /* of data, 0 if the manifest does not have it */
    json_t *not_comparable; /* the reason why counts are not comparable, a text; NULL: they are */
    json_t *code_names;     /* names, in a table, of events named by their codes: arrays; NULL: none */
    bool deterministic;     /* nothing disturbed the counts */
} cm_sweep_origin;

/* Reads the manifest at `path`. */
cm_status cm_sweep_origin_read(const char *path, cm_sweep_origin *origin, cm_error *error);
void cm_sweep_origin_clear(cm_sweep_origin *origin);

/* Called for each event that was not counted; `component` is "" if the file does not have it. */
typedef cm_status (*cm_sweep_take_unavailable)(const char *event, const char *component, const char *reason, void *data,
                                               cm_error *error);
/* Reads the events.csv at `path`. */
cm_status cm_sweep_unavailable_read(const char *path, cm_sweep_take_unavailable take, void *data, cm_error *error);

#endif
