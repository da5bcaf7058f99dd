/* Definitions as other programs load them: PAPI's event tables, LIKWID's performance groups, metrics of perf, and
 * catmint's own CSV. docs/reference/export.md says what each format takes and what is refused. */
#ifndef CATMINT_EXPORT_DEFINITIONS_H
#define CATMINT_EXPORT_DEFINITIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/definitions.h>
#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cm_export_format {
    CM_EXPORT_TO_PAPI,      /* presets, for PAPI_CSV_EVENT_FILE */
    CM_EXPORT_TO_PAPI_USER, /* user events, for PAPI_USER_EVENTS_FILE */
    CM_EXPORT_TO_LIKWID,    /* performance groups, each a file of a directory */
    CM_EXPORT_TO_PERF,      /* metrics in JSON */
    CM_EXPORT_TO_CSV,       /* metric,formula,unit,source */
} cm_export_format;

enum {
    CM_EXPORT_FORMATS = CM_EXPORT_TO_CSV + 1,
    CM_EXPORT_COUNTERS = 4,       /* what every x86-64 processor of the last fifteen years has for a thread */
    CM_EXPORT_MOST_COUNTERS = 64, /* that a group may be given */
};

/* "papi", "papi-user", "likwid", "perf", "csv". */
CM_API const char *cm_export_format_name(cm_export_format format);
CM_API bool cm_export_format_parse(const char *name, cm_export_format *format);

/* Called once for each definition that is refused: "METRIC: why"; `text` lives until it returns. */
typedef void (*cm_export_note)(const char *text, void *data);

typedef struct cm_export_options {
    cm_export_format format;
    const char *const *cpus; /* papi, papi-user: libpfm4's names of the PMUs that the table is for; none: the PMU that
                                the names of all events begin with, CM_BAD_ARGUMENT where they have none */
    size_t cpu_count;
    size_t counters;     /* likwid: general-purpose counters that a group may take; 0: CM_EXPORT_COUNTERS */
    bool all;            /* also definitions that are not composable */
    cm_export_note note; /* may be NULL */
    void *note_data;
} cm_export_options;

typedef struct cm_export_summary {
    size_t written;  /* definitions */
    size_t left_out; /* not composable */
    size_t refused;  /* each reported by `note`: the format cannot express them exactly */
    size_t files;
} cm_export_summary;

/* Writes definitions to `stream`. CM_BAD_ARGUMENT for likwid, whose groups are files. CM_IO where the stream fails.
 * `summary` may be NULL. */
CM_API cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                                 cm_export_summary *summary, cm_error *error);

/* The same into a file that is whole or as it was before; for likwid into files of the directory `path`, which is made
 * where it is not there, each of them whole or as it was. CM_IO where that cannot be. */
CM_API cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                                cm_export_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
