/* Describes the evidence for an exported definition. */
#include "formats/export/export.h"

#include "result/result.h"

enum { RANGES = 80 }; /* width of the words of ranges */

static const cm_defined_benchmark *find_benchmark(const cm_definitions *definitions, const char *name)
{
    for (size_t i = 0; i < cm_definitions_benchmark_count(definitions); i++) {
        const cm_defined_benchmark *benchmark = cm_definitions_benchmark(definitions, i);
        if (strcmp(benchmark->benchmark, name) == 0)
            return benchmark;
    }
    return NULL;
}

static const char *figure(double value, char text[CM_NUMBER_SIZE])
{
    return isnan(value) ? "unknown" : cm_figure_text(value, text);
}

/* Writes "; perf_raw::r1c7 is FP_ARITH_INST_RETIRED:SCALAR_DOUBLE" for codes with names in a table. */
static void write_code_names(const cm_definitions *definitions, const cm_writing_item *item, FILE *stream)
{
    for (size_t k = 0; k < item->term_count; k++) {
        const char *names = cm_definitions_code_names(definitions, item->terms[item->order[k]].event);
        if (names[0] != '\0')
            fprintf(stream, "; %s is %s", item->events[item->order[k]], names);
    }
}

cm_status cm_export_describe(const cm_definitions *definitions, const cm_defined_metric *metric, cm_writing_item *item,
                             cm_error *error)
{
    char text[CM_NUMBER_SIZE];
    FILE *stream = cm_memory_stream(&item->trust, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    if (!metric->usable)
        fputs("NOT composable; ", stream);
    char *range = cm_ranges_text(metric->ranges, metric->range_count, metric->range_share, RANGES, NULL);
    fprintf(stream, "%s%s", range != NULL ? range : "", range != NULL ? "; " : "");
    free(range);
    fprintf(stream, "backward error %s; ", figure(metric->backward_error, text));
    fprintf(stream, "misfit %s", figure(metric->misfit, text));
    if (metric->validation_count != 0) {
        const size_t failed = metric->programs != NULL && metric->usable ? metric->programs->failed : 0;
        fprintf(stream, "; %s in ", metric->usable ? "held" : "looked at");
        if (failed > 0)
            fprintf(stream, "%zu of ", metric->validation_count - failed);
        fprintf(stream, "%zu %s it was not fitted on", metric->validation_count,
                cm_plural(metric->validation_count, "program", "programs"));
        fprintf(stream, ", worst off by %s%s", cm_percent_text(metric->validation_worst, text),
                metric->range_count > 0 ? " beyond what it leaks" : "");
    }
    if (metric->together == CM_TOGETHER_NO)
        fputs("; its events cannot be counted together", stream);
    const cm_defined_benchmark *benchmark = find_benchmark(definitions, metric->benchmark);
    if (benchmark != NULL) {
        fprintf(stream, "; checked on %zu %s of ", benchmark->kernel_count,
                cm_plural(benchmark->kernel_count, "kernel", "kernels"));
        cm_writing_write(benchmark->benchmark, SIZE_MAX, true, stream);
    }
    write_code_names(definitions, item, stream);
    return cm_memory_text(stream, &item->trust) != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_export_origin_create(const cm_definitions *definitions, char **origin, cm_error *error)
{
    enum { MOST = 250 };
    static const char software[] = "software:";
    FILE *stream = cm_memory_stream(origin, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    const char *pmu = cm_definitions_pmu(definitions), *machine = cm_definitions_machine(definitions);
    fputs("catmint: definitions of ", stream);
    cm_writing_write(pmu != NULL ? pmu : "an unknown PMU", MOST, true, stream);
    if (machine[0] != '\0') {
        fputs(" on ", stream);
        cm_writing_write(machine, MOST, true, stream);
    }
    if (pmu != NULL && strncmp(pmu, software, strlen(software)) == 0)
        fputs("; valid for that model's events, not measured on a processor", stream);
    return cm_memory_text(stream, origin) != NULL ? CM_OK : cm_error_no_memory(error);
}
