#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"
#include "cli/sweeping.h"
#include "cli/options.h"
#include "core/files.h"

cli_exit cli_audit_code(const cm_audit *audit)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    for (size_t i = 0; i < cm_audit_fault_count(audit); i++)
        cli_say("%s", cm_error_format(cm_audit_fault(audit, i), text, sizeof text));
    for (size_t i = 0; i < cm_audit_wrong_unit_count(audit); i++)
        cli_say("%s", cm_error_format(cm_audit_wrong_unit(audit, i), text, sizeof text));
    if (cm_audit_fault_count(audit) > 0)
        return CLI_BAD_INPUT;
    return cm_audit_verdicts(audit, CM_VERDICT_WRONG) + cm_audit_wrong_unit_count(audit) > 0 ? CLI_PARTLY : CLI_DONE;
}

static cli_exit check_formulas(const cm_audit *audit, const cli_options *options)
{
    const cli_list checkout = {.count = 1, .items = (const char **)&options->upstream};
    const cli_list *searched = options->upstream != NULL ? &checkout : &options->operands;
    if (cm_audit_count(audit) > 0 || cm_audit_fault_count(audit) > 0)
        return CLI_DONE;
    return options->section != NULL
               ? cli_find_nothing(searched, "no formula here is in a section that matches '%s'", options->section)
               : cli_find_nothing(searched, "no formulas here, expected one at least");
}

/* Writes the audit to --output or stdout, and returns the exit code of its verdicts. */
static cli_exit write_audit(const cm_audit *audit, const cli_options *options)
{
    cm_error error;
    if (options->output != NULL) {
        const cm_output_style style = {.format = options->format};
        cm_status status = cm_audit_save(audit, &style, options->output, &error);
        return status == CM_OK ? cli_audit_code(audit) : cli_fail_writing(&error);
    }
    const cm_output_style style = {options->format, cli_width(stdout), cli_colour(stdout)};
    if (cm_audit_write(audit, &style, stdout, &error) == CM_OK)
        return cli_finish_stdout(cli_audit_code(audit));
    clearerr(stdout); /* the error is reported below */
    return cli_fail_writing(&error);
}

