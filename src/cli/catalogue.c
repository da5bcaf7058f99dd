/* Lists metrics and facts with their meanings, and models of PMUs: they come with catmint, before any sweep. */
#include "cli/options.h"
#include "cli/sweeping.h"
#include "count/count.h"

enum { NAME = 36, INDENT = 2, PLAIN = 1024 };

/* Whether the text has the pattern, which is plain. */
static bool fits_pattern(const char *text, const char *pattern)
{
    char made[PLAIN];
    return strstr(cm_text_plain(text, made, sizeof made), pattern) != NULL;
}

/* ---- metrics ---- */

typedef struct metric_list {
    char pattern[PLAIN];
    cm_synonym synonym; /* the meaning of the pattern; no words: only itself */
    cm_near near;       /* to the pattern as it was given */
    size_t listed;
    const char *own;                   /* the file of the last results for this processor */
    const cm_definitions *definitions; /* its; NULL: none are kept */
} metric_list;

/* Whether the list, parted by bars, has the name. */
static bool has_name(const char *list, const char *name)
{
    char one[CM_NEAR_NAME];
    while (cm_synonym_next(&list, one))
        if (strcmp(one, name) == 0)
            return true;
    return false;
}

/* Writes a line of text below a name. */
static void write_below(const char *text)
{
    printf("%*s", INDENT, "");
    cm_text_wrap(text, INDENT, INDENT, cli_width(stdout), stdout);
    putchar('\n');
}

typedef struct sought {
    const char *metric;
    bool found;
} sought;

/* Writes the models of the row that is sought. */
static cm_status write_models(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    sought *metric = data;
    char text[4 * PLAIN];
    (void)csv;
    (void)error;
    if (strcmp(row->fields[0], metric->metric) != 0)
        return CM_OK;
    snprintf(text, sizeof text, "Defined on the models %s", row->fields[1]);
    write_below(text);
    metric->found = true;
    return CM_OK;
}

/* Writes on which models and in which results the metric has a definition. */
static void write_defined(const metric_list *list, const char *metric)
{
    static const char *const columns[] = {"metric", "models"};
    sought row = {.metric = metric};
    cm_csv_each_data("data/defined-metrics.csv", 2, columns, write_models, &row, NULL);
    if (!row.found)
        write_below("Defined on no model whose facts are kept");
    const cm_defined_metric *own = list->definitions != NULL ? cm_definitions_find(list->definitions, metric) : NULL;
    if (list->definitions == NULL)
        return;
    printf("%*s%s in the last results for this processor, %s\n", INDENT, "",
           own != NULL && own->usable ? "Defined" : "Not defined", list->own);
}

static void write_metric(const cm_signature *metric, const char *benchmark)
{
    const size_t width = cli_width(stdout);
    cli_write_cell(metric->metric, NAME);
    printf("%s%s%s\n%*s", benchmark, metric->preset[0] != '\0' ? ", " : "", metric->preset, INDENT, "");
    cm_text_wrap(metric->description, INDENT, INDENT, width, stdout);
    putchar('\n');
}

/* Lists a metric if the pattern fits its names or its description. */
static void list_metric(const cm_signature *metric, const char *benchmark, void *context)
{
    metric_list *list = context;
    cm_near_offer(&list->near, metric->metric);
    cm_near_offer(&list->near, metric->preset);
    if (!fits_pattern(metric->metric, list->pattern) && !fits_pattern(metric->preset, list->pattern) &&
        !fits_pattern(metric->description, list->pattern) && !has_name(list->synonym.metrics, metric->metric))
        return;
    write_metric(metric, benchmark);
    if (list->pattern[0] != '\0')
        write_defined(list, metric->metric);
    list->listed++;
}

typedef void visit_metric(const cm_signature *metric, const char *benchmark, void *context);

/* Calls `visit` for each metric of the benchmark's signatures. */
static cm_status visit_benchmark(const char *benchmark, visit_metric *visit, void *context, cm_error *error)
{
    char name[256], *path = NULL;
    cm_signatures *signatures = NULL;
    snprintf(name, sizeof name, "signatures/%.200s.csv", benchmark);
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, cm_signatures_load(path, &signatures, error));
    for (size_t i = 0; status == CM_OK && i < signatures->metric_count; i++)
        visit(&signatures->metrics[i], benchmark, context);
    cm_signatures_free(signatures);
    free(path);
    return status;
}

/* Visits the metrics of all benchmarks. */
static cm_status visit_metrics(visit_metric *visit, void *context, cm_error *error)
{
    cm_benchmarks *benchmarks = NULL;
    char *path = NULL;
    cm_status status = cm_data_path("bases/benchmarks.csv", &path, error);
    CM_THEN(status, cm_benchmarks_load(path, &benchmarks, error));
    for (size_t i = 0; status == CM_OK && i < benchmarks->count; i++)
        status = visit_benchmark(benchmarks->items[i].name, visit, context, error);
    cm_benchmarks_free(benchmarks);
    free(path);
    return status;
}

typedef struct same_name {
    char name[PLAIN];
    char *metric; /* the first one of that name or preset; "": none */
} same_name;

static void compare_name(const cm_signature *metric, const char *benchmark, void *context)
{
    same_name *same = context;
    char made[PLAIN];
    (void)benchmark;
    if (same->metric[0] == '\0' && (strcmp(cm_text_plain(metric->metric, made, sizeof made), same->name) == 0 ||
                                    strcmp(cm_text_plain(metric->preset, made, sizeof made), same->name) == 0))
        snprintf(same->metric, CLI_METRIC_NAME, "%s", metric->metric);
}

