/* Reads Arm's telemetry specifications: an object with events and metrics, each an object by name. Arm's tools count
 * the events that a metric lists, and then compute its formula. */
#include "core/json.h"
#include "formats/format.h"

typedef struct arm_reader {
    cm_json_formulas json;
    const json_t *metrics, *events; /* of the document */
    bool parts;           /* it describes parts of an interconnect, which have events and metrics of their own */
    const json_t *listed; /* events of the current metric; NULL: it lists none */
    const char *unlisted, *unknown; /* the first name in its formula that it, or the document, does not list */
    size_t first;                   /* formula of the document */
} arm_reader;

/* Whether an array of texts holds a name. */
static bool lists_name(const json_t *array, const char *name)
{
    size_t i;
    json_t *entry;
    json_array_foreach(array, i, entry)
    {
        if (json_is_string(entry) && strcmp(json_string_value(entry), name) == 0)
            return true;
    }
    return false;
}

/* The number of a metric among the formulas; CM_FORMULAS_NONE: it is none of them. */
static size_t find_metric(const arm_reader *reader, const char *name)
{
    for (size_t i = reader->first; i < reader->json.formulas->count; i++)
        if (strcmp(reader->json.formulas->formulas[i].info.metric, name) == 0)
            return i;
    return CM_FORMULAS_NONE;
}

/* Finds a metric, else adds an event; keeps the first one that the file, or the list, does not have. */
static ptrdiff_t resolve_name(const char *name, void *data)
{
    arm_reader *reader = data;
    size_t metric = json_object_get(reader->events, name) == NULL ? find_metric(reader, name) : CM_FORMULAS_NONE;
    if (metric != CM_FORMULAS_NONE)
        return cm_formulas_metric(reader->json.formulas, metric);
    ptrdiff_t quantity = cm_formulas_quantity(reader->json.formulas, CM_QUANTITY_EVENT, name);
    const char *kept = quantity >= 0 ? reader->json.formulas->quantities[quantity].name : NULL;
    if (reader->unknown == NULL && json_object_get(reader->events, name) == NULL)
        reader->unknown = kept;
    else if (reader->unlisted == NULL && reader->listed != NULL && !lists_name(reader->listed, name))
        reader->unlisted = kept;
    return quantity;
}

/* Records remarks on the events that the formula names and the metric lists. */
static cm_status compare_events(arm_reader *reader, size_t formula)
{
    cm_formulas *formulas = reader->json.formulas;
    const char *metric = formulas->formulas[formula].info.metric;
    const cm_expression *expression = formulas->formulas[formula].expression;
    char text[200];
    size_t i;
    json_t *entry;
    cm_status status = CM_OK;
    if (reader->unknown != NULL && !reader->parts) {
        snprintf(text, sizeof text, "no event '%.100s' among this document's events", reader->unknown);
        status = cm_json_formulas_remark(&reader->json, CM_FAULT_UNKNOWN_EVENT, "formula", metric, text);
    }
    if (status == CM_OK && reader->unlisted != NULL && !reader->parts) {
        snprintf(text, sizeof text, "the metric's events leave out %.100s, so that it is not counted",
                 reader->unlisted);
        status = cm_json_formulas_remark(&reader->json, CM_FAULT_UNKNOWN_COUNTER, "events", metric, text);
    }
    json_array_foreach(reader->listed, i, entry)
    {
        bool used = !json_is_string(entry) || status != CM_OK;
        for (size_t k = 0; !used && k < cm_expression_name_count(expression); k++)
            used = strcmp(formulas->quantities[cm_expression_name_index(expression, k)].name,
                          json_string_value(entry)) == 0;
        if (used)
            continue;
        snprintf(text, sizeof text, "the formula does not use %.100s", json_string_value(entry));
        status = cm_json_formulas_remark(&reader->json, CM_FAULT_UNUSED, "events", metric, text);
    }
    return status;
}

