/* A script that lets a vendor's profiler count the kernels of GPUs, if PAPI has no component for it. */
#include "software_pmu/model/model.h"
#include "verify/verify.h"

enum { PLANNED_TURNS = 8192, REPETITIONS = 3, LONGEST = 64 };

/* Counters of a block that AMD's GPUs count at a time; blocks that are not here, two. Source: the limits of
 * rocprofiler-compute for gfx90a and gfx942. */
static const struct {
    const char *block;
    unsigned counters;
} blocks[] = {{"SQ", 8}, {"TCP", 4}, {"TCC", 4}};

static size_t block_length(const char *counter)
{
    return strcspn(counter, "_");
}

static unsigned counters_of(const char *counter)
{
    enum { OF_OTHERS = 2 };
    for (size_t i = 0; i < CM_COUNT_OF(blocks); i++)
        if (strlen(blocks[i].block) == block_length(counter) &&
            strncmp(blocks[i].block, counter, block_length(counter)) == 0)
            return blocks[i].counters;
    return OF_OTHERS;
}

/* In which pass over the kernels an event is counted: as many earlier events of its block fill a pass. */
static size_t pass_of(const cm_pmu_model *model, size_t event)
{
    const char *counter = cm_pmu_model_event(model, event).name;
    size_t before = 0;
    for (size_t i = 0; i < event; i++) {
        const char *other = cm_pmu_model_event(model, i).name;
        before += block_length(other) == block_length(counter) && strncmp(other, counter, block_length(counter)) == 0;
    }
    return before / counters_of(counter);
}

/* Writes "name.sum" for "name:stat=sum". */
static void write_metric(const char *event, FILE *stream)
{
    const char *statistic = strstr(event, ":stat=");
    if (statistic == NULL)
        fputs(event, stream);
    else
        fprintf(stream, "%.*s.%s", (int)(statistic - event), event, statistic + strlen(":stat="));
}

static void write_run(const char *benchmark, FILE *stream)
{
    fprintf(stream,
            "\"$catmint\" kernels --run --pmu hardware --benchmark %s --iterations %d >>\"$out/%s.txt\" ||\n        "
            "echo \"%s: ended with $?\" >&2\n",
            benchmark, PLANNED_TURNS, benchmark, benchmark);
}

/* ncu counts all metrics in passes of its own. */
static void write_ncu(const cm_pmu_model *model, const char *benchmark, FILE *stream)
{
    fprintf(stream, "for i in $(seq %d); do\n    ncu --csv --page raw --print-units base --log-file \"$out/%s-$i.csv\"",
            REPETITIONS, benchmark);
    for (size_t i = 0; i < cm_pmu_model_event_count(model); i++) {
        fputs(i == 0 ? " --metrics " : ",", stream);
        write_metric(cm_pmu_model_event(model, i).name, stream);
    }
    fputs(" \\\n        ", stream);
    write_run(benchmark, stream);
    fputs("done\n", stream);
}

/* rocprofv3 counts the events of one pass: a run for each pass. */
static void write_rocprofv3(const cm_pmu_model *model, const char *benchmark, FILE *stream)
{
    const size_t count = cm_pmu_model_event_count(model);
    size_t passes = 0;
    for (size_t i = 0; i < count; i++)
        passes = passes > pass_of(model, i) ? passes : pass_of(model, i) + 1;
    fprintf(stream, "for i in $(seq %d); do\n", REPETITIONS);
    for (size_t pass = 0; pass < passes; pass++) {
        fputs("    rocprofv3 --pmc", stream);
        for (size_t i = 0; i < count; i++)
            if (pass_of(model, i) == pass)
                fprintf(stream, " %s", cm_pmu_model_event(model, i).name);
        fprintf(stream, " --output-format csv -d \"$out/%s/$i-%zu\" -o counts -- \\\n        ", benchmark, pass + 1);
        write_run(benchmark, stream);
    }
    fputs("done\n", stream);
}

/* Imports the counts of a benchmark, and shows the results. */
static void write_import(cm_profiler profiler, const char *benchmark, FILE *stream)
{
    if (profiler == CM_PROFILER_NCU)
        fprintf(stream, "\"$catmint\" import-ncu \"$out/%s\"-*.csv", benchmark);
    else
        fprintf(stream,
                "find \"$out/%s\" -name '*counter_collection.csv' -print0 | sort -z | xargs -0 \"$catmint\" import-ncu",
                benchmark);
    fprintf(stream, " --benchmark %s --iterations %d --out \"$out/tables\"\n", benchmark, PLANNED_TURNS);
    fprintf(stream, "\"$catmint\" analyze --benchmark %s \"$out/tables/%s.csv\" || [ $? -eq 1 ]\n\n", benchmark,
            benchmark);
}

cm_status cm_profiler_plan_write(cm_profiler profiler, const char *model, const char *const *benchmarks, size_t count,
                                 FILE *stream, cm_error *error)
{
    static const struct {
        const char *name, *vendor, *model;
    } tools[] = {
        [CM_PROFILER_NCU] = {"ncu", "nvidia", "hopper"}, [CM_PROFILER_ROCPROFV3] = {"rocprofv3", "amd", "mi250x"}};
    cm_pmu_model *loaded = NULL;
    cm_status status = cm_gpu_model_load(model != NULL ? model : tools[profiler].model, &loaded, error);
    if (status == CM_OK && strcmp(cm_pmu_model_machine(loaded)->gpu, tools[profiler].vendor) != 0)
        status = CM_FAIL(error, CM_BAD_ARGUMENT, "%s does not count a GPU as %s", tools[profiler].name,
                         cm_pmu_model_name(loaded));
    if (status == CM_OK)
        fprintf(stream,
                "#!/bin/sh\n# Counts the events of %s with %s while catmint's kernels run: %s [DIR]. CATMINT names the "
                "program.\nset -e\ncatmint=${CATMINT:-catmint}\nout=${1:-gpu-counts}\nmkdir -p \"$out\"\n\n",
                cm_pmu_model_name(loaded), tools[profiler].name, "sh FILE");
    for (size_t family = 0; status == CM_OK && family < CM_GPU_FAMILIES; family++) {
        const char *benchmark = cm_gpu_benchmarks[family];
        if (!cm_gpu_is_chosen(benchmarks, count, benchmark))
            continue;
        if (profiler == CM_PROFILER_NCU)
            write_ncu(loaded, benchmark, stream);
        else
            write_rocprofv3(loaded, benchmark, stream);
        write_import(profiler, benchmark, stream);
    }
    cm_pmu_model_free(loaded);
    return status;
}
