/* Reads metrics of perf: an array of objects with MetricName and MetricExpr. Objects of events are left out. */
#include "formats/perf/perf.h"

#include "core/json.h"

typedef struct perf_reader {
    cm_json_formulas json;
    cm_name_index *metrics; /* the first formula of each name */
    const char **objects;   /* start of each formula's object */
    size_t capacity;
    size_t current; /* formula */
} perf_reader;

/* The unit of a scale: "1GHz" is in GHz; "100%" stays, because a value of 0.5 is 50 %. */
static const char *unit_of(const char *scale)
{
    bool one = scale != NULL && scale[0] == '1' && scale[1] != '\0' && strchr("0123456789.eE", scale[1]) == NULL;
    return one ? scale + 1 : scale;
}

static cm_status keep_object(perf_reader *reader, size_t formula)
{
    if (!CM_GROW(reader->objects, formula + 1, &reader->capacity))
        return cm_error_no_memory(reader->json.error);
    reader->objects[formula] = reader->json.object;
    return CM_OK;
}

/* Indexes a metric. The same name with another Unit is another metric, as on processors with two kinds of cores. */
static cm_status index_metric(perf_reader *reader, size_t formula)
{
    cm_formulas *formulas = reader->json.formulas;
    const cm_formula_info *info = &formulas->formulas[formula].info;
    size_t first = 0;
    if (!cm_name_index_find(reader->metrics, info->metric, &first))
        return cm_name_index_add(reader->metrics, info->metric, formula, reader->json.error);
    for (size_t i = first; i < formula; i++) {
        const cm_formula_info *other = &formulas->formulas[i].info;
        if (strcmp(other->metric, info->metric) == 0 && strcmp(other->section, info->section) == 0)
            return cm_json_formulas_remark(&reader->json, CM_FAULT_DUPLICATE, "MetricName", info->metric,
                                           "an earlier metric has the same name");
    }
    return CM_OK;
}

/* Whether the object describes an event or the number of counters of a unit, which such files may also hold. */
static bool is_no_metric(const json_t *object)
{
    return json_object_get(object, "EventName") != NULL || json_object_get(object, "EventCode") != NULL ||
           json_object_get(object, "ArchStdEvent") != NULL || json_object_get(object, "CountersNumFixed") != NULL ||
           json_object_get(object, "CountersNumGeneric") != NULL;
}

/* Reads an object. */
static cm_status take_object(perf_reader *reader, const json_t *object)
{
    cm_json_formulas *json = &reader->json;
    const char *scale = NULL;
    cm_formula_info info = {0};
    if (!json_is_object(object))
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, NULL, "", "not an object, expected a metric");
    size_t faults = json->formulas->fault_count;
    const cm_formula_text texts[] = {{"MetricName", &info.metric},
                                     {"MetricExpr", &info.text},
                                     {"Unit", &info.section},
                                     {"BriefDescription", &info.description},
                                     {"ScaleUnit", &scale}};
    cm_status status = cm_json_formulas_texts(json, object, texts, CM_COUNT_OF(texts));
    if (status == CM_OK && info.metric == NULL && info.text != NULL) /* the name is in the architecture's list */
        status = cm_json_formulas_text(json, object, "ArchStdEvent", &info.metric);
    if (status != CM_OK || json->formulas->fault_count > faults || (info.text == NULL && is_no_metric(object)))
        return status;
    if (info.metric == NULL || info.text == NULL)
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, NULL, info.metric,
                                      info.metric == NULL ? "a metric without MetricName"
                                                          : "a metric without MetricExpr");
    size_t formula = 0;
    info.unit = unit_of(scale);
    info.line = cm_json_formulas_location(json, json->object).line;
    status = cm_formulas_add(json->formulas, &info, &formula, json->error);
    CM_THEN(status, keep_object(reader, formula));
    return status == CM_OK ? index_metric(reader, formula) : status;
}

/* The metric of that name with the same unit, else the first of that name; CM_FORMULAS_NONE if there is none. */
static size_t find_metric(const perf_reader *reader, const char *name)
{
    const cm_formulas *formulas = reader->json.formulas;
    const char *unit = formulas->formulas[reader->current].info.section;
    size_t first = 0;
    if (!cm_name_index_find(reader->metrics, name, &first))
        return CM_FORMULAS_NONE;
    for (size_t i = first; i < formulas->count; i++) {
        const cm_formula_info *info = &formulas->formulas[i].info;
        if (strcmp(info->metric, name) == 0 && strcmp(info->section, unit) == 0)
            return i;
    }
    return first;
}

bool cm_perf_is_variable(const char *name)
{
    static const char *const times[] = {"duration_time", "user_time", "system_time"};
    return CM_IS_ONE(name, times) || name[0] == '#' || strchr(name, '(') != NULL;
}

static ptrdiff_t resolve_json_name(const char *name, void *data)
{
    perf_reader *reader = data;
    size_t metric = find_metric(reader, name);
    if (metric != CM_FORMULAS_NONE)
        return cm_formulas_metric(reader->json.formulas, metric);
    return cm_formulas_quantity(reader->json.formulas,
                                cm_perf_is_variable(name) ? CM_QUANTITY_VARIABLE : CM_QUANTITY_EVENT, name);
}

/* Parses the formulas of all metrics. */
static cm_status parse_json_formulas(perf_reader *reader)
{
    const cm_expression_source source = {.dialect = CM_EXPRESSION_PERF, .names_are = "name"};
    const cm_formula_fault_kind kind = CM_FAULT_SYNTAX;
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->json.formulas->count && status == CM_OK; i++) {
        reader->current = i;
        reader->json.object = reader->objects[i];
        status = cm_json_formulas_parse(&reader->json, i, "MetricExpr", reader->json.formulas->formulas[i].info.text,
                                        &kind, &source, resolve_json_name, reader);
    }
    return status;
}

/* Reads the array of objects. */
static cm_status read_document(perf_reader *reader)
{
    cm_json_formulas *json = &reader->json;
    size_t i;
    json_t *object;
    const cm_json_step first = {.index = 0};
    cm_status status = CM_OK;
    if (!json_is_array(json->document))
        return cm_error_set(json->error, CM_BAD_INPUT, json->formulas->file, 1, 1,
                            "not an array, expected an array of metrics");
    json->object = cm_json_find(cm_json_begin(json->text), &first);
    json_array_foreach(json->document, i, object)
    {
        CM_THEN(status, take_object(reader, object));
        json->object = cm_json_next(json->object);
    }
    if (status == CM_OK && json->formulas->count + json->formulas->fault_count == 0)
        return cm_error_set(json->error, CM_BAD_INPUT, json->formulas->file, 1, 1, CM_NO_METRICS "%s",
                            json_object_get(json_array_get(json->document, 0), "EventName") != NULL
                                ? " but a list of events, expected objects with MetricName and MetricExpr"
                                : ", expected objects with MetricName and MetricExpr");
    return status == CM_OK ? parse_json_formulas(reader) : status;
}

cm_status cm_perf_read(cm_formulas *formulas, cm_error *error)
{
    perf_reader reader = {0};
    cm_status status = cm_json_formulas_open(formulas, &reader.json, error);
    CM_THEN(status, cm_name_index_create(&reader.metrics, error));
    CM_THEN(status, read_document(&reader));
    if (status == CM_NO_MEMORY)
        cm_error_no_memory(error);
    cm_name_index_free(reader.metrics);
    cm_json_formulas_free(&reader.json);
    free(reader.objects);
    return status;
}
