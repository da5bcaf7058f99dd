/* Reads a table of PAPI's derived events as PAPI does: fields at every comma, without blanks around them, several
 * commas as one; remarks report text that PAPI ignores. */
#include "formats/papi/papi.h"

typedef struct table_reader {
    cm_formulas *formulas;
    cm_error *error;
    cm_text_lines lines;
    cm_papi_field *fields; /* of the line; PAPI, and so this reader, stops at an empty one */
    size_t field_count, field_capacity;
    bool cut;               /* there is text behind an empty field */
    char *line;             /* as in the file */
    char *section;          /* names of the CPU lines, separated by commas */
    bool in_section;        /* there was a CPU line */
    bool defines;           /* and a definition behind it */
    size_t first;           /* index of the section's first definition */
    size_t presets, events; /* of the section, each name counted once */
    cm_papi_presets *known;
    bool told; /* PAPI's tree says how many terms it takes */
} table_reader;

/* ---- fields ---- */

static cm_status add_field(table_reader *reader, const char *text, size_t column)
{
    if (!CM_GROW(reader->fields, reader->field_count + 1, &reader->field_capacity))
        return cm_error_no_memory(reader->error);
    reader->fields[reader->field_count++] = (cm_papi_field){text, column};
    return CM_OK;
}

/* Splits the line into fields. */
static cm_status split_line(table_reader *reader)
{
    cm_status status = CM_OK;
    reader->field_count = 0;
    reader->cut = false;
    free(reader->line);
    reader->line = strdup(reader->lines.text);
    if (reader->line == NULL)
        return cm_error_no_memory(reader->error);
    size_t column = 1, counted = 0;
    for (char *at = reader->lines.text; *at != '\0' && status == CM_OK;) {
        at += strspn(at, ",");
        size_t length = strcspn(at, ",");
        char *next = at + length + (at[length] == ',');
        if (length == 0)
            break;
        at[length] = '\0';
        char *text = cm_text_trim(at);
        if (text[0] == '\0') {
            reader->cut = next[strspn(next, ", \t")] != '\0';
            break;
        }
        size_t offset = (size_t)(text - reader->lines.text);
        column += cm_lines_column(reader->line + counted, offset - counted) - 1;
        counted = offset;
        status = add_field(reader, text, column);
        at = next;
    }
    return status;
}

static cm_status remark_line(table_reader *reader, cm_formula_fault_kind kind, size_t column, const char *metric,
                             const char *text)
{
    return cm_formulas_add_remark(reader->formulas, kind, reader->lines.number, column, metric, "%s", text);
}

static cm_status report_fault(table_reader *reader, size_t column, const char *metric, const char *text)
{
    return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, reader->lines.number, column, metric, "%s", text);
}

/* ---- sections ---- */

/* Begins a section, or adds a name to one without definitions. */
static cm_status name_section(table_reader *reader, const char *name)
{
    bool first = !reader->in_section || reader->defines;
    size_t length = first ? 0 : strlen(reader->section);
    char *grown = realloc(reader->section, length + strlen(name) + 2);
    if (grown == NULL)
        return cm_error_no_memory(reader->error);
    if (length > 0)
        grown[length++] = ',';
    strcpy(grown + length, name);
    reader->section = grown;
    reader->in_section = true;
    reader->defines = false;
    reader->first = reader->formulas->count;
    reader->presets = reader->events = 0;
    return CM_OK;
}

static cm_status take_section(table_reader *reader)
{
    if (reader->field_count < 2)
        return report_fault(reader, reader->fields[0].column, "", "CPU without a name, expected CPU,<name>");
    return name_section(reader, reader->fields[1].text);
}

/* <component>,<architecture> begins a section as CPU does; any other line gets a remark. */
static cm_status take_other(table_reader *reader)
{
    if (reader->field_count == 2)
        return name_section(reader, reader->fields[1].text);
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_IGNORED, reader->lines.number, reader->fields[0].column,
                                  "",
                                  "unknown keyword '%.100s', expected CPU, PRESET or EVENT; PAPI 7.0 ignores the line, "
                                  "later versions stop reading the section",
                                  reader->fields[0].text);
}

/* ---- definitions ---- */

