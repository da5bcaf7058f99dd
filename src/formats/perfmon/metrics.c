/* Reads metrics of Intel's perfmon: {Header, Metrics}, formulas over aliases of events and constants. */
#include "core/json.h"
#include "formats/format.h"

typedef struct alias {
    const char *alias, *name; /* in the document */
    cm_quantity_kind kind;
    bool used;
} alias;

typedef struct perfmon_reader {
    cm_json_formulas json;
    alias *aliases; /* of the current metric */
    size_t alias_count;
    cm_formula_fault_kind kind; /* of a fault in its formula */
    size_t word_count;          /* of the names in a formula over names */
} perfmon_reader;

/* Adds an alias; of two with the same name the first is kept. */
static cm_status add_alias(perfmon_reader *reader, const alias *added, const char *metric)
{
    for (size_t i = 0; i < reader->alias_count; i++)
        if (strcmp(reader->aliases[i].alias, added->alias) == 0)
            return cm_json_formulas_remark(&reader->json, CM_FAULT_DUPLICATE, "Events", metric,
                                           "an alias for two names, the first is used");
    return CM_APPEND(reader->aliases, reader->alias_count, *added) ? CM_OK : cm_error_no_memory(reader->json.error);
}

/* Reads Events or Constants: an array of {Name, Alias}. */
static cm_status take_aliases(perfmon_reader *reader, const json_t *metric, const char *key, cm_quantity_kind kind)
{
    const json_t *array = json_object_get(metric, key);
    const char *metric_name = json_string_value(json_object_get(metric, "MetricName"));
    size_t i;
    json_t *entry;
    cm_status status = CM_OK;
    if (array == NULL || json_is_null(array))
        return CM_OK;
    if (!json_is_array(array))
        return cm_json_formulas_fault(&reader->json, CM_FAULT_SYNTAX, key, metric_name,
                                      "not an array, expected an array of {Name, Alias}");
    json_array_foreach(array, i, entry)
    {
        alias added = {json_string_value(json_object_get(entry, "Alias")),
                       json_string_value(json_object_get(entry, "Name")), kind, false};
        if (status != CM_OK)
            break;
        status = added.alias != NULL && added.name != NULL
                     ? add_alias(reader, &added, metric_name)
                     : cm_json_formulas_fault(&reader->json, CM_FAULT_SYNTAX, key, metric_name,
                                              "an entry without Name or Alias, expected both as text");
    }
    return status;
}

/* Aliases are a, b ... aa, ab ...; longer words without an alias are values that the consumer knows, such as smt_on. */
static ptrdiff_t resolve_name(const char *name, void *data)
{
    enum { LONGEST_ALIAS = 2 };
    perfmon_reader *reader = data;
    size_t length = strcspn(name, "["); /* a[0] is a of the first unit */
    for (size_t i = 0; i < reader->alias_count; i++)
        if (strlen(reader->aliases[i].alias) == length && strncmp(reader->aliases[i].alias, name, length) == 0) {
            reader->aliases[i].used = true;
            return cm_formulas_quantity(reader->json.formulas, reader->aliases[i].kind, reader->aliases[i].name);
        }
    if (strlen(name) > LONGEST_ALIAS)
        return cm_formulas_quantity(reader->json.formulas, CM_QUANTITY_VARIABLE, name);
    reader->kind = CM_FAULT_UNKNOWN_COUNTER;
    return -1;
}

/* Records a remark for each event that the formula does not use. */
static cm_status remark_unused(perfmon_reader *reader, const char *metric)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->alias_count && status == CM_OK; i++) {
        char text[160];
        if (reader->aliases[i].used || reader->aliases[i].kind != CM_QUANTITY_EVENT)
            continue;
        snprintf(text, sizeof text, "the formula does not use %.20s, which is %.100s", reader->aliases[i].alias,
                 reader->aliases[i].name);
        status = cm_json_formulas_remark(&reader->json, CM_FAULT_UNUSED, "Events", metric, text);
    }
    return status;
}

/* Adds a metric and parses its formula. */
static cm_status parse_formula(perfmon_reader *reader, const cm_formula_info *info)
{
    const cm_expression_source source = {.dialect = CM_EXPRESSION_PERFMON, .names_are = "alias"};
    cm_formulas *formulas = reader->json.formulas;
    size_t formula = 0;
    reader->kind = CM_FAULT_SYNTAX;
    cm_status status = cm_formulas_add(formulas, info, &formula, reader->json.error);
    CM_THEN(status, cm_json_formulas_parse(&reader->json, formula, "Formula", info->text, &reader->kind, &source,
                                           resolve_name, reader));
    if (status == CM_OK && formulas->formulas[formula].expression != NULL)
        status = remark_unused(reader, info->metric);
    return status;
}

