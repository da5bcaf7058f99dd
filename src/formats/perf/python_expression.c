/* Expressions of Python that is read without executing it: a value is text of a formula, or it is not read. */
#include "formats/perf/perf.h"

/* ---- values ---- */

cm_status cm_python_combine(cm_python_reader *reader, const cm_python_value *left, const char *sign,
                            const cm_python_value *right, cm_python_value *value)
{
    const cm_python_value *unread = left->type == CM_PYTHON_UNREAD    ? left
                                    : right->type == CM_PYTHON_UNREAD ? right
                                                                      : NULL;
    bool texts = left->type == CM_PYTHON_TEXT && right->type == CM_PYTHON_TEXT && strcmp(sign, "+") == 0;
    const char *before = texts ? left->text : cm_python_formula(reader, left),
               *behind = texts ? right->text : cm_python_formula(reader, right);
    if (unread != NULL || before == NULL || behind == NULL || strlen(sign) > 1) {
        *value = unread != NULL ? *unread : cm_python_unread(reader, "'%.8s' of values that are no formulas", sign);
        return CM_OK;
    }
    size_t size = strlen(before) + strlen(behind) + 8;
    if (size > CM_PYTHON_TEXT_LIMIT) {
        *value = cm_python_unread(reader, "a formula of more than 64 KiB");
        return CM_OK;
    }
    char *text = cm_arena_allocate(&reader->arena, size);
    if (text == NULL)
        return cm_error_no_memory(reader->error);
    if (texts)
        snprintf(text, size, "%s%s", before, behind);
    else
        snprintf(text, size, "(%s %s %s)", before, sign, behind);
    *value = (cm_python_value){texts ? CM_PYTHON_TEXT : CM_PYTHON_FORMULA, text, reader->token.line};
    return CM_OK;
}

/* ---- calls ---- */

/* Reads an argument; NAME=... is none of those that count by their place. */
static cm_status read_argument(cm_python_reader *reader, cm_python_arguments *call)
{
    cm_python_value value;
    while (cm_python_is(reader, "*") || cm_python_is(reader, "**"))
        if (cm_python_step(reader) != CM_OK)
            return reader->error->status;
    cm_status status = cm_python_expression(reader, &value);
    if (status == CM_OK && cm_python_is(reader, "=")) {
        status = cm_python_step(reader);
        return status == CM_OK ? cm_python_expression(reader, &value) : status;
    }
    if (call->count < CM_PYTHON_ARGUMENTS)
        call->arguments[call->count++] = value;
    return status;
}

/* Reads the arguments of a call, behind its '(', and finds its value. */
static cm_status read_call(cm_python_reader *reader, const char *function, cm_python_value *value)
{
    cm_python_arguments call = {.function = function, .line = reader->token.line, .column = reader->token.column};
    cm_status status = cm_python_step(reader);
    while (status == CM_OK && !cm_python_is(reader, ")")) {
        status = read_argument(reader, &call);
        if (status == CM_OK && cm_python_is(reader, "for")) /* a loop's result: its variables have no value */
            while (status == CM_OK && !cm_python_is(reader, ")"))
                status = cm_python_is(reader, "(") || cm_python_is(reader, "[") ? cm_python_expression(reader, value)
                                                                                : cm_python_step(reader);
        if (status == CM_OK && !cm_python_is(reader, ")"))
            status =
                cm_python_is(reader, ",") ? cm_python_step(reader) : cm_python_refuse(reader, "expected ',' or ')'");
    }
    CM_THEN(status, cm_python_step(reader));
    return status == CM_OK ? cm_python_apply(reader, &call, value) : status;
}

/* ---- atoms ---- */

