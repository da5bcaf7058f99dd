/* Calls of metric.py's functions, and strings, in Python that is read without executing it. */
#include "formats/perf/perf.h"

/* ---- events ---- */

/* Writes an event as perf's formulas have it: '@' for '/', and '\' before ',' and '='. NULL without memory. */
static const char *event_text(cm_python_reader *reader, const char *name)
{
    char *text = cm_arena_allocate(&reader->arena, 2 * strlen(name) + 1), *to = text;
    for (const char *at = name; text != NULL && *at != '\0'; at++) {
        if ((*at == ',' || *at == '=') && at > name && at[-1] != '\\')
            *to++ = '\\';
        *to++ = *at == '/' ? '@' : *at;
    }
    if (text != NULL)
        *to = '\0';
    return text;
}

const char *cm_python_formula(cm_python_reader *reader, const cm_python_value *value)
{
    return value->type == CM_PYTHON_FORMULA ? value->text
           : value->type == CM_PYTHON_EVENT ? event_text(reader, value->text)
                                            : NULL;
}

/* Event("A", "B"): the first of these that the processor has; the others are kept beside it. */
static cm_status take_event(cm_python_reader *reader, const cm_python_arguments *call, cm_python_value *value)
{
    char others[1024] = "";
    for (size_t i = 0; i < call->count; i++) {
        if (call->arguments[i].type != CM_PYTHON_TEXT || call->arguments[i].text[0] == '\0') {
            *value = call->arguments[i].type == CM_PYTHON_UNREAD ? call->arguments[i]
                                                                 : cm_python_unread(reader, "an event without a name");
            return CM_OK;
        }
        if (i > 0)
            cm_text_append(others, sizeof others, "", "%s|", call->arguments[i].text);
    }
    if (call->count == 0)
        return CM_OK;
    *value = (cm_python_value){CM_PYTHON_EVENT, call->arguments[0].text, call->line};
    if (others[0] == '\0')
        return CM_OK;
    const bool grown = CM_GROW_BY_ONE(reader->others, reader->other_count);
    const char *kept = cm_arena_text(&reader->arena, others);
    if (!grown || kept == NULL)
        return cm_error_no_memory(reader->error);
    reader->others[reader->other_count++] = (cm_python_variable){value->text, {CM_PYTHON_TEXT, kept, call->line}};
    return CM_OK;
}

/* ---- functions ---- */

static const cm_python_value *first_unread(const cm_python_arguments *call)
{
    for (size_t i = 0; i < call->count; i++)
        if (call->arguments[i].type == CM_PYTHON_UNREAD)
            return &call->arguments[i];
    return NULL;
}

/* FUNCTION(A, B) as perf's formulas have it, or with `select` (A if B else C). */
static cm_status take_function(cm_python_reader *reader, const cm_python_arguments *call, size_t wanted,
                               cm_python_value *value)
{
    const char *parts[3] = {0};
    char *text = NULL;
    bool select = strcmp(call->function, "Select") == 0;
    if (select && call->count == 3 && call->arguments[2].type == CM_PYTHON_NAN) { /* perf prints nothing */
        *value = call->arguments[0];
        return CM_OK;
    }
    const cm_python_value *unread = first_unread(call);
    if (unread != NULL)
        *value = *unread;
    if (unread != NULL || call->count != wanted)
        return CM_OK;
    for (size_t i = 0; i < wanted; i++)
        if ((parts[i] = cm_python_formula(reader, &call->arguments[i])) == NULL)
            return CM_OK;
    size_t size = strlen(call->function) + 32;
    for (size_t i = 0; i < wanted; i++)
        size += strlen(parts[i]);
    if (size > CM_PYTHON_TEXT_LIMIT) {
        *value = cm_python_unread(reader, "a formula of more than 64 KiB");
        return CM_OK;
    }
    if ((text = cm_arena_allocate(&reader->arena, size)) == NULL)
        return cm_error_no_memory(reader->error);
    if (select)
        snprintf(text, size, "(%s if %s else %s)", parts[0], parts[1], parts[2]);
    else
        snprintf(text, size, wanted == 1 ? "%s(%s)" : "%s(%s, %s)", call->function, parts[0], parts[1]);
    *value = (cm_python_value){CM_PYTHON_FORMULA, text, call->line};
    return CM_OK;
}