const char *cli_metric_named(const char *name, char metric[CLI_METRIC_NAME])
{
    same_name same = {.metric = metric};
    metric[0] = '\0';
    cm_text_plain(name, same.name, sizeof same.name);
    visit_metrics(compare_name, &same, NULL);
    return metric[0] != '\0' ? metric : NULL;
}

/* Finds the meaning of the pattern. */
static cm_status begin_list(const char *pattern, metric_list *list, cm_error *error)
{
    cm_text_plain(pattern, list->pattern, sizeof list->pattern);
    return cm_synonym_find(pattern, &list->synonym, error);
}

/* Says that the list is empty, and offers near names. */
static cli_exit refuse_pattern(const metric_list *list, const char *kind, const char *places)
{
    const cm_synonym *synonym = &list->synonym;
    char offered[3 * CM_SYNONYM_TEXT];
    if (synonym->words[0] != '\0')
        cm_synonym_offer(synonym, "", offered, sizeof offered);
    else
        cm_near_text(&list->near, offered);
    char quoted[CLI_QUOTED_SIZE];
    const bool counted = synonym->counts[0] != '\0';
    return cli_end(CLI_BAD_INPUT, "no %s has '%s' in its %s%s%s%s%s", kind, list->near.wanted, places, offered,
                   counted ? "; see 'catmint events --facts " : "", counted ? cli_quote(list->near.wanted, quoted) : "",
                   counted ? "'" : "");
}

cli_exit cli_metrics(const cli_options *options)
{
    const char *pattern = options->operands.count > 0 ? options->operands.items[0] : "";
    metric_list list = {.near = {.wanted = pattern}};
    cm_error error;
    cm_definitions *definitions = NULL;
    char own[CLI_PATH_SIZE];
    if (begin_list(pattern, &list, &error) != CM_OK)
        return cli_fail(&error);
    if (pattern[0] != '\0' && cli_find_own(own) && cm_definitions_load(own, &definitions, NULL) == CM_OK) {
        list.own = own;
        list.definitions = definitions;
    }
    cm_status status = visit_metrics(list_metric, &list, &error);
    cm_definitions_free(definitions);
    if (status != CM_OK)
        return cli_fail(&error);
    return list.listed > 0 ? cli_finish_stdout(CLI_DONE)
                           : refuse_pattern(&list, "metric", "name, preset or description");
}

/* ---- facts ---- */

/* Lists a fact if the pattern fits its name or its meaning. */
static void list_fact(const char *name, const char *words, void *context)
{
    metric_list *list = context;
    cm_near_offer(&list->near, name);
    if (!fits_pattern(name, list->pattern) && !fits_pattern(words, list->pattern) &&
        !has_name(list->synonym.counts, name))
        return;
    cli_write_cell(name, NAME);
    cm_text_wrap(words, NAME, NAME, cli_width(stdout), stdout);
    putchar('\n');
    list->listed++;
}

cli_exit cli_list_facts(const cli_options *options)
{
    const char *pattern = options->operands.count > 0 ? options->operands.items[0] : "";
    metric_list list = {.near = {.wanted = pattern}};
    cm_error error;
    if (begin_list(pattern, &list, &error) != CM_OK || cm_count_each_fact(list_fact, &list, &error) != CM_OK)
        return cli_fail(&error);
    return list.listed > 0 ? cli_finish_stdout(CLI_DONE) : refuse_pattern(&list, "fact", "name or meaning");
}

/* ---- models ---- */

const char *cli_pmu_at(size_t index)
{
    static const char *const kinds[] = {"auto", "hardware", "software"};
    enum { KINDS = CM_COUNT_OF(kinds) };
    static char **names, text[NAME]; /* as the kernels, the same for the whole process */
    static size_t count;
    if (index < KINDS)
        return kinds[index];
    if (names == NULL)
        cm_pmu_model_names(&names, &count, NULL);
    if (index - KINDS >= count)
        return NULL;
    snprintf(text, sizeof text, "software:%s", names[index - KINDS]);
    return text;
}

/* A processor with several types of cores has a model for each. */
static void write_model(const char *directory, const char *name)
{
    char path[CLI_PATH_SIZE];
    cm_pmu_model *model = NULL;
    int length = snprintf(path, sizeof path, "%s/%s", directory, name);
    cli_write_cell(name, NAME - 12);
    if (length > 0 && (size_t)length < sizeof path && cm_pmu_model_load(path, &model, NULL) == CM_OK) {
        const char *architecture = cm_pmu_model_other_architecture(model, "");
        printf("%s, %zu %s\n", architecture != NULL ? architecture : "any processor", cm_pmu_model_event_count(model),
               cm_plural(cm_pmu_model_event_count(model), "event", "events"));
    } else {
        puts("several types of cores");
    }
    cm_pmu_model_free(model);
}

cli_exit cli_models(const cli_options *options)
{
    const char *wanted = options->operands.count > 0 ? options->operands.items[0] : "";
    cm_near near = {.wanted = wanted};
    char pattern[PLAIN], offered[CM_NEAR_TEXT];
    size_t listed = 0;
    char *directory = NULL, **names = NULL;
    size_t count = 0;
    cm_error error;
    cm_status status = cm_data_path("data/pmu", &directory, &error);
    CM_THEN(status, cm_pmu_model_names(&names, &count, &error));
    cm_text_plain(wanted, pattern, sizeof pattern);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        cm_near_offer(&near, names[i]);
        if (!fits_pattern(names[i], pattern))
            continue;
        write_model(directory, names[i]);
        listed++;
    }
    cm_pmu_model_names_free(names, count);
    free(directory);
    if (status != CM_OK)
        return cli_fail(&error);
    if (listed > 0)
        return cli_finish_stdout(CLI_DONE);
    return cli_end(CLI_BAD_INPUT, "no model has '%s' in its name%s", wanted, cm_near_text(&near, offered));
}
