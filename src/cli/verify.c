#include "cli/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"

static const char model_name[] = "data/pmu/golden-cove"; /* its predictor and caches: those of --pmu software */

static cm_status verify_benchmark(const char *benchmark, const char *facts, const cm_pmu_machine *machine,
                                  cm_verification **verification, cm_error *error)
{
    char name[128];
    snprintf(name, sizeof name, "bases/%s.csv", benchmark);
    char *path = NULL;
    cm_basis *basis = NULL;
    cm_status status = cm_data_path(name, &path, error);
    if (status == CM_OK)
        status = cm_basis_load(path, &basis, error);
    if (status == CM_OK)
        status = cm_verify(benchmark, basis, facts, machine, verification, error);
    cm_basis_free(basis);
    free(path);
    return status;
}

/* All of them, before anything is printed: a faulty file leaves no partial output. */
static cli_exit verify_all(const cli_list *benchmarks, const char *facts, const cm_pmu_machine *machine,
                           cm_verification **verifications)
{
    for (size_t i = 0; i < benchmarks->count; i++) {
        cm_error error;
        if (verify_benchmark(benchmarks->items[i], facts, machine, &verifications[i], &error) != CM_OK)
            return cli_fail(&error);
        if (*cli_interrupt_flag() != 0) {
            cli_say("interrupted");
            return CLI_INTERRUPTED;
        }
    }
    return CLI_DONE;
}

static cli_exit print_all(cm_verification *const *verifications, size_t count)
{
    const cm_style style = {.format = CM_FORMAT_TABLE, .width = cli_width(stdout)};
    cm_error error;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += verifications[i]->failures;
    cli_exit code = cli_finish_writing(cm_verifications_write(verifications, count, &style, stdout, &error), &error);
    if (code != CLI_DONE || wrong == 0)
        return code;
    cli_say("kernels that do not match their row of the basis: %zu", wrong);
    return CLI_PARTLY;
}

static cli_exit verify_and_print(const cli_list *benchmarks, const char *facts, const cm_pmu_machine *machine)
{
    cm_verification **verifications = calloc(benchmarks->count + 1, sizeof(cm_verification *));
    if (verifications == NULL) {
        cli_say("out of memory");
        return CLI_IMPOSSIBLE;
    }
    cli_exit code = verify_all(benchmarks, facts, machine, verifications);
    if (code == CLI_DONE)
        code = print_all(verifications, benchmarks->count);
    for (size_t i = 0; i < benchmarks->count; i++)
        cm_verification_free(verifications[i]);
    free(verifications);
    return code;
}

cli_exit cli_verify_kernels(const cli_options *options)
{
    cm_error error;
    cm_pmu_model *model = NULL;
    char *facts = NULL, *model_path = NULL;
    cli_list benchmarks = {0};
    cm_status status = cm_data_path("bases/facts.csv", &facts, &error);
    if (status == CM_OK)
        status = cm_data_path(model_name, &model_path, &error);
    if (status == CM_OK)
        status = cm_pmu_model_load(model_path, &model, &error);
    cli_exit code = status == CM_OK ? cli_choose_benchmarks(options, &benchmarks) : cli_fail(&error);
    if (code == CLI_DONE)
        code = verify_and_print(&benchmarks, facts, cm_pmu_model_machine(model));
    cli_list_free(&benchmarks);
    cm_pmu_model_free(model);
    free(model_path);
    free(facts);
    return code;
}
