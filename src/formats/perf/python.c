/* Reads Python that defines metrics with perf's metric.py, statement by statement and without executing it: conditions
 * are taken to hold, tries to succeed, and calls of functions to tell nothing. */
#include "formats/perf/perf.h"

#include "core/files.h"

/* ---- variables ---- */

/* Gives a name a value, which holds from here on. */
static cm_status bind_variable(cm_python_reader *reader, const char *name, cm_python_value value)
{
    const bool grown = CM_GROW_BY_ONE(reader->variables, reader->variable_count);
    const char *kept = cm_arena_text(&reader->arena, name);
    if (!grown || kept == NULL)
        return cm_error_no_memory(reader->error);
    reader->variables[reader->variable_count++] = (cm_python_variable){kept, value};
    return CM_OK;
}

/* ---- blocks ---- */

static cm_status begin_block(cm_python_reader *reader, size_t column)
{
    if (reader->block_count == CM_PYTHON_DEPTH)
        return cm_python_refuse(reader, "nested too deep");
    reader->blocks[reader->block_count++] = (cm_python_block){column, reader->variable_count};
    return CM_OK;
}

/* ---- statements ---- */

static bool ends_file(const cm_python_reader *reader)
{
    return reader->token.kind == CM_PYTHON_NEWLINE || reader->token.kind == CM_PYTHON_END;
}

static cm_status skip_statement(cm_python_reader *reader)
{
    cm_status status = CM_OK;
    while (status == CM_OK && !ends_file(reader))
        status = cm_python_step(reader);
    return status;
}

/* Binds the names up to the word or sign `end` to unknown values. */
static cm_status bind_unknown(cm_python_reader *reader, const char *end, const char *reason)
{
    cm_status status = CM_OK;
    for (bool name = true; status == CM_OK && !ends_file(reader) && !cm_python_is(reader, end);) {
        if (name && reader->token.kind == CM_PYTHON_NAME) {
            char text[128];
            snprintf(text, sizeof text, "%.*s", (int)reader->token.length, reader->token.text);
            status = bind_variable(reader, text, cm_python_unread(reader, "'%.60s' is %s", text, reason));
        }
        name = cm_python_is(reader, ",") || cm_python_is(reader, "(");
        CM_THEN(status, cm_python_step(reader));
    }
    return status;
}

/* def NAME(...): its parameters have no value. */
static cm_status read_function(cm_python_reader *reader, size_t column)
{
    cm_status status = begin_block(reader, column);
    while (status == CM_OK && !ends_file(reader) && !cm_python_is(reader, "("))
        status = cm_python_step(reader);
    if (status == CM_OK && !ends_file(reader))
        status = cm_python_step(reader);
    CM_THEN(status, bind_unknown(reader, ":=", "a parameter"));
    return status;
}

/* Takes NAME = VALUE, NAME += VALUE and NAME.name = VALUE, behind NAME's value. */
static cm_status assign_variable(cm_python_reader *reader, const char *name, const cm_python_value *old)
{
    char sign[2] = {reader->token.text[0], '\0'};
    bool plain = cm_python_is(reader, "=");
    cm_python_value value, result;
    cm_status status = cm_python_step(reader);
    CM_THEN(status, cm_python_expression(reader, &value));
    if (status != CM_OK)
        return status;
    result = value;
    if (!plain)
        status = cm_python_combine(reader, old, sign, &value, &result);
    if (plain && old->type == CM_PYTHON_EVENT && value.type == CM_PYTHON_TEXT) /* of its .name */
        result.type = CM_PYTHON_EVENT;
    return status == CM_OK ? bind_variable(reader, name, result) : status;
}

static bool assigns_value(const cm_python_reader *reader)
{
    return cm_python_is(reader, "=") || cm_python_is(reader, "+=") || cm_python_is(reader, "-=") ||
           cm_python_is(reader, "*=") || cm_python_is(reader, "/=");
}

