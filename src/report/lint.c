/* Findings in files of formulas. */
#include "report/report.h"

/* A finding as compilers write theirs, file:line:column, so that editors jump to it. */
static void write_fault(const char *file, const cm_formula_fault *fault, FILE *stream)
{
    cm_text_write(file, stream);
    fprintf(stream, ":%zu:", fault->line);
    if (fault->column != 0)
        fprintf(stream, "%zu:", fault->column);
    fprintf(stream, " [%s] ", cm_formula_fault_kind_name(fault->kind));
    cm_text_write(fault->metric, stream);
    fputs(fault->metric[0] != '\0' ? ": " : "", stream);
    cm_text_write(fault->text, stream);
    fputc('\n', stream);
}

static json_t *fault_json(const cm_formula_fault *fault)
{
    return json_pack("{s:I, s:o, s:s, s:o, s:o}", "line", (json_int_t)fault->line, "column",
                     fault->column != 0 ? json_integer((json_int_t)fault->column) : json_null(), "kind",
                     cm_formula_fault_kind_name(fault->kind), "metric", cm_json_name(fault->metric), "text",
                     cm_json_text(fault->text));
}

static cm_status write_lines(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    (void)error;
    const cm_linted_files *all = content;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < cm_lint_count(all->files[i].lint); k++)
            write_fault(cm_formulas_file(all->files[i].formulas), cm_lint_get(all->files[i].lint, k), stream);
    return CM_OK;
}

static json_t *file_json(const cm_linted_file *file)
{
    json_t *faults = json_array();
    for (size_t i = 0; i < cm_lint_count(file->lint); i++)
        faults = cm_json_append(faults, fault_json(cm_lint_get(file->lint, i)));
    return json_pack("{s:o, s:s, s:I, s:o}", "file", cm_json_text(cm_formulas_file(file->formulas)), "format",
                     cm_formulas_format_title(file->formulas), "definitions",
                     (json_int_t)cm_formulas_count(file->formulas), "faults", faults);
}

static json_t *to_json(const void *content)
{
    const cm_linted_files *all = content;
    json_t *files = json_array();
    for (size_t i = 0; i < all->count; i++)
        files = cm_json_append(files, file_json(&all->files[i]));
    return json_pack("{s:s, s:o}", "schema", "catmint.lint/1", "files", files);
}

cm_status cm_lint_write(const cm_linted_file *files, size_t count, const cm_output_style *style, FILE *stream,
                        cm_error *error)
{
    const cm_linted_files all = {files, count};
    static const cm_report report = {"faults",
                                     to_json,
                                     {[CM_FORMAT_TABLE] = write_lines,
                                      [CM_FORMAT_GITHUB] = cm_lint_write_annotations,
                                      [CM_FORMAT_SARIF] = cm_lint_write_sarif}};
    return cm_report_write(&report, &all, style, stream, error);
}