/* Finds a type by its name. */
static bool read_type(const char *text, cm_papi_type *type)
{
    static const char *const names[] = {
        [CM_PAPI_NOT_DERIVED] = "NOT_DERIVED", [CM_PAPI_ADD] = "DERIVED_ADD",       [CM_PAPI_SUB] = "DERIVED_SUB",
        [CM_PAPI_PS] = "DERIVED_PS",           [CM_PAPI_ADD_PS] = "DERIVED_ADD_PS", [CM_PAPI_CMPD] = "DERIVED_CMPD",
        [CM_PAPI_POSTFIX] = "DERIVED_POSTFIX", [CM_PAPI_INFIX] = "DERIVED_INFIX"};
    for (size_t i = 0; i < CM_COUNT_OF(names); i++)
        if (strcasecmp(text, names[i]) == 0) {
            *type = (cm_papi_type)i;
            return true;
        }
    return false;
}

/* The quantity of a term: the last earlier definition of that name in the section, which is a preset, else an event. */
static ptrdiff_t find_term(table_reader *reader, const char *name)
{
    cm_formulas *formulas = reader->formulas;
    for (size_t i = formulas->count; i-- > reader->first;)
        if (strcasecmp(formulas->formulas[i].info.metric, name) == 0)
            return cm_formulas_metric(formulas, i);
    return cm_formulas_quantity(formulas, CM_QUANTITY_EVENT, name);
}

/* Reads the terms from field `at` on, at most 12, as PAPI does. */
static cm_status take_terms(table_reader *reader, cm_papi_definition *definition, size_t at, size_t *end)
{
    for (; at < reader->field_count &&
           !(strcasecmp(reader->fields[at].text, "SDESC") == 0 || strcasecmp(reader->fields[at].text, "LDESC") == 0 ||
             strcasecmp(reader->fields[at].text, "NOTE") == 0);
         at++) {
        if (definition->term_count == CM_PAPI_TERMS)
            continue;
        ptrdiff_t quantity = find_term(reader, reader->fields[at].text);
        if (quantity < 0)
            return cm_error_no_memory(reader->error);
        definition->columns[definition->term_count] = reader->fields[at].column;
        definition->terms[definition->term_count++] = (size_t)quantity;
    }
    *end = at;
    return CM_OK;
}

static void take_descriptions(const table_reader *reader, size_t at, cm_formula_info *info)
{
    for (; at + 1 < reader->field_count; at += 2) {
        const char *key = reader->fields[at].text, *text = reader->fields[at + 1].text;
        if (strcasecmp(key, "LDESC") == 0 || (strcasecmp(key, "SDESC") == 0 && info->description == NULL))
            info->description = text;
        if (strcasecmp(key, "NOTE") == 0)
            info->source = text;
    }
}

/* Records a remark on the description in field `at` whose quotation mark the line does not close. */
static cm_status check_quotation(table_reader *reader, size_t at, const char *metric)
{
    if (at + 1 >= reader->field_count)
        return CM_OK;
    const char *text = reader->line + (reader->fields[at + 1].text - reader->lines.text);
    size_t length = strlen(text);
    while (length > 0 && strchr(", \t\r", text[length - 1]) != NULL)
        length--;
    if ((text[0] != '"' && text[0] != '\'') || (length > 1 && memchr(text + 1, text[0], length - 1) != NULL))
        return CM_OK;
    return remark_line(reader, CM_FAULT_UNTERMINATED, reader->fields[at + 1].column, metric,
                       "a quotation mark that the line does not close");
}

/* Joins the fields from `begin` to `end`, as the text of the formula. */
static const char *join_fields(table_reader *reader, size_t begin, size_t end)
{
    char *to = reader->line;
    for (size_t i = begin; i < end; i++) {
        to = stpcpy(to, reader->fields[i].text);
        *to++ = ',';
    }
    *(to - (to > reader->line)) = '\0';
    return reader->line;
}

