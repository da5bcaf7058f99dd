/* Views of results for people: read from documents, shown as a page for a browser, as plots, and compared. */
#ifndef CATMINT_VIEW_H
#define CATMINT_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/evaluate.h>
#include <catmint/results.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The results of one document. */
typedef struct cm_results_view cm_results_view;

/* Reads and validates results, as cm_definitions_load does, with the same errors; results that are not comparable are
 * accepted. */
CM_API cm_status cm_results_view_load(const char *path, cm_results_view **view, cm_error *error);
/* Makes a view of results in memory, which may be freed afterwards; `name` is shown to people. */
CM_API cm_status cm_results_view_create(const cm_results *results, const char *name, cm_results_view **view,
                                        cm_error *error);
/* Sets the name that is shown to people, instead of the path. */
CM_API cm_status cm_results_view_set_name(cm_results_view *view, const char *name, cm_error *error);
CM_API void cm_results_view_free(cm_results_view *view);
/* As cm_results_not_comparable. */
CM_API const char *cm_results_view_not_comparable(const cm_results_view *view);

/* Adds an audit, JSON of cm_audit_write, to be shown beside the results. CM_BAD_INPUT and CM_IO as above. */
CM_API cm_status cm_results_view_add_audit(cm_results_view *view, const char *path, cm_error *error);

enum { CM_MOST_VIEWS = 2 }; /* most views shown together */

/* A part of a page that another library shows: <catmint/roofline.h> has one. */
typedef struct cm_page_part cm_page_part;

typedef struct cm_page_options {
    size_t size;             /* of this structure */
    const char *const *cpus; /* libpfm4's names of PMUs, for the tables of PAPI that can be copied from the page; as in
                              * cm_export_options; without any, the word PMU takes their place */
    size_t cpu_count;
    const cm_page_part *part;               /* also shown; NULL: none */
    const cm_formula_values *const *values; /* values of formulas, also shown */
    size_t value_count;
} cm_page_options;
CM_OPTIONS_DEFAULT(cm_page_options)

/* Writes one HTML file for a browser, which needs no network and no other file: one view, or two and their differences.
 * CM_BAD_ARGUMENT for another number. CM_IO if the stream fails, with errno's words. */
CM_API cm_status cm_results_views_write_page(cm_results_view *const *views, size_t count,
                                             const cm_page_options *options, FILE *stream, cm_error *error);
/* Writes the same into a file, which is whole, or as it was before. */
CM_API cm_status cm_results_views_save_page(cm_results_view *const *views, size_t count, const cm_page_options *options,
                                            const char *path, cm_error *error);

/* Writes the plots of the page as SVG, each a file in `directory`, which is made if it is missing: all of them or none,
 * including those of the options' part and values (options may be NULL). Files of an earlier call there are
 * removed. *files is their number; it may be NULL. CM_IO. */
CM_API cm_status cm_results_views_save_plots(cm_results_view *const *views, size_t count,
                                             const cm_page_options *options, const char *directory, size_t *files,
                                             cm_error *error);

/* Writes the differences between two views: definitions, verdicts, thresholds and statuses of events; not figures that
 * differ from run to run. A table, or JSON that follows docs/catmint.diff-1.schema.json. *different may be NULL. */
CM_API cm_status cm_results_views_write_difference(const cm_results_view *before, const cm_results_view *after,
                                                   const cm_output_style *style, FILE *stream, bool *different,
                                                   cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
