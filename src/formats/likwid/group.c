/* Reads a performance group of LIKWID's. Formulas name counters; EVENTSET maps these to events. */
#include "formats/format.h"

enum { LONGEST_LINE = 4094 };

static cm_status out_of_memory(const cm_likwid_reader *reader)
{
    return cm_error_no_memory(reader->error);
}

static size_t column_of(const cm_likwid_reader *reader, const char *at)
{
    return cm_lines_column(reader->lines.text, (size_t)(at - reader->lines.text));
}

/* ---- EVENTSET ---- */

/* Reads a line of EVENTSET. */
static cm_status take_counter(cm_likwid_reader *reader)
{
    char *name = reader->lines.text + strspn(reader->lines.text, " \t");
    char *event = name + strcspn(name, " \t");
    size_t column = column_of(reader, name);
    event += strspn(event, " \t");
    if (*event == '\0')
        return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, reader->lines.number, column, "",
                                     "a counter without an event, expected <counter> <event>");
    const char *rest = event + strcspn(event, " \t");
    cm_status status = CM_OK;
    if (rest[strspn(rest, " \t")] != '\0')
        status = cm_formulas_add_remark(reader->formulas, CM_FAULT_IGNORED, reader->lines.number,
                                        column_of(reader, rest + strspn(rest, " \t")), "",
                                        "text after the event, which LIKWID ignores");
    cm_likwid_line added = {.line = reader->lines.number, .column = column};
    added.name = cm_formulas_keep(reader->formulas, name, strcspn(name, " \t"));
    added.event = cm_formulas_keep(reader->formulas, event, strcspn(event, " \t"));
    if (!CM_GROW_BY_ONE(reader->counters, reader->counter_count))
        return out_of_memory(reader);
    if (added.name == NULL || added.event == NULL)
        return out_of_memory(reader);
    size_t other = cm_likwid_find_counter(reader, added.name);
    if (status == CM_OK && other < reader->counter_count)
        status = cm_formulas_add_remark(reader->formulas, CM_FAULT_DUPLICATE, added.line, column, "",
                                        "counter '%.100s' has an event already, in line %zu", added.name,
                                        reader->counters[other].line);
    reader->counters[reader->counter_count++] = added;
    return status;
}

/* ---- METRICS ---- */

/* LIKWID puts the value in the place of the counter's whole name. */
static void remark_options(cm_likwid_reader *reader, const cm_likwid_line *one, const char *name)
{
    const cm_formula_info *info = &reader->formulas->formulas[reader->formula].info;
    if (strcmp(one->name, name) != 0 && reader->status == CM_OK)
        reader->status = cm_formulas_add_remark(
            reader->formulas, CM_FAULT_MISREAD, info->line, info->column, info->metric,
            "LIKWID puts no value in the place of %.100s: EVENTSET calls the counter %.100s", name, one->name);
}

/* The quantity of a counter or variable. */
static ptrdiff_t resolve_counter_name(const char *name, void *data)
{
    static const char *const variables[] = {"time", "inverseClock", "num_numadomains", "num_sockets", "true", "false"};
    cm_likwid_reader *reader = data;
    size_t index = cm_likwid_find_counter(reader, name);
    if (index < reader->counter_count) {
        reader->counters[index].used = true;
        remark_options(reader, &reader->counters[index], name);
        return cm_likwid_event_quantity(reader, &reader->counters[index]);
    }
    if (CM_IS_ONE(name, variables))
        return cm_formulas_quantity(reader->formulas, CM_QUANTITY_VARIABLE, name);
    reader->kind = CM_FAULT_UNKNOWN_COUNTER;
    return -1;
}

/* Whether the parentheses are balanced: otherwise the name has the start of the formula in it. */
static bool is_balanced(const char *name)
{
    long open = 0;
    for (; *name != '\0'; name++)
        open += (*name == '(') - (*name == ')');
    return open == 0;
}

