#include "core/json.h"

void cm_json_enter(cm_json_reader *reader, const char *key, size_t index)
{
    if (reader->depth < CM_JSON_DEPTH)
        reader->path[reader->depth] = (cm_json_step){.key = key, .index = index};
    reader->depth++;
}

void cm_json_leave(cm_json_reader *reader)
{
    reader->depth--;
}

cm_status cm_json_fault(cm_json_reader *reader, const char *says, ...)
{
    char path[256] = "the document", text[CM_ERROR_TEXT_SIZE - sizeof path];
    size_t line = 0, column = 0, depth = reader->depth < CM_JSON_DEPTH ? reader->depth : CM_JSON_DEPTH;
    for (size_t i = 0, used = 0; i < depth && used < sizeof path; i++)
        used += (size_t)(reader->path[i].key != NULL
                             ? snprintf(path + used, sizeof path - used, "%s%s", i > 0 ? "." : "", reader->path[i].key)
                             : snprintf(path + used, sizeof path - used, "[%zu]", reader->path[i].index));
    CM_PRINT_ARGUMENTS(vsnprintf, text, says);
    cm_json_locate(reader->text, reader->path, depth, &line, &column);
    return cm_error_set(reader->error, CM_BAD_INPUT, reader->file, line, column, "%s %s", path, text);
}

/* Names the kind of a value for messages. */
static const char *kind_of(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT: return "an object";
    case JSON_ARRAY: return "a list";
    case JSON_STRING: return "a text";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_NULL: return "null";
    default: return json_is_true(value) ? "true" : "false";
    }
}

static cm_status unexpected(cm_json_reader *reader, const json_t *value, const char *expected, cm_json_null null)
{
    return cm_json_fault(reader, "is %s, expected %s%s", kind_of(value), expected,
                         null == CM_JSON_OR_NULL ? " or null" : "");
}

/* Finds the member, and makes it the end of the path. */
static cm_status enter_member(cm_json_reader *reader, const json_t *object, const char *key, const json_t **value)
{
    *value = json_object_get(object, key);
    if (*value == NULL)
        return cm_json_fault(reader, "has no \"%s\"", key);
    cm_json_enter(reader, key, 0);
    return CM_OK;
}

static cm_status copy_text(cm_json_reader *reader, const json_t *value, const char **text)
{
    *text = cm_arena_text(reader->arena, json_string_value(value));
    return *text != NULL ? CM_OK : cm_error_no_memory(reader->error);
}

cm_status cm_json_read_text(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                            const char **text)
{
    const json_t *value;
    cm_status status = enter_member(reader, object, key, &value);
    if (status != CM_OK)
        return status;
    *text = NULL;
    if (json_is_string(value))
        status = copy_text(reader, value, text);
    else if (null == CM_JSON_NOT_NULL || !json_is_null(value))
        status = unexpected(reader, value, "a text", null);
    cm_json_leave(reader);
    return status;
}

cm_status cm_json_read_number(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                              double *number)
{
    const json_t *value;
    cm_status status = enter_member(reader, object, key, &value);
    if (status != CM_OK)
        return status;
    if (!json_is_number(value) && (null == CM_JSON_NOT_NULL || !json_is_null(value)))
        status = unexpected(reader, value, "a number", null);
    else
        *number = json_is_number(value) ? json_number_value(value) : NAN;
    cm_json_leave(reader);
    return status;
}

cm_status cm_json_read_figure(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                              double *figure)
{
    cm_status status = cm_json_read_number(reader, object, key, null, figure);
    if (status == CM_OK && *figure < 0.0) {
        cm_json_enter(reader, key, 0);
        status = cm_json_fault(reader, "is %g, expected 0 or more", *figure);
        cm_json_leave(reader);
    }
    return status;
}

cm_status cm_json_read_bool(cm_json_reader *reader, const json_t *object, const char *key, bool *value)
{
    const json_t *member;
    cm_status status = enter_member(reader, object, key, &member);
    if (status != CM_OK)
        return status;
    if (!json_is_boolean(member))
        status = unexpected(reader, member, "true or false", CM_JSON_NOT_NULL);
    else
        *value = json_is_true(member);
    cm_json_leave(reader);
    return status;
}

/* Reads the elements of a list as numbers; null is NaN if `null` allows it. */
static cm_status read_elements(cm_json_reader *reader, const json_t *list, cm_json_null null, double *numbers)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *element = json_array_get(list, i);
        if (!json_is_number(element) && (null != CM_JSON_NULL_ELEMENTS || !json_is_null(element))) {
            cm_json_enter(reader, NULL, i);
            cm_status status = unexpected(reader, element, "a number", CM_JSON_NOT_NULL);
            cm_json_leave(reader);
            return status;
        }
        numbers[i] = json_is_number(element) ? json_number_value(element) : NAN;
    }
    return CM_OK;
}

