/* Validation: judges definitions on programs that were not used for fitting.
 *
 * Programs are composed by seed of single instructions, in free proportions or at the rates of a class of natural
 * programs (bases/natural-programs.csv), so that they are no combination of the kernels' loops. Their facts are known
 * by construction; those of caches and predictors from the software PMU. A definition is refuted if it differs there
 * from its metric's meaning; its metric is then solved again with the programs as controls, and judged on programs of
 * another seed. Workloads are algorithms of real use: STREAM, matrix products, n-body. */
#ifndef CATMINT_VALIDATION_H
#define CATMINT_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/counting.h>
#include <catmint/error.h>
#include <catmint/results.h>
#include <catmint/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_VALIDATION_PROGRAMS 24                   /* by default */
#define CM_VALIDATION_SEED 1                        /* by default */
#define CM_VALIDATION_MOST_SEED ((uint64_t)1 << 53) /* largest seed: JSON holds whole numbers up to here */
/* A definition is refuted if in a class of programs the median of its deviations is above so many times its tolerance.
 */
#define CM_VALIDATION_FACTOR 1.5
/* A program with fewer occurrences of a metric does not judge it: stray counts would decide. */
#define CM_VALIDATION_LEAST 100.0

/* ---- stages ---- */

/* The counts of a validation, each stage in a directory of its own in the sweep's directory. */
typedef enum cm_validation_stage {
    CM_STAGE_PROGRAMS,   /* programs of the seed, and the events of all definitions */
    CM_STAGE_CONTROLS,   /* the same programs, and all events of benchmarks with definitions that they refuted */
    CM_STAGE_PROGRAMS_2, /* programs of a fresh seed, and the events of definitions that were solved with the controls
                          */
    CM_STAGE_CONTROLS_2,
    CM_STAGE_PROGRAMS_3,
    CM_STAGE_WORKLOADS,
    CM_VALIDATION_STAGES
} cm_validation_stage;

/* "validation", "validation-controls", ... */
CM_API const char *cm_validation_directory(cm_validation_stage stage);
/* The seed of a stage's programs; `seed` is that of the first stage. */
CM_API uint64_t cm_validation_seed(cm_validation_stage stage, uint64_t seed);

/* ---- programs and their counts ---- */

/* The counts of programs or workloads. */
typedef struct cm_program_table {
    uint64_t seed; /* 0 for workloads */
    size_t program_count;
    double *iterations; /* iterations of a run, one a program */
    char **programs;    /* "program-1", "stream-l1.scalar" */
    char **classes;     /* class of natural programs: "server"; "": free proportions, or a workload. NULL: all are "" */
    char **descriptions; /* the most frequent instructions of each: "32 loads of 8 bytes, 20 jumps" */
    /* For each program one a fact, less the overhead of a run: values +- ranges. An unknown range is infinite. */
    double *facts, *ranges;
    size_t event_count;
    char **events;  /* as in tables */
    double *counts; /* for each event one a program, less the overhead of a run: the median over repetitions */
    double *errors; /* their standard errors; NULL: none is known */
} cm_program_table;

typedef struct cm_validation_options {
    size_t size;           /* of this structure */
    const char *directory; /* a sweep's directory; counts are written into the stage's directory there */
    cm_validation_stage stage;
    uint64_t seed;             /* of the first stage, below CM_VALIDATION_MOST_SEED */
    size_t programs;           /* at least 1; not used for workloads */
    size_t repetitions;        /* at least 1 */
    const char *const *events; /* names, as in tables */
    size_t event_count;
    /* As in cm_sweep_options. */
    size_t workers;
    bool resume;
    void (*progress)(const cm_sweep_progress *progress, void *data);
    void *progress_data;
    void (*message)(const char *text, void *data);
    void *message_data;
    const volatile int *stop;
} cm_validation_options;
CM_OPTIONS_DEFAULT(cm_validation_options)

/* Whether programs can be written for this processor. */
CM_API bool cm_validation_available(void);

/* Composes the programs, proves their facts under the software PMU, and counts the events while they run: as a sweep of
 * its own, with worker processes and a journal. CM_UNSUPPORTED if programs cannot be written for this processor or
 * executed here; CM_BAD_ARGUMENT if the session counts on another PMU than the sweep's; else errors as of cm_sweep.
 * `summary` may be NULL. */
CM_API cm_status cm_validation_count(cm_counting *counting, const cm_validation_options *options,
                                     cm_sweep_summary *summary, cm_error *error);

/* Reads the counts back from the sweep's directory. *table is NULL if there are none, or if they are of another sweep
 * than the present one. */
CM_API cm_status cm_program_table_load(const char *directory, cm_validation_stage stage, cm_program_table **table,
                                       cm_error *error);
CM_API void cm_program_table_free(cm_program_table *table);

/* Whether the directory was imported from consoles (import_console.h), and its programs with it: nothing can be counted
 * for it here. */
CM_API bool cm_validation_was_imported(const char *directory);

