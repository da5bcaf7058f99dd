/* From CSV files to definitions: load_files MEASUREMENTS BASIS SIGNATURES */
#include <stdio.h>

#include <catmint/catmint.h>

static int fail(const cm_error *error)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    fprintf(stderr, "%s\n", cm_error_format(error, text, sizeof text));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: load_files MEASUREMENTS BASIS SIGNATURES\n");
        return 2;
    }
    cm_error error;
    cm_measurements *measurements = NULL;
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_benchmark_result *benchmark = NULL;
    cm_results *results = NULL;
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);
    thresholds.quantum = 0.25; /* what bases/benchmarks.csv has for branch */

    cm_status status = cm_measurements_load(argv[1], &measurements, &error);
    if (status == CM_OK)
        status = cm_basis_load(argv[2], &basis, &error);
    if (status == CM_OK)
        status = cm_signatures_load(argv[3], &signatures, &error);
    if (status == CM_OK)
        status =
            cm_benchmark_result_create("branch", measurements, basis, signatures, &thresholds, 0, &benchmark, &error);
    if (status == CM_OK)
        status = cm_results_create(&results, &error);
    if (status == CM_OK)
        status = cm_results_add(results, benchmark, &error);
    if (status == CM_OK)
        benchmark = NULL; /* it belongs to the results now */
    if (status == CM_OK) {
        cm_output_style style = {.format = CM_FORMAT_TABLE, .width = 100, .colour = false};
        status = cm_results_write(results, &style, stdout, &error);
    }
    cm_results_free(results);
    cm_benchmark_result_free(benchmark);
    cm_signatures_free(signatures);
    cm_basis_free(basis);
    cm_measurements_free(measurements);
    return status == CM_OK ? 0 : fail(&error);
}