/* Adds Metric(name, description, formula, scale). An argument that cannot be read is a fault at its place. */
static cm_status take_metric(cm_python_reader *reader, const cm_python_arguments *call)
{
    const cm_python_value *name = &call->arguments[0], *formula = &call->arguments[2];
    bool named = call->count > 0 && name->type == CM_PYTHON_TEXT;
    const cm_python_value *unread = !named ? name : formula;
    const char *text = call->count > 2 ? cm_python_formula(reader, formula) : NULL;
    size_t added = 0;
    if (!named || text == NULL)
        return cm_formulas_add_fault(reader->formulas, CM_FAULT_SYNTAX, call->line, call->column,
                                     named ? name->text : "",
                                     unread->type == CM_PYTHON_UNREAD && unread->text != NULL
                                         ? "its %s is not read, because that would execute Python: %.200s (line %zu)"
                                         : "expected Metric(NAME, DESCRIPTION, FORMULA, SCALE)",
                                     named ? "formula" : "name", unread->text, unread->line);
    const cm_python_value *description = &call->arguments[1], *scale = &call->arguments[3];
    const cm_formula_info info = {.metric = name->text,
                                  .description = description->type == CM_PYTHON_TEXT ? description->text : "",
                                  .unit = call->count > 3 && scale->type == CM_PYTHON_TEXT ? scale->text : "",
                                  .text = text,
                                  .line = call->line,
                                  .column = call->column};
    return cm_formulas_add(reader->formulas, &info, &added, reader->error);
}

/* Reads the call's value by the function's name; an unknown function has none. */
cm_status cm_python_apply(cm_python_reader *reader, const cm_python_arguments *call, cm_python_value *value)
{
    static const struct {
        const char *name;
        size_t arguments;
    } functions[] = {{"d_ratio", 2}, {"max", 2}, {"min", 2}, {"Select", 3}, {"has_event", 1}, {"source_count", 1}};
    *value = cm_python_unread(reader, "the result of %.60s(...)", call->function);
    if (strcmp(call->function, "Metric") == 0)
        return take_metric(reader, call);
    if (strcmp(call->function, "Event") == 0)
        return take_event(reader, call, value);
    if ((strcmp(call->function, "Literal") == 0 || strcmp(call->function, "MetricRef") == 0) && call->count == 1 &&
        call->arguments[0].type == CM_PYTHON_TEXT)
        *value = (cm_python_value){CM_PYTHON_FORMULA, call->arguments[0].text, call->line};
    for (size_t i = 0; i < CM_COUNT_OF(functions); i++)
        if (strcmp(call->function, functions[i].name) == 0)
            return take_function(reader, call, functions[i].arguments, value);
    return CM_OK;
}

/* ---- strings ---- */

/* Writes the value of {NAME} or {NAME.name}, at `from`; whether it has one. */
static bool write_field(const cm_python_reader *reader, const char *from, size_t length, FILE *stream)
{
    char name[128];
    if (length >= sizeof name)
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, from);
    char *dot = strstr(name, ".name");
    if (dot != NULL && dot[5] == '\0')
        *dot = '\0';
    cm_python_value value = cm_python_find(reader, name);
    if (value.type == CM_PYTHON_TEXT || value.type == CM_PYTHON_EVENT)
        fputs(value.text, stream);
    return value.type == CM_PYTHON_TEXT || value.type == CM_PYTHON_EVENT;
}

/* Writes a string's meaning; false if it has a value in it that is not known. */
static bool write_string(const cm_python_reader *reader, FILE *stream)
{
    const cm_python_token *token = &reader->token;
    for (const char *at = token->text, *end = at + token->length; at < end; at++) {
        if (*at == '\\' && !token->raw && at + 1 < end) {
            const char *known = strchr("\\'\"\n", at[1]);
            at += known != NULL;
            if (known != NULL && *at != '\n')
                fputc(*at, stream);
            else if (known == NULL)
                fputc('\\', stream);
        } else if (token->formatted && *at == '{' && at + 1 < end && at[1] != '{') {
            const char *close = memchr(at, '}', (size_t)(end - at));
            if (close == NULL || !write_field(reader, at + 1, (size_t)(close - at) - 1, stream))
                return false;
            at = close;
        } else
            fputc(*at, stream);
    }
    return true;
}

cm_status cm_python_string(cm_python_reader *reader, cm_python_value *value)
{
    char *text = NULL;
    size_t size = 0, line = reader->token.line;
    bool known = true;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return cm_error_no_memory(reader->error);
    cm_status status = CM_OK;
    for (; status == CM_OK && reader->token.kind == CM_PYTHON_STRING; status = cm_python_step(reader))
        known = write_string(reader, stream) && known;
    const char *kept = fclose(stream) == 0 ? cm_arena_text(&reader->arena, text) : NULL;
    free(text);
    if (status == CM_OK && kept == NULL)
        status = cm_error_no_memory(reader->error);
    *value =
        known ? (cm_python_value){CM_PYTHON_TEXT, kept, line} : cm_python_unread(reader, "a string with a value in it");
    return status;
}
