/* Values of formulas: for people as an indented tree, for spreadsheets, for programs. */
#include "report/report.h"

enum { LEVEL_INDENT = 2, LEAST = 7 };

/* From red, 0, to green, 1. */
static const int shades[] = {203, 209, 215, 221, 227, 191, 155, 119};
enum { SHADES = CM_COUNT_OF(shades) };

static void cell_text(const cm_evaluation *evaluation, size_t metric, size_t run, char *text, size_t size)
{
    const cm_cell *cell = &evaluation->cells[metric * evaluation->run_count + run];
    bool fraction = evaluation->set->formulas[metric].of != CM_FORMULAS_NONE;
    if (cell->state != CM_CELL_VALUE)
        snprintf(text, size, "-");
    else
        snprintf(text, size, fraction ? "%.3f" : "%.6g", cell->value);
}

/* Writes one value; a share of another metric is shaded by its size if colours are wanted. */
static void write_value_cell(const cm_evaluation *evaluation, size_t metric, size_t run, int width, bool colour,
                             FILE *stream)
{
    char text[32];
    const cm_cell *cell = &evaluation->cells[metric * evaluation->run_count + run];
    cell_text(evaluation, metric, run, text, sizeof text);
    bool shaded = colour && cell->state == CM_CELL_VALUE && evaluation->set->formulas[metric].of != CM_FORMULAS_NONE;
    if (!shaded) {
        fprintf(stream, "%*s%*s", CM_COLUMN_GAP, "", width, text);
        return;
    }
    double value = cell->value < 0.0 ? 0.0 : cell->value > 1.0 ? 1.0 : cell->value;
    fprintf(stream, "%*s\033[30;48;5;%dm%*s\033[0m", CM_COLUMN_GAP, "", shades[(int)(value * (SHADES - 1) + 0.5)],
            width, text);
}

static size_t formula_name_width(const cm_evaluation *evaluation)
{
    size_t width = strlen("Metric");
    for (size_t i = 0; i < evaluation->set->count; i++) {
        const cm_formula *metric = &evaluation->set->formulas[i];
        size_t wanted = LEVEL_INDENT * metric->depth + cm_text_width(metric->info.metric);
        width = wanted > width ? wanted : width;
    }
    return width;
}

/* The columns that the name of a run and its widest value need. */
static size_t run_width(const cm_evaluation *evaluation, size_t run)
{
    size_t width = cm_text_width(evaluation->counts->value_names[run]);
    width = width < LEAST ? LEAST : width;
    for (size_t i = 0; i < evaluation->set->count; i++) {
        char text[32];
        cell_text(evaluation, i, run, text, sizeof text);
        width = strlen(text) > width ? strlen(text) : width;
    }
    return width;
}

static void pad_columns(FILE *stream, size_t count)
{
    fprintf(stream, "%*s", (int)count, "");
}

/* Writes a table of the runs from `begin` to before `end`. */
static void write_block(const cm_evaluation *evaluation, size_t names, const size_t *widths, size_t begin, size_t end,
                        bool colour, FILE *stream)
{
    fputs("Metric", stream);
    pad_columns(stream, names - strlen("Metric"));
    for (size_t run = begin; run < end; run++) {
        const char *name = evaluation->counts->value_names[run];
        pad_columns(stream, CM_COLUMN_GAP + widths[run] - cm_text_width(name));
        cm_text_write(name, stream);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < evaluation->set->count; i++) {
        const cm_formula *metric = &evaluation->set->formulas[evaluation->rows[i]];
        pad_columns(stream, LEVEL_INDENT * metric->depth);
        cm_text_write(metric->info.metric, stream);
        pad_columns(stream, names - LEVEL_INDENT * metric->depth - cm_text_width(metric->info.metric));
        for (size_t run = begin; run < end; run++)
            write_value_cell(evaluation, evaluation->rows[i], run, (int)widths[run], colour, stream);
        fputc('\n', stream);
    }
}

cm_status cm_evaluation_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_evaluation *evaluation = content;
    size_t names = formula_name_width(evaluation);
    size_t *widths = calloc(evaluation->run_count, sizeof *widths);
    if (widths == NULL)
        return cm_error_no_memory(error);
    for (size_t run = 0; run < evaluation->run_count; run++)
        widths[run] = run_width(evaluation, run);
    for (size_t begin = 0, end; begin < evaluation->run_count; begin = end) {
        size_t used = names + CM_COLUMN_GAP + widths[begin];
        for (end = begin + 1; end < evaluation->run_count; end++) {
            used += CM_COLUMN_GAP + widths[end];
            if (style->width != 0 && used > style->width)
                break;
        }
        if (begin > 0)
            fputc('\n', stream);
        write_block(evaluation, names, widths, begin, end, style->colour, stream);
    }
    free(widths);
    return CM_OK;
}

/* ---- for spreadsheets ---- */

cm_status cm_evaluation_write_csv(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_evaluation *evaluation = content;
    fputs("metric,unit,parent,of", stream);
    for (size_t run = 0; run < evaluation->run_count; run++) {
        fputc(',', stream);
        cm_csv_write_cell(stream, evaluation->counts->value_names[run]);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < evaluation->set->count; i++) {
        size_t index = evaluation->rows[i];
        const cm_formula *metric = &evaluation->set->formulas[index];
        const char *const texts[] = {metric->info.metric, metric->info.unit, metric->parent_name, metric->of_name};
        for (size_t j = 0; j < CM_COUNT_OF(texts); j++) {
            fputs(j > 0 ? "," : "", stream);
            cm_csv_write_cell(stream, texts[j]);
        }
        for (size_t run = 0; run < evaluation->run_count; run++) {
            const cm_cell *cell = &evaluation->cells[index * evaluation->run_count + run];
            char text[CM_NUMBER_TEXT_SIZE] = "";
            if (cell->state == CM_CELL_VALUE)
                cm_number_write(cell->value, text);
            fprintf(stream, ",%s", text);
        }
        fputc('\n', stream);
    }
    return CM_OK;
}

/* ---- for programs ---- */

/* A formula with its values, and the reasons for missing ones. */
static json_t *formula_json(const cm_evaluation *evaluation, size_t index)
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
static json_t *value_faults_json(const cm_evaluation *evaluation)
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
        metrics = cm_json_append(metrics, formula_json(evaluation, evaluation->rows[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.evaluate/1", "formulas",
                     cm_json_text(evaluation->set->file), "counts", cm_json_text(counted), "count_files",
                     cm_json_strings(evaluation->files, evaluation->file_count), "runs",
                     cm_json_strings((const char *const *)evaluation->counts->value_names, evaluation->run_count),
                     "metrics", metrics, "faults", value_faults_json(evaluation));
}