/* Records remarks on a definition that PAPI reads in another way. */
static cm_status check_definition(table_reader *reader, const cm_papi_definition *definition, cm_papi_type type,
                                  size_t given, const char *metric)
{
    cm_status status = CM_OK;
    if (!reader->in_section)
        status = remark_line(reader, CM_FAULT_IGNORED, reader->fields[0].column, metric,
                             "a definition before any CPU line, which PAPI never uses");
    size_t most = reader->formulas->most_events;
    if (status == CM_OK && given > most)
        status = cm_formulas_add_remark(reader->formulas, CM_FAULT_TERMS, definition->line, definition->columns[0],
                                        metric, "%zu terms, PAPI takes only the first %zu%s", given, most,
                                        reader->told ? "" : " (after version 7.2: 12)");
    if (status == CM_OK && definition->term_count == 1 && (type == CM_PAPI_ADD || type == CM_PAPI_SUB))
        status = remark_line(reader, CM_FAULT_ONE_TERM, definition->columns[0], metric,
                             type == CM_PAPI_ADD ? "a sum of one term" : "a difference of one term");
    if (status == CM_OK && type == CM_PAPI_NOT_DERIVED && given > 1)
        status = remark_line(reader, CM_FAULT_IGNORED, definition->columns[1], metric,
                             "terms after the first, which NOT_DERIVED ignores");
    bool adds = type == CM_PAPI_ADD || type == CM_PAPI_SUB || type == CM_PAPI_POSTFIX || type == CM_PAPI_INFIX;
    for (size_t i = 0; i < definition->term_count && status == CM_OK && !adds; i++)
        if (reader->formulas->quantities[definition->terms[i]].kind == CM_QUANTITY_METRIC)
            status = remark_line(reader, CM_FAULT_MISREAD, definition->columns[i], metric,
                                 "a preset as term: PAPI takes only its first event, unless the type is DERIVED_ADD, "
                                 "DERIVED_SUB or DERIVED_POSTFIX");
    if (status == CM_OK && reader->cut)
        status = remark_line(reader, CM_FAULT_IGNORED, 0, metric, "PAPI reads nothing after an empty field");
    return status;
}

/* Records a remark if the section has the name already, or more definitions than PAPI takes. */
static cm_status check_name(table_reader *reader, size_t formula)
{
    enum { MOST_PRESETS = 128, MOST_EVENTS = 50 };
    const cm_formula_info *info = &reader->formulas->formulas[formula].info;
    bool preset = strcasecmp(reader->fields[0].text, "PRESET") == 0;
    for (size_t i = reader->first; i < formula; i++) {
        const cm_formula_info *other = &reader->formulas->formulas[i].info;
        if (strcasecmp(other->metric, info->metric) == 0)
            return cm_formulas_add_remark(
                reader->formulas, CM_FAULT_DUPLICATE, info->line, reader->fields[1].column, info->metric,
                "defined in line %zu for the same processors; PAPI takes the last", other->line);
    }
    cm_status status = cm_papi_check_sections(reader->formulas, reader->first, formula, reader->fields[1].column);
    if (status == CM_OK && preset && !cm_papi_presets_know(reader->known, info->metric))
        status = remark_line(reader, CM_FAULT_UNKNOWN_PRESET, reader->fields[1].column, info->metric,
                             "PAPI has no preset of this name: programs that ask for its presets do not find it");
    if (status != CM_OK)
        return status;
    if (preset && ++reader->presets == MOST_PRESETS + 1)
        return remark_line(reader, CM_FAULT_PRESETS, reader->fields[1].column, info->metric,
                           "the section has more than 128 presets, PAPI has no room for the rest");
    if (!preset && ++reader->events == MOST_EVENTS + 1)
        return remark_line(reader, CM_FAULT_PRESETS, reader->fields[1].column, info->metric,
                           "the section has more than 50 user events, PAPI has no room for the rest");
    return CM_OK;
}

/* Records remarks on terms that the arithmetic does not use. */
static cm_status check_use(table_reader *reader, const cm_papi_definition *definition)
{
    const cm_formula *formula = &reader->formulas->formulas[definition->formula];
    cm_status status = CM_OK;
    for (size_t i = 0; i < definition->term_count && formula->expression != NULL && status == CM_OK; i++) {
        bool used = false;
        for (size_t j = 0; j < cm_expression_name_count(formula->expression) && !used; j++)
            used = cm_expression_name_index(formula->expression, j) == definition->terms[i];
        if (!used)
            status = cm_formulas_add_remark(reader->formulas, CM_FAULT_UNUSED, definition->line, definition->columns[i],
                                            formula->info.metric, "the arithmetic does not use N%zu, which is %.100s",
                                            i, reader->formulas->quantities[definition->terms[i]].name);
    }
    return status;
}

