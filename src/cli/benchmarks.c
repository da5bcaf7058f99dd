/* Lists benchmarks and chooses those that the user names. */
#include "cli/sweeping.h"

/* Whether the benchmark has kernels that miss all caches, as events of a socket need. */
static bool leaves_caches(const char *benchmark)
{
    return strcmp(benchmark, "dcache") == 0 || strcmp(benchmark, "dcache-write") == 0;
}

/* Whether kernels of another processor have this benchmark. */
static bool is_known(const char *benchmark)
{
    cm_benchmarks *benchmarks = NULL;
    char *list = NULL;
    bool known = cm_data_path("bases/benchmarks.csv", &list, NULL) == CM_OK &&
                 cm_benchmarks_load(list, &benchmarks, NULL) == CM_OK &&
                 cm_benchmarks_find(benchmarks, benchmark) != NULL;
    cm_benchmarks_free(benchmarks);
    free(list);
    return known;
}

bool cli_is_of_gpu(const char *benchmark)
{
    for (size_t i = 0; i < cm_kernel_count(); i++)
        if (strcmp(cm_kernel_get(i)->benchmark, benchmark) == 0)
            return cm_kernel_is_of_gpu(cm_kernel_get(i));
    return false;
}

cli_exit cli_list_benchmarks(cli_list *list)
{
    if (!CM_ALLOCATE(list->items, cm_kernel_count() + 1))
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    for (size_t i = 0; i < cm_kernel_count(); i++)
        if (!CM_HAS(cm_kernel_get(i)->benchmark, list->items, list->count))
            list->items[list->count++] = cm_kernel_get(i)->benchmark;
    return CLI_DONE;
}

/* Lists the processor's benchmarks, or those of GPUs if the PMU is a GPU's. --benchmark chooses among them. */
static cli_exit benchmarks_to_choose_from(const cli_options *options, cli_list *list)
{
    bool gpu = false, named = options->benchmarks.count != 0;
    cm_error error;
    cli_exit code = cli_list_benchmarks(list);
    if (code == CLI_DONE && !named && cm_pmu_choice_is_gpu(&options->pmu, &gpu, &error) != CM_OK)
        code = cli_fail(&error);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *benchmark = list->items[i];
        if ((named || cli_is_of_gpu(benchmark) == gpu) && (!options->uncore || leaves_caches(benchmark)))
            list->items[kept++] = benchmark;
    }
    list->count = kept;
    return code;
}

/* Explains why a benchmark cannot be chosen, and returns the exit code. */
static cli_exit refuse_benchmark(const char *name, bool uncore, const cli_list *all)
{
    char names[256] = "";
    cm_error error;
    for (size_t k = 0; k < all->count; k++)
        cm_text_append(names, sizeof names, ", ", "%s", all->items[k]);
    if (uncore && is_known(name))
        return cli_end(CLI_USAGE, "--uncore counts while %s run, found '%s'", names, name);
    if (is_known(name))
        return cli_end(CLI_IMPOSSIBLE, "this processor has no kernels of '%s', only of %s", name,
                       all->count > 0 ? names : "none");
    cm_refuse_benchmark(name, all->items, all->count, &error);
    return cli_fail(&error);
}

cli_exit cli_choose_benchmarks(const cli_options *options, cli_list *chosen)
{
    *chosen = (cli_list){0};
    cli_list all = {0};
    cli_exit code = benchmarks_to_choose_from(options, &all);
    for (size_t i = 0; code == CLI_DONE && i < options->benchmarks.count; i++) {
        const char *first = options->benchmarks.items[0], *name = options->benchmarks.items[i];
        if (!CM_HAS(name, all.items, all.count))
            code = refuse_benchmark(name, options->uncore, &all);
        else if (cli_is_of_gpu(first) != cli_is_of_gpu(name))
            code = cli_end(CLI_USAGE, "%s and %s cannot be counted in one run: one of them runs on a GPU", first, name);
    }
    if (code == CLI_DONE && options->benchmarks.count > 0) {
        memcpy(all.items, options->benchmarks.items, options->benchmarks.count * sizeof *all.items);
        all.count = options->benchmarks.count;
    }
    if (code == CLI_DONE)
        *chosen = all;
    else
        cli_list_free(&all);
    return code;
}

void cli_list_free(cli_list *list)
{
    CM_FREE(list->items, list->text);
    *list = (cli_list){0};
}