/* Reads a bracket's contents, its opening sign being next: one value, or several, which are not read. */
static cm_status read_brackets(cm_python_reader *reader, const char *close, cm_python_value *value)
{
    bool parentheses = close[0] == ')';
    size_t count = 0;
    cm_python_value one;
    cm_status status = cm_python_step(reader);
    for (; status == CM_OK && !cm_python_is(reader, close); count++) {
        if (count > 0 || cm_python_is(reader, "for"))
            parentheses = false;
        if (cm_python_is(reader, ",") || cm_python_is(reader, ":") || cm_python_is(reader, "for") ||
            cm_python_is(reader, "in") || cm_python_is(reader, "if") || cm_python_is(reader, "async") ||
            cm_python_is(reader, "*") || cm_python_is(reader, "**"))
            status = cm_python_step(reader);
        else
            status = cm_python_expression(reader, &one);
    }
    CM_THEN(status, cm_python_step(reader));
    *value = parentheses && count == 1 ? one : cm_python_unread(reader, "several values together");
    return status;
}

/* Reads a decimal number; one in another form is a value that is not read. */
static cm_status read_number(cm_python_reader *reader, cm_python_value *value)
{
    char number[64], *end = NULL;
    snprintf(number, sizeof number, "%.*s", (int)reader->token.length, reader->token.text);
    strtod(number, &end);
    bool plain = *end == '\0' && strpbrk(number, "xX_") == NULL && reader->token.length < sizeof number;
    const char *kept = plain ? cm_arena_text(&reader->arena, number) : "";
    *value = plain ? (cm_python_value){CM_PYTHON_FORMULA, kept, reader->token.line}
                   : cm_python_unread(reader, "the number %.60s", number);
    return kept != NULL ? cm_python_step(reader) : cm_error_no_memory(reader->error);
}

/* Reads a name and, if it is one of a function that is called, the call. */
static cm_status read_name(cm_python_reader *reader, cm_python_value *value)
{
    char name[128];
    snprintf(name, sizeof name, "%.*s", (int)reader->token.length, reader->token.text);
    *value = strcmp(name, "None") == 0 ? (cm_python_value){CM_PYTHON_NONE, "None", reader->token.line}
                                       : cm_python_find(reader, name);
    const char *kept = cm_arena_text(&reader->arena, name);
    if (kept == NULL)
        return cm_error_no_memory(reader->error);
    size_t line = reader->token.line, column = reader->token.column;
    cm_status status = cm_python_step(reader);
    if (status != CM_OK || !cm_python_is(reader, "("))
        return status;
    reader->token.line = line; /* of the call */
    reader->token.column = column;
    return read_call(reader, kept, value);
}

/* Reads the rest of a value: .NAME, calls and subscripts. */
static cm_status read_trailers(cm_python_reader *reader, cm_python_value *value)
{
    cm_status status = CM_OK;
    while (status == CM_OK) {
        if (cm_python_is(reader, ".")) {
            status = cm_python_step(reader);
            bool name = cm_python_is(reader, "name"), nan = cm_python_is(reader, "nan");
            *value =
                nan ? (cm_python_value){CM_PYTHON_NAN, "nan", reader->token.line}
                : name && value->type == CM_PYTHON_EVENT
                    ? (cm_python_value){CM_PYTHON_TEXT, value->text, value->line}
                    : cm_python_unread(reader, "'.%.*s' of a value", (int)reader->token.length, reader->token.text);
            CM_THEN(status, cm_python_step(reader));
        } else if (cm_python_is(reader, "("))
            status = read_call(reader, "it", value);
        else if (cm_python_is(reader, "["))
            status = read_brackets(reader, "]", value);
        else
            break;
    }
    return status;
}

/* Reads a value without operators: a text, number, name or bracket. */
static cm_status read_atom(cm_python_reader *reader, cm_python_value *value)
{
    cm_status status;
    if (reader->token.kind == CM_PYTHON_STRING)
        status = cm_python_string(reader, value);
    else if (reader->token.kind == CM_PYTHON_NUMBER)
        status = read_number(reader, value);
    else if (reader->token.kind == CM_PYTHON_NAME)
        status = read_name(reader, value);
    else if (cm_python_is(reader, "("))
        status = read_brackets(reader, ")", value);
    else if (cm_python_is(reader, "["))
        status = read_brackets(reader, "]", value);
    else if (cm_python_is(reader, "{"))
        status = read_brackets(reader, "}", value);
    else if (cm_python_is(reader, "...")) {
        *value = cm_python_unread(reader, "'...'");
        status = cm_python_step(reader);
    } else
        return cm_python_refuse(reader, "expected a value");
    return status == CM_OK ? read_trailers(reader, value) : status;
}

