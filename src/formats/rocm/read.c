/* Reads derived counters of rocprofv3 and of rocprof before it, and panels of rocprof-compute. Their functions over
 * parts of the GPU and over launches are taken off: a formula is read as the sum that it is computed from. */
#include "formats/rocm/rocm.h"

/* ---- functions ---- */

/* The end of the parenthesis that `open` opens; NULL: it has none. */
static char *find_close(char *open)
{
    long depth = 0;
    for (char *at = open; *at != '\0'; at++) {
        depth += (*at == '(') - (*at == ')');
        if (depth == 0)
            return at;
    }
    return NULL;
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

/* Makes blanks of the function's name, and of its arguments behind the first; the first stays, in parentheses. */
static void take_off(char *text, const char *function)
{
    size_t length = strlen(function);
    for (char *at = text; (at = strstr(at, function)) != NULL; at++) {
        char *close = at[length] == '(' ? find_close(at + length) : NULL;
        if (close == NULL || (at > text && cm_name_is_word(at[-1])))
            continue;
        blank(at, at + length);
        long depth = 0;
        for (char *comma = at + length + 1; comma < close; comma++) {
            depth += (*comma == '(') - (*comma == ')');
            if (*comma == ',' && depth == 0) {
                blank(comma, close);
                break;
            }
        }
    }
}

/* Takes `if (B != 0) else None` off, which guards a division, and marks variables: `$name` becomes `_name`. */
static void take_guards_off(char *text)
{
    static const char end[] = "None";
    for (char *at = text; (at = strstr(at, "if ")) != NULL; at++) {
        char *none = strstr(at, end), *other = strstr(at, "else");
        if (at > text && isspace((unsigned char)at[-1]) && none != NULL && other != NULL && other < none &&
            other[4 + strspn(other + 4, " \n")] == 'N')
            blank(at, none + strlen(end));
    }
    for (char *at = text; *at != '\0'; at++)
        if (*at == '$')
            *at = '_';
}

/* Names the time that panels divide by: `(End_Timestamp - Start_Timestamp)`, nanoseconds, becomes one in seconds. */
static void name_durations(char *text)
{
    static const char end[] = "(End_Timestamp", start[] = "Start_Timestamp", name[] = "(1e9*_duration)";
    for (char *at = text; (at = strstr(at, end)) != NULL; at++) {
        char *close = strchr(at, ')'), *other = strstr(at, start);
        if (other == NULL || close == NULL || other > close)
            continue;
        blank(at, close + 1);
        memcpy(at + 1, name, strlen(name));
    }
}

/* Takes functions off a formula, and writes durations as events. */
static void simplify_formula(char *text, bool xml)
{
    static const char *const functions[] = {"reduce", "accumulate", "AVG",    "MIN",   "MAX", "SUM",
                                            "MED",    "STD",        "TO_INT", "ROUND", NULL};
    static const char *const of_instances[] = {"sum", "avr", "max", "min", NULL};
    for (size_t i = 0; xml && of_instances[i] != NULL; i++)
        take_off(text, of_instances[i]);
    take_guards_off(text);
    name_durations(text);
    for (size_t i = 0; functions[i] != NULL; i++)
        take_off(text, functions[i]);
}

/* ---- names ---- */

/* Whether the list, between slashes, has the first of the other's names. */
static bool has_target(const char *list, const char *other)
{
    size_t wanted = strcspn(other, "/");
    for (const char *at = list; *at != '\0'; at += strspn(at, "/")) {
        size_t length = strcspn(at, "/");
        if (length == wanted && strncmp(at, other, length) == 0)
            return true;
        at += length;
    }
    return *list == *other; /* neither has any */
}

/* The next of the GPUs that the list's first takes over from; NULL: there is no other. */
static const char *next_target(const cm_rocm_reader *reader, const char *targets)
{
    const char *next = reader->xml ? strchr(targets, '/') : NULL;
    return next != NULL ? next + 1 : NULL;
}

static bool is_basic(const cm_rocm_reader *reader, const char *name, const char *targets)
{
    for (const char *at = targets; at != NULL; at = next_target(reader, at))
        for (size_t i = 0; i < reader->basic_count; i++)
            if (strcmp(reader->basics[i].name, name) == 0 && has_target(reader->basics[i].targets, at))
                return true;
    return false;
}

/* The formula of that name for the GPU of the current one, CM_FORMULAS_NONE: there is none. */
static size_t find_metric(const cm_rocm_reader *reader, const char *name, const char *targets)
{
    const cm_formulas *formulas = reader->formulas;
    for (const char *at = targets; reader->counters && at != NULL; at = next_target(reader, at))
        for (size_t i = 0; i < formulas->count; i++)
            if (strcmp(formulas->formulas[i].info.metric, name) == 0 &&
                has_target(formulas->formulas[i].info.section, at))
                return i;
    return CM_FORMULAS_NONE;
}

/* Whether it is a property of the GPU, as rocprof spells them. */
static bool is_property(const char *name)
{
    size_t length = strlen(name);
    return (length > 4 && strcmp(name + length - 4, "_NUM") == 0) || strcmp(name, "MAX_WAVE_SIZE") == 0;
}

/* Properties of the GPU are in lower case, and constants of panels begin with '$'. */
static ptrdiff_t resolve_name(const char *name, void *data)
{
    cm_rocm_reader *reader = data;
    const cm_formula_info *info = &reader->formulas->formulas[reader->current].info;
    size_t metric = find_metric(reader, name, info->section);
    if (metric != CM_FORMULAS_NONE && metric != reader->current)
        return cm_formulas_metric(reader->formulas, metric);
    bool for_all = reader->xml && info->section[0] == '\0'; /* of counters that each GPU has its own of */
    bool variable = !isupper((unsigned char)name[0]) || strcmp(name, "None") == 0 ||
                    strstr(name, "_Timestamp") != NULL || (reader->xml && is_property(name));
    if (!variable && !for_all && reader->basic_count > 0 && reader->unknown == NULL &&
        !is_basic(reader, name, info->section) && (reader->unknown = strdup(name)) == NULL)
        return CM_RESOLVED_NO_MEMORY;
    return cm_formulas_quantity(reader->formulas, variable ? CM_QUANTITY_VARIABLE : CM_QUANTITY_EVENT, name);
}

/* ---- entries ---- */

/* NAME, architectures, GPUs, expression; or a list in which each counter has a name and definitions. */
static cm_status take_counter(const cm_yaml_entry *entry, void *data, cm_error *error)
{
    cm_rocm_reader *reader = data;
    const char *key = entry->keys[entry->depth - 1];
    (void)error;
    if (entry->depth == 1)
        snprintf(reader->name, sizeof reader->name, "%s", key);
    else if (strcmp(key, "name") == 0)
        snprintf(reader->name, sizeof reader->name, "%s", entry->value);
    else if (strcmp(key, "architectures") == 0)
        snprintf(reader->targets, sizeof reader->targets, "%s", "");
    else if (strcmp(entry->keys[entry->depth - 2], "architectures") == 0)
        cm_rocm_append_target(reader, key[0] != '\0' ? key : entry->value);
    if (entry->depth == 3 && strcmp(entry->keys[1], "architectures") == 0)
        snprintf(reader->targets, sizeof reader->targets, "%s", key);
    if (strcmp(key, "block") == 0)
        return cm_rocm_keep_named(&reader->basics, &reader->basic_count, reader->name, reader->targets, reader->error);
    return strcmp(key, "expression") == 0 ? cm_rocm_add(reader, entry, reader->targets, "") : CM_OK;
}

/* Panel Config, data source, metric_table, metric, NAME, then `value` or `avg`, and `unit`. */
static cm_status take_panel(const cm_yaml_entry *entry, void *data, cm_error *error)
{
    static const char *const values[] = {"value", "avg", "expr", "count"};
    cm_rocm_reader *reader = data;
    const char *key = entry->keys[entry->depth - 1];
    (void)error;
    if (entry->depth < 3 || strcmp(entry->keys[entry->depth - 3], "metric") != 0)
        return CM_OK;
    snprintf(reader->name, sizeof reader->name, "%s", entry->keys[entry->depth - 2]);
    if (strstr(reader->name, "::") != NULL)
        return CM_OK; /* a pattern, of which the profiler makes a metric for each channel */
    cm_formulas *formulas = reader->formulas;
    if (strcmp(key, "unit") == 0 && formulas->count > 0 &&
        strcmp(formulas->formulas[formulas->count - 1].info.metric, reader->name) == 0) {
        formulas->formulas[formulas->count - 1].info.unit =
            cm_formulas_keep(formulas, entry->value, strlen(entry->value));
        return formulas->formulas[formulas->count - 1].info.unit != NULL ? CM_OK : cm_error_no_memory(reader->error);
    }
    if (strcmp(key, "peak") == 0)
        return cm_rocm_check_peak(reader, entry);
    for (size_t i = 0; i < CM_COUNT_OF(values); i++)
        if (strcmp(key, values[i]) == 0 && entry->value[0] != '\0' && strcmp(entry->value, "None") != 0)
            return cm_rocm_add(reader, entry, "", "");
    return CM_OK;
}

/* ---- files ---- */

/* Whole numbers alone: fractions are dropped without a word. */
static cm_status check_numbers(const cm_rocm_reader *reader, const cm_formula *formula)
{
    const char *at = reader->counters && !reader->xml ? strchr(formula->info.text, '.') : NULL;
    if (at == NULL || !isdigit((unsigned char)at[1]))
        return CM_OK;
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_MISREAD, formula->info.line,
                                  formula->info.column + (size_t)(at - formula->info.text), formula->info.metric,
                                  "rocprofv3 reads whole numbers alone, and drops the fraction");
}

