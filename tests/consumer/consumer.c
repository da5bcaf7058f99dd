/* What a program can do with an installed catmint and its public headers alone: load a basis and signatures, hand over
 * a measurement table, analyse it, print what came out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <catmint/catmint.h>
#include <catmint/machines.h>

enum { KERNELS = 11, REPETITIONS = 2 };

static char kernel_names[KERNELS][4] = {"b1", "b2", "b3", "b4", "b4a", "b4b", "b5", "b5a", "b5b", "b6", "b7"};

static int fail(const char *what, const cm_error *error)
{
    char text[2048];
    fprintf(stderr, "%s: %s (%s)\n", what, cm_error_format(error, text, sizeof text), cm_status_text(error->status));
    return EXIT_FAILURE;
}

static cm_status load(cm_basis **basis, cm_signatures **signatures, cm_error *error)
{
    char *path = NULL;
    cm_status status = cm_data_path("bases/branch.csv", &path, error);
    if (status == CM_OK)
        status = cm_basis_load(path, basis, error);
    free(path);
    path = NULL;
    if (status == CM_OK)
        status = cm_data_path("signatures/branch.csv", &path, error);
    if (status == CM_OK)
        status = cm_signatures_load(path, signatures, error);
    free(path);
    return status;
}

static cm_status analyse(cm_benchmark_result **result, cm_error *error)
{
    static double retired[REPETITIONS * KERNELS] = {2, 2, 2, 2, 2.5, 2.5, 2, 2.5, 2.5, 2, 1,
                                                    2, 2, 2, 2, 2.5, 2.5, 2, 2.5, 2.5, 2, 1};
    static double mispredicted[REPETITIONS * KERNELS] = {0, 0, 0, .5, .5, .5, .5, .5, .5, 0, 0,
                                                         0, 0, 0, .5, .5, .5, .5, .5, .5, 0, 0};
    static char retired_name[] = "BR_INST:COND", mispredicted_name[] = "BR_MISP";
    static char file[] = "";
    cm_measurement events[] = {
        {.event = retired_name, .repetition_count = REPETITIONS, .thread_count = 1, .values = retired},
        {.event = mispredicted_name, .repetition_count = REPETITIONS, .thread_count = 1, .values = mispredicted},
    };
    char *kernels[KERNELS];
    for (size_t i = 0; i < KERNELS; i++)
        kernels[i] = kernel_names[i];
    cm_measurements measurements = {
        .file = file, .kernel_count = KERNELS, .kernels = kernels, .event_count = 2, .events = events};
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_status status = load(&basis, &signatures, error);
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    if (status == CM_OK)
        status = cm_benchmark_result_create("branch", &measurements, basis, signatures, &thresholds, 0, result, error);
    cm_basis_free(basis);
    cm_signatures_free(signatures);
    return status;
}

static void print_composable(const cm_benchmark_result *result)
{
    const cm_analysis *analysis = cm_benchmark_result_analysis(result);
    for (size_t metric = 0; metric < cm_benchmark_result_metric_count(result); metric++) {
        const cm_fit *fit = cm_benchmark_result_fit(result, metric);
        if (fit == NULL || !fit->composable)
            continue;
        printf("%s =", cm_benchmark_result_metric_name(result, metric));
        for (size_t term = 0; term < fit->term_count; term++)
            if (fit->rounded[term] != 0.0)
                printf(" %g x %s", fit->rounded[term], cm_analysis_event(analysis, fit->events[term]).event);
        printf("\n");
    }
}

int main(void)
{
    cm_error error;
    printf("catmint %s\n", cm_version());
    if (strcmp(cm_version(), CATMINT_VERSION) != 0)
        return EXIT_FAILURE;

    /* An error is filled in across the library's border. */
    cm_basis *missing = NULL;
    if (cm_basis_load("no such file", &missing, &error) != CM_IO || strcmp(error.file, "no such file") != 0)
        return EXIT_FAILURE;

    /* So it is by the library of machines. */
    cm_roofline *roofline = NULL;
    if (cm_roofline_load("no such file", &roofline, &error) != CM_IO || strcmp(error.file, "no such file") != 0)
        return EXIT_FAILURE;

    cm_benchmark_result *result = NULL;
    if (analyse(&result, &error) != CM_OK)
        return fail("analysis", &error);
    print_composable(result);
    cm_benchmark_result_free(result);
    return EXIT_SUCCESS;
}
