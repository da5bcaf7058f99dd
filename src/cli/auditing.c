/* Audits against results, or against a model's events counted from facts. */
#include "cli/sweeping.h"

cli_exit cli_audit_code(const cm_audit *audit)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    for (size_t i = 0; i < cm_audit_fault_count(audit); i++)
        cli_write("%s", cm_error_format(cm_audit_fault(audit, i), text, sizeof text));
    for (size_t i = 0; i < cm_audit_wrong_unit_count(audit); i++)
        cli_write("%s", cm_error_format(cm_audit_wrong_unit(audit, i), text, sizeof text));
    if (cm_audit_fault_count(audit) > 0)
        return CLI_BAD_INPUT;
    return cm_audit_verdicts(audit, CM_VERDICT_WRONG) + cm_audit_wrong_unit_count(audit) > 0 ? CLI_PARTLY : CLI_DONE;
}

/* Analyses a model's events, counted from facts. */
static cli_exit analyze_model(const char *model, const cli_options *options, cm_results **results)
{
    char directory[CLI_PATH_SIZE];
    cli_exit code = cli_make_temporary(directory);
    if (code != CLI_DONE)
        return code;
    code = cli_take_facts(model, options, directory);
    CM_THEN(code, cli_analyze_into(directory, options, results));
    cli_remove_temporary(directory);
    return code;
}

cli_exit cli_audit_against(const cm_formula_files *files, const char *against, const char *cpu,
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
        cli_write("%s: found by the paper's method, which has no control kernels: formulas are not held to any",
                  against);
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
    CM_THEN(code, cli_audit_against(files, against, cpu_of(known, model), results, options, audit));
    cm_results_free(results);
    cm_upstream_list_free(known);
    return code;
}