/* The part of a metric's name that all spellings share: of tma_info_thread_ipc and metric_TMA_Info_Thread_IPC(%). */
static const char *core_of(const char *name, size_t *length)
{
    static const char *const before[] = {"metric_", "tma_"};
    for (size_t i = 0; i < CM_COUNT_OF(before); i++)
        if (strncasecmp(name, before[i], strlen(before[i])) == 0)
            name += strlen(before[i]);
    *length = strcspn(name, "(:");
    return name;
}

/* Whether the member of an object names the same as `name`, but for options and the letters before and behind. */
static bool is_named(const json_t *object, const char *key, const char *name)
{
    const char *found = json_string_value(json_object_get(object, key));
    size_t length = 0, wanted = 0;
    if (found == NULL)
        return false;
    found = core_of(found, &length);
    name = core_of(name, &wanted);
    return length == wanted && strncasecmp(found, name, length) == 0;
}

/* Whether one of the metric's events or constants has the name. */
static bool has_named(const json_t *metric, const char *key, const char *name)
{
    const json_t *entries = json_object_get(metric, key);
    for (size_t i = 0; i < json_array_size(entries); i++)
        if (is_named(json_array_get(entries, i), "Name", name))
            return true;
    return false;
}

/* Finds a name in a formula: a metric, event or constant of the file, or a value that consumers know. */
static ptrdiff_t resolve_word(const char *name, void *data)
{
    static const char *const values[] = {"smt_on", "duration_time", "tsc", "num_cpus"};
    perfmon_reader *reader = data;
    const json_t *metrics = json_object_get(reader->json.document, "Metrics");
    bool known = false;
    for (size_t i = 0; i < CM_COUNT_OF(values); i++)
        known = known || strcasecmp(name, values[i]) == 0;
    for (size_t i = 0; i < json_array_size(metrics) && !known; i++) {
        const json_t *metric = json_array_get(metrics, i);
        known = is_named(metric, "MetricName", name) || is_named(metric, "LegacyName", name) ||
                has_named(metric, "Events", name) || has_named(metric, "Constants", name);
    }
    if (known)
        return (ptrdiff_t)reader->word_count++;
    reader->kind = CM_FAULT_UNKNOWN_COUNTER;
    return -1;
}

/* Records a remark if the metric's formula `text` in the member `key` cannot be read. */
static cm_status check_text(perfmon_reader *reader, const json_t *metric, const char *key, const char *text,
                            cm_expression_resolve words)
{
    const cm_expression_source source = {.dialect = CM_EXPRESSION_PERFMON, .names_are = "metric or event"};
    cm_expression *expression = NULL;
    cm_error fault = {0};
    char *plain = strdup(text);
    if (plain == NULL)
        return cm_error_no_memory(reader->json.error);
    for (char *end = plain; (end = strpbrk(end, ":(")) != NULL; end++) /* names end at options, and at (%) */
        if (*end == ':' || strncmp(end, "(%)", 3) == 0)
            memset(end, ' ', *end == ':' ? strcspn(end, " )") : 3);
    reader->kind = CM_FAULT_SYNTAX;
    reader->word_count = 0;
    cm_status status =
        plain[0] != '\0' ? cm_expression_parse(plain, &source, words, reader, &expression, &fault) : CM_OK;
    cm_expression_free(expression);
    free(plain);
    if (status != CM_BAD_INPUT)
        return status == CM_NO_MEMORY ? cm_error_no_memory(reader->json.error) : CM_OK;
    char said[CM_ERROR_TEXT_SIZE + 32];
    snprintf(said, sizeof said, "in its %s: %s", strcmp(key, "Threshold") == 0 ? "threshold" : key, fault.text);
    return cm_json_formulas_remark(&reader->json, reader->kind, key,
                                   json_string_value(json_object_get(metric, "MetricName")), said);
}