/* All stages; NULL for stages that are not there. */
typedef struct cm_program_tables {
    cm_program_table *stages[CM_VALIDATION_STAGES];
} cm_program_tables;

/* Reads all stages, of later ones those that follow from the first. Clear after success. */
CM_API cm_status cm_program_tables_load(const char *directory, cm_program_tables *tables, cm_error *error);
CM_API void cm_program_tables_clear(cm_program_tables *tables);

/* ---- judgement ---- */

enum { CM_PROGRAM_WORDS = 320, CM_PROGRAM_TITLE = 64, CM_VALIDATION_OUTCOMES = 32 };

typedef struct cm_validated_term {
    const char *event;
    double coefficient;
} cm_validated_term;

/* The statement that a definition makes, for programs to judge: the sum of the terms is the meaning, an expression over
 * facts. */
typedef struct cm_validated_definition {
    const char *meaning;
    double tolerance; /* relative: the residual threshold of its benchmark */
    size_t term_count;
    const cm_validated_term *terms;
    const double *leaks; /* one a program: the error that the definition's own leaks allow there; NULL: none */
} cm_validated_definition;

/* One program that judged a definition. */
typedef struct cm_validation_outcome {
    char program[CM_PROGRAM_TITLE]; /* "program-3" */
    double expected, range;         /* the metric's value by its meaning, and the largest error of that; 0 or more */
    double measured;                /* the definition's sum of counts */
} cm_validation_outcome;

struct cm_validation {
    uint64_t seed;
    size_t programs; /* programs that judged the metric: they have a known value of CM_VALIDATION_LEAST or more; 0: not
                      * validated */
    size_t failed;   /* programs among them with an error of more than CM_VALIDATION_FACTOR times the tolerance */
    double median;   /* median of |value - meaning| / |meaning|, beyond the range of the meaning and the noise of the
                      * counts, in the class with the largest median; NaN if there is none */
    char worst_class[CM_PROGRAM_TITLE];   /* that class; "": programs in free proportions, or workloads */
    double worst;                         /* likewise the largest deviation */
    char worst_program[CM_PROGRAM_WORDS]; /* the program with that deviation: "program-3 (32 loads of 8 bytes, 20
                                           * jumps)"; "": none */
    bool refuted;                         /* the median is beyond CM_VALIDATION_FACTOR times the tolerance */
    bool pending;         /* programs refuted the definition before this one, and none has judged this one yet */
    size_t outcome_count; /* of the programs that judged it, at most CM_VALIDATION_OUTCOMES */
    cm_validation_outcome outcomes[CM_VALIDATION_OUTCOMES];
};

/* CM_BAD_INPUT if the meaning is no expression over facts; "" has no known value anywhere. The definition counts as not
 * validated if one of its events was not counted. */
CM_API cm_status cm_validation_judge(const cm_validated_definition *definition, const cm_program_table *table,
                                     cm_validation *validation, cm_error *error);

/* ---- all definitions of results ---- */

/* The events that a stage counts. Programs: the events of all composable definitions and of their alternatives.
 * Controls: all events that definitions may use, in benchmarks with a definition that the programs refuted. Fresh
 * programs: the events of definitions that were solved with controls. Later stages need the outcome of
 * cm_results_validate on the earlier ones. Each event once; the names belong to `results`, the list is freed with
 * free(). */
CM_API cm_status cm_results_events_to_validate(const cm_results *results, cm_validation_stage stage,
                                               const char ***events, size_t *count, cm_error *error);
/* All measured events, of any status. */
CM_API cm_status cm_results_measured_events(const cm_results *results, const char ***events, size_t *count,
                                            cm_error *error);
/* Judges every composable definition on the programs and workloads. A refuted definition is composable no longer; a
 * refuted alternative is removed. If there are controls, the metrics of refuted definitions are solved again with the
 * programs that refuted them, and judged on fresh ones. Call once for results. */
CM_API cm_status cm_results_validate(cm_results *results, const cm_program_tables *tables, cm_error *error);

/* ---- files ---- */

/* The files of a directory that an analysis reads: tables, events.csv and manifests, as the manifests list them, the
 * record of event sets, the programs of validations, and for a hybrid processor those of each type of cores. If no
 * manifest lists tables, those of catmint's benchmarks. Zero-initialised: none. */
typedef struct cm_measured_files {
    size_t count;
    char **sources; /* path of each */
    char **paths;   /* path of each below the directory: "validation/programs.csv" */
} cm_measured_files;

/* CM_BAD_INPUT if a file differs from its manifest. Clear after success. */
CM_API cm_status cm_measured_files_find(const char *directory, cm_measured_files *files, cm_error *error);
CM_API void cm_measured_files_clear(cm_measured_files *files);
/* Checks the manifests among them against their schema and their own checksums. A manifest that has neither the name of
 * the catmint that wrote it nor checksums was written by hand and passes. CM_BAD_INPUT. */
CM_API cm_status cm_measured_files_check(const cm_measured_files *files, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
