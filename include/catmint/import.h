/* Imports the output of PAPI's Counter Analysis Toolkit (cat_collect).
 *
 * Each directory is one repetition. Its files `<event>.branch` are benchmark branch, `<event>.vec` cpu-flops and
 * `<event>.data.reads` dcache. Their counts are already per iteration or access. Of `.data.reads`, the sections with
 * the most pages a block correspond to kernels; of these the smallest stride is a region's first three kernels, the
 * next stride the other three, and a size belongs to the first cache of the file's header that is as large. The `HP`
 * sections are left out if no event counts anything in them: cat_collect writes zeros for kernels that it was not built
 * with. `.data.writes`, `.icache`, `.instr` and `.flops` become cat-writes.csv, cat-icache.csv, cat-instr.csv and
 * cat-flops.csv, whose kernels belong to no benchmark: docs/reference/import-cat.md. */
#ifndef CATMINT_IMPORT_H
#define CATMINT_IMPORT_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_import_options {
    size_t size;                /* of this structure */
    const char *const *sources; /* directories of cat_collect's output, one a repetition */
    size_t source_count;
    const char *directory; /* gets <benchmark>.csv, events.csv and manifest.json, as a sweep writes them */
    void (*note)(const char *text, void *data); /* a line for each thing that was not used; may be NULL */
    void *note_data;
} cm_import_options;
CM_OPTIONS_DEFAULT(cm_import_options)

typedef struct cm_import_summary {
    size_t tables;      /* benchmarks with data that could be used */
    size_t used;        /* events used, over all benchmarks */
    size_t left_out;    /* events that could not be used, over all benchmarks */
    size_t unknown;     /* files of other kinds */
    size_t repetitions; /* sources that hold such files */
} cm_import_summary;

/* An event is used whole or not at all: it needs a complete file in every source. CM_BAD_INPUT if nothing can be used;
 * CM_IO; CM_BAD_ARGUMENT without a source, and if `directory` holds a sweep. `summary` may be NULL. */
CM_API cm_status cm_import_cat(const cm_import_options *options, cm_import_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