/* Reads a line of METRICS. The formula is the last word; the unit is in brackets at the end of the name. */
static cm_status take_metric(cm_likwid_reader *reader)
{
    char *name = cm_text_trim(reader->lines.text);
    char *formula = name + strlen(name);
    while (formula > name && strchr(" \t", formula[-1]) == NULL)
        formula--;
    size_t column = column_of(reader, formula), index = 0;
    cm_formula_info info = {.text = formula,
                            .section = reader->section,
                            .description = reader->title,
                            .line = reader->lines.number,
                            .column = column};
    if (formula == name)
        return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, reader->lines.number, column, "",
                                     "one word, expected the name of a metric and its formula without blanks");
    formula[-1] = '\0';
    info.metric = cm_text_trim(name);
    if (!is_balanced(name))
        return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, reader->lines.number, column, "",
                                     "a blank within the formula: LIKWID takes only the last word");
    if (name[0] != '\0' && name[strlen(name) - 1] == '=' &&
        cm_formulas_add_remark(reader->formulas, CM_FAULT_MISREAD, reader->lines.number, 0, name,
                               "a '=' behind the name, which LIKWID takes for a part of the name") != CM_OK)
        return out_of_memory(reader);
    char *unit = strrchr(name, '[');
    size_t length = unit != NULL ? strlen(unit) : 0;
    if (length > 2 && unit[length - 1] == ']') {
        char *text = strndup(unit + 1, length - 2);
        info.unit = text;
        cm_status status =
            text != NULL ? cm_formulas_add(reader->formulas, &info, &index, reader->error) : out_of_memory(reader);
        free(text);
        return status;
    }
    return cm_formulas_add(reader->formulas, &info, &index, reader->error);
}

/* Makes a value that is not finite 0, as LIKWID prints it. */
static cm_status guard_value(cm_expression *expression, cm_error *error)
{
    size_t index = 0, last = cm_expression_node_count(expression) - 1;
    cm_expression_node node = {
        .kind = CM_EXPRESSION_FINITE, .left = last, .location = cm_expression_get_node(expression, last)->location};
    return cm_expression_add(expression, &node, &index, error);
}

/* Parses the formulas of all metrics. */
static cm_status parse_formulas(cm_likwid_reader *reader)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->formulas->count && status == CM_OK; i++) {
        cm_formula *formula = &reader->formulas->formulas[i];
        cm_expression_source source = {.dialect = CM_EXPRESSION_LIKWID,
                                       .file = reader->formulas->file,
                                       .line = formula->info.line,
                                       .column = formula->info.column,
                                       .names_are = "counter"};
        reader->kind = CM_FAULT_SYNTAX;
        reader->formula = i;
        status = cm_formulas_parse(reader->formulas, i, formula->info.text, &reader->kind, &source,
                                   resolve_counter_name, reader, reader->error);
        CM_THEN(status, reader->status);
        if (status == CM_OK && formula->expression != NULL)
            status = guard_value(formula->expression, reader->error);
    }
    return status;
}

/* Remarks counters that no formula uses. Fixed ones cost nothing, and Zen's MERGE only reserves the counter beside it.
 */
static cm_status remark_unused(const cm_likwid_reader *reader)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->counter_count && status == CM_OK; i++)
        if (!reader->counters[i].used && strncmp(reader->counters[i].name, "FIXC", 4) != 0 &&
            strcmp(reader->counters[i].event, "MERGE") != 0)
            status = cm_formulas_add_remark(
                reader->formulas, CM_FAULT_UNUSED, reader->counters[i].line, reader->counters[i].column, "",
                "no formula uses %.100s, which counts %.100s", reader->counters[i].name, reader->counters[i].event);
    return status;
}

static bool is_keyword(const char *text, const char *keyword)
{
    size_t length = strlen(keyword);
    return strncmp(text, keyword, length) == 0 && (text[length] == '\0' || strchr(" \t", text[length]) != NULL);
}