/* ---- operators ---- */

/* How strongly the next token joins values; 0: it joins none. */
static int strength_of_next(const cm_python_reader *reader)
{
    static const struct {
        const char *sign;
        int strength;
    } signs[] = {{"or", 1}, {"and", 2}, {"<", 4},   {">", 4},  {"<=", 4}, {">=", 4},  {"==", 4}, {"!=", 4},
                 {"in", 4}, {"is", 4},  {"not", 4}, {"|", 5},  {"^", 6},  {"&", 7},   {"<<", 8}, {">>", 8},
                 {"+", 9},  {"-", 9},   {"*", 10},  {"/", 10}, {"%", 10}, {"//", 10}, {"**", 12}};
    for (size_t i = 0; i < CM_COUNT_OF(signs); i++)
        if (reader->token.kind != CM_PYTHON_STRING && cm_python_is(reader, signs[i].sign))
            return signs[i].strength;
    return 0;
}

/* Reads values that operators of at least this strength join. */
static cm_status read_joined(cm_python_reader *reader, int least, cm_python_value *value)
{
    static const cm_python_value zero = {CM_PYTHON_FORMULA, "0", 0};
    cm_python_value right;
    cm_status status = CM_OK;
    if (cm_python_is(reader, "-") || cm_python_is(reader, "+") || cm_python_is(reader, "~") ||
        cm_python_is(reader, "not") || cm_python_is(reader, "await")) {
        bool minus = cm_python_is(reader, "-"), plus = cm_python_is(reader, "+");
        status = cm_python_step(reader);
        status = status == CM_OK ? read_joined(reader, minus || plus ? 11 : 3, &right) : status;
        if (status == CM_OK && minus)
            status = cm_python_combine(reader, &zero, "-", &right, value);
        else
            *value = plus ? right : cm_python_unread(reader, "a condition");
    } else
        status = read_atom(reader, value);
    for (int strength; status == CM_OK && (strength = strength_of_next(reader)) >= least && strength > 0;) {
        char sign[8];
        snprintf(sign, sizeof sign, "%.*s", (int)reader->token.length, reader->token.text);
        status = cm_python_step(reader);
        while (status == CM_OK && (cm_python_is(reader, "not") || cm_python_is(reader, "in")) && strength == 4)
            status = cm_python_step(reader);
        CM_THEN(status, read_joined(reader, strength + (strength != 12), &right));
        cm_python_value left = *value;
        CM_THEN(status, cm_python_combine(reader, &left, sign, &right, value));
    }
    return status;
}

/* A if C else B is A, unless that is None. */
static cm_status read_whole(cm_python_reader *reader, cm_python_value *value)
{
    cm_python_value other;
    cm_status status = read_joined(reader, 1, value);
    if (status != CM_OK || !cm_python_is(reader, "if"))
        return status;
    status = cm_python_step(reader);
    CM_THEN(status, read_joined(reader, 1, &other));
    if (status != CM_OK || !cm_python_is(reader, "else"))
        return status; /* the condition of a loop */
    status = cm_python_step(reader);
    CM_THEN(status, cm_python_expression(reader, &other));
    if (status == CM_OK && value->type == CM_PYTHON_NONE)
        *value = other;
    return status;
}

cm_status cm_python_expression(cm_python_reader *reader, cm_python_value *value)
{
    if (reader->depth == CM_PYTHON_DEPTH)
        return cm_python_refuse(reader, "nested too deep");
    reader->depth++;
    cm_status status = CM_OK;
    if (cm_python_is(reader, "lambda") || cm_python_is(reader, "yield")) {
        while (status == CM_OK && !cm_python_is(reader, ":") && reader->token.kind != CM_PYTHON_NEWLINE &&
               reader->token.kind != CM_PYTHON_END)
            status = cm_python_step(reader);
        status = status == CM_OK && cm_python_is(reader, ":") ? cm_python_step(reader) : status;
    }
    CM_THEN(status, read_whole(reader, value));
    reader->depth--;
    return status;
}
