#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/options.h"
#include "core/files.h"

static cli_exit code_of(const cm_audit *audit)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    for (size_t i = 0; i < cm_audit_fault_count(audit); i++)
        cli_say("%s", cm_error_format(cm_audit_fault(audit, i), text, sizeof text));
    if (cm_audit_fault_count(audit) > 0)
        return CLI_BAD_INPUT;
    return cm_audit_verdicts(audit, CM_VERDICT_WRONG) > 0 ? CLI_PARTLY : CLI_DONE;
}

static cli_exit check_formulas(const cm_audit *audit, const cli_options *options)
{
    const cli_list checkout = {.count = 1, .items = (const char **)&options->upstream};
    const cli_list *where = options->upstream != NULL ? &checkout : &options->operands;
    if (cm_audit_count(audit) > 0 || cm_audit_fault_count(audit) > 0)
        return CLI_DONE;
    return options->section != NULL
               ? cli_find_nothing(where, "no formula here is in a section that matches '%s'", options->section)
               : cli_find_nothing(where, "no formulas here, expected one at least");
}

/* Writes the audit to --output or stdout, and returns the exit code of its verdicts. */
static cli_exit write_audit(const cm_audit *audit, const cli_options *options)
{
    cm_error error;
    if (options->output != NULL) {
        const cm_style style = {.format = options->format};
        cm_status status = cm_audit_save(audit, &style, options->output, &error);
        return status == CM_OK ? code_of(audit) : cli_fail_writing(&error);
    }
    const cm_style style = {options->format, cli_width(stdout), cli_colour(stdout)};
    if (cm_audit_write(audit, &style, stdout, &error) == CM_OK)
        return cli_finish_stdout(code_of(audit));
    clearerr(stdout); /* the error is reported below */
    return cli_fail_writing(&error);
}

/* Whether the options choose the basis and signatures of a table, by its benchmark or by themselves. */
static bool says_tables(const cli_options *options)
{
    return options->benchmarks.count > 0 || options->basis != NULL || options->signatures != NULL;
}

static bool says_thresholds(const cli_options *options)
{
    return options->tau_auto || options->alpha_auto || !isnan(options->tau) || !isnan(options->alpha) ||
           !isnan(options->residual);
}

/* Whether a file begins as JSON does. */
static bool is_json(const char *path)
{
    FILE *file = cm_input_stream(path);
    int first = file != NULL ? fgetc(file) : EOF;
    while (first != EOF && isspace(first))
        first = fgetc(file);
    if (file != NULL)
        fclose(file);
    return first == '{' || first == '[';
}

/* Whether the path is a sweep or a table, which must be analysed first. */
static bool is_counted(const char *path, const cli_options *options)
{
    struct stat found;
    size_t length = strlen(path);
    bool table = says_tables(options) || (length > 4 && strcmp(path + length - 4, ".csv") == 0);
    return (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) || (table && !is_json(path));
}

cli_exit cli_audit(const cli_options *options)
{
    if (options->against == NULL) {
        cli_say("audit needs --against DIR, FILE.csv or RESULTS.json; see 'catmint audit --help'");
        return CLI_USAGE;
    }
    bool counted = is_counted(options->against, options);
    if (!counted && (says_tables(options) || says_thresholds(options))) {
        cli_say("%s: results in JSON say how they were analysed; --benchmark, --basis, --signatures and thresholds are "
                "for a sweep or a table",
                options->against);
        return CLI_USAGE;
    }
    if (options->cpus.count > (options->upstream != NULL)) {
        cli_say(options->upstream != NULL ? "--cpu is given twice, expected one name" : "--cpu is for --upstream");
        return CLI_USAGE;
    }
    cm_formula_files files = {0};
    cm_audit *audit = NULL;
    cm_results *results = NULL;
    cm_error error;
    cli_exit code = cli_check_output(options);
    if (code == CLI_DONE && options->upstream == NULL && cli_find_formulas(options, &files, &error) != CM_OK)
        code = cli_fail(&error);
    for (size_t i = 0; i < files.count && options->output != NULL && code == CLI_DONE; i++)
        if (cli_replaces(options, files.items[i]))
            code = CLI_IMPOSSIBLE;
    if (code == CLI_DONE && counted)
        code = cli_analyze_into(options->against, options, &results);
    if (code == CLI_DONE) {
        const cm_audit_options audited = {.formulas = (const char *const *)files.items,
                                          .formula_count = files.count,
                                          .against = options->against,
                                          .results = results,
                                          .map = options->map,
                                          .section = options->section,
                                          .upstream = options->upstream,
                                          .cpu = options->cpus.count > 0 ? options->cpus.items[0] : NULL};
        cm_status status = cm_audit_create(&audited, &audit, &error);
        if (status == CM_OK)
            cli_note_unfinished(options->against);
        if (status == CM_OK && cm_audit_by_paper(audit))
            cli_say("%s: found by the paper's method, which has no control kernels: formulas are not held to any",
                    options->against);
        code = status == CM_OK ? check_formulas(audit, options) : cli_fail(&error);
        code = code == CLI_DONE ? write_audit(audit, options) : code;
    }
    cm_audit_free(audit);
    cm_results_free(results);
    cm_formula_files_clear(&files);
    return code;
}