/* A statement that begins with a name or a value. */
static cm_status read_simple(cm_python_reader *reader)
{
    char name[128] = "";
    cm_python_value value;
    bool named = reader->token.kind == CM_PYTHON_NAME;
    cm_python_tokens ahead = reader->tokens;
    cm_python_token next;
    if (named)
        snprintf(name, sizeof name, "%.*s", (int)reader->token.length, reader->token.text);
    bool bare = cm_python_next(&ahead, &next) == NULL && next.length > 0 && strchr("=:", next.text[0]) != NULL;
    cm_status status = cm_python_expression(reader, &value);
    if (status == CM_OK && cm_python_is(reader, ":")) { /* NAME: TYPE = VALUE */
        while (status == CM_OK && !ends_file(reader) && !cm_python_is(reader, "="))
            status = cm_python_step(reader);
    }
    bool attribute = next.length == 1 && next.text[0] == '.';
    if (attribute)
        value = cm_python_find(reader, name);
    if (status == CM_OK && named && assigns_value(reader))
        status = assign_variable(reader, name, bare ? &(cm_python_value){CM_PYTHON_NONE, "", 0} : &value);
    return status;
}

/* Reads a statement, and the rest of its line behind the ':' of another. */
static cm_status read_statement(cm_python_reader *reader)
{
    static const char *const skipped[] = {"import",   "from", "global", "nonlocal", "pass",  "break",
                                          "continue", "@",    "raise",  "assert",   "class", NULL};
    static const char *const otherwise[] = {"else", "elif", "except", "finally", NULL}, *const conditions[] = {
                                                                                            "if", "while", "with",
                                                                                            "try", NULL};
    size_t column = reader->token.column;
    cm_status status = CM_OK;
    /* Blocks end that a statement of this column is not in. */
    while (reader->block_count > 0 && column <= reader->blocks[reader->block_count - 1].column)
        reader->variable_count = reader->blocks[--reader->block_count].variables;
    for (size_t i = 0; skipped[i] != NULL; i++)
        if (cm_python_is(reader, skipped[i]))
            return skip_statement(reader);
    if (cm_python_is(reader, "def"))
        return read_function(reader, column);
    bool header = false;
    for (size_t i = 0; otherwise[i] != NULL && !header; i++)
        if ((header = cm_python_is(reader, otherwise[i])))
            status = begin_block(reader, column);
    for (size_t i = 0; conditions[i] != NULL && !header; i++)
        header = cm_python_is(reader, conditions[i]);
    if (cm_python_is(reader, "for")) {
        header = true;
        status = cm_python_step(reader);
        CM_THEN(status, bind_unknown(reader, "in", "a loop's"));
    }
    if (header) {
        while (status == CM_OK && !ends_file(reader) && !(cm_python_is(reader, ":") && reader->tokens.depth == 0))
            status = cm_python_step(reader);
        return status == CM_OK && cm_python_is(reader, ":") ? cm_python_step(reader) : status;
    }
    if (cm_python_is(reader, "return"))
        status = cm_python_step(reader);
    if (status == CM_OK && !ends_file(reader))
        status = read_simple(reader);
    while (status == CM_OK && !ends_file(reader)) /* further values, as of a tuple */
        status = cm_python_is(reader, ",") || cm_python_is(reader, ";") || cm_python_is(reader, "=")
                     ? cm_python_step(reader)
                     : read_simple(reader);
    return status;
}

/* Reads a statement; one that is of a kind that is not read is skipped, and is a fault if it has metrics. */
static cm_status take_statement(cm_python_reader *reader)
{
    const char *begin = reader->token.text;
    cm_status status = read_statement(reader);
    if (status != CM_BAD_INPUT || reader->broken)
        return status;
    const cm_error fault = *reader->error;
    reader->depth = 0;
    status = skip_statement(reader);
    if (status != CM_OK || memmem(begin, (size_t)(reader->tokens.at - begin), "Metric(", 7) == NULL)
        return status;
    return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, fault.line, fault.column, "",
                                 "this statement is not read: %s", fault.text);
}

