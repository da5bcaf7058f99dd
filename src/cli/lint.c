#include <stdio.h>

#include <catmint/text.h>

#include "cli/formula_files.h"
#include "cli/json.h"

/* What is said of all files. */
typedef struct lint_report {
    size_t files, faulty, definitions, faults;
    bool as_json; /* else lines of text */
    json_t *json; /* NULL: memory is short */
    bool refused; /* a file was */
} lint_report;

static void print_fault(const char *file, const cm_formula_fault *fault)
{
    cm_text_put(file, stdout);
    printf(":%zu:", fault->line);
    if (fault->column != 0)
        printf("%zu:", fault->column);
    printf(" [%s] ", cm_formula_fault_kind_name(fault->kind));
    cm_text_put(fault->metric, stdout);
    fputs(fault->metric[0] != '\0' ? ": " : "", stdout);
    cm_text_put(fault->text, stdout);
    putchar('\n');
}

static json_t *fault_json(const cm_formula_fault *fault)
{
    return json_pack("{s:I, s:o, s:s, s:o, s:o}", "line", (json_int_t)fault->line, "column",
                     fault->column != 0 ? json_integer((json_int_t)fault->column) : json_null(), "kind",
                     cm_formula_fault_kind_name(fault->kind), "metric",
                     fault->metric[0] != '\0' ? cli_json_text(fault->metric) : json_null(), "text",
                     cli_json_text(fault->text));
}

static void tell(const cm_formulas *formulas, const cm_lint *lint, lint_report *report)
{
    json_t *faults = report->as_json ? json_array() : NULL;
    for (size_t i = 0; i < cm_lint_count(lint); i++)
        if (report->as_json)
            faults = cli_json_append(faults, fault_json(cm_lint_get(lint, i)));
        else
            print_fault(cm_formulas_file(formulas), cm_lint_get(lint, i));
    if (report->as_json)
        report->json = cli_json_append(
            report->json, json_pack("{s:o, s:s, s:I, s:o}", "file", cli_json_text(cm_formulas_file(formulas)), "format",
                                    cm_formula_format_name(cm_formulas_format(formulas)), "definitions",
                                    (json_int_t)cm_formulas_count(formulas), "faults", faults));
    report->files++;
    report->faulty += cm_lint_count(lint) > 0;
    report->faults += cm_lint_count(lint);
    report->definitions += cm_formulas_count(formulas);
}

/* A file that cannot be read is said, and the next one taken. */
static cli_exit lint_file(const char *path, lint_report *report)
{
    cm_formulas *formulas = NULL;
    cm_lint *lint = NULL;
    cm_error error;
    cm_status status = cm_formulas_load(path, CM_FORMULAS_AUTO, &formulas, &error);
    if (status == CM_OK)
        status = cm_lint_create(formulas, &lint, &error);
    if (status == CM_OK)
        tell(formulas, lint, report);
    cm_lint_free(lint);
    cm_formulas_free(formulas);
    if (status == CM_OK)
        return CLI_DONE;
    cli_exit code = cli_fail(&error);
    report->refused |= code == CLI_BAD_INPUT;
    return code == CLI_BAD_INPUT ? CLI_DONE : code;
}

static cli_exit finish(const lint_report *report)
{
    if (report->as_json &&
        cli_json_print(json_pack("{s:s, s:O}", "schema", "catmint.lint/1", "files", report->json)) != CLI_DONE)
        return CLI_IMPOSSIBLE;
    if (report->faults > 0)
        cli_say("%zu fault%s in %zu of %zu file%s, which define %zu metrics", report->faults,
                report->faults == 1 ? "" : "s", report->faulty, report->files, report->files == 1 ? "" : "s",
                report->definitions);
    return cli_finish_stdout(report->refused ? CLI_BAD_INPUT : report->faults > 0 ? CLI_PARTLY : CLI_DONE);
}

cli_exit cli_lint(const cli_options *options)
{
    cli_files files = {0};
    lint_report report = {.as_json = options->format == CM_FORMAT_JSON};
    cli_exit code = cli_formula_files(&options->operands, &files);
    if (code == CLI_DONE && report.as_json)
        report.json = json_array();
    for (size_t i = 0; i < files.count && code == CLI_DONE; i++)
        code = lint_file(files.items[i], &report);
    if (code == CLI_DONE)
        code = finish(&report);
    json_decref(report.json);
    cli_files_free(&files);
    return code;
}
