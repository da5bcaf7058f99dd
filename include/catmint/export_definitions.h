/* Exports definitions to the formats of other programs: PAPI's event tables, LIKWID's performance groups, metrics of
 * perf, and catmint's own CSV. docs/reference/export.md lists the limits of each format. */
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

enum {
    CM_EXPORT_COUNTERS = CM_GROUP_COUNTERS,
    CM_EXPORT_MOST_COUNTERS = 64, /* largest value of `counters` */
};

/* An export format. Its texts live as long as the program. */
typedef struct cm_export_format {
    const char *name;    /* "papi", "papi-user", "likwid", "perf", "csv" */
    const char *content; /* "presets", "user events"; "" if the name suffices */
    bool directory;      /* it writes a directory of files */
    bool takes_cpus;     /* it uses the option `cpus` */
    bool takes_counters; /* it uses the option `counters` */
} cm_export_format;

/* The format of a number, from 0 on; false if there is none. */
CM_API bool cm_export_format_get(size_t index, cm_export_format *format);
/* The format of a name. */
CM_API bool cm_export_format_find(const char *name, cm_export_format *format);

/* Called once for each refused definition: "METRIC: why"; `text` lives until it returns. */
typedef void (*cm_export_note)(const char *text, void *data);

typedef struct cm_export_options {
    size_t size;             /* of this structure */
    const char *format;      /* the format's name */
    const char *const *cpus; /* papi, papi-user: libpfm4's names of the PMUs that the table is for; none: the PMU that
                              * begins the names of all events, CM_BAD_ARGUMENT if they have none. Of a hybrid
                              * processor: the types of cores with these PMUs; none: all, a section each */
    size_t cpu_count;
    size_t counters;          /* likwid: number of general-purpose counters for a group; 0: CM_EXPORT_COUNTERS */
    size_t max_events;        /* definitions with more are refused; 0: no limit */
    const char *known_events; /* events that the other program counts: perf's or perfmon's lists of events in JSON,
                               * LIKWID's counter lists, or names, one a line; a file, or a directory of such files.
                               * Other events are refused, or replaced by one that counts the same. NULL: for PAPI the
                               * events that libpfm4 knows of the PMUs, if it is installed and knows them; else any */
    const char *core;    /* exports the definitions of this type of cores of a hybrid processor; NULL: of all types */
    bool all;            /* also definitions that are not composable */
    bool multiplex;      /* papi, papi-user, likwid: also definitions whose events refuse each other */
    cm_export_note note; /* may be NULL */
    void *note_data;
} cm_export_options;
CM_OPTIONS_DEFAULT(cm_export_options)

typedef struct cm_export_summary {
    size_t written;  /* definitions */
    size_t left_out; /* not composable */
    size_t refused;  /* each reported by `note`: the format cannot express them exactly */
    size_t files;
} cm_export_summary;

/* Writes definitions to `stream`. CM_BAD_ARGUMENT if there is no such format, and for likwid, whose groups are files.
 * CM_IO if the stream fails. `summary` may be NULL. */
CM_API cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                                 cm_export_summary *summary, cm_error *error);

/* Writes the same into a file; for likwid into files of the directory `path`, which is made if it is missing. Each file
 * is whole, or as it was before. CM_IO. */
CM_API cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                                cm_export_summary *summary, cm_error *error);

/* Writes the changes of PAPI's own table of presets, the file `table`, that make it hold the definitions for
 * options->cpus: a unified diff for patch(1), in the table's sections and with its comments. Presets that other
 * processors share get a section behind theirs. `summary->written` counts those that change. CM_BAD_ARGUMENT unless the
 * format is papi and there is a PMU; CM_BAD_INPUT if `table` is no such table. */
CM_API cm_status cm_export_patch(const cm_definitions *definitions, const cm_export_options *options, const char *table,
                                 FILE *stream, cm_export_summary *summary, cm_error *error);

/* Writes presets into the file `path`, which PAPI reads if PAPI_CSV_EVENT_FILE names it. The file is whole, or as it
 * was before. Its last line is a checksum, by which the next installation recognises it. A file without that checksum,
 * or changed since, is replaced only if `replace` is true; else CM_UNSUPPORTED. CM_BAD_ARGUMENT unless the format is
 * papi; CM_BAD_INPUT if no definition is a preset that PAPI takes. */
CM_API cm_status cm_export_install(const cm_definitions *definitions, const cm_export_options *options,
                                   const char *path, bool replace, cm_export_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
