#include "cli/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/sweeping.h"
#include "cli/terminal.h"

enum { NAME = 20, VERDICT = 9 };

static const char model_name[] = "data/pmu/golden-cove"; /* its predictor and caches: those of --pmu software */

typedef struct verdicts {
    size_t right, wrong, not_run;
} verdicts;

/* What is not zero: "31 instructions, 1 branches_cond, 24 fp_d_256_add". */
static void print_executed(const cm_verification *verification, const cm_verified_kernel *kernel, size_t width)
{
    char text[1024] = "";
    for (size_t i = 0; i < verification->primitive_count; i++) {
        const cm_verified_quantity *fact = &kernel->quantities[i];
        size_t length = strlen(text);
        if (fact->expected != 0.0 || fabs(fact->executed) > fact->allowance)
            snprintf(text + length, sizeof text - length, "%s%.6g %s", length > 0 ? ", " : "", fact->executed,
                     verification->quantities[i]);
    }
    cli_wrap(text, NAME + VERDICT + 2, NAME + VERDICT + 2, width);
}

static void print_kernel(const cm_verification *verification, const cm_verified_kernel *kernel, size_t width,
                         verdicts *count)
{
    const char *verdict = kernel->ok ? "right" : kernel->available ? "WRONG" : "not run";
    cli_put(kernel->kernel, NAME);
    printf(" %-*s ", VERDICT, verdict);
    if (kernel->ok)
        print_executed(verification, kernel, width);
    else
        cli_wrap(kernel->text, NAME + VERDICT + 2, NAME + VERDICT + 2, width);
    putchar('\n');
    count->right += kernel->ok;
    count->not_run += !kernel->available;
}

/* All of them, before anything is printed: a faulty file leaves no partial output. */
static cli_exit verify_all(const cli_list *benchmarks, const cm_pmu_machine *machine, cm_verification **verifications)
{
    for (size_t i = 0; i < benchmarks->count; i++) {
        cm_error error;
        if (cm_verify(benchmarks->items[i], NULL, machine, &verifications[i], &error) != CM_OK)
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
    size_t width = cli_width(stdout);
    verdicts found = {0};
    printf("%-*s %-*s Executes in an iteration\n", NAME, "Kernel", VERDICT, "Is");
    for (size_t i = 0; i < count; i++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): verify_all has filled them */
        for (size_t k = 0; k < verifications[i]->kernel_count; k++)
            print_kernel(verifications[i], &verifications[i]->kernels[k], width, &found);
        if (verifications[i]->kernel_count == 0)
            printf("%s: no facts: not verified\n", verifications[i]->benchmark);
        found.wrong += verifications[i]->failures;
    }
    printf("\n%zu kernels execute their facts, %zu do not, %zu were not run\n", found.right, found.wrong,
           found.not_run);
    if (found.wrong == 0)
        return CLI_DONE;
    cli_say("kernels that do not execute what their facts say: %zu", found.wrong);
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