/* Parses the current formula as the profiler spells it. */
static cm_status parse_file(cm_rocm_reader *reader)
{
    static const cm_formula_fault_kind kind = CM_FAULT_SYNTAX;
    cm_formula *formula = &reader->formulas->formulas[reader->current];
    const cm_expression_source source = {.dialect = CM_EXPRESSION_CATMINT,
                                         .file = reader->formulas->file,
                                         .line = formula->info.line,
                                         .column = formula->info.column,
                                         .name_characters = "[]",
                                         .names_are = "counter"};
    char *text = strdup(formula->info.text);
    if (text == NULL)
        return cm_error_no_memory(reader->error);
    simplify_formula(text, reader->xml);
    cm_status status =
        cm_formulas_parse(reader->formulas, reader->current, text, &kind, &source, resolve_name, reader, reader->error);
    free(text);
    CM_THEN(status, check_numbers(reader, &reader->formulas->formulas[reader->current]));
    CM_THEN(status, cm_rocm_check_dies(reader, &reader->formulas->formulas[reader->current].info));
    formula = &reader->formulas->formulas[reader->current];
    if (status == CM_OK && reader->unknown != NULL)
        status = cm_formulas_add_remark(
            reader->formulas, CM_FAULT_UNKNOWN_EVENT, formula->info.line, formula->info.column, formula->info.metric,
            "no counter '%.100s' for %.60s in this file", reader->unknown, formula->info.section);
    free(reader->unknown);
    reader->unknown = NULL;
    return status;
}

