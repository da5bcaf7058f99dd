/* Reads a file of formulas: first all rows, then what they say, since formulas may use metrics of later rows. */
#include "formulas/formula_set.h"

#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/csv_place.h"
#include "core/error.h"

enum { METRIC, FORMULA, UNIT, SOURCE, FIXED_COLUMNS };
static const char *const columns[FIXED_COLUMNS] = {"metric", "formula", "unit", "source"};

typedef struct layout {
    size_t parent, of; /* columns, 0: not there */
} layout;

static cm_status read_layout(const cm_csv *csv, layout *found, cm_error *error)
{
    cm_status status = cm_csv_expect(csv, FIXED_COLUMNS, columns, true, error);
    if (status != CM_OK)
        return status;
    cm_csv_row header = cm_csv_header(csv);
    for (size_t i = FIXED_COLUMNS; i < header.count; i++)
        if (strcmp(header.fields[i], "parent") == 0)
            found->parent = i;
        else if (strcmp(header.fields[i], "of") == 0)
            found->of = i;
        else
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), header.line, 0,
                                "unknown column '%.100s', expected parent or of behind source", header.fields[i]);
    return CM_OK;
}

static cm_status add_metric(cm_formula_set *set, const cm_csv_row *row, const layout *where, cm_error *error)
{
    size_t place = set->metric_count;
    cm_formula *grown = realloc(set->metrics, (place + 1) * sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    set->metrics = grown;
    cm_formula *metric = &set->metrics[set->metric_count++];
    *metric = (cm_formula){.metric = strdup(row->fields[METRIC]),
                           .formula = strdup(row->fields[FORMULA]),
                           .unit = strdup(row->fields[UNIT]),
                           .source = strdup(row->fields[SOURCE]),
                           .parent_name = strdup(where->parent != 0 ? row->fields[where->parent] : ""),
                           .of_name = strdup(where->of != 0 ? row->fields[where->of] : ""),
                           .parent = CM_FORMULAS_NONE,
                           .of = CM_FORMULAS_NONE,
                           .line = row->line};
    if (metric->metric == NULL || metric->formula == NULL || metric->unit == NULL || metric->source == NULL ||
        metric->parent_name == NULL || metric->of_name == NULL)
        return cm_error_no_memory(error);
    return CM_OK;
}

static cm_status read_rows(cm_csv *csv, cm_formula_set *set, cm_error *error)
{
    layout where = {0};
    cm_status status = read_layout(csv, &where, error);
    for (bool found = true; status == CM_OK;) {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &found, error);
        if (status != CM_OK || !found)
            break;
        if (set->metric_count == CM_FORMULAS_MOST)
            return cm_error_set(error, CM_BAD_INPUT, set->file, row.line, 0, "more than %d metrics", CM_FORMULAS_MOST);
        status = cm_csv_name(csv, &row, METRIC, error);
        if (status == CM_OK)
            status = add_metric(set, &row, &where, error);
    }
    if (status == CM_OK && set->metric_count == 0)
        return cm_error_set(error, CM_BAD_INPUT, set->file, cm_csv_header(csv).line, 0,
                            "no row, expected at least one metric");
    return status;
}

static cm_status name_metrics(cm_formula_set *set, cm_error *error)
{
    cm_status status = cm_name_index_create(&set->names, error);
    for (size_t i = 0; i < set->metric_count && status == CM_OK; i++) {
        const cm_formula *metric = &set->metrics[i];
        size_t other = 0;
        if (cm_name_index_find(set->names, metric->metric, &other))
            return cm_error_set(error, CM_BAD_INPUT, set->file, metric->line, 0,
                                "metric '%.100s' appears twice, first in line %zu", metric->metric,
                                set->metrics[other].line);
        status = cm_name_index_add(set->names, metric->metric, i, error);
    }
    return status;
}

/* A name that is no metric becomes an event. The texts stay where they are when the array of pointers moves. */
static ptrdiff_t resolve(const char *name, void *data)
{
    cm_formula_set *set = data;
    size_t place = 0;
    if (cm_name_index_find(set->names, name, &place))
        return (ptrdiff_t)place;
    char **grown = realloc(set->events, (set->event_count + 1) * sizeof *grown);
    if (grown == NULL)
        return -1;
    set->events = grown;
    char *copy = strdup(name);
    place = set->metric_count + set->event_count;
    if (copy == NULL || cm_name_index_add(set->names, copy, place, NULL) != CM_OK) {
        free(copy);
        return -1;
    }
    set->events[set->event_count++] = copy;
    return (ptrdiff_t)place;
}

static cm_status parse_formulas(cm_formula_set *set, cm_error *error)
{
    for (size_t i = 0; i < set->metric_count; i++) {
        cm_formula *metric = &set->metrics[i];
        cm_expression_source source = {
            .file = set->file, .line = metric->line, .name_characters = ":.", .names_are = "name"};
        if (cm_expression_parse(metric->formula, &source, resolve, set, &metric->expression, NULL) == CM_OK)
            continue;
        cm_csv_place(set->file, metric->line, FORMULA, &source.line, &source.column, NULL);
        cm_status status = cm_expression_parse(metric->formula, &source, resolve, set, &metric->expression, error);
        if (status != CM_OK)
            return status;
    }
    return CM_OK;
}

cm_status cm_formula_set_load(const char *path, cm_formula_set **set, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_formula_set *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    loaded->file = strdup(path);
    cm_status status = loaded->file != NULL ? cm_csv_open(path, &csv, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        status = read_rows(csv, loaded, error);
    cm_csv_close(csv);
    if (status == CM_OK)
        status = name_metrics(loaded, error);
    if (status == CM_OK)
        status = parse_formulas(loaded, error);
    if (status == CM_OK)
        status = cm_formula_set_link(loaded, error);
    if (status == CM_OK)
        *set = loaded;
    else
        cm_formula_set_free(loaded);
    return status;
}

void cm_formula_set_free(cm_formula_set *set)
{
    if (set == NULL)
        return;
    for (size_t i = 0; i < set->metric_count; i++) {
        cm_formula *metric = &set->metrics[i];
        char *const texts[] = {metric->metric, metric->formula,     metric->unit,
                               metric->source, metric->parent_name, metric->of_name};
        for (size_t j = 0; j < sizeof texts / sizeof texts[0]; j++)
            free(texts[j]);
        cm_expression_free(metric->expression);
    }
    for (size_t i = 0; i < set->event_count; i++)
        free(set->events[i]);
    cm_name_index_free(set->names);
    free(set->events);
    free(set->metrics);
    free(set->order);
    free(set->file);
    free(set);
}

const char *cm_formula_set_name(const cm_formula_set *set, size_t value)
{
    return value < set->metric_count ? set->metrics[value].metric : set->events[value - set->metric_count];
}
