#include "cli/sweeping.h"

/* The model whose predictor and caches verify the processor's kernels, as with --pmu software. */
static const char processor[] = "golden-cove";
/* Models that verify the kernels of GPUs, which are made code for each vendor. */
static const char *const gpus[] = {"hopper", "mi250x", "mi300x"};
enum { GPUS = CM_COUNT_OF(gpus) };

/* Whether a model tells something about a benchmark that the one before it does not: mi250x has all of gpu-flops. */
static bool is_told(const char *benchmark, const char *model)
{
    return strcmp(model, "mi300x") != 0 || strcmp(benchmark, "gpu-flops") != 0;
}

struct verifying {
    cm_verification **verifications;
    size_t count;
    bool alone; /* on one model */
};

/* "gpu-flops" becomes "gpu-flops on hopper". */
static cli_exit name_gpu(cm_verification *verification, const char *gpu)
{
    char *named = NULL;
    if (asprintf(&named, "%s on %s", verification->benchmark, gpu) < 0)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    free(verification->benchmark);
    verification->benchmark = named;
    return CLI_DONE;
}

/* Verifies the benchmarks of GPUs, or those of the processor, on a model. */
static cli_exit verify_on(const char *model_name, bool gpu, const cli_list *benchmarks, struct verifying *verifying)
{
    char path[64], *found = NULL;
    cm_pmu_model *model = NULL;
    cm_error error;
    snprintf(path, sizeof path, "data/pmu/%s", model_name);
    cm_status status = cm_data_path(path, &found, &error);
    CM_THEN(status, cm_pmu_model_load(found, &model, &error));
    cli_exit code = status == CM_OK ? CLI_DONE : cli_fail(&error);
    for (size_t i = 0; code == CLI_DONE && i < benchmarks->count; i++) {
        cm_verification **verification = &verifying->verifications[verifying->count];
        if (cli_is_of_gpu(benchmarks->items[i]) != gpu ||
            (!verifying->alone && !is_told(benchmarks->items[i], model_name)))
            continue;
        if (cm_verification_create(benchmarks->items[i], NULL, cm_pmu_model_machine(model), verification, &error) !=
            CM_OK) {
            code = cli_fail_writing(&error); /* no input of the user's is read */
            continue;
        }
        verifying->count++;
        if (gpu)
            code = name_gpu(*verification, model_name);
        if (code == CLI_DONE && *cli_interrupt_flag() != 0) {
            cli_write("interrupted");
            code = CLI_INTERRUPTED;
        }
    }
    cm_pmu_model_free(model);
    free(found);
    return code;
}

/* Verifies machine code alone, on a processor whose kernels are all proven without an engine. */
static cli_exit verify_compiled(struct verifying *verifying)
{
    cm_error error;
    if (cm_verification_of_machine_code(NULL, &verifying->verifications[0], &error) != CM_OK)
        return cli_fail_writing(&error);
    verifying->count = 1;
    return CLI_DONE;
}

/* Verifies all before anything is printed, so that a faulty file leaves no partial output. `model`: on that one alone;
 * NULL: on each. */
static cli_exit verify_all(const cli_list *benchmarks, const char *model, struct verifying *verifying)
{
    cli_exit code = CLI_DONE;
    if (model == NULL || strcmp(model, processor) == 0)
        code = verify_on(processor, false, benchmarks, verifying);
    for (size_t i = 0; code == CLI_DONE && i < GPUS; i++)
        if (model == NULL || strcmp(model, gpus[i]) == 0)
            code = verify_on(gpus[i], true, benchmarks, verifying);
    if (code != CLI_DONE || verifying->count > 0)
        return code;
    return cli_end(
        CLI_USAGE,
        "--pmu software:%s verifies no kernel of these benchmarks, expected software:golden-cove for those of "
        "processors, hopper, mi250x or mi300x for those of GPUs",
        model);
}

cli_exit cli_print_verifications(cm_verification *const *verifications, size_t count)
{
    const cm_output_style style = {.format = CM_FORMAT_TABLE, .width = cli_width(stdout)};
    cm_error error;
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++)
        wrong += verifications[i]->failures;
    cli_exit code = cli_finish_writing(cm_verifications_write(verifications, count, &style, stdout, &error), &error);
    if (code != CLI_DONE || wrong == 0)
        return code;
    cli_write("kernels that do not match their facts: %zu", wrong);
    return CLI_PARTLY;
}

static cli_exit check_model(const cli_options *options)
{
    cm_error error;
    bool named = options->pmu.kind == CM_PMU_SOFTWARE && options->pmu.model != NULL;
    return !named || cm_verification_check_model(options->pmu.model, &error) == CM_OK ? CLI_DONE : cli_fail(&error);
}

cli_exit cli_verify_kernels(const cli_options *options)
{
    struct verifying verifying = {.alone = options->pmu.model != NULL};
    cli_list benchmarks = {0};
    cli_exit code = check_model(options);
    CM_THEN(code, options->benchmarks.count != 0 ? cli_choose_benchmarks(options, &benchmarks)
                                                 : cli_list_benchmarks(&benchmarks));
    if (code == CLI_DONE)
        verifying.verifications = calloc((GPUS + 1) * benchmarks.count + 1, sizeof(cm_verification *));
    if (code == CLI_DONE && verifying.verifications == NULL) {
        cli_write("out of memory");
        code = CLI_IMPOSSIBLE;
    }
    CM_THEN(code, options->pmu.kind == CM_PMU_HARDWARE ? verify_compiled(&verifying)
                                                       : verify_all(&benchmarks, options->pmu.model, &verifying));
    CM_THEN(code, cli_print_verifications(verifying.verifications, verifying.count));
    const bool of_gpu = options->pmu.model == NULL || strcmp(options->pmu.model, processor) != 0;
    if (options->pmu.kind == CM_PMU_SOFTWARE && of_gpu && code != CLI_USAGE && code != CLI_IMPOSSIBLE)
        cli_write("machine code is not checked: the software GPU executes PTX and makes none; --pmu hardware asks a "
                  "GPU's driver");
    for (size_t i = 0; i < verifying.count; i++)
        cm_verification_free(verifying.verifications[i]);
    free(verifying.verifications);
    cli_list_free(&benchmarks);
    return code;
}
