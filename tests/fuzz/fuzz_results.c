/* Reads any bytes as results in JSON, and does with the definitions all that can be done: looks them up, evaluates
 * them, exports them, and shows them. What the export writes, the readers of its formats read. */
#include <math.h>
#include <string.h>

#include <catmint/definitions.h>
#include <catmint/export_definitions.h>
#include <catmint/formulas.h>
#include <catmint/view.h>

#include "fuzz.h"

static void evaluate(const cm_defined_metric *metric)
{
    const char **events = calloc(metric->term_count + 1, sizeof *events);
    double *counts = calloc(metric->term_count + 1, sizeof *counts), value = 0.0;
    cm_error error = {0};
    FUZZ_EXPECT(events != NULL && counts != NULL);
    for (size_t i = 0; i < metric->term_count; i++) {
        FUZZ_EXPECT(metric->terms[i].event[0] != '\0' && isfinite(metric->terms[i].coefficient));
        events[i] = metric->terms[i].event;
        counts[i] = (double)i;
    }
    double sum = cm_defined_metric_evaluate(metric, counts);
    cm_status status = cm_defined_metric_evaluate_named(metric, events, counts, metric->term_count, &value, &error);
    if (status != CM_OK)
        fuzz_expect_refusal(status, &error);
    else
        FUZZ_EXPECT(value == sum || (isnan(value) && isnan(sum)));
    free(events);
    free(counts);
}

static void look_up(const cm_definitions *definitions)
{
    for (size_t i = 0; i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i), *found = NULL;
        cm_error error = {0};
        FUZZ_EXPECT(metric->metric[0] != '\0' && metric->preset != NULL && metric->description != NULL);
        for (size_t j = 0; j < metric->symbol_count; j++)
            FUZZ_EXPECT(isfinite(metric->signature[j]));
        FUZZ_EXPECT(cm_definitions_find(definitions, metric->metric) != NULL);
        FUZZ_EXPECT(cm_definitions_resolve(definitions, metric->metric, &found, NULL) == CM_OK && found != NULL);
        cm_status status = cm_definitions_resolve(definitions, metric->preset, &found, &error);
        if (status != CM_OK)
            fuzz_expect_refusal(status, &error);
        evaluate(metric);
    }
}

static void look_at_events(const cm_definitions *definitions)
{
    for (size_t b = 0; b < cm_definitions_benchmark_count(definitions); b++) {
        const cm_defined_benchmark *benchmark = cm_definitions_benchmark(definitions, b);
        FUZZ_EXPECT(benchmark->tau >= 0.0 && benchmark->alpha >= 0.0 && benchmark->residual >= 0.0);
        for (size_t i = 0; i < benchmark->event_count; i++) {
            const cm_defined_event *event = cm_definitions_event(definitions, b, i);
            FUZZ_EXPECT(event->event[0] != '\0');
            for (size_t j = 0; event->representation != NULL && j < benchmark->symbol_count; j++)
                FUZZ_EXPECT(isfinite(event->representation[j]));
        }
    }
}

static void note(const char *text, void *data)
{
    (void)data;
    FUZZ_EXPECT(text[0] != '\0');
}

/* `read_as`: NULL: it is not read back. */
static void export_as(const cm_definitions *definitions, const char *format, const char *read_as)
{
    static const char *const cpus[] = {"spr"};
    const cm_export_options options = {
        .size = sizeof options, .format = format, .cpus = cpus, .cpu_count = 1, .all = true, .note = note};
    cm_export_summary summary = {0};
    cm_formulas *formulas = NULL;
    cm_error error = {0};
    size_t size = 0;
    cm_status status = cm_export_write(definitions, &options, fuzz_stream(), &summary, &error);
    const char *text = fuzz_written(&size);
    if (status != CM_OK) {
        FUZZ_EXPECT((status == CM_BAD_INPUT || status == CM_BAD_ARGUMENT) && error.text[0] != '\0');
        return;
    }
    if (summary.written == 0 || read_as == NULL)
        return;
    FUZZ_EXPECT(cm_formulas_load(fuzz_file(1, text, size), read_as, &formulas, &error) == CM_OK);
    FUZZ_EXPECT(cm_formulas_count(formulas) >= summary.written && cm_formulas_fault_count(formulas) == 0);
    cm_formulas_free(formulas);
}

static void export_groups(const cm_definitions *definitions)
{
    const cm_export_options options = {.size = sizeof options, .format = "likwid", .all = true, .note = note};
    cm_export_summary summary = {0};
    cm_error error = {0};
    if (cm_definitions_count(definitions) > 4)
        return;
    fuzz_directory("groups");
    cm_status status = cm_export_save(definitions, &options, fuzz_path("groups"), &summary, &error);
    FUZZ_EXPECT(status == CM_OK || ((status == CM_BAD_INPUT || status == CM_BAD_ARGUMENT) && error.text[0] != '\0'));
}

static void count_marks(const char *text, size_t size)
{
    size_t opened = 0, closed = 0;
    for (size_t i = 0; i < size; i++) {
        opened += text[i] == '<';
        closed += text[i] == '>';
        FUZZ_EXPECT((unsigned char)text[i] >= 0x20 || text[i] == '\n' || text[i] == '\t');
    }
    FUZZ_EXPECT(opened > 0 && closed > 0);
}

/* What has definitions can be shown, unless what stands beside them is wrong. */
static void show(const char *path)
{
    const cm_page_options options = {.size = sizeof options};
    const cm_output_style style = {0};
    cm_results_view *view = NULL;
    cm_error error = {0};
    size_t size = 0;
    bool different = true;
    cm_status status = cm_results_view_load(path, &view, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        FUZZ_EXPECT(error.line > 0);
        return;
    }
    FUZZ_EXPECT(cm_results_views_write_page(&view, 1, &options, fuzz_stream(), &error) == CM_OK);
    const char *text = fuzz_written(&size);
    count_marks(text, size);
    FUZZ_EXPECT(cm_results_views_write_difference(view, view, &style, fuzz_stream(), &different, &error) == CM_OK);
    fuzz_written(&size);
    FUZZ_EXPECT(!different && size == 0);
    cm_results_view_free(view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    cm_definitions *definitions = NULL;
    cm_error error = {0};
    cm_status status = cm_definitions_load(fuzz_file(0, data, size), &definitions, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        FUZZ_EXPECT(error.line > 0);
        return 0;
    }
    const char *pmu = cm_definitions_pmu(definitions);
    FUZZ_EXPECT(cm_definitions_machine(definitions) != NULL && (pmu == NULL || pmu[0] != '\0'));
    look_up(definitions);
    look_at_events(definitions);
    export_as(definitions, "papi", "papi");
    export_as(definitions, "papi-user", NULL);
    export_as(definitions, "perf", "perf");
    export_as(definitions, "csv", "csv");
    export_groups(definitions);
    cm_definitions_free(definitions);
    show(fuzz_file(0, data, size));
    return 0;
}
