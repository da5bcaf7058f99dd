/* What stands beside a definition: its values on the kernels, and how it was held against what nobody fitted. */
#include <math.h>

#include "report/view/view.h"

/* A member that older documents do not have, or that is null. */
static const json_t *part_of(const json_t *item, const char *key)
{
    const json_t *part = json_object_get(item, key);
    return json_is_null(part) ? NULL : part;
}

cm_status cm_view_read_texts(cm_json_reader *reader, const json_t *object, const char *key, cm_view_texts *texts)
{
    *texts = (cm_view_texts){0};
    return part_of(object, key) != NULL ? cm_json_read_texts(reader, object, key, &texts->count, &texts->items) : CM_OK;
}

static cm_status read_optional_text(cm_json_reader *reader, const json_t *object, const char *key, const char **text)
{
    *text = NULL;
    return part_of(object, key) != NULL ? cm_json_read_text(reader, object, key, CM_JSON_OR_NULL, text) : CM_OK;
}

static cm_status read_check(cm_json_reader *reader, const json_t *item, size_t kernel_count, cm_view_metric *metric)
{
    const json_t *check = part_of(item, "check");
    metric->worst = NAN;
    if (check == NULL)
        return CM_OK;
    cm_json_enter(reader, "check", 0);
    cm_status status =
        cm_json_read_numbers(reader, check, "expected", CM_JSON_NOT_NULL, kernel_count, &metric->expected);
    if (status == CM_OK)
        status = cm_json_read_numbers(reader, check, "rounded", CM_JSON_NOT_NULL, kernel_count, &metric->value);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, check, "worst", CM_JSON_NOT_NULL, &metric->worst);
    cm_json_leave(reader);
    return status;
}

static cm_status read_outcome(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_view_outcome *outcome = (cm_view_outcome *)items + index;
    cm_status status = cm_json_read_text(reader, item, "program", CM_JSON_NOT_NULL, &outcome->program);
    if (status == CM_OK)
        status = cm_json_read_number(reader, item, "expected", CM_JSON_NOT_NULL, &outcome->expected);
    if (status == CM_OK)
        status = cm_json_read_number(reader, item, "range", CM_JSON_NOT_NULL, &outcome->range);
    if (status == CM_OK)
        status = cm_json_read_number(reader, item, "measured", CM_JSON_NOT_NULL, &outcome->measured);
    return status;
}

/* Each program; older documents have a summary alone. */
static cm_status read_outcomes(cm_json_reader *reader, const json_t *part, cm_view_trial *trial)
{
    void *items = NULL;
    if (part_of(part, "outcomes") == NULL)
        return CM_OK;
    cm_status status = cm_json_read_items(reader, part, "outcomes", sizeof *trial->outcomes, read_outcome,
                                          &trial->outcome_count, &items);
    trial->outcomes = items;
    return status;
}

static cm_status read_trial(cm_json_reader *reader, const json_t *item, const char *key, cm_view_trial *trial)
{
    const json_t *part = part_of(item, key);
    if (part == NULL)
        return CM_OK;
    cm_json_enter(reader, key, 0);
    cm_status status = cm_json_read_figure(reader, part, "programs", CM_JSON_NOT_NULL, &trial->count);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, part, "failed", CM_JSON_NOT_NULL, &trial->failed);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, part, "median", CM_JSON_OR_NULL, &trial->median);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, part, "worst", CM_JSON_OR_NULL, &trial->worst);
    if (status == CM_OK)
        status = read_optional_text(reader, part, "refuted_by", &trial->refuted_by);
    if (status == CM_OK)
        status = read_outcomes(reader, part, trial);
    cm_json_leave(reader);
    return status;
}

static cm_status read_controls(cm_json_reader *reader, const json_t *item, cm_view_metric *metric)
{
    const json_t *controls = part_of(item, "controls");
    metric->control_count = metric->control_worst = NAN;
    if (controls == NULL)
        return CM_OK;
    cm_json_enter(reader, "controls", 0);
    cm_status status = cm_json_read_figure(reader, controls, "kernels", CM_JSON_NOT_NULL, &metric->control_count);
    if (status == CM_OK)
        status = cm_json_read_figure(reader, controls, "worst", CM_JSON_OR_NULL, &metric->control_worst);
    cm_json_leave(reader);
    return status;
}

cm_status cm_view_read_metric(cm_json_reader *reader, const json_t *item, size_t kernel_count, cm_view_metric *metric)
{
    cm_status status = read_check(reader, item, kernel_count, metric);
    metric->resolution = NAN;
    if (status == CM_OK)
        status = read_trial(reader, item, "validation", &metric->programs);
    if (status == CM_OK)
        status = read_trial(reader, item, "workloads", &metric->workloads);
    if (status == CM_OK)
        status = read_controls(reader, item, metric);
    if (status == CM_OK && part_of(item, "resolution") != NULL)
        status = cm_json_read_figure(reader, item, "resolution", CM_JSON_OR_NULL, &metric->resolution);
    if (status == CM_OK)
        status = read_optional_text(reader, item, "refused", &metric->refused);
    if (status == CM_OK)
        status = cm_view_read_texts(reader, item, "confounded_with", &metric->confounded);
    if (status == CM_OK)
        status = cm_view_read_texts(reader, item, "also_counts", &metric->also_counts);
    return status;
}
