#include "core/json.h"

json_t *cm_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

json_t *cm_json_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

json_t *cm_json_copy(const json_t *object)
{
    json_t *members = (json_t *)(uintptr_t)object; /* json_object_foreach takes no const, but changes nothing */
    json_t *copy = json_object(), *value;
    const char *key;
    json_object_foreach(members, key, value) copy = cm_json_set(copy, key, json_incref(value));
    return copy;
}

json_t *cm_json_text(const char *text)
{
    char shown[CM_TEXT_RAW_SIZE];
    json_t *json = json_string(text);
    bool harmful = false;
    for (size_t i = 0, length = strlen(text); json == NULL && !harmful && i < length;)
        i += cm_text_step(text + i, length - i, &harmful);
    return harmful ? json_string(cm_text_show(text, shown, sizeof shown)) : json;
}

/* Whether jansson failed for lack of memory: it then has no message, or reports a missing value right behind a text. */
static bool memory_was_short(const char *text, size_t size, const json_error_t *fault)
{
    static const char *const no_text[] = {"invalid token", "string or '}' expected"};
    size_t end = fault->position > 0 ? (size_t)fault->position : 0;
    bool short_of = fault->text[0] == '\0' || json_error_code(fault) == json_error_out_of_memory;
    for (size_t i = 0; i < CM_COUNT_OF(no_text); i++)
        short_of = short_of || (strncmp(fault->text, no_text[i], strlen(no_text[i])) == 0 && end > 0 && end <= size &&
                                text[end - 1] == '"');
    return short_of;
}

cm_status cm_json_parse(const char *file, const char *text, size_t size, size_t flags, const char *expected,
                        json_t **document, cm_error *error)
{
    json_error_t fault;
    json_t *parsed = json_loadb(text, size, flags, &fault);
    if (parsed == NULL && memory_was_short(text, size, &fault))
        return cm_error_no_memory(error);
    size_t begin = 0;
    while (begin < size && isspace((unsigned char)text[begin]))
        begin++;
    if (parsed == NULL && (begin == size || (text[begin] != '{' && text[begin] != '[')))
        return cm_error_set(error, CM_BAD_INPUT, file, fault.line > 0 ? (size_t)fault.line : 1, 0, "it is no JSON%s%s",
                            expected != NULL ? ", expected " : "", expected != NULL ? expected : "");
    if (parsed == NULL)
        return cm_error_set(error, CM_BAD_INPUT, file, fault.line > 0 ? (size_t)fault.line : 1,
                            fault.line > 0 && fault.column > 0 ? (size_t)fault.column : 0, "%s%s%s", fault.text,
                            expected != NULL ? ", expected " : "", expected != NULL ? expected : "");
    *document = parsed;
    return CM_OK;
}

cm_status cm_json_load(const char *path, size_t flags, const char *expected, json_t **document, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    cm_error reading;
    cm_status status = cm_file_text_read(path, &text, &size, &reading);
    if (status == CM_OK)
        status = cm_json_parse(path, text, size, flags, expected, document, error);
    else if (status == CM_IO || status == CM_BAD_INPUT)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "%s%s%s", reading.text,
                              expected != NULL ? ", expected " : "", expected != NULL ? expected : "");
    else if (error != NULL)
        *error = reading;
    free(text);
    return status;
}

cm_status cm_json_print(json_t *document, FILE *stream, cm_error *error)
{
    bool whole = document != NULL && (cm_json_write(document, stream) || ferror(stream));
    json_decref(document);
    return whole ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_json_save(const json_t *document, const char *path, cm_error *error)
{
    if (document == NULL)
        return cm_error_no_memory(error);
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        FILE *stream = cm_output_stream(output);
        errno = 0;
        if (json_dumpf(document, stream, JSON_INDENT(2)) == 0 && fputc('\n', stream) != EOF)
            status = cm_output_commit(output, error);
        else
            status = ferror(stream) ? cm_error_io(error, path, "writing failed") : cm_error_no_memory(error);
    }
    cm_output_free(output);
    return status;
}
