/* Importing what PAPI's Counter Analysis Toolkit has collected (cat_collect).
 *
 * Of each folder, one repetition, are taken: `<event>.branch` (benchmark branch), `<event>.vec` (cpu-flops) and
 * `<event>.data.reads` (dcache). Their counts are per iteration or access already. Of `.data.reads` those sections
 * correspond to kernels that have the most pages a block; of these the smallest stride is a region's first three
 * kernels, the next stride the other three, and a size belongs to the first cache of the file's header that is as
 * large. The `HP` sections are left out where no event counts anything in them: cat_collect writes zeros for kernels
 * that it was not built with. `.data.writes`, `.icache`, `.instr` and `.flops` become cat-writes.csv, cat-icache.csv,
 * cat-instr.csv and cat-flops.csv, whose kernels are no benchmark's: docs/reference/import-cat.md. */
#ifndef CATMINT_IMPORT_H
#define CATMINT_IMPORT_H

#include <stddef.h>

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_import_options {
    const char *const *sources; /* folders of cat_collect's outputs, one a repetition */
    size_t source_count;
    const char *directory; /* where <benchmark>.csv, events.csv and manifest.json go, as a sweep writes them */
    void (*note)(const char *text, void *data); /* a line for all that could not be used; may be NULL */
    void *note_data;
} cm_import_options;

typedef struct cm_import_summary {
    size_t tables;      /* benchmarks of which something could be used */
    size_t used;        /* events of them, over all benchmarks */
    size_t left_out;    /* events that could not be used, over all benchmarks */
    size_t unknown;     /* files that are of none of these kinds */
    size_t repetitions; /* sources that hold outputs */
} cm_import_summary;

/* An event is used whole or not at all: it needs a complete file in every source. CM_BAD_INPUT where nothing can be
 * used; CM_IO; CM_BAD_ARGUMENT without a source, and where `directory` holds a sweep. `summary` may be NULL. */
CM_API cm_status cm_import_cat(const cm_import_options *options, cm_import_summary *summary, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
