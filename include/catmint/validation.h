/* Validation: definitions held against programs that nobody fitted.
 *
 * Programs are composed by seed of single instructions, in free proportions or as often as a class of natural programs
 * does each (bases/natural-programs.csv), so that they are no combination of the kernels' loops. What they do is known
 * in facts: by construction, and under the software PMU also what caches and predictors make of them. A definition is
 * refuted where it is off what its metric means there; its metric is then solved again with the programs as controls,
 * and held against programs of another seed. Workloads are algorithms that people run: STREAM, matrix products, n-body.
 */
#ifndef CATMINT_VALIDATION_H
#define CATMINT_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/counting.h>
#include <catmint/error.h>
#include <catmint/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CM_VALIDATION_PROGRAMS 16                   /* by default */
#define CM_VALIDATION_SEED 1                        /* likewise */
#define CM_VALIDATION_MOST_SEED ((uint64_t)1 << 53) /* documents hold whole numbers up to here */
/* A definition is refuted where in a class of programs the median of its deviations is above so many times its
 * tolerance. */
#define CM_VALIDATION_FACTOR 1.5
/* A program in which a metric should be less than this is none to judge it on: stray counts would decide. */
#define CM_VALIDATION_LEAST 100.0

/* ---- stages ---- */

/* What is counted for a validation, each in a folder of its own in the sweep's directory. */
typedef enum cm_validation_stage {
    CM_STAGE_PROGRAMS,   /* programs of the seed, and the events of all definitions */
    CM_STAGE_CONTROLS,   /* the same programs, and all events of benchmarks whose definitions they refute */
    CM_STAGE_PROGRAMS_2, /* programs of a fresh seed, and the events of definitions that were solved with those */
    CM_STAGE_CONTROLS_2,
    CM_STAGE_PROGRAMS_3,
    CM_STAGE_WORKLOADS,
    CM_VALIDATION_STAGES
} cm_validation_stage;

/* "validation", "validation-controls", ... */
CM_API const char *cm_validation_folder(cm_validation_stage stage);
/* Of the stage's programs, where those of the first have `seed`. */
CM_API uint64_t cm_validation_seed(cm_validation_stage stage, uint64_t seed);

/* ---- programs and their counts ---- */

/* Of programs or workloads. */
typedef struct cm_program_table {
    uint64_t seed; /* of workloads 0 */
    size_t program_count;
    double *iterations;  /* of a run, one a program */
    char **programs;     /* "program-1", "stream-l1.scalar" */
    char **classes;      /* of natural programs: "server"; "": in free proportions, or a workload. NULL: all are */
    char **descriptions; /* what there is most of in each: "32 loads of 8 bytes, 20 jumps" */
    /* Of each program one a fact, less what comes with a run: values +- ranges. A range is infinite where nobody knows.
     */
    double *facts, *ranges;
    size_t event_count;
    char **events;  /* as in tables */
    double *counts; /* of each event one a program, less what comes with a run: the median over repetitions */
    double *errors; /* their standard errors; NULL: none is known */
} cm_program_table;

/* How a sweep was counted, as its manifest says. */
typedef struct cm_sweep_conditions {
    char *pmu; /* "hardware" or "software:<model>" */
    size_t repetitions;
    char *model; /* the model's checksum; "" where there is none */
    char *core;  /* the type of cores of a hybrid processor; "" where it says none */
    size_t event_count;
    char **events; /* the patterns of events that were asked for */
} cm_sweep_conditions;

/* CM_BAD_INPUT where the directory holds no complete sweep, but tables alone or an import. Clear after success. */
CM_API cm_status cm_sweep_conditions_read(const char *directory, cm_sweep_conditions *conditions, cm_error *error);
CM_API void cm_sweep_conditions_clear(cm_sweep_conditions *conditions);