/* Adds a definition whose terms begin at field `first`. */
static cm_status add_definition(table_reader *reader, cm_papi_type type, const cm_papi_field *arithmetic, size_t first)
{
    cm_papi_definition definition = {.formulas = reader->formulas, .line = reader->lines.number};
    const char *metric = reader->fields[1].text;
    cm_formula_info info = {.metric = metric,
                            .preset = strncasecmp(metric, "PAPI_", 5) == 0 ? metric : "",
                            .section = reader->section,
                            .line = reader->lines.number,
                            .column = reader->fields[2].column};
    size_t end = 0;
    cm_status status = take_terms(reader, &definition, first, &end);
    if (status != CM_OK)
        return status;
    if (end == first)
        return report_fault(reader, reader->fields[first - 1].column, metric, "no term, expected at least one event");
    take_descriptions(reader, end, &info);
    status = check_quotation(reader, end, metric);
    if (status != CM_OK)
        return status;
    info.text = join_fields(reader, 2, end);
    status = cm_formulas_add(reader->formulas, &info, &definition.formula, reader->error);
    CM_THEN(status, check_name(reader, definition.formula));
    CM_THEN(status, check_definition(reader, &definition, type, end - first, metric));
    if (status != CM_OK)
        return status;
    if (type != CM_PAPI_POSTFIX && type != CM_PAPI_INFIX)
        return cm_papi_derive(&definition, type, reader->error);
    status = type == CM_PAPI_POSTFIX ? cm_papi_postfix(&definition, arithmetic, reader->error)
                                     : cm_papi_infix(&definition, arithmetic, reader->error);
    return status == CM_OK ? check_use(reader, &definition) : status;
}

/* Reads the line of a definition. */
static cm_status take_definition(table_reader *reader)
{
    const cm_papi_field *fields = reader->fields;
    cm_papi_type type;
    reader->defines = true;
    if (reader->field_count < 2)
        return report_fault(reader, fields[0].column, "", "a definition without a name");
    if (reader->field_count < 3)
        return report_fault(reader, fields[1].column, fields[1].text,
                            "a definition without a type, expected NOT_DERIVED or one of DERIVED_ADD, DERIVED_SUB, "
                            "DERIVED_PS, DERIVED_ADD_PS, DERIVED_CMPD, DERIVED_POSTFIX, DERIVED_INFIX");
    if (!read_type(fields[2].text, &type))
        return report_fault(reader, fields[2].column, fields[1].text,
                            "unknown type, expected NOT_DERIVED or one of DERIVED_ADD, DERIVED_SUB, DERIVED_PS, "
                            "DERIVED_ADD_PS, DERIVED_CMPD, DERIVED_POSTFIX, DERIVED_INFIX");
    bool arithmetic = type == CM_PAPI_POSTFIX || type == CM_PAPI_INFIX;
    if (arithmetic && reader->field_count < 4)
        return report_fault(reader, fields[2].column, fields[1].text, "no arithmetic, expected it after the type");
    return add_definition(reader, type, &fields[3], arithmetic ? 4 : 3);
}

/* Reads a line. */
static cm_status take_line(table_reader *reader)
{
    cm_status status = CM_OK;
    bool ends_in_comma = reader->lines.length > 0 && reader->lines.text[reader->lines.length - 1] == ',';
    if (reader->lines.text[strspn(reader->lines.text, " \t")] == '#')
        return CM_OK;
    if (reader->lines.length + 2 > CM_PAPI_LINE)
        status = remark_line(reader, CM_FAULT_IGNORED, 0, "", "a line of more than 2046 bytes, which PAPI cuts in two");
    CM_THEN(status, split_line(reader));
    if (status != CM_OK || reader->field_count == 0)
        return status;
    const char *keyword = reader->fields[0].text;
    if (strcasecmp(keyword, "CPU") == 0)
        return take_section(reader);
    if (strcasecmp(keyword, "PRESET") != 0 && strcasecmp(keyword, "EVENT") != 0)
        return take_other(reader);
    if (ends_in_comma)
        status = remark_line(reader, CM_FAULT_UNTERMINATED, 0, reader->field_count > 1 ? reader->fields[1].text : "",
                             "the line ends in a comma");
    return status == CM_OK ? take_definition(reader) : status;
}

cm_status cm_papi_read(cm_formulas *formulas, cm_error *error)
{
    table_reader reader = {.formulas = formulas, .error = error};
    cm_status status = cm_papi_read_most_terms(formulas, &reader.told, error);
    CM_THEN(status, cm_text_lines_open(formulas->file, CM_FORMULAS_LINE, &reader.lines, error));
    CM_THEN(status, cm_papi_presets_load(&reader.known, error));
    while (cm_text_lines_more(&reader.lines, &status, error)) {
        status = take_line(&reader);
        if (status == CM_NO_MEMORY)
            cm_error_no_memory(error);
    }
    cm_text_lines_close(&reader.lines);
    cm_papi_presets_free(reader.known);
    CM_FREE(reader.section, reader.fields, reader.line);
    return status;
}
