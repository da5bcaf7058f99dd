/* Values for people, as an indented tree. */
#include "report/report.h"

enum { INDENT = 2, GAP = 2, LEAST = 7 };

/* From red, 0, to green, 1. */
static const int shades[] = {203, 209, 215, 221, 227, 191, 155, 119};
enum { SHADES = sizeof shades / sizeof shades[0] };

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
static void write_cell(const cm_evaluation *evaluation, size_t metric, size_t run, int width, bool colour, FILE *stream)
{
    char text[32];
    const cm_cell *cell = &evaluation->cells[metric * evaluation->run_count + run];
    cell_text(evaluation, metric, run, text, sizeof text);
    bool shaded = colour && cell->state == CM_CELL_VALUE && evaluation->set->formulas[metric].of != CM_FORMULAS_NONE;
    if (!shaded) {
        fprintf(stream, "%*s%*s", GAP, "", width, text);
        return;
    }
    double value = cell->value < 0.0 ? 0.0 : cell->value > 1.0 ? 1.0 : cell->value;
    fprintf(stream, "%*s\033[30;48;5;%dm%*s\033[0m", GAP, "", shades[(int)(value * (SHADES - 1) + 0.5)], width, text);
}

static size_t name_width(const cm_evaluation *evaluation)
{
    size_t width = strlen("Metric");
    for (size_t i = 0; i < evaluation->set->count; i++) {
        const cm_formula *metric = &evaluation->set->formulas[i];
        size_t wanted = INDENT * metric->depth + cm_text_width(metric->info.metric);
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
        pad_columns(stream, GAP + widths[run] - cm_text_width(name));
        cm_text_write(name, stream);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < evaluation->set->count; i++) {
        const cm_formula *metric = &evaluation->set->formulas[evaluation->rows[i]];
        pad_columns(stream, INDENT * metric->depth);
        cm_text_write(metric->info.metric, stream);
        pad_columns(stream, names - INDENT * metric->depth - cm_text_width(metric->info.metric));
        for (size_t run = begin; run < end; run++)
            write_cell(evaluation, evaluation->rows[i], run, (int)widths[run], colour, stream);
        fputc('\n', stream);
    }
}

cm_status cm_evaluation_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_evaluation *evaluation = content;
    size_t names = name_width(evaluation);
    size_t *widths = calloc(evaluation->run_count, sizeof *widths);
    if (widths == NULL)
        return cm_error_no_memory(error);
    for (size_t run = 0; run < evaluation->run_count; run++)
        widths[run] = run_width(evaluation, run);
    for (size_t begin = 0, end; begin < evaluation->run_count; begin = end) {
        size_t used = names + GAP + widths[begin];
        for (end = begin + 1; end < evaluation->run_count; end++) {
            used += GAP + widths[end];
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
