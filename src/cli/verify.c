#include "cli/verify.h"

#include <stdio.h>
#include <stdlib.h>

#include "cli/interrupt.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"

static const char model_name[] = "data/pmu/golden-cove"; /* its predictor and caches: those of --pmu software */

/* All of them, before anything is printed: a faulty file leaves no partial output. */
static cli_exit verify_all(const cli_list *benchmarks, const cm_pmu_machine *machine, cm_verification **verifications)
{
    for (size_t i = 0; i < benchmarks->count; i++) {
        cm_error error;
        if (cm_verification_create(benchmarks->items[i], NULL, machine, &verifications[i], &error) != CM_OK)
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
    cli_say("kernels that do not match their facts: %zu", wrong);
    return CLI_PARTLY;
}

static cli_exit verify_and_print(const cli_list *benchmarks, const cm_pmu_machine *machine)
{
    cm_verification **verifications = calloc(benchmarks->count + 1, sizeof(cm_verification *));
    if (verifications == NULL) {
        cli_say("out of memory");
        return CLI_IMPOSSIBLE;
    }
    cli_exit code = verify_all(benchmarks, machine, verifications);
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
    char *model_path = NULL;
    cli_list benchmarks = {0};
    cm_status status = cm_data_path(model_name, &model_path, &error);
    if (status == CM_OK)
        status = cm_pmu_model_load(model_path, &model, &error);
    cli_exit code = status == CM_OK ? cli_choose_benchmarks(options, &benchmarks) : cli_fail(&error);
    if (code == CLI_DONE)
        code = verify_and_print(&benchmarks, cm_pmu_model_machine(model));
    cli_list_free(&benchmarks);
    cm_pmu_model_free(model);
    free(model_path);
    return code;
}