/* Checks the formulas over names: the metric's own, and those of its threshold. */
static cm_status check_words(perfmon_reader *reader, const json_t *metric)
{
    const json_t *threshold = json_object_get(metric, "Threshold");
    const json_t *metrics = json_object_get(threshold, "ThresholdMetrics");
    const char *base = json_string_value(json_object_get(metric, "BaseFormula"));
    const char *text = json_string_value(json_object_get(threshold, "Formula"));
    const char *words = json_string_value(json_object_get(threshold, "BaseFormula"));
    cm_status status = base != NULL ? check_text(reader, metric, "BaseFormula", base, resolve_word) : CM_OK;
    if (status == CM_OK && text != NULL && json_is_array(metrics))
        status = check_text(reader, metric, "Threshold", text, NULL);
    if (status == CM_OK && words != NULL)
        status = check_text(reader, metric, "Threshold", words, resolve_word);
    for (size_t i = 0; i < json_array_size(metrics) && status == CM_OK; i++) {
        const char *value = json_string_value(json_object_get(json_array_get(metrics, i), "Value"));
        if (value != NULL && (words == NULL || strstr(words, value) == NULL))
            status = check_text(reader, metric, "Threshold", value, resolve_word);
    }
    return status;
}

static cm_status remark_duplicate(perfmon_reader *reader, const char *metric)
{
    const cm_formulas *formulas = reader->json.formulas;
    for (size_t i = 0; i < formulas->count; i++)
        if (strcmp(formulas->formulas[i].info.metric, metric) == 0)
            return cm_json_formulas_remark(&reader->json, CM_FAULT_DUPLICATE, "MetricName", metric,
                                           "an earlier metric has the same name");
    return CM_OK;
}

/* Reads a metric. */
static cm_status take_metric(perfmon_reader *reader, const json_t *metric)
{
    cm_json_formulas *json = &reader->json;
    cm_formula_info info = {0};
    if (!json_is_object(metric))
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, NULL, "", "not an object, expected a metric");
    size_t faults = json->formulas->fault_count;
    reader->alias_count = 0;
    const cm_formula_text texts[] = {{"MetricName", &info.metric},
                                     {"Formula", &info.text},
                                     {"UnitOfMeasure", &info.unit},
                                     {"BriefDescription", &info.description}};
    cm_status status = cm_json_formulas_texts(json, metric, texts, CM_COUNT_OF(texts));
    CM_THEN(status, take_aliases(reader, metric, "Events", CM_QUANTITY_EVENT));
    CM_THEN(status, take_aliases(reader, metric, "Constants", CM_QUANTITY_VARIABLE));
    if (status != CM_OK || json->formulas->fault_count > faults)
        return status;
    if (info.metric == NULL || info.text == NULL)
        return cm_json_formulas_fault(json, CM_FAULT_SYNTAX, NULL, info.metric,
                                      info.metric == NULL ? "a metric without MetricName" : "a metric without Formula");
    info.line = cm_json_formulas_location(json, json->object).line;
    status = remark_duplicate(reader, info.metric);
    CM_THEN(status, check_words(reader, metric));
    return status == CM_OK ? parse_formula(reader, &info) : status;
}

/* Reads the array of metrics. */
static cm_status read_document(perfmon_reader *reader)
{
    cm_json_formulas *json = &reader->json;
    const cm_json_step metrics = {.key = "Metrics"}, first = {.index = 0};
    const json_t *array = json_object_get(json->document, "Metrics");
    const char *begin = cm_json_find(cm_json_begin(json->text), &metrics);
    size_t i;
    json_t *metric;
    cm_status status = CM_OK;
    if (!json_is_array(array) || json_array_size(array) == 0 || begin == NULL || *begin != '[')
        return cm_error_set(json->error, CM_BAD_INPUT, json->formulas->file, 1, 1, CM_NO_METRICS "%s",
                            json_is_array(json_object_get(json->document, "Events"))
                                ? " but a list of events, expected an object with Metrics, an array of objects"
                                : ", expected an object with Metrics, an array of objects");
    json->object = cm_json_find(begin, &first);
    json_array_foreach(array, i, metric)
    {
        if (status == CM_OK && json->object != NULL)
            status = take_metric(reader, metric);
        json->object = json->object != NULL ? cm_json_next(json->object) : NULL;
    }
    return status;
}

/* Reads the formulas of one file. */
static cm_status read_metrics(cm_formulas *formulas, cm_error *error)
{
    perfmon_reader reader = {0};
    cm_status status = cm_json_formulas_open(formulas, &reader.json, error);
    CM_THEN(status, read_document(&reader));
    if (status == CM_NO_MEMORY)
        cm_error_no_memory(error);
    cm_json_formulas_free(&reader.json);
    free(reader.aliases);
    return status;
}

const cm_foreign_format cm_format_perfmon = {
    .name = "perfmon",
    .rules = {.title = "perfmon"},
    .looks = "metrics of perfmon (JSON, an object)",
    .beginning = CM_WORDS("{"),
    .at_top = true,
    .mark = "\"Formula\"",
    .read = read_metrics,
};
