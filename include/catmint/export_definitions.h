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

enum {
    CM_EXPORT_COUNTERS = CM_GROUP_COUNTERS,
    CM_EXPORT_MOST_COUNTERS = 64, /* that a group may be given */
};

/* A format that definitions can be exported to. Its texts live as long as the program. */
typedef struct cm_export_format {
    const char *name;    /* "papi", "papi-user", "likwid", "perf", "csv" */
    const char *content; /* "presets", "user events"; "" where the name tells */
    bool directory;      /* its files are a directory's */
    bool takes_cpus;     /* it heeds the options `cpus` */
    bool takes_counters; /* and `counters` */
} cm_export_format;

/* That of a number, from 0 on; false where there is none. */
CM_API bool cm_export_format_get(size_t index, cm_export_format *format);
/* That of a name. */
CM_API bool cm_export_format_find(const char *name, cm_export_format *format);

/* Called once for each definition that is refused: "METRIC: why"; `text` lives until it returns. */
typedef void (*cm_export_note)(const char *text, void *data);

typedef struct cm_export_options {
    const char *format;      /* its name */
    const char *const *cpus; /* papi, papi-user: libpfm4's names of the PMUs that the table is for; none: the PMU that
                                the names of all events begin with, CM_BAD_ARGUMENT where they have none */
    size_t cpu_count;
    size_t counters;          /* likwid: general-purpose counters that a group may take; 0: CM_EXPORT_COUNTERS */
    size_t max_events;        /* definitions with more are refused; 0: no limit */
    const char *known_events; /* what the other program counts: perf's or perfmon's lists of events in JSON, LIKWID's
                                 counter lists, or names, one a line; a file, or a folder of such files. Other events
                                 are refused, or replaced by one that counts the same. NULL: for PAPI what libpfm4 knows
                                 of the PMUs, where it is installed and knows them; else any */
    bool all;                 /* also definitions that are not composable */
    bool multiplex;           /* papi, papi-user, likwid: also definitions whose events refuse each other */
    cm_export_note note;      /* may be NULL */
    void *note_data;
} cm_export_options;

typedef struct cm_export_summary {
    size_t written;  /* definitions */
    size_t left_out; /* not composable */
    size_t refused;  /* each reported by `note`: the format cannot express them exactly */
    size_t files;
} cm_export_summary;

/* Writes definitions to `stream`. CM_BAD_ARGUMENT where there is no such format, and for likwid, whose groups are
 * files. CM_IO where the stream fails. `summary` may be NULL. */
CM_API cm_status cm_export_write(const cm_definitions *definitions, const cm_export_options *options, FILE *stream,
                                 cm_export_summary *summary, cm_error *error);

/* The same into a file that is whole or as it was before; for likwid into files of the directory `path`, which is made
 * where it is not there, each of them whole or as it was. CM_IO where that cannot be. */
CM_API cm_status cm_export_save(const cm_definitions *definitions, const cm_export_options *options, const char *path,
                                cm_export_summary *summary, cm_error *error);

/* Writes what changes in PAPI's own table of presets, the file `table`, where the definitions hold for options->cpus: a
 * unified diff, as patch(1) takes it, in the table's sections and with its comments. Presets that other processors have
 * too get a section behind theirs. `summary->written` are those that change. The format is papi and there is a PMU,
 * else CM_BAD_ARGUMENT; CM_BAD_INPUT where `table` is none. */
CM_API cm_status cm_export_patch(const cm_definitions *definitions, const cm_export_options *options, const char *table,
                                 FILE *stream, cm_export_summary *summary, cm_error *error);

/* Puts presets into the file `path`, which PAPI reads where PAPI_CSV_EVENT_FILE names it: whole, or as it was before.
 * Its last line is a checksum, by which the next installation knows it. What is there and was not installed so, or was
 * changed since, is replaced only if `replace` is true; else CM_UNSUPPORTED. The format is papi, else CM_BAD_ARGUMENT;
 * CM_BAD_INPUT where no definition is a preset that PAPI takes. */
CM_API cm_status cm_export_install(const cm_definitions *definitions, const cm_export_options *options,
                                   const char *path, bool replace, cm_export_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