/* Whether the options choose the basis and signatures of a table, by its benchmark or by themselves. */
static bool says_tables(const cli_options *options)
{
    return options->benchmarks.count > 0 || options->basis != NULL || options->signatures != NULL ||
           options->controls != NULL;
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

/* Refuses options that do not go together. */
static cli_exit check_options(const cli_options *options, const char *model, bool counted)
{
    if (options->against != NULL && (model != NULL || options->facts != NULL)) {
        cli_say("--against excludes --pmu and --facts");
        return CLI_USAGE;
    }
    if (!counted && (says_tables(options) || says_thresholds(options))) {
        cli_say("%s: results in JSON say how they were analysed; --benchmark, --basis, --signatures, --controls and "
                "thresholds are "
                "for a sweep or a table",
                options->against);
        return CLI_USAGE;
    }
    if (!cli_columns_go_together(options))
        return CLI_USAGE;
    if (options->metric_column != NULL && options->upstream != NULL) {
        cli_say("--upstream excludes --metric-column");
        return CLI_USAGE;
    }
    if (options->cpus.count > (options->upstream != NULL)) {
        cli_say(options->upstream != NULL ? "--cpu is given twice, expected one name" : "--cpu is for --upstream");
        return CLI_USAGE;
    }
    return CLI_DONE;
}

/* Analyses a model's events, counted from facts. */
static cli_exit analyze_model(const char *model, const cli_options *options, cm_results **results)
{
    char directory[CLI_PATH_SIZE];
    cli_exit code = cli_make_temporary(directory);
    if (code != CLI_DONE)
        return code;
    code = cli_take_facts(model, options, directory);
    if (code == CLI_DONE)
        code = cli_analyze_into(directory, options, results);
    cli_remove_temporary(directory);
    return code;
}

/* Audits against results, or against the file or directory `against`, and leaves the audit to the caller. */
static cli_exit audit_against(const cm_formula_files *files, const char *against, const char *cpu,
                              const cm_results *results, const cli_options *options, cm_audit **audit)
{
    cm_error error;
    const cm_formula_columns columns = cli_columns(options);
    const cm_audit_options audited = {.size = sizeof audited,
                                      .formulas = (const char *const *)files->items,
                                      .formula_count = files->count,
                                      .against = against,
                                      .results = results,
                                      .basis = options->basis,
                                      .controls = options->controls,
                                      .map = options->map,
                                      .section = options->section,
                                      .upstream = options->upstream,
                                      .columns = columns.metric != NULL ? &columns : NULL,
                                      .cpu = options->cpus.count > 0 ? options->cpus.items[0] : cpu};
    if (cm_audit_create(&audited, audit, &error) != CM_OK)
        return cli_fail(&error);
    cli_note_unfinished(against);
    if (cm_audit_by_paper(*audit))
        cli_say("%s: found by the paper's method, which has no control kernels: formulas are not held to any", against);
    return CLI_DONE;
}

/* A processor of the model; NULL: none. */
static const char *cpu_of(const cm_upstream_list *list, const char *model)
{
    for (size_t i = 0; i < cm_upstream_list_count(list); i++)
        if (cm_upstream_list_model(list, i) != NULL && strcmp(cm_upstream_list_model(list, i), model) == 0)
            return cm_upstream_list_cpu(list, i);
    return NULL;
}

cli_exit cli_audit_model(const char *model, const cm_formula_files *files, const cli_options *options, cm_audit **audit)
{
    char against[CLI_PATH_SIZE];
    cm_results *results = NULL;
    cm_upstream_list *known = NULL;
    cm_error error;
    snprintf(against, sizeof against, "software:%s", model);
    if (cm_upstream_list_create(NULL, NULL, &known, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = analyze_model(model, options, &results);
    if (code == CLI_DONE)
        code = audit_against(files, against, cpu_of(known, model), results, options, audit);
    cm_results_free(results);
    cm_upstream_list_free(known);
    return code;
}

/* Audits against --against. */
static cli_exit audit_counted(const cm_formula_files *files, bool counted, const cli_options *options, cm_audit **audit)
{
    cm_results *results = NULL;
    cli_exit code = counted ? cli_analyze_into(options->against, options, &results) : CLI_DONE;
    if (code == CLI_DONE)
        code = audit_against(files, options->against, NULL, results, options, audit);
    cm_results_free(results);
    return code;
}

/* The model of --pmu, else of the processor of --cpu; NULL: --against has the counts. */
static cli_exit choose_model(const cli_options *options, const cm_upstream_list *list, const char **model)
{
    *model = cli_software_model(options);
    if (options->against != NULL || *model != NULL)
        return CLI_DONE;
    const char *cpu = options->cpus.count == 1 && list != NULL ? options->cpus.items[0] : NULL;
    for (size_t i = 0; cpu != NULL && *model == NULL && i < cm_upstream_list_count(list); i++)
        if (strcmp(cm_upstream_list_cpu(list, i), cpu) == 0)
            *model = cm_upstream_list_model(list, i);
    if (*model != NULL)
        return CLI_DONE;
    if (cpu != NULL)
        cli_say("catmint has no model of '%s', or %s no formulas of it: name a sweep with --against", cpu,
                options->upstream);
    else
        cli_say("audit needs --against DIR, FILE.csv or RESULTS.json, or --pmu software:MODEL; see 'catmint audit "
                "--help'");
    return CLI_USAGE;
}

cli_exit cli_audit(const cli_options *options)
{
    cm_upstream_list *list = NULL;
    const char *model = NULL;
    if (options->upstream != NULL && options->against == NULL && options->pmu_text == NULL && options->cpus.count == 0)
        return cli_audit_all(options);
    cm_error error;
    if (options->upstream != NULL && cm_upstream_list_create(options->upstream, NULL, &list, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = choose_model(options, list, &model);
    bool counted = model != NULL || (code == CLI_DONE && is_counted(options->against, options));
    cm_formula_files files = {0};
    cm_audit *audit = NULL;
    if (code == CLI_DONE)
        code = check_options(options, model, counted);
    if (code == CLI_DONE)
        code = cli_check_output(options);
    if (code == CLI_DONE && options->upstream == NULL && cli_find_formulas(options, &files, &error) != CM_OK)
        code = cli_fail(&error);
    for (size_t i = 0; i < files.count && options->output != NULL && code == CLI_DONE; i++)
        if (cli_replaces(options, files.items[i]))
            code = CLI_IMPOSSIBLE;
    if (code == CLI_DONE)
        code = model != NULL ? cli_audit_model(model, &files, options, &audit)
                             : audit_counted(&files, counted, options, &audit);
    if (code == CLI_DONE)
        code = check_formulas(audit, options);
    code = code == CLI_DONE ? write_audit(audit, options) : code;
    cm_audit_free(audit);
    cm_formula_files_clear(&files);
    cm_upstream_list_free(list);
    return code;
}
