/* Findings in files of formulas. */
#include "report/report.h"

#include <catmint/version.h>

/* ---- annotations of GitHub's workflows ---- */

/* Writes text for a workflow command: `special` characters, per cent signs and line ends by their codes. Source:
 * GitHub's documentation, "Workflow commands for GitHub Actions". */
static void write_escaped(const char *text, const char *special, FILE *stream)
{
    for (; *text != '\0'; text++)
        if (strchr("%\r\n", *text) != NULL || strchr(special, *text) != NULL)
            fprintf(stream, "%%%02X", (unsigned)(unsigned char)*text);
        else
            fputc(*text, stream);
}

/* A finding as a command of GitHub's workflows, which marks the line in the change. */
static void write_annotation(const char *file, const cm_formula_fault *fault, FILE *stream)
{
    fprintf(stream, "::%s file=", cm_formula_fault_is_error(fault->kind) ? "error" : "warning");
    write_escaped(file, ":,", stream);
    fprintf(stream, ",line=%zu", fault->line);
    if (fault->column != 0)
        fprintf(stream, ",col=%zu", fault->column);
    fprintf(stream, ",title=catmint (%s)::", cm_formula_fault_kind_name(fault->kind));
    write_escaped(fault->metric, "", stream);
    fputs(fault->metric[0] != '\0' ? ": " : "", stream);
    write_escaped(fault->text, "", stream);
    fputc('\n', stream);
}

/* Both are cm_report_form; `content` is a cm_linted_files. */
static cm_status lint_write_annotations(const void *content, const cm_output_style *style, FILE *stream,
                                        cm_error *error)
{
    const cm_linted_files *all = content;
    (void)style;
    (void)error;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < cm_lint_count(all->files[i].lint); k++)
            write_annotation(cm_formulas_file(all->files[i].formulas), cm_lint_get(all->files[i].lint, k), stream);
    return CM_OK;
}

/* ---- SARIF ---- */

/* A path as a URI: every byte but letters, digits and harmless signs by its code. */
static json_t *uri_json(const char *path)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    json_t *parts = json_string("");
    for (; *path != '\0' && parts != NULL; path++) {
        json_t *longer = strchr(plain, *path) != NULL
                             ? json_sprintf("%s%c", json_string_value(parts), *path)
                             : json_sprintf("%s%%%02X", json_string_value(parts), (unsigned)(unsigned char)*path);
        json_decref(parts);
        parts = longer;
    }
    return parts;
}

static json_t *region_json(const cm_formula_fault *fault)
{
    json_t *region = json_pack("{s:I}", "startLine", (json_int_t)fault->line);
    return fault->column != 0 ? cm_json_set(region, "startColumn", json_integer((json_int_t)fault->column)) : region;
}

/* A fault as a result. */
static json_t *result_json(const char *file, const cm_formula_fault *fault)
{
    json_t *text =
        fault->metric[0] != '\0' ? json_sprintf("%s: %s", fault->metric, fault->text) : cm_json_text(fault->text);
    if (text == NULL)
        text = cm_json_text(fault->text); /* a name may not be UTF-8 */
    return json_pack("{s:s, s:I, s:s, s:{s:o}, s:[{s:{s:{s:o}, s:o}}]}", "ruleId",
                     cm_formula_fault_kind_name(fault->kind), "ruleIndex", (json_int_t)fault->kind, "level",
                     cm_formula_fault_is_error(fault->kind) ? "error" : "warning", "message", "text", text, "locations",
                     "physicalLocation", "artifactLocation", "uri", uri_json(file), "region", region_json(fault));
}

/* All kinds of faults, as rules. */
static json_t *rules_json(void)
{
    json_t *rules = json_array();
    for (int kind = 0; kind <= CM_FAULT_QUANTITY; kind++)
        rules = cm_json_append(
            rules, json_pack("{s:s, s:{s:s}}", "id", cm_formula_fault_kind_name((cm_formula_fault_kind)kind),
                             "shortDescription", "text", cm_formula_fault_kind_name((cm_formula_fault_kind)kind)));
    return rules;
}

/* Writes SARIF 2.1.0, as code scanning reads it. */
static cm_status lint_write_sarif(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    const cm_linted_files *all = content;
    json_t *results = json_array();
    (void)style;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < cm_lint_count(all->files[i].lint); k++)
            results = cm_json_append(
                results, result_json(cm_formulas_file(all->files[i].formulas), cm_lint_get(all->files[i].lint, k)));
    json_t *tool =
        json_pack("{s:{s:s, s:s, s:o}}", "driver", "name", "catmint", "version", cm_version(), "rules", rules_json());
    return cm_json_print(json_pack("{s:s, s:s, s:[{s:o, s:s, s:o}]}", "$schema",
                                   "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0", "runs", "tool",
                                   tool, "columnKind", "unicodeCodePoints", "results", results),
                         stream, error);
}

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

static json_t *linted_files_json(const void *content)
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
    static const cm_report report = {"faults", linted_files_json,
                                     .forms = {[CM_FORMAT_TABLE] = write_lines,
                                               [CM_FORMAT_GITHUB] = lint_write_annotations,
                                               [CM_FORMAT_SARIF] = lint_write_sarif}};
    return cm_report_write(&report, &all, style, stream, error);
}
