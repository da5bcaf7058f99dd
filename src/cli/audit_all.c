/* The audit of a whole checkout: every processor whose formulas it has, by the model of it, from kept facts. */
#include "cli/sweeping.h"

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

cli_exit cli_audit_all(const cli_options *options)
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
