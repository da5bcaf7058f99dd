/* Tables: measurements, basis, signatures, benchmarks. Plain CSV (RFC 4180, UTF-8); `#` lines at the top carry
 * provenance.
 *
 * Loading validates the whole file; the first fault is reported with file and line (CM_BAD_INPUT). CRLF and a
 * byte-order mark are accepted. Values are finite decimal numbers; counts are not negative. */
#ifndef CATMINT_TABLES_H
#define CATMINT_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/data_path.h>
#include <catmint/error.h>
#include <catmint/matrix.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- measurements: event,repetition,thread,<kernel>,<kernel>,... ---- */

/* Prefix of a kernel's name: the column has the counts of the same time as the kernel ran, with nothing running. They
 * are subtracted from the kernel's counts. */
#define CM_QUIET_MARK "quiet:"

/* One event. Each of its repetitions has the same threads. */
typedef struct cm_measurement {
    char *event;
    size_t line; /* of its first row in the file, 1-based; 0 if handed over */
    size_t repetition_count;
    size_t thread_count;
    double *values; /* raw counts, [repetition][thread][kernel]; per iteration if `iterations` is NULL */
} cm_measurement;

typedef struct cm_measurements {
    char *file;         /* file it was read from, for messages; "" if handed over */
    size_t header_line; /* 1-based; 0 if handed over */
    size_t kernel_count;
    char **kernels;
    double *iterations; /* one divisor a kernel, each > 0; NULL: values are per iteration */
    size_t event_count;
    cm_measurement *events; /* in the order of their first row */
} cm_measurements;

/* CM_BAD_INPUT also if an event has different threads in its repetitions, or lacks a repetition that another event has,
 * and if there is no event. One repetition is accepted; the caller decides whether that suffices to judge noise. */
CM_API cm_status cm_measurements_load(const char *path, cm_measurements **measurements, cm_error *error);
CM_API void cm_measurements_free(cm_measurements *measurements);

/* Writes a table beside `path` and renames it when it is complete; free without finish removes the unfinished file. */
typedef struct cm_measurements_writer cm_measurements_writer;

/* `provenance` (may be NULL): lines without `#`, separated by newlines. `iterations` may be NULL. */
CM_API cm_status cm_measurements_writer_create(const char *path, const char *provenance, size_t kernel_count,
                                               const char *const *kernels, const double *iterations,
                                               cm_measurements_writer **writer, cm_error *error);
/* `values`: one a kernel, finite and not negative, written so that reading gives the same double. CM_BAD_ARGUMENT for a
 * name that no event may have (empty, control characters, "iterations") or a value that is no count. */
CM_API cm_status cm_measurements_writer_add(cm_measurements_writer *writer, const char *event, size_t repetition,
                                            size_t thread, const double *values, cm_error *error);
CM_API cm_status cm_measurements_writer_finish(cm_measurements_writer *writer, cm_error *error);
CM_API void cm_measurements_writer_free(cm_measurements_writer *writer);

/* ---- basis: kernel,<symbol>,... ---- */

typedef struct cm_basis {
    char *file;
    size_t header_line;
    size_t kernel_count;
    char **kernels;
    size_t symbol_count;
    char **symbols;
    cm_matrix *expectations; /* kernels x symbols */
    size_t confounded_count;
    char **confounded;   /* of a restricted basis: symbols that its kernels cannot distinguish from combinations of
                          * others; as many of them as necessary were removed from `symbols` */
    size_t cache_levels; /* of the measured machine: symbols of higher levels are removed from a restricted basis, which
                          * keeps those that the last level is confounded with; metrics of higher levels are not
                          * measurable; 0: unknown */
} cm_basis;

/* CM_BAD_INPUT also if a symbol's column is all zero, a kernel appears twice, or there is no kernel or no symbol.
 * cm_analysis_create checks whether the columns are independent. */
CM_API cm_status cm_basis_load(const char *path, cm_basis **basis, cm_error *error);
CM_API void cm_basis_free(cm_basis *basis);
/* Kernels that are not fitted: a file as of a basis, with symbols of `basis`; those that it lacks are 0. CM_BAD_INPUT
 * also for a symbol that the basis does not have. */
CM_API cm_status cm_basis_load_controls(const char *path, const cm_basis *basis, cm_basis **controls, cm_error *error);
/* The basis of the named kernels, in that order; a symbol whose column is then all zero is removed. CM_BAD_INPUT if the
 * basis does not have a kernel. */
CM_API cm_status cm_basis_restrict_create(const cm_basis *basis, size_t kernel_count, const char *const *kernels,
                                          cm_basis **restricted, cm_error *error);
/* The same for the kernels of a measurement table; a kernel that the basis does not have is reported with the table's
 * file and header line. */
CM_API cm_status cm_basis_restrict_to_create(const cm_basis *basis, const cm_measurements *measurements,
                                             cm_basis **restricted, cm_error *error);

/* ---- signatures: metric,preset,description,[meaning,]<symbol>,... ---- */

typedef struct cm_signature {
    char *metric;
    char *preset; /* PAPI's name, "" if there is none */
    char *description;
    double *values; /* one a symbol */
    char *meaning;  /* an expression over facts (docs/reference/formats.md); "" if the file has none, NULL if none was
                     * handed over */
} cm_signature;

typedef struct cm_signatures {
    char *file;
    size_t header_line;
    size_t symbol_count;
    char **symbols;
    size_t metric_count;
    cm_signature *metrics;
} cm_signatures;

/* CM_BAD_INPUT also if a metric appears twice or is all zero, and if there is no metric or no symbol. */
CM_API cm_status cm_signatures_load(const char *path, cm_signatures **signatures, cm_error *error);
CM_API void cm_signatures_free(cm_signatures *signatures);
/* The signatures over `basis`' symbols, in its order. Elements of symbols that the basis lacks are dropped; a metric
 * without any element left stays, all zero (not measurable on this machine). CM_BAD_INPUT if the signatures lack a
 * symbol of the basis. */
CM_API cm_status cm_signatures_restrict_create(const cm_signatures *signatures, const cm_basis *basis,
                                               cm_signatures **restricted, cm_error *error);

/* ---- benchmarks.csv: benchmark,tau,alpha,residual,quantum,description ---- */

typedef struct cm_benchmark {
    char *name;
    double tau;
    double alpha;
    double residual;
    double quantum; /* 0: none */
    char *description;
} cm_benchmark;

typedef struct cm_benchmarks {
    size_t count;
    cm_benchmark *items; /* in the order of the file, which is also the order of results */
} cm_benchmarks;

CM_API cm_status cm_benchmarks_load(const char *path, cm_benchmarks **benchmarks, cm_error *error);
CM_API void cm_benchmarks_free(cm_benchmarks *benchmarks);
/* NULL if there is none of that name. */
CM_API const cm_benchmark *cm_benchmarks_find(const cm_benchmarks *benchmarks, const char *name);

/* ---- directories of measurements ---- */

/* Whether the directory has the manifest of a complete sweep, merge or import, perhaps in a commit that was
 * interrupted; also true of a path that is too long, which reading reports. */
CM_API bool cm_has_manifest(const char *directory);

#ifdef __cplusplus
}
#endif
#endif