cm_status cm_json_read_numbers(cm_json_reader *reader, const json_t *object, const char *key, cm_json_null null,
                               size_t count, const double **numbers)
{
    const json_t *list;
    cm_status status = enter_member(reader, object, key, &list);
    if (status != CM_OK)
        return status;
    *numbers = NULL;
    if (json_is_array(list) && json_array_size(list) == count) {
        double *read = cm_arena_allocate(reader->arena, count * sizeof *read);
        status = read != NULL ? read_elements(reader, list, null, read) : cm_error_no_memory(reader->error);
        *numbers = read;
    } else if (json_is_array(list)) {
        status = cm_json_fault(reader, "has %zu numbers, expected %zu", json_array_size(list), count);
    } else if (null != CM_JSON_OR_NULL || !json_is_null(list)) {
        status = unexpected(reader, list, "a list of numbers", null);
    }
    cm_json_leave(reader);
    return status;
}

/* Reads a name from a list: a text, not empty, and not in the list before. */
static cm_status read_name(cm_json_reader *reader, const json_t *list, size_t number, cm_name_index *index,
                           const char **name)
{
    const json_t *element = json_array_get(list, number);
    size_t before;
    cm_json_enter(reader, NULL, number);
    cm_status status = CM_OK;
    if (!json_is_string(element) || json_string_length(element) == 0)
        status = cm_json_fault(reader, "is %s, expected a name", json_is_string(element) ? "empty" : kind_of(element));
    else
        status = copy_text(reader, element, name);
    if (status == CM_OK && cm_name_index_find(index, *name, &before))
        status = cm_json_fault(reader, "repeats '%.100s'", *name);
    CM_THEN(status, cm_name_index_add(index, *name, number, reader->error));
    cm_json_leave(reader);
    return status;
}

/* `names` has space for the whole list. */
static cm_status read_all_names(cm_json_reader *reader, const json_t *list, const char **names)
{
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, reader->error);
    for (size_t i = 0; i < json_array_size(list) && status == CM_OK; i++)
        status = read_name(reader, list, i, index, &names[i]);
    cm_name_index_free(index);
    return status;
}

/* Reads a list of texts. */
static cm_status read_all_texts(cm_json_reader *reader, const json_t *list, const char **texts)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < json_array_size(list) && status == CM_OK; i++) {
        const json_t *element = json_array_get(list, i);
        cm_json_enter(reader, NULL, i);
        status = json_is_string(element) ? copy_text(reader, element, &texts[i])
                                         : unexpected(reader, element, "a text", CM_JSON_NOT_NULL);
        cm_json_leave(reader);
    }
    return status;
}

typedef cm_status (*read_elements_of)(cm_json_reader *reader, const json_t *list, const char **texts);

/* Reads the member `key`, a list, by `read_all` into *texts, which the arena owns. */
static cm_status read_list(cm_json_reader *reader, const json_t *object, const char *key, const char *expected,
                           read_elements_of read_all, size_t *count, const char *const **texts)
{
    const json_t *list;
    cm_status status = enter_member(reader, object, key, &list);
    if (status != CM_OK)
        return status;
    const char **read = NULL;
    *count = json_array_size(list);
    if (!json_is_array(list))
        status = unexpected(reader, list, expected, CM_JSON_NOT_NULL);
    else if ((read = cm_arena_allocate(reader->arena, *count * sizeof *read)) == NULL)
        status = cm_error_no_memory(reader->error);
    else
        status = read_all(reader, list, read);
    *texts = read;
    cm_json_leave(reader);
    return status;
}

cm_status cm_json_read_texts(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **texts)
{
    return read_list(reader, object, key, "a list of texts", read_all_texts, count, texts);
}

cm_status cm_json_read_names(cm_json_reader *reader, const json_t *object, const char *key, size_t *count,
                             const char *const **names)
{
    return read_list(reader, object, key, "a list of names", read_all_names, count, names);
}

cm_status cm_json_read_items(cm_json_reader *reader, const json_t *object, const char *key, size_t size,
                             cm_json_read_item read_item, size_t *count, void **items)
{
    const json_t *list;
    cm_status status = enter_member(reader, object, key, &list);
    if (status != CM_OK)
        return status;
    *count = json_array_size(list);
    *items = NULL;
    if (!json_is_array(list))
        status = unexpected(reader, list, "a list", CM_JSON_NOT_NULL);
    else if (*count > SIZE_MAX / size || (*items = cm_arena_allocate(reader->arena, *count * size)) == NULL)
        status = cm_error_no_memory(reader->error);
    else
        memset(*items, 0, *count * size);
    for (size_t i = 0; i < *count && status == CM_OK; i++) {
        const json_t *item = json_array_get(list, i);
        cm_json_enter(reader, NULL, i);
        status = json_is_object(item) ? read_item(reader, item, *items, i)
                                      : unexpected(reader, item, "an object", CM_JSON_NOT_NULL);
        cm_json_leave(reader);
    }
    cm_json_leave(reader);
    return status;
}

cm_status cm_json_read_file(const char *path, size_t flags, const char *expected, cm_arena *arena,
                            cm_json_read_document read_document, void *made, cm_error *error)
{
    char *text = NULL;
    size_t size = 0;
    json_t *document = NULL;
    cm_status status = cm_file_text_read(path, &text, &size, error);
    CM_THEN(status, cm_json_parse(path, text, size, flags, expected, &document, error));
    cm_json_reader reader = {.file = path, .text = text, .arena = arena, .error = error};
    CM_THEN(status, read_document(&reader, document, made));
    json_decref(document);
    free(text);
    return status;
}
