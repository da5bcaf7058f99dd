/* The parts of importing from consoles: lines read and checked, counts collected, and the directory. */
#ifndef CM_FORMATS_CONSOLE_CONSOLE_H
#define CM_FORMATS_CONSOLE_CONSOLE_H

#include <jansson.h>
#include <stdint.h>

#include <catmint/import_console.h>

/* ---- log.c ---- */

enum { CM_CONSOLE_WORDS = 64 };

/* A line of a run: its words, the first of which is its kind. */
typedef struct cm_console_line {
    size_t number; /* in the file, 1-based */
    size_t count;
    const char *words[CM_CONSOLE_WORDS];
} cm_console_line;

/* A log while it is read; `text` is its content, and is cut into words. */
typedef struct cm_console_log {
    const char *path;
    char *text, *next;
    size_t line;    /* of the file, read last */
    bool open;      /* a run has begun, and not ended */
    uint32_t going; /* number of the run's next line */
} cm_console_log;

/* The caller frees log->text, after a failure, too. */
cm_status cm_console_log_open(const char *path, cm_console_log *log, cm_error *error);
/* The next line of a run; *found is false at the end. CM_BAD_INPUT for a line that is garbled or not the next one of
 * its run, for a run that does not end, and for a file without a run. */
cm_status cm_console_log_next(cm_console_log *log, cm_console_line *line, bool *found, cm_error *error);
bool cm_console_number(const char *word, uint32_t *value);

/* ---- import.c ---- */

typedef struct cm_console_names {
    size_t count;
    char **names;
} cm_console_names;

typedef struct cm_console_kernel {
    char *name;
    bool trapped;
    uint32_t cause;
} cm_console_kernel;

/* The difference of a pair of runs. */
typedef struct cm_console_count {
    size_t kernel, event, repetition; /* the last from 0 on */
    bool again;                       /* the event was counted in a set before */
    double value;
} cm_console_count;

typedef struct cm_console_benchmark {
    char *name;
    size_t kernel_count;
    cm_console_kernel *kernels;
    size_t count;
    cm_console_count *counts;
} cm_console_benchmark;

typedef struct cm_console_import {
    const cm_console_import_options *options;
    char *isa;
    uint32_t turns, repetitions;
    cm_console_names events;
    size_t benchmark_count;
    cm_console_benchmark *benchmarks;
    size_t shrunk; /* counts of 2 N turns that were below those of N */
} cm_console_import;

/* The benchmark whose kernels are random programs: its table lies in a directory of its own. */
#define CM_CONSOLE_PROGRAMS "programs"

/* Reads the logs. Clear it in any case. */
cm_status cm_console_import_read(const cm_console_import_options *options, cm_console_import *import, cm_error *error);
void cm_console_import_clear(cm_console_import *import);
/* NULL: there are none. */
const cm_console_benchmark *cm_console_programs(const cm_console_import *import);

/* ---- write.c ---- */

/* Writes the directory of all benchmarks but programs, and fills the summary. */
cm_status cm_console_write(const cm_console_import *import, cm_console_import_summary *summary, cm_error *error);
/* Writes that of the programs; `validation`, an object, stands in its manifest. */
cm_status cm_console_write_programs(const cm_console_import *import, const char *directory, json_t *validation,
                                    cm_error *error);

#endif
