/* Reads any bytes as a basis, as signatures and as a list of benchmarks, restricts the first two to half of the
 * kernels, and analyses events that count what the basis says. */
#include <math.h>
#include <string.h>

#include <catmint/definitions.h>
#include <catmint/results.h>
#include <catmint/tables.h>

#include "discovery/results.h"
#include "fuzz.h"

enum { BASIS, SIGNATURES, BENCHMARKS, PARTS, MOST = 8 };

/* One event a symbol, in two repetitions. */
static cm_measurements *measure(const cm_basis *basis)
{
    cm_measurements *made = calloc(1, sizeof *made);
    made->file = strdup("");
    made->kernel_count = basis->kernel_count;
    made->kernels = calloc(basis->kernel_count, sizeof *made->kernels);
    made->events = calloc(basis->symbol_count + 1, sizeof *made->events);
    made->event_count = basis->symbol_count;
    for (size_t i = 0; i < basis->kernel_count; i++)
        made->kernels[i] = strdup(basis->kernels[i]);
    for (size_t j = 0; j < basis->symbol_count; j++) {
        char name[32];
        double *values = calloc(2 * basis->kernel_count, sizeof *values);
        for (size_t i = 0; i < 2 * basis->kernel_count; i++)
            values[i] = fabs(*cm_matrix_at(basis->expectations, i % basis->kernel_count, j));
        snprintf(name, sizeof name, "EVENT_%zu", j);
        made->events[j] =
            (cm_measurement){.event = strdup(name), .repetition_count = 2, .thread_count = 1, .values = values};
    }
    return made;
}

/* What catmint writes it reads back. */
static void read_back(cm_benchmark_result *result)
{
    cm_results *results = NULL;
    cm_definitions *definitions = NULL;
    size_t size;
    FUZZ_EXPECT(cm_results_create(&results, NULL) == CM_OK && cm_results_add(results, result, NULL) == CM_OK);
    FUZZ_EXPECT(cm_results_write(results, &(cm_output_style){.format = CM_FORMAT_TABLE}, fuzz_stream(), NULL) == CM_OK);
    (void)fuzz_written(&size);
    FUZZ_EXPECT(cm_definitions_from_results_create(results, &definitions, NULL) == CM_OK);
    cm_definitions_free(definitions);
    cm_results_free(results);
}

static void analyse(const cm_basis *basis, const cm_signatures *signatures)
{
    cm_measurements *measured = measure(basis);
    cm_benchmark_result *result = NULL;
    cm_thresholds thresholds;
    cm_error error = {0};
    cm_thresholds_default(&thresholds);
    cm_status status = cm_benchmark_result_create("x", measured, basis, signatures, &thresholds, 0, &result, &error);
    if (status == CM_OK)
        read_back(result);
    else
        fuzz_expect_refusal(status, &error);
    cm_measurements_free(measured);
}

static void restrict_both(const cm_basis *basis, const cm_signatures *signatures)
{
    cm_basis *half = NULL;
    cm_signatures *over_half = NULL;
    cm_error error = {0};
    size_t kernels = (basis->kernel_count + 1) / 2;
    FUZZ_EXPECT(cm_basis_restrict_create(basis, kernels, (const char *const *)basis->kernels, &half, &error) == CM_OK);
    FUZZ_EXPECT(half->kernel_count == kernels && half->symbol_count <= basis->symbol_count);
    if (signatures != NULL && cm_signatures_restrict_create(signatures, half, &over_half, &error) == CM_OK)
        FUZZ_EXPECT(over_half->symbol_count == half->symbol_count &&
                    over_half->metric_count == signatures->metric_count);
    else if (signatures != NULL)
        fuzz_expect_refusal(error.status, &error);
    cm_signatures_free(over_half);
    cm_basis_free(half);
}

static void read_benchmarks(const fuzz_part *part)
{
    cm_benchmarks *benchmarks = NULL;
    cm_error error = {0};
    cm_status status = cm_benchmarks_load(fuzz_file(BENCHMARKS, part->data, part->size), &benchmarks, &error);
    if (status != CM_OK)
        fuzz_expect_refusal(status, &error);
    for (size_t i = 0; benchmarks != NULL && i < benchmarks->count; i++)
        FUZZ_EXPECT(cm_benchmarks_find(benchmarks, benchmarks->items[i].name) == &benchmarks->items[i]);
    cm_benchmarks_free(benchmarks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_part parts[PARTS];
    cm_basis *basis = NULL;
    cm_signatures *signatures = NULL;
    cm_error error = {0};
    (void)fuzz_split(data, size, PARTS, parts);
    if (cm_basis_load(fuzz_file(BASIS, parts[BASIS].data, parts[BASIS].size), &basis, &error) != CM_OK)
        fuzz_expect_refusal(error.status, &error);
    if (cm_signatures_load(fuzz_file(SIGNATURES, parts[SIGNATURES].data, parts[SIGNATURES].size), &signatures,
                           &error) != CM_OK)
        fuzz_expect_refusal(error.status, &error);
    if (parts[BENCHMARKS].size > 0)
        read_benchmarks(&parts[BENCHMARKS]);
    if (basis != NULL)
        restrict_both(basis, signatures);
    if (basis != NULL && signatures != NULL && basis->kernel_count <= 2 * MOST && basis->symbol_count <= MOST &&
        signatures->metric_count <= MOST)
        analyse(basis, signatures);
    cm_signatures_free(signatures);
    cm_basis_free(basis);
    return 0;
}