/* Adds the metric `name`, without its expression. */
static cm_status add_metric(arm_reader *reader, const char *name, const json_t *metric)
{
    cm_json_formulas *json = &reader->json;
    cm_formula_info info = {.metric = name};
    size_t formula = 0;
    if (!json_is_object(metric))
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, NULL, name, "not an object, expected a metric");
    info.text = json_string_value(json_object_get(metric, "formula"));
    info.unit = json_string_value(json_object_get(metric, "units"));
    info.description = json_string_value(json_object_get(metric, "title"));
    info.line = cm_json_formulas_location(json, json->object).line;
    if (info.text == NULL)
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, "formula", name, "a metric without a formula as text");
    return cm_formulas_add(json->formulas, &info, &formula, json->error);
}

/* Parses the formula of a metric that was added. */
static cm_status parse_metric(arm_reader *reader, const char *name, const json_t *metric)
{
    static const cm_formula_fault_kind syntax = CM_FAULT_SYNTAX;
    static const cm_expression_source source = {.dialect = CM_EXPRESSION_CATMINT, .names_are = "event"};
    size_t formula = find_metric(reader, name);
    if (formula == CM_FORMULAS_NONE)
        return CM_OK;
    const json_t *listed = json_object_get(metric, "events");
    reader->listed = json_is_array(listed) ? listed : NULL;
    reader->unknown = reader->unlisted = NULL;
    cm_status status =
        cm_json_formulas_parse(&reader->json, formula, "formula", json_string_value(json_object_get(metric, "formula")),
                               &syntax, &source, resolve_name, reader);
    if (status == CM_OK && reader->json.formulas->formulas[formula].expression != NULL)
        status = compare_events(reader, formula);
    return status;
}

/* Takes each metric of the document, whose text begins at `begin`. */
static cm_status take_metrics(arm_reader *reader, const char *begin,
                              cm_status (*take)(arm_reader *reader, const char *name, const json_t *metric))
{
    const char *name;
    json_t *metric;
    cm_status status = CM_OK;
    json_object_foreach((json_t *)reader->metrics, name, metric)
    {
        const cm_json_step step = {.key = name};
        reader->json.object = cm_json_find(begin, &step);
        if (status == CM_OK && reader->json.object != NULL)
            status = take(reader, name, metric);
    }
    return status;
}

/* Adds all metrics of the specification, then parses their formulas. */
static cm_status read_document(arm_reader *reader)
{
    cm_json_formulas *json = &reader->json;
    const cm_json_step metrics = {.key = "metrics"};
    const char *begin = cm_json_find(cm_json_begin(json->text), &metrics);
    reader->metrics = json_object_get(json->document, "metrics");
    reader->events = json_object_get(json->document, "events");
    reader->parts = json_object_get(json->document, "components") != NULL;
    if (begin == NULL || !json_is_object(reader->metrics) || json_object_size(reader->metrics) == 0 ||
        !json_is_object(reader->events))
        return cm_error_set(json->error, CM_BAD_INPUT, json->formulas->file, 1, 1,
                            CM_NO_METRICS ", expected an object with events and metrics, each an object");
    reader->first = json->formulas->count;
    cm_status status = take_metrics(reader, begin, add_metric);
    return status == CM_OK ? take_metrics(reader, begin, parse_metric) : status;
}

/* Reads the formulas of one file. */
static cm_status read_specification(cm_formulas *formulas, cm_error *error)
{
    arm_reader reader = {0};
    cm_status status = cm_json_formulas_open(formulas, &reader.json, error);
    CM_THEN(status, read_document(&reader));
    if (status == CM_NO_MEMORY)
        cm_error_no_memory(error);
    cm_json_formulas_free(&reader.json);
    return status;
}

const cm_foreign_format cm_format_arm = {
    .name = "arm",
    .rules = {.title = "Arm"},
    .looks = "a telemetry specification of Arm's (JSON, an object)",
    .beginning = CM_WORDS("{"),
    .at_top = true,
    .mark = "\"product_configuration\"",
    .read = read_specification,
};
