/* Results as people look at them: read back from documents, as a page for a browser, as plots, and compared. */
#ifndef CATMINT_VIEW_H
#define CATMINT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/evaluate.h>
#include <catmint/machines.h>
#include <catmint/results.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The results of one document. */
typedef struct cm_view cm_view;

/* Reads and validates results, as cm_definitions_load does, with the same errors; results that are not comparable can
 * be looked at. */
CM_API cm_status cm_view_load(const char *path, cm_view **view, cm_error *error);
/* The same of results in memory, which may be freed afterwards; `name` is what people know them by. */
CM_API cm_status cm_view_of_results_create(const cm_results *results, const char *name, cm_view **view,
                                           cm_error *error);
/* What people know the results by, instead of the path. */
CM_API cm_status cm_view_set_name(cm_view *view, const char *name, cm_error *error);
CM_API void cm_view_free(cm_view *view);
/* As cm_results_not_comparable. */
CM_API const char *cm_view_not_comparable(const cm_view *view);

/* An audit, as cm_audit_write writes it in JSON, to be shown beside the results. CM_BAD_INPUT and CM_IO as above. */
CM_API cm_status cm_view_add_audit(cm_view *view, const char *path, cm_error *error);

enum { CM_MOST_VIEWS = 2 }; /* that are shown together */

typedef struct cm_page_options {
    const char *const *cpus; /* libpfm4's names of PMUs, for what is copied into tables of PAPI; as in
                                cm_export_options, but without any the word PMU stands in their place */
    size_t cpu_count;
    const cm_roofline *roofline;    /* to be shown, too; NULL: none */
    const cm_values *const *values; /* values of formulas, to be shown, too */
    size_t value_count;
} cm_page_options;

/* One HTML file for a browser, which needs no network and no other file: one view, or two and what differs between
 * them. CM_BAD_ARGUMENT for another number. CM_IO where the stream fails, with errno's words. */
CM_API cm_status cm_views_write_page(cm_view *const *views, size_t count, const cm_page_options *options, FILE *stream,
                                     cm_error *error);
/* The same into a file, which is whole or as it was before. */
CM_API cm_status cm_views_save_page(cm_view *const *views, size_t count, const cm_page_options *options,
                                    const char *path, cm_error *error);

/* The plots of the page as SVG, a file each in a directory, which is made where it is not there: all of them or none,
 * those of the options' roofline and values among them (options may be NULL). Those that an earlier call wrote there
 * go. *files is how many; it may be NULL. CM_IO where that cannot be. */
CM_API cm_status cm_views_save_plots(cm_view *const *views, size_t count, const cm_page_options *options,
                                     const char *directory, size_t *files, cm_error *error);

/* What differs between two views: definitions, verdicts, thresholds and what became of events; not figures that differ
 * from run to run. A table, or JSON that follows docs/catmint.diff-1.schema.json. *different may be NULL. */
CM_API cm_status cm_views_write_difference(const cm_view *before, const cm_view *after, const cm_style *style,
                                           FILE *stream, bool *different, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
