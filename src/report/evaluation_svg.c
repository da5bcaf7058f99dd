/* The hierarchy of the formulas, drawn for each run. */
#include "core/error.h"
#include "evaluate/values.h"
#include "report/evaluation.h"
#include "report/plots/file.h"
#include "report/plots/tree.h"

static void draw(const void *content, FILE *stream)
{
    const cm_values *values = content;
    cm_plot_tree(values, 0, values->run_count, stream);
}

cm_status cm_evaluation_put_svg(const void *content, const cm_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_evaluation *evaluation = content;
    cm_values *values = NULL;
    cm_status status = cm_values_of(evaluation, &values, error);
    if (status == CM_OK && !cm_values_have_tree(values))
        status = cm_error_set(error, CM_BAD_ARGUMENT, evaluation->set->file, 0, 0,
                              "no formula has a parent, so that there is no hierarchy to draw");
    if (status == CM_OK && values->run_count > CM_EVALUATE_MOST_DRAWN)
        status = cm_error_set(error, CM_BAD_ARGUMENT, evaluation->counts->file, 0, 0,
                              "%zu runs, expected at most %d to draw", values->run_count, CM_EVALUATE_MOST_DRAWN);
    if (status == CM_OK)
        status = cm_plot_put(draw, values, stream, error);
    cm_values_free(values);
    return status;
}
