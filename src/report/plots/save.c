/* The plots as files. */
#include <catmint/version.h>

#include "formats/format.h"
#include "report/plots/plots.h"

typedef enum plot_kind {
    PLOT_NOISE,
    PLOT_MAP,
    PLOT_VALIDATION,
    PLOT_PROGRAMS,
    PLOT_METRIC,
    PLOT_TREE,
    PLOT_PART
} plot_kind;

typedef struct plot_file {
    plot_kind kind;
    const cm_view_benchmark *benchmark; /* of those up to PLOT_METRIC */
    const cm_view_metric *metric;       /* of PLOT_METRIC */
    const cm_formula_values *values;    /* of PLOT_TREE */
    size_t run;
    const cm_page_part *part; /* of PLOT_PART */
    size_t number;
    char *name; /* of its file */
} plot_file;

typedef struct plot_list {
    size_t count;
    plot_file *list;
} plot_list;

/* Draws the plot of a file, by its kind. */
static void draw_plot_of_file(const void *content, FILE *stream)
{
    const plot_file *plot = content;
    switch (plot->kind) {
    case PLOT_NOISE: cm_plot_noise(plot->benchmark, stream); break;
    case PLOT_MAP: cm_plot_map(plot->benchmark, stream); break;
    case PLOT_VALIDATION: cm_plot_validation(plot->benchmark, stream); break;
    case PLOT_PROGRAMS: cm_plot_programs(plot->benchmark, stream); break;
    case PLOT_METRIC: cm_plot_metric(plot->benchmark, plot->metric, stream); break;
    case PLOT_TREE: cm_plot_tree(plot->values, plot->run, 1, stream); break;
    case PLOT_PART: plot->part->draw_plot(plot->part->content, plot->number, stream); break;
    }
}

/* ---- which plots there are ---- */

static void lower_word(char *word)
{
    for (; *word != '\0'; word++)
        *word = *word == '_' ? '-' : (char)tolower((unsigned char)*word);
}

enum { WORD_SIZE = 48, STEM_SIZE = 3 * WORD_SIZE };

/* A name as a part of a file's name: "topdown-skylake" for "topdown-skylake.csv". */
static void file_word(const char *name, char word[WORD_SIZE])
{
    char text[256];
    snprintf(text, sizeof text, "%s", name);
    char *dot = strrchr(text, '.');
    if (dot != NULL && dot != text)
        *dot = '\0';
    cm_name_word(text, word, WORD_SIZE);
    lower_word(word);
}

/* "cpu-flops-noise", "topdown-skylake-hierarchy-8", "roofline-1-double". */
static void write_stem(const plot_file *plot, char stem[STEM_SIZE])
{
    static const char *const kinds[] = {"noise", "map", "validation", "programs", "metric", "hierarchy"};
    char first[WORD_SIZE] = "", second[WORD_SIZE] = "";
    if (plot->kind == PLOT_PART) {
        plot->part->name_plot(plot->part->content, plot->number, stem);
        return;
    }
    if (plot->kind == PLOT_TREE) {
        file_word(cm_formula_values_title(plot->values), first);
        cm_name_word(plot->values->runs[plot->run], second, sizeof second);
    } else {
        cm_name_word(plot->benchmark->title, first, sizeof first);
        if (plot->metric != NULL)
            cm_name_word(plot->metric->defined->metric, second, sizeof second);
    }
    lower_word(first);
    lower_word(second);
    snprintf(stem, STEM_SIZE, "%s-%s%s%s", first, kinds[plot->kind], second[0] != '\0' ? "-" : "", second);
}

/* The stem with ".svg", with a number before it if another plot has that name. NULL if memory runs out. */
static char *name_of(const plot_list *plots, const plot_file *plot, const char *prefix)
{
    char stem[STEM_SIZE], number[24] = "", *name = NULL;
    write_stem(plot, stem);
    for (size_t i = 2;; i++) {
        if (asprintf(&name, "%s%s%s.svg", prefix, stem, number) < 0)
            return NULL;
        if (CM_FIND_BY(name, name, plots->list, plots->count) == plots->count)
            return name;
        free(name);
        snprintf(number, sizeof number, "-%zu", i);
    }
}

/* Appends a plot under a file's name of its own. */
static cm_status add_plot(plot_list *plots, plot_file added, const char *prefix, cm_error *error)
{
    if (!CM_GROW_BY_ONE(plots->list, plots->count))
        return cm_error_no_memory(error);
    added.name = name_of(plots, &added, prefix);
    if (added.name == NULL)
        return cm_error_no_memory(error);
    plots->list[plots->count++] = added;
    return CM_OK;
}

