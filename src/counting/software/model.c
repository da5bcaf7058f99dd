#include "counting/software/model.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/name_index.h"
#include "formulas/expression.h"

typedef struct model_event {
    char *name;
    char *description;
    cm_expression *expression;
} model_event;

struct cm_pmu_model {
    char *name;
    cm_pmu_machine machine;
    model_event *events;
    size_t count, capacity;
};

static ptrdiff_t resolve_fact(const char *name, void *data)
{
    (void)data;
    return cm_fact_find(name);
}

static cm_status parse_expression(const cm_csv *csv, const cm_csv_row *row, cm_expression **expression, cm_error *error)
{
    cm_expression_source source = {cm_csv_path(csv), row->line};
    cm_expression *parsed = NULL;
    cm_status status = cm_expression_parse(row->fields[2], &source, resolve_fact, NULL, &parsed, error);
    size_t column = 0;
    if (status == CM_BAD_INPUT && error != NULL && strncmp(error->text, "unknown name", 12) == 0)
        strncat(error->text, ", expected a fact of the software PMU", sizeof error->text - strlen(error->text) - 1);
    if (status == CM_OK && !cm_expression_divides_safely(parsed, &column)) {
        cm_expression_free(parsed);
        return cm_error_set(error, CM_BAD_INPUT, source.file, source.line, column,
                            "%s divides by zero, or by a fact, which can be zero: expected a constant other than zero",
                            row->fields[0]);
    }
    if (status == CM_OK)
        *expression = parsed;
    return status;
}

static cm_status add_event(cm_pmu_model *model, const cm_csv *csv, const cm_csv_row *row, cm_error *error)
{
    cm_status status = cm_csv_name(csv, row, 0, error);
    if (status != CM_OK)
        return status;
    if (model->count == model->capacity) {
        size_t capacity = model->capacity != 0 ? 2 * model->capacity : 128;
        model_event *events = realloc(model->events, capacity * sizeof *events);
        if (events == NULL)
            return cm_error_no_memory(error);
        model->events = events;
        model->capacity = capacity;
    }
    model_event *event = &model->events[model->count];
    *event = (model_event){0};
    status = parse_expression(csv, row, &event->expression, error);
    if (status != CM_OK)
        return status;
    model->count++;
    event->name = strdup(row->fields[0]);
    event->description = strdup(row->fields[1]);
    return event->name != NULL && event->description != NULL ? CM_OK : cm_error_no_memory(error);
}

static cm_status read_events(cm_pmu_model *model, cm_csv *csv, cm_name_index *index, cm_error *error)
{
    static const char *const columns[] = {"event", "description", "expression"};
    cm_status status = cm_csv_expect(csv, 3, columns, false, error);
    while (status == CM_OK) {
        cm_csv_row row;
        bool found = false;
        size_t place = 0;
        status = cm_csv_next(csv, &row, &found, error);
        if (status != CM_OK || !found)
            break;
        if (cm_name_index_find(index, row.fields[0], &place))
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row.line, 0,
                                "the event \"%s\" is there already, expected each once", row.fields[0]);
        status = add_event(model, csv, &row, error);
        if (status == CM_OK)
            status = cm_name_index_add(index, model->events[model->count - 1].name, model->count - 1, error);
    }
    if (status == CM_OK && model->count == 0)
        status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), cm_csv_header(csv).line, 0,
                              "the model has no events, expected at least one");
    return status;
}

static cm_status load_events(cm_pmu_model *model, const char *path, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_name_index *index = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = cm_name_index_create(&index, error);
    if (status == CM_OK)
        status = read_events(model, csv, index, error);
    cm_name_index_free(index);
    cm_csv_close(csv);
    return status;
}

/* The last part of the path: "zen4" of "data/pmu/zen4/". */
static char *folder_name(const char *directory)
{
    size_t end = strlen(directory);
    while (end > 1 && directory[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && directory[start - 1] != '/')
        start--;
    return strndup(directory + start, end - start);
}

static cm_status load_file(cm_pmu_model *model, const char *directory, const char *file,
                           cm_status (*load)(cm_pmu_model *, const char *, cm_error *), cm_error *error)
{
    char *path = NULL;
    struct stat found;
    if (asprintf(&path, "%s/%s", directory, file) < 0)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    if (stat(path, &found) != 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                              "%s: a model is a folder with events.csv and machine.csv", strerror(errno));
    else
        status = load(model, path, error);
    free(path);
    return status;
}

static cm_status load_machine(cm_pmu_model *model, const char *path, cm_error *error)
{
    return cm_pmu_machine_load(path, &model->machine, error);
}

cm_status cm_pmu_model_load(const char *directory, cm_pmu_model **model, cm_error *error)
{
    cm_pmu_model *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    created->name = folder_name(directory);
    cm_status status = created->name != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        status = load_file(created, directory, "machine.csv", load_machine, error);
    if (status == CM_OK)
        status = load_file(created, directory, "events.csv", load_events, error);
    if (status == CM_OK)
        *model = created;
    else
        cm_pmu_model_free(created);
    return status;
}

void cm_pmu_model_free(cm_pmu_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->count; i++) {
        free(model->events[i].name);
        free(model->events[i].description);
        cm_expression_free(model->events[i].expression);
    }
    free(model->events);
    free(model->name);
    free(model);
}

const char *cm_pmu_model_name(const cm_pmu_model *model)
{
    return model->name;
}

const cm_pmu_machine *cm_pmu_model_machine(const cm_pmu_model *model)
{
    return &model->machine;
}

size_t cm_pmu_model_event_count(const cm_pmu_model *model)
{
    return model->count;
}

cm_pmu_event cm_pmu_model_event(const cm_pmu_model *model, size_t event)
{
    return (cm_pmu_event){model->events[event].name, model->events[event].description};
}

enum { FACT_LIMIT = 512 };

int64_t cm_pmu_model_evaluate(const cm_pmu_model *model, size_t event, const uint64_t *facts)
{
    double values[FACT_LIMIT];
    size_t count = cm_fact_count() < FACT_LIMIT ? cm_fact_count() : FACT_LIMIT;
    for (size_t i = 0; i < count; i++)
        values[i] = (double)facts[i];
    double value = cm_expression_evaluate(model->events[event].expression, values);
    if (!(fabs(value) < 0x1p63))
        return value > 0 ? INT64_MAX : INT64_MIN; /* no fact is that large; an absurd constant factor may be */
    return (int64_t)llrint(value);
}
