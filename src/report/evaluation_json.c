/* Values for programs. */
#include "report/report.h"

/* A formula with its values, and the reasons for missing ones. */
static json_t *metric_json(const cm_evaluation *evaluation, size_t index)
{
    const cm_formula *metric = &evaluation->set->formulas[index];
    json_t *values = json_array(), *reasons = json_array();
    for (size_t run = 0; run < evaluation->run_count; run++) {
        const cm_cell *cell = &evaluation->cells[index * evaluation->run_count + run];
        char text[256];
        bool there = cell->state == CM_CELL_VALUE;
        values = cm_json_append(values, there ? cm_json_number(cell->value) : json_null());
        reasons = cm_json_append(reasons, there ? json_null() : json_string(cm_cell_reason(cell, text, sizeof text)));
    }
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "metric", metric->info.metric, "formula",
                     metric->info.text, "unit", metric->info.unit, "source", metric->info.source, "parent",
                     cm_json_name(metric->parent_name), "of", cm_json_name(metric->of_name), "depth",
                     cm_json_count(metric->depth), "values", values, "reasons", reasons);
}

/* The metrics that could not be computed, each with its run, or null if no run is to blame. */
static json_t *faults_json(const cm_evaluation *evaluation)
{
    json_t *faults = json_array();
    for (size_t i = 0; i < evaluation->fault_count; i++) {
        const cm_value_fault *fault = &evaluation->faults[i];
        const char *run = fault->run != CM_FORMULAS_NONE ? evaluation->counts->value_names[fault->run] : NULL;
        faults = cm_json_append(faults, json_pack("{s:s, s:s?, s:s}", "metric",
                                                  evaluation->set->formulas[fault->metric].info.metric, "run", run,
                                                  "fault", fault->text));
    }
    return faults;
}

json_t *cm_evaluation_json(const void *content)
{
    const cm_evaluation *evaluation = content;
    const char *counted = evaluation->counted != NULL ? evaluation->counted : evaluation->counts->file;
    json_t *metrics = json_array();
    for (size_t i = 0; i < evaluation->set->count; i++)
        metrics = cm_json_append(metrics, metric_json(evaluation, evaluation->rows[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.evaluate/1", "formulas",
                     cm_json_text(evaluation->set->file), "counts", cm_json_text(counted), "count_files",
                     cm_json_strings(evaluation->files, evaluation->file_count), "runs",
                     cm_json_strings((const char *const *)evaluation->counts->value_names, evaluation->run_count),
                     "metrics", metrics, "faults", faults_json(evaluation));
}
