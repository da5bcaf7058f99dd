#include <stdio.h>

#include <jansson.h>

#include "cli/formula_files.h"

/* What is said of all files. */
typedef struct lint_report {
    size_t files, faulty, definitions, faults;
    json_t *json; /* NULL: lines of text */
    bool refused; /* a file was */
} lint_report;

static void print_fault(const char *file, const cm_formula_fault *fault)
{
    printf("%s:%zu:", file, fault->line);
    if (fault->column != 0)
        printf("%zu:", fault->column);
    printf(" [%s] ", cm_fault_kind_name(fault->kind));
    if (fault->metric[0] != '\0')
        printf("%s: ", fault->metric);
    puts(fault->text);
}

static json_t *fault_json(const cm_formula_fault *fault)
{
    return json_pack("{s:I, s:o, s:s, s:o, s:s}", "line", (json_int_t)fault->line, "column",
                     fault->column != 0 ? json_integer((json_int_t)fault->column) : json_null(), "kind",
                     cm_fault_kind_name(fault->kind), "metric",
                     fault->metric[0] != '\0' ? json_string(fault->metric) : json_null(), "text", fault->text);
}

static void tell(const cm_formulas *formulas, const cm_lint *lint, lint_report *report)
{
    json_t *faults = report->json != NULL ? json_array() : NULL;
    for (size_t i = 0; i < cm_lint_count(lint); i++)
        if (report->json != NULL)
            json_array_append_new(faults, fault_json(cm_lint_get(lint, i)));
        else
            print_fault(cm_formulas_file(formulas), cm_lint_get(lint, i));
    if (report->json != NULL)
        json_array_append_new(report->json,
                              json_pack("{s:s, s:s, s:I, s:o}", "file", cm_formulas_file(formulas), "format",
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
    if (report->json != NULL) {
        json_t *document = json_pack("{s:s, s:O}", "schema", "catmint.lint/1", "files", report->json);
        if (document == NULL) {
            cli_say("out of memory");
            return CLI_IMPOSSIBLE;
        }
        json_dumpf(document, stdout, JSON_INDENT(2));
        putchar('\n');
        json_decref(document);
    }
    if (report->faults > 0)
        cli_say("%zu fault%s in %zu of %zu file%s, which define %zu metrics", report->faults,
                report->faults == 1 ? "" : "s", report->faulty, report->files, report->files == 1 ? "" : "s",
                report->definitions);
    return cli_finish_stdout(report->refused ? CLI_BAD_INPUT : report->faults > 0 ? CLI_PARTLY : CLI_DONE);
}

cli_exit cli_lint(const cli_options *options)
{
    cli_files files = {0};
    lint_report report = {0};
    cli_exit code = cli_formula_files(&options->operands, &files);
    if (code == CLI_DONE && options->format == CM_RESULTS_JSON)
        report.json = json_array();
    for (size_t i = 0; i < files.count && code == CLI_DONE; i++)
        code = lint_file(files.items[i], &report);
    if (code == CLI_DONE)
        code = finish(&report);
    json_decref(report.json);
    cli_files_free(&files);
    return code;
}