static cm_status begin_part(cm_likwid_reader *reader, cm_likwid_part part)
{
    bool again = reader->seen[part];
    reader->part = part;
    reader->seen[part] = true;
    if (!again || part == CM_LIKWID_LONG)
        return CM_OK;
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_DUPLICATE, reader->lines.number, 1, "",
                                  "the group has this section already");
}

/* Reads a line of any part. */
static cm_status take_line(cm_likwid_reader *reader)
{
    char *text = reader->lines.text;
    if (text[0] == '#' || reader->part == CM_LIKWID_LONG)
        return text[0] == '#' ? CM_OK : cm_documented_take(reader);
    if (is_keyword(text, "EVENTSET"))
        return begin_part(reader, CM_LIKWID_EVENTSET);
    if (is_keyword(text, "METRICS"))
        return begin_part(reader, CM_LIKWID_METRICS);
    if (is_keyword(text, "LONG"))
        return begin_part(reader, CM_LIKWID_LONG);
    if (is_keyword(text, "REQUIRE_NOHT"))
        return CM_OK;
    if (is_keyword(text, "SHORT")) {
        reader->title = cm_formulas_keep(reader->formulas, cm_text_trim(text + 5), strlen(cm_text_trim(text + 5)));
        return reader->title != NULL ? CM_OK : out_of_memory(reader);
    }
    if (text[strspn(text, " \t")] == '\0') {
        reader->part = CM_LIKWID_NOWHERE;
        return CM_OK;
    }
    if (reader->part == CM_LIKWID_EVENTSET)
        return take_counter(reader);
    if (reader->part == CM_LIKWID_METRICS)
        return take_metric(reader);
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_IGNORED, reader->lines.number, 1, "",
                                  "a line outside EVENTSET and METRICS, which LIKWID ignores; a blank line ends them");
}

/* Reads all lines; EVENTSET and METRICS must be there. */
static cm_status read_lines(cm_likwid_reader *reader)
{
    cm_status status = cm_text_lines_open(reader->formulas->file, CM_FORMULAS_LINE, &reader->lines, reader->error);
    while (cm_text_lines_more(&reader->lines, &status, reader->error)) {
        if (reader->lines.length > LONGEST_LINE && reader->part != CM_LIKWID_LONG)
            status =
                cm_formulas_add_remark(reader->formulas, CM_FAULT_IGNORED, reader->lines.number, 0, "",
                                       "a line of more than %d characters, which LIKWID cuts in two", LONGEST_LINE);
        CM_THEN(status, take_line(reader));
    }
    if (status == CM_OK && (!reader->seen[CM_LIKWID_EVENTSET] || !reader->seen[CM_LIKWID_METRICS]))
        status = cm_error_set(reader->error, CM_BAD_INPUT, reader->formulas->file, cm_lines_number(reader->lines.lines),
                              0, "the group has no %s, expected EVENTSET and METRICS",
                              reader->seen[CM_LIKWID_EVENTSET] ? "METRICS" : "EVENTSET");
    cm_text_lines_close(&reader->lines);
    return status;
}

cm_status cm_likwid_read(cm_formulas *formulas, cm_error *error)
{
    cm_likwid_reader reader = {.formulas = formulas, .error = error};
    const char *slash = strrchr(formulas->place, '/');
    const char *name = slash != NULL ? slash + 1 : formulas->place;
    const char *ending = strrchr(name, '.');
    reader.section = strndup(name, ending != NULL ? (size_t)(ending - name) : strlen(name));
    cm_status status = reader.section != NULL ? read_lines(&reader) : out_of_memory(&reader);
    CM_THEN(status, parse_formulas(&reader));
    CM_THEN(status, remark_unused(&reader));
    CM_THEN(status, cm_documented_check(&reader));
    if (status == CM_NO_MEMORY)
        cm_error_no_memory(error);
    CM_FREE(reader.section, reader.counters, reader.documented);
    return status;
}