/* ---- formulas ---- */

/* Finds the metric of that name, else adds a variable or an event. */
static ptrdiff_t resolve_python_name(const char *name, void *data)
{
    cm_python_reader *reader = data;
    cm_formulas *formulas = reader->formulas;
    for (size_t i = 0; i < formulas->count; i++)
        if (strcmp(formulas->formulas[i].info.metric, name) == 0)
            return cm_formulas_metric(formulas, i);
    ptrdiff_t quantity =
        cm_formulas_quantity(formulas, cm_perf_is_variable(name) ? CM_QUANTITY_VARIABLE : CM_QUANTITY_EVENT, name);
    for (size_t i = 0; quantity >= 0 && i < reader->other_count; i++)
        if (strcmp(reader->others[i].name, name) == 0) {
            const char *others = reader->others[i].value.text;
            formulas->quantities[quantity].others = cm_formulas_keep(formulas, others, strlen(others));
        }
    return quantity;
}

/* Parses the formulas of all metrics. */
static cm_status parse_python_formulas(cm_python_reader *reader)
{
    static const cm_formula_fault_kind kind = CM_FAULT_SYNTAX;
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->formulas->count && status == CM_OK; i++) {
        const cm_formula_info *info = &reader->formulas->formulas[i].info;
        const cm_expression_source source = {.dialect = CM_EXPRESSION_PERF,
                                             .file = reader->formulas->file,
                                             .line = info->line,
                                             .column = info->column,
                                             .names_are = "name"};
        status = cm_formulas_parse(reader->formulas, i, info->text, &kind, &source, resolve_python_name, reader,
                                   reader->error);
    }
    return status;
}

/* CM_BAD_INPUT unless all lines are text. */
static cm_status check_text(const char *text, size_t size, const char *file, cm_error *error)
{
    size_t number = 1;
    for (const char *line = text, *end = text + size; line < end; number++) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        size_t length = (size_t)((feed != NULL ? feed + 1 : end) - line), fault = 0;
        const char *reason = cm_lines_fault(line, length, &fault);
        if (reason != NULL)
            return cm_error_set(error, CM_BAD_INPUT, file, number, cm_lines_column(line, fault), "%s", reason);
        line += length;
    }
    return CM_OK;
}

/* Reads Python that defines metrics with metric.py, without executing it. */
static cm_status read_python(cm_formulas *formulas, cm_error *error)
{
    cm_error local;
    cm_python_reader reader = {.formulas = formulas, .error = error != NULL ? error : &local};
    char *text = NULL;
    size_t size = 0;
    cm_status status = cm_file_text_read(formulas->file, &text, &size, error);
    CM_THEN(status, check_text(text, size, formulas->file, error));
    reader.tokens = (cm_python_tokens){.at = text, .line_text = text, .line = 1};
    CM_THEN(status, cm_python_step(&reader));
    while (status == CM_OK && reader.token.kind != CM_PYTHON_END)
        status = reader.token.kind == CM_PYTHON_NEWLINE ? cm_python_step(&reader) : take_statement(&reader);
    if (status == CM_OK && formulas->count + formulas->fault_count == 0)
        status = cm_error_set(error, CM_BAD_INPUT, formulas->file, 1, 0,
                              CM_NO_METRICS ", expected calls of perf's Metric(NAME, DESCRIPTION, FORMULA, SCALE)");
    CM_THEN(status, parse_python_formulas(&reader));
    cm_arena_clear(&reader.arena);
    CM_FREE(reader.variables, reader.others, text);
    return status;
}

const cm_foreign_format cm_format_perf_python = {
    .name = "perf-python",
    .rules = {.title = "perf"},
    .looks = "metrics of perf (Python, of its metric.py)",
    .beginning = CM_WORDS("import", "from", "def", "\"\"\""),
    .mark = "from metric import",
    .read = read_python,
};
