/* Values of formulas in each form; as SVG their hierarchy, for each run. */
#include "report/report.h"

#include "report/plots/plots.h"

static void draw_tree(const void *content, FILE *stream)
{
    const cm_formula_values *values = content;
    cm_plot_tree(values, 0, values->run_count, stream);
}

/* Draws the hierarchy for each run; an error if there is none, or too many runs. */
static cm_status write_svg(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    const cm_evaluation *evaluation = content;
    cm_formula_values *values = NULL;
    cm_status status = cm_formula_values_of(evaluation, &values, error);
    if (status == CM_OK && !cm_formula_values_have_tree(values))
        status = cm_error_set(error, CM_BAD_ARGUMENT, evaluation->set->file, 0, 0,
                              "no formula has a parent, so that there is no hierarchy to draw");
    if (status == CM_OK && values->run_count > CM_EVALUATE_MOST_DRAWN)
        status = cm_error_set(error, CM_BAD_ARGUMENT, evaluation->counts->file, 0, 0,
                              "%zu runs, expected at most %d to draw", values->run_count, CM_EVALUATE_MOST_DRAWN);
    CM_THEN(status, cm_plot_write(draw_tree, values, stream, error));
    cm_formula_values_free(values);
    return status;
}

/* Without counts there is only the hierarchy. */
static const cm_report drawn = {"results", .forms = {[CM_FORMAT_SVG] = write_svg}};
static const cm_report whole = {"results", cm_evaluation_json,
                                .forms = {[CM_FORMAT_TABLE] = cm_evaluation_write_table,
                                          [CM_FORMAT_CSV] = cm_evaluation_write_csv,
                                          [CM_FORMAT_SVG] = write_svg}};

cm_status cm_evaluation_write(const cm_evaluation *evaluation, const cm_output_style *style, FILE *stream,
                              cm_error *error)
{
    const cm_report *report = evaluation->counts != NULL ? &whole : &drawn;
    return cm_report_write(report, evaluation, style, stream, error);
}

cm_status cm_evaluation_save(const cm_evaluation *evaluation, const cm_output_style *style, const char *path,
                             cm_error *error)
{
    const cm_report *report = evaluation->counts != NULL ? &whole : &drawn;
    return cm_report_save(report, evaluation, style, path, error);
}