typedef struct cm_validation_options {
    const char *directory; /* of a sweep; what is counted goes into the stage's folder there */
    cm_validation_stage stage;
    uint64_t seed;             /* of the first stage, below CM_VALIDATION_MOST_SEED */
    size_t programs;           /* at least 1; not looked at for workloads */
    size_t repetitions;        /* at least 1 */
    const char *const *events; /* names, as tables have them */
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

/* Whether programs can be written for this processor. */
CM_API bool cm_validation_available(void);

/* Composes the programs, proves their facts under the software PMU, and counts the events while they run: as a sweep of
 * its own, with worker processes and a journal. CM_UNSUPPORTED where programs cannot be written for this processor or
 * executed here; CM_BAD_ARGUMENT where the session counts on another PMU than the sweep was counted on; else errors as
 * of cm_sweep. `summary` may be NULL. */
CM_API cm_status cm_validation_count(cm_counting *counting, const cm_validation_options *options,
                                     cm_sweep_summary *summary, cm_error *error);

/* Reads back what that has written into the sweep's directory. *table is NULL where there is nothing, or where it is of
 * another sweep than the one that is there now. */
CM_API cm_status cm_program_table_load(const char *directory, cm_validation_stage stage, cm_program_table **table,
                                       cm_error *error);
CM_API void cm_program_table_free(cm_program_table *table);

/* All stages; NULL for those that are not there. */
typedef struct cm_program_tables {
    cm_program_table *stages[CM_VALIDATION_STAGES];
} cm_program_tables;

/* Of later stages those that follow from the first. Clear after success. */
CM_API cm_status cm_program_tables_load(const char *directory, cm_program_tables *tables, cm_error *error);
CM_API void cm_program_tables_clear(cm_program_tables *tables);

/* ---- judgement ---- */

enum { CM_PROGRAM_WORDS = 320, CM_PROGRAM_TITLE = 64, CM_VALIDATION_OUTCOMES = 32 };

typedef struct cm_validated_term {
    const char *event;
    double coefficient;
} cm_validated_term;

/* That the sum of the terms is what the expression over facts means. */
typedef struct cm_validated_claim {
    const char *meaning;
    double tolerance; /* relative: the residual threshold of its benchmark */
    size_t term_count;
    const cm_validated_term *terms;
    const double *leaks; /* one a program: by how much it may be off there, as it says itself; NULL: nothing */
} cm_validated_claim;

/* One program that judged a definition. */
typedef struct cm_validation_outcome {
    char program[CM_PROGRAM_TITLE]; /* "program-3" */
    double expected, range;         /* what the metric means there, and by how much that may be off; 0 or more */
    double measured;                /* the definition's sum of counts */
} cm_validation_outcome;

typedef struct cm_validation {
    uint64_t seed;
    size_t programs; /* that the metric was judged on: its meaning there is known, and CM_VALIDATION_LEAST or more; 0:
                        not validated */
    size_t failed;   /* of them, those that are off by more than CM_VALIDATION_FACTOR times the tolerance */
    double median; /* of |value - meaning| / |meaning|, beyond the range of the meaning and the noise of the counts, in
                      the class where that is largest; NaN where there is none */
    char worst_class[CM_PROGRAM_TITLE];   /* that class; "": of programs in free proportions, or of workloads */
    double worst;                         /* likewise the largest */
    char worst_program[CM_PROGRAM_WORDS]; /* where that is: "program-3 (32 loads of 8 bytes, 20 jumps)"; "": nowhere */
    bool refuted;                         /* the median is beyond CM_VALIDATION_FACTOR times the tolerance */
    bool pending;         /* programs refuted the definition before this one, which was held against none yet */
    size_t outcome_count; /* of the programs that judged it, as many as there is room for */
    cm_validation_outcome outcomes[CM_VALIDATION_OUTCOMES];
} cm_validation;

/* CM_BAD_INPUT where the meaning is no expression over facts; one of "" is known nowhere. An event that was not counted
 * leaves it not validated. */
CM_API cm_status cm_validation_judge(const cm_validated_claim *claim, const cm_program_table *table,
                                     cm_validation *validation, cm_error *error);

/* The files of a directory that an analysis reads: tables, events.csv and manifests, as the manifests list them, what
 * was tried together, the programs of validations, and of a hybrid processor those of each type of cores. Where no
 * manifest lists tables, those of the benchmarks that catmint has. Zero-initialised: none. */
typedef struct cm_measured_files {
    size_t count;
    char **sources; /* where each is */
    char **paths;   /* each below the directory, as "validation/programs.csv" */
} cm_measured_files;

/* CM_BAD_INPUT where a file is not the one that its manifest lists. Clear after success. */
CM_API cm_status cm_measured_files_find(const char *directory, cm_measured_files *files, cm_error *error);
CM_API void cm_measured_files_clear(cm_measured_files *files);
/* Holds the manifests among them to their schema and to their own checksums. A manifest that neither names the catmint
 * that wrote it nor has checksums is one that people wrote beside tables of their own. CM_BAD_INPUT. */
CM_API cm_status cm_measured_files_check(const cm_measured_files *files, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