static void clear_named(cm_rocm_named *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        CM_FREE(list[i].name, list[i].targets);
    }
    free(list);
}

/* Reads the file as YAML with `take`; NULL: as rocprof's XML. */
static cm_status read_kind(cm_rocm_reader *reader, cm_yaml_take take)
{
    const char *file = reader->formulas->file;
    cm_status status = take != NULL ? cm_yaml_each(file, take, reader, reader->error)
                                    : cm_xml_each(file, cm_rocm_take_tag, reader, reader->error);
    for (reader->current = 0; reader->current < reader->formulas->count && status == CM_OK; reader->current++)
        status = parse_file(reader);
    if (status == CM_OK && reader->formulas->count + reader->formulas->fault_count == 0)
        status = cm_error_set(reader->error, CM_BAD_INPUT, reader->formulas->file, 1, 0,
                              reader->xml        ? "no derived counters here, expected <metric name=... expr=...>"
                              : reader->counters ? "no derived counters here, expected entries with 'expression'"
                                                 : CM_NO_METRICS ", expected a metric_table with 'metric'");
    clear_named(reader->basics, reader->basic_count);
    clear_named(reader->chains, reader->chain_count);
    return status;
}

static cm_status read_counters(cm_formulas *formulas, cm_error *error)
{
    cm_rocm_reader reader = {.formulas = formulas, .counters = true, .error = error};
    return read_kind(&reader, take_counter);
}

static cm_status read_panel(cm_formulas *formulas, cm_error *error)
{
    cm_rocm_reader reader = {.formulas = formulas, .error = error};
    return read_kind(&reader, take_panel);
}

/* Reads derived counters of rocprof (metrics.xml, derived_counters.xml). */
static cm_status read_xml(cm_formulas *formulas, cm_error *error)
{
    cm_rocm_reader reader = {.formulas = formulas, .counters = true, .xml = true, .error = error};
    return read_kind(&reader, NULL);
}

const cm_foreign_format cm_format_rocprofv3 = {
    .name = "rocprofv3",
    .rules = {.title = "rocprofv3"},
    .looks = "counters of rocprofv3 (YAML with architectures)",
    .beginning = CM_WORDS("rocprofiler-sdk", "architectures"),
    .read = read_counters,
    .content = "",
    .takes_cpus = true,
    .renames = true,
    .name_metric = cm_name_identifier,
    .name_event = cm_rocm_event,
    .write = cm_rocm_write_counters,
};

const cm_foreign_format cm_format_rocprof = {
    .name = "rocprof",
    .rules = {.title = "rocprof"},
    .looks = "counters of rocprof (XML with <metric>)",
    .beginning = CM_WORDS("<"),
    .at_top = true,
    .mark = "expr=",
    .read = read_xml,
};

const cm_foreign_format cm_format_rocprof_compute = {
    .name = "rocprof-compute",
    .rules = {.title = "rocprof-compute"},
    .looks = "a panel of rocprof-compute (YAML with Panel Config)",
    .beginning = CM_WORDS("Panel Config", "Metric Description"),
    .mark = "metric_table",
    .read = read_panel,
    .content = "",
    .renames = true,
    .name_metric = cm_name_plain_metric,
    .name_event = cm_rocm_event,
    .write = cm_rocm_write_panel,
};