/* Adds the plots of a benchmark. */
static cm_status add_benchmark(plot_list *plots, const cm_view_benchmark *benchmark, const char *prefix,
                               cm_error *error)
{
    const struct {
        plot_kind kind;
        bool there;
    } kinds[] = {{PLOT_NOISE, cm_plot_has_noise(benchmark)},
                 {PLOT_MAP, cm_plot_has_map(benchmark)},
                 {PLOT_VALIDATION, cm_plot_has_validation(benchmark)},
                 {PLOT_PROGRAMS, cm_plot_has_programs(benchmark)}};
    cm_status status = CM_OK;
    for (size_t i = 0; i < CM_COUNT_OF(kinds) && status == CM_OK; i++)
        if (kinds[i].there)
            status = add_plot(plots, (plot_file){.kind = kinds[i].kind, .benchmark = benchmark}, prefix, error);
    for (size_t i = 0; i < benchmark->metric_count && status == CM_OK; i++)
        if (cm_plot_has_metric(&benchmark->metrics[i]))
            status = add_plot(
                plots, (plot_file){.kind = PLOT_METRIC, .benchmark = benchmark, .metric = &benchmark->metrics[i]},
                prefix, error);
    return status;
}

/* Adds as many trees as the page draws. */
static cm_status add_trees(plot_list *plots, const cm_formula_values *values, cm_error *error)
{
    cm_status status = CM_OK;
    if (!cm_formula_values_have_tree(values))
        return CM_OK;
    for (size_t run = 0; run < values->run_count && run < CM_EVALUATE_MOST_DRAWN && status == CM_OK; run++)
        status = add_plot(plots, (plot_file){.kind = PLOT_TREE, .values = values, .run = run}, "", error);
    return status;
}

static cm_status add_part(plot_list *plots, const cm_page_part *part, cm_error *error)
{
    char name[CM_PLOT_NAME];
    cm_status status = CM_OK;
    for (size_t i = 0; i < part->plot_count && status == CM_OK; i++)
        if (part->name_plot(part->content, i, name))
            status = add_plot(plots, (plot_file){.kind = PLOT_PART, .part = part, .number = i}, "", error);
    return status;
}

/* Names the plots of all results, of the chosen part, and of the values' hierarchies. */
static cm_status list_plots(cm_results_view *const *views, size_t count, const cm_page_options *options,
                            plot_list *plots, cm_error *error)
{
    static const char *const prefixes[CM_MOST_VIEWS] = {"first-", "second-"};
    cm_status status = CM_OK;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < views[i]->benchmark_count && status == CM_OK; k++)
            status = add_benchmark(plots, &views[i]->benchmarks[k], count > 1 ? prefixes[i] : "", error);
    if (status == CM_OK && options != NULL && options->part != NULL)
        status = add_part(plots, options->part, error);
    for (size_t i = 0; options != NULL && i < options->value_count && status == CM_OK; i++)
        status = add_trees(plots, options->values[i], error);
    return status;
}

/* ---- the directory ---- */

static cm_status write_plot_file(void *content, FILE *stream, cm_error *error)
{
    return cm_plot_write(draw_plot_of_file, content, stream, error);
}

/* Writes all plots into the directory, or none. */
static cm_status save_plots(const plot_list *plots, const char *path, cm_error *error)
{
    static const cm_directory_kind kind = {".catmint-plots", ".plots-", "an earlier report"};
    cm_directory_document *files = calloc(plots->count + 1, sizeof *files);
    if (files == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < plots->count; i++)
        files[i] = (cm_directory_document){plots->list[i].name, {"the plot", write_plot_file, &plots->list[i]}};
    json_t *record = json_pack("{s:s, s:s}", "schema", "catmint.plots/1", "catmint", CATMINT_VERSION);
    cm_status status = cm_directory_save(path, &kind, files, plots->count, record, error);
    free(files);
    return status;
}

cm_status cm_results_views_save_plots(cm_results_view *const *views, size_t count, const cm_page_options *options,
                                      const char *directory, size_t *files, cm_error *error)
{
    plot_list plots = {0};
    if (options != NULL && CM_OPTIONS_CHECK(cm_page_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    if (count == 0 || count > CM_MOST_VIEWS)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%zu results, expected one or %d", count, CM_MOST_VIEWS);
    cm_status status = list_plots(views, count, options, &plots, error);
    CM_THEN(status, save_plots(&plots, directory, error));
    if (status == CM_OK && files != NULL)
        *files = plots.count;
    for (size_t i = 0; i < plots.count; i++)
        free(plots.list[i].name);
    free(plots.list);
    return status;
}
