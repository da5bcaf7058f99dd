/* catmint audit: verdicts on formulas. */
#include "cli/sweeping.h"
#include "cli/options.h"

/* Audits one processor's formulas, and keeps the audit if there were any: a checkout need not have all processors. */
static cli_exit audit_one(const char *cpu, const char *model, const cli_options *options, cm_processor_audits *audits)
{
    cm_audit *audit = NULL;
    const char *items[] = {cpu};
    cli_options chosen = *options;
    chosen.cpus = (cli_list){.count = 1, .items = items};
    cli_exit code = cli_audit_model(model, &(cm_formula_files){0}, &chosen, &audit);
    if (code == CLI_DONE && cm_audit_count(audit) + cm_audit_fault_count(audit) > 0)
        audits->items[audits->count++] = (cm_processor_audit){cpu, model, audit};
    else
        cm_audit_free(audit);
    return code;
}

/* Writes all audits to --output or stdout. */
static cli_exit write_audits(const cm_processor_audits *audits, const cli_options *options)
{
    cm_error error;
    cli_exit code = CLI_DONE;
    for (size_t i = 0; i < audits->count; i++) {
        cli_exit one = cli_audit_code(audits->items[i].audit);
        code = one > code ? one : code;
    }
    cm_status status = CLI_WRITE(cm_audits, audits, options->format, options, stdout, &error);
    return status == CM_OK ? cli_finish_stdout(code) : cli_finish_writing(status, &error);
}

/* Audits the formulas of every processor that a checkout has, by its model. */
static cli_exit audit_all(const cli_options *options)
{
    cm_upstream_list *list = NULL;
    cm_processor_audits audits = {0};
    cm_error error;
    cli_exit code = cli_check_output(options);
    if (code == CLI_DONE && cm_upstream_list_create(options->upstream, options->section, &list, &error) != CM_OK)
        return cli_fail(&error);
    const size_t count = code == CLI_DONE ? cm_upstream_list_count(list) : 0;
    audits.items = calloc(count + 1, sizeof *audits.items);
    if (code == CLI_DONE && audits.items == NULL)
        code = cli_fail(&(cm_error){.status = CM_NO_MEMORY, .text = "out of memory"});
    if (code == CLI_DONE)
        audits.unmodelled_count = cm_upstream_list_unmodelled(list, &audits.unmodelled);
    for (size_t i = 0; i < count && code == CLI_DONE; i++)
        if (cm_upstream_list_model(list, i) != NULL)
            code = audit_one(cm_upstream_list_cpu(list, i), cm_upstream_list_model(list, i), options, &audits);
    if (code == CLI_DONE && audits.count == 0 && options->section != NULL)
        code = cli_find_nothing(&(cli_list){.count = 1, .items = (const char **)&options->upstream},
                                "no formula here is in a section that matches '%s'", options->section);
    else if (code == CLI_DONE && audits.count == 0) {
        cli_write("%s: no formulas here, expected a checkout of perf's pmu-events, perfmon, LIKWID or PAPI",
                  options->upstream);
        code = CLI_BAD_INPUT;
    }
    CM_THEN(code, write_audits(&audits, options));
    for (size_t i = 0; i < audits.count; i++)
        cm_audit_free((cm_audit *)(uintptr_t)audits.items[i].audit);
    free(audits.items);
    cm_upstream_list_free(list);
    return code;
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
    cm_status status = CLI_WRITE(cm_audit, audit, options->format, options, stdout, &error);
    if (status != CM_OK)
        return cli_finish_writing(status, &error);
    return cli_finish_stdout(cli_audit_code(audit));
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
static bool is_sweep_or_table(const char *path, const cli_options *options)
{
    size_t length = strlen(path);
    bool table = says_tables(options) || (length > 4 && strcmp(path + length - 4, ".csv") == 0);
    return cm_path_is_directory(path) || (table && !is_json(path));
}

/* Refuses options that do not go together. */
static cli_exit check_audit_options(const cli_options *options, const char *model, bool counted)
{
    if (options->against != NULL && (model != NULL || options->facts != NULL))
        return cli_end(CLI_USAGE, "--against excludes --pmu and --facts");
    if (!counted && (says_tables(options) || says_thresholds(options)))
        return cli_end(
            CLI_USAGE,
            "%s: results in JSON say how they were analysed; --benchmark, --basis, --signatures, --controls and "
            "thresholds are "
            "for a sweep or a table",
            options->against);
    if (!cli_columns_go_together(options))
        return CLI_USAGE;
    if (options->metric_column != NULL && options->upstream != NULL)
        return cli_end(CLI_USAGE, "--upstream excludes --metric-column");
    if (options->cpus.count > (options->upstream != NULL))
        return cli_end(CLI_USAGE, options->upstream != NULL ? "--cpu is given twice, expected one name"
                                                            : "--cpu is for --upstream");
    return CLI_DONE;
}

/* Audits against --against. */
static cli_exit audit_counted(const cm_formula_files *files, bool counted, const cli_options *options, cm_audit **audit)
{
    cm_results *results = NULL;
    cli_exit code = counted ? cli_analyze_into(options->against, options, &results) : CLI_DONE;
    CM_THEN(code, cli_audit_against(files, options->against, NULL, results, options, audit));
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
        return cli_end(CLI_USAGE, "catmint has no model of '%s', or %s no formulas of it: name a sweep with --against",
                       cpu, options->upstream);
    return cli_end(
        CLI_USAGE,
        "audit needs --against DIR, FILE.csv or RESULTS.json, or --pmu software:MODEL; see 'catmint audit --help'");
}

cli_exit cli_audit(const cli_options *options)
{
    cm_upstream_list *list = NULL;
    const char *model = NULL;
    if (options->upstream != NULL && options->against == NULL && options->pmu_text == NULL && options->cpus.count == 0)
        return audit_all(options);
    cm_error error;
    if (options->upstream != NULL && cm_upstream_list_create(options->upstream, NULL, &list, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = choose_model(options, list, &model);
    bool counted = model != NULL || (code == CLI_DONE && is_sweep_or_table(options->against, options));
    cm_formula_files files = {0};
    cm_audit *audit = NULL;
    CM_THEN(code, check_audit_options(options, model, counted));
    CM_THEN(code, cli_check_output(options));
    if (code == CLI_DONE && options->upstream == NULL && cli_find_formulas(options, &files, &error) != CM_OK)
        code = cli_fail(&error);
    for (size_t i = 0; i < files.count && options->output != NULL && code == CLI_DONE; i++)
        if (cli_replaces(options, files.items[i]))
            code = CLI_IMPOSSIBLE;
    CM_THEN(code, model != NULL ? cli_audit_model(model, &files, options, &audit)
                                : audit_counted(&files, counted, options, &audit));
    CM_THEN(code, check_formulas(audit, options));
    CM_THEN(code, write_audit(audit, options));
    cm_audit_free(audit);
    cm_formula_files_clear(&files);
    cm_upstream_list_free(list);
    return code;
}
