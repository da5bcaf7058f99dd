/* Reads documents by their fields. */
#include <catmint/core_type.h>

#include "result/fields.h"

/* The reader comes first, so that a pointer to it points to this. */
typedef struct reading {
    cm_json_reader json;
    const cm_fields *fields; /* of the items in progress */
    cm_field_lengths lengths;
} reading;

static cm_status read_members(reading *walk, const cm_fields *fields, const json_t *object, void *item, size_t index);

static cm_status read_number(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    double *number = (double *)((char *)item + field->offset);
    cm_json_null null = field->rules & CM_NULLABLE ? CM_JSON_OR_NULL : CM_JSON_NOT_NULL;
    cm_status status = (field->kind == CM_FIELD_FIGURE ? cm_json_read_figure : cm_json_read_number)(
        &walk->json, object, field->name, null, number);
    if (status == CM_OK && isnan(*number))
        *number = field->number;
    return status;
}

static cm_status read_whole(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    double read = 0.0, most = field->number > 0.0 ? field->number : INT32_MAX;
    cm_status status = cm_json_read_figure(&walk->json, object, field->name, CM_JSON_NOT_NULL, &read);
    if (status == CM_OK && (read != floor(read) || read > most))
        status = cm_json_fault(&walk->json, "has %g %s, expected a whole number", read, field->noun);
    if (status == CM_OK)
        *(size_t *)((char *)item + field->offset) = (size_t)read;
    return status;
}

static cm_status read_text(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const char *text = NULL;
    cm_json_null null = field->rules & CM_NULLABLE ? CM_JSON_OR_NULL : CM_JSON_NOT_NULL;
    cm_status status = cm_json_read_text(&walk->json, object, field->name, null, &text);
    if (status == CM_OK)
        cm_field_set_pointer(field, text != NULL ? text : field->text, item);
    return status;
}

static cm_status read_short_text(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const char *text = "";
    cm_status status = cm_json_read_text(&walk->json, object, field->name, CM_JSON_NOT_NULL, &text);
    if (status == CM_OK && strlen(text) >= CM_CORE_TEXT)
        status = cm_json_fault(&walk->json, "has a %s of more than %d characters", field->name, CM_CORE_TEXT - 1);
    if (status == CM_OK)
        strcpy((char *)item + field->offset, text);
    return status;
}

/* Reads a text as the number of its word in the field's list. */
static cm_status read_word(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const cm_field_words *words = field->words;
    const char *text = NULL;
    cm_status status = cm_json_read_text(&walk->json, object, field->name, CM_JSON_NOT_NULL, &text);
    for (int i = 0; i < words->count && status == CM_OK; i++)
        if (strcmp(text, words->text(i)) == 0) {
            memcpy((char *)item + field->offset, &i, sizeof i);
            return CM_OK;
        }
    if (status != CM_OK)
        return status;
    if (words->noun != NULL)
        return cm_json_fault(&walk->json, "is a %s '%.40s', expected %s", words->noun, text, words->expected);
    cm_json_enter(&walk->json, field->name, 0);
    status = cm_json_fault(&walk->json, "is '%.100s', expected %s", text, words->expected);
    cm_json_leave(&walk->json);
    return status;
}

/* Reads a list of numbers of the required length. */
static cm_status read_numbers(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const json_t *list = json_object_get(object, field->name);
    const double *numbers = NULL;
    if (field->length == CM_LENGTH_OWN && field->count != 0 && cm_field_count(field, item) == 0)
        cm_field_set_count(field, json_array_size(list), item);
    size_t count = cm_field_length_of(field, &walk->lengths, item);
    cm_json_null null = field->rules & CM_NULL_ELEMENTS ? CM_JSON_NULL_ELEMENTS
                        : field->rules & CM_NULLABLE    ? CM_JSON_OR_NULL
                                                        : CM_JSON_NOT_NULL;
    cm_status status = cm_json_read_numbers(&walk->json, object, field->name, null, count, &numbers);
    for (size_t i = 0; i < count && numbers != NULL && isinf(field->number); i++)
        if (isnan(numbers[i]))
            ((double *)(uintptr_t)numbers)[i] = field->number;
    cm_field_set_pointer(field, numbers, item);
    return status;
}

/* Reads a place below `limit`. */
static cm_status read_place(reading *walk, double read, size_t limit, size_t *place)
{
    if (!(read >= 0.0 && read < (double)limit) || read != floor(read))
        return cm_json_fault(&walk->json, "has %g, expected a whole number from 0 to %zu", read, limit);
    *place = (size_t)read;
    return CM_OK;
}

/* Reads a list of whole numbers that rise. */
static cm_status read_places(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const double *read = NULL;
    size_t count = json_array_size(json_object_get(object, field->name));
    cm_status status = cm_json_read_numbers(&walk->json, object, field->name, CM_JSON_NOT_NULL, count, &read);
    size_t *places = status == CM_OK ? cm_arena_allocate(walk->json.arena, count * sizeof *places) : NULL;
    if (status == CM_OK && places == NULL)
        status = cm_error_no_memory(walk->json.error);
    cm_json_enter(&walk->json, field->name, 0);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        status = read_place(walk, read[i], walk->lengths.of[field->length], &places[i]);
        if (status == CM_OK && i > 0 && places[i] <= places[i - 1])
            status = cm_json_fault(&walk->json, "does not rise");
    }
    cm_json_leave(&walk->json);
    cm_field_set_count(field, count, item);
    cm_field_set_pointer(field, places, item);
    return status;
}

static cm_status read_pair(reading *walk, const cm_field *field, const json_t *object, void *item, size_t index)
{
    size_t *pair = (size_t *)((char *)item + field->offset);
    const double *read = NULL;
    cm_status status = cm_json_read_numbers(&walk->json, object, field->name, CM_JSON_NOT_NULL, 2, &read);
    for (size_t i = 0; i < 2 && status == CM_OK; i++)
        status = read_place(walk, read[i], index, &pair[i]);
    return status;
}

static cm_status read_texts(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const char *const *texts = NULL;
    size_t count = 0;
    cm_status status = (field->kind == CM_FIELD_NAMES ? cm_json_read_names : cm_json_read_texts)(
        &walk->json, object, field->name, &count, &texts);
    cm_field_set_count(field, count, item);
    cm_field_set_pointer(field, texts, item);
    return status;
}

/* Reads the members of an object into a structure of its own, or into this one. */
static cm_status read_object(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    const json_t *value = json_object_get(object, field->name);
    void *into = item;
    if (field->kind == CM_FIELD_OBJECT && value != NULL) {
        into = cm_arena_allocate(walk->json.arena, field->of->size);
        if (into == NULL)
            return cm_error_no_memory(walk->json.error);
        memset(into, 0, field->of->size);
        cm_field_set_pointer(field, into, item);
    }
    if (value == NULL)
        return cm_json_fault(&walk->json, "has no \"%s\"", field->name);
    cm_json_enter(&walk->json, field->name, 0);
    cm_status status = json_is_object(value) ? read_members(walk, field->of, value, into, 0)
                                             : cm_json_fault(&walk->json, "is no object");
    cm_json_leave(&walk->json);
    return status;
}

static cm_status read_item(cm_json_reader *reader, const json_t *object, void *items, size_t index)
{
    reading *walk = (reading *)(void *)reader;
    const cm_fields *fields = walk->fields;
    cm_status status = read_members(walk, fields, object, (char *)items + index * fields->size, index);
    walk->fields = fields;
    return status == CM_OK && fields->check != NULL ? fields->check(reader, items, index) : status;
}

/* Refuses a name that two items share; the first row of an item is its name. */
static cm_status check_names(reading *walk, const cm_field *field, const char *items, size_t count)
{
    cm_name_index *index = NULL;
    cm_status status = cm_name_index_create(&index, walk->json.error);
    cm_json_enter(&walk->json, field->name, 0);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const char *name = cm_field_pointer(&field->of->rows[0], items + i * field->of->size);
        size_t before;
        cm_json_enter(&walk->json, NULL, i);
        if (cm_name_index_find(index, name, &before))
            status = cm_json_fault(&walk->json, "repeats %s '%.100s'", field->noun, name);
        else
            status = cm_name_index_add(index, name, i, walk->json.error);
        cm_json_leave(&walk->json);
    }
    cm_json_leave(&walk->json);
    cm_name_index_free(index);
    return status;
}

static cm_status read_items(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    void *items = NULL;
    size_t count = 0;
    walk->fields = field->of;
    cm_status status = cm_json_read_items(&walk->json, object, field->name, field->of->size, read_item, &count, &items);
    cm_field_set_count(field, count, item);
    cm_field_set_pointer(field, items, item);
    return status == CM_OK && field->noun != NULL ? check_names(walk, field, items, count) : status;
}

static bool are_names(const json_t *names)
{
    size_t index;
    json_t *name;
    bool sound = json_is_array(names);
    json_array_foreach((json_t *)names, index, name) sound = sound && json_is_string(name);
    return sound;
}

/* Reads one member of the object: its name, and the list of names that is its value. */
static cm_status read_named(reading *walk, const cm_fields *of, const json_t *object, const char *name, void *item)
{
    const cm_field list = {.name = name, .offset = of->rows[1].offset, .count = of->rows[1].count};
    const char *kept = cm_arena_text(walk->json.arena, name);
    cm_json_enter(&walk->json, name, 0);
    cm_status status = are_names(json_object_get(object, name))
                           ? CM_OK
                           : cm_json_fault(&walk->json, "is no list of names, expected one");
    cm_json_leave(&walk->json);
    cm_field_set_pointer(&of->rows[0], kept, item);
    CM_THEN(status, read_texts(walk, &list, object, item));
    bool made = kept != NULL && (status != CM_OK || of->finish == NULL || of->finish(walk->json.arena, item));
    return made ? status : cm_error_no_memory(walk->json.error);
}

/* Reads an object as a list of its members. */
static cm_status read_map(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    json_t *map = json_object_get(object, field->name), *value;
    const char *name;
    size_t count = 0;
    char *items = cm_arena_allocate(walk->json.arena, json_object_size(map) * field->of->size);
    if (items == NULL)
        return cm_error_no_memory(walk->json.error);
    memset(items, 0, json_object_size(map) * field->of->size);
    cm_json_enter(&walk->json, field->name, 0);
    cm_status status = json_is_object(map) ? CM_OK : cm_json_fault(&walk->json, "is no object, expected one");
    json_object_foreach(map, name, value) if (status == CM_OK) status =
        read_named(walk, field->of, map, name, items + count++ * field->of->size);
    cm_json_leave(&walk->json);
    cm_field_set_count(field, count, item);
    cm_field_set_pointer(field, items, item);
    return status;
}

static cm_status read_json(reading *walk, const cm_field *field, const json_t *object, void *item)
{
    json_t *value = json_object_get(object, field->name);
    if (field->noun != NULL && !json_is_object(value))
        return cm_json_fault(&walk->json, "has no %s \"%s\"", field->noun, field->name);
    cm_field_set_pointer(field, json_incref(value), item);
    return CM_OK;
}

/* Reads one member. */
static cm_status read_field(reading *walk, const cm_field *field, const json_t *object, void *item, size_t index)
{
    switch (field->kind) {
    case CM_FIELD_TEXT: return read_text(walk, field, object, item);
    case CM_FIELD_SHORT_TEXT: return read_short_text(walk, field, object, item);
    case CM_FIELD_NUMBER:
    case CM_FIELD_FIGURE: return read_number(walk, field, object, item);
    case CM_FIELD_WHOLE: return read_whole(walk, field, object, item);
    case CM_FIELD_BOOL:
        return cm_json_read_bool(&walk->json, object, field->name, (bool *)((char *)item + field->offset));
    case CM_FIELD_WORD: return read_word(walk, field, object, item);
    case CM_FIELD_NUMBERS: return read_numbers(walk, field, object, item);
    case CM_FIELD_PLACES: return read_places(walk, field, object, item);
    case CM_FIELD_PAIR: return read_pair(walk, field, object, item, index);
    case CM_FIELD_TEXTS:
    case CM_FIELD_NAMES: return read_texts(walk, field, object, item);
    case CM_FIELD_OBJECT: return read_object(walk, field, object, item);
    case CM_FIELD_PART:
        return field->name != NULL ? read_object(walk, field, object, item)
                                   : read_members(walk, field->of, object, item, index);
    case CM_FIELD_ITEMS: return read_items(walk, field, object, item);
    case CM_FIELD_MAP: return read_map(walk, field, object, item);
    case CM_FIELD_JSON: return read_json(walk, field, object, item);
    }
    return CM_OK;
}

/* Reads all members of an object; one that may be missing becomes unknown. */
static cm_status read_members(reading *walk, const cm_fields *fields, const json_t *object, void *item, size_t index)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < fields->count && status == CM_OK; i++) {
        const cm_field *field = &fields->rows[i];
        const json_t *value = field->name != NULL ? json_object_get(object, field->name) : object;
        bool missing = value == NULL && ((field->rules & CM_OPTIONAL) || (field->when != NULL && !field->when(item)));
        cm_field_set_unknown(field, item);
        if (!missing && !(json_is_null(value) && (field->rules & CM_NULLABLE)))
            status = read_field(walk, field, object, item, index);
        cm_field_note_length(field, item, &walk->lengths);
    }
    if (status == CM_OK && fields->finish != NULL && !fields->finish(walk->json.arena, item))
        status = cm_error_no_memory(walk->json.error);
    return status;
}

cm_status cm_fields_read(const cm_fields *fields, const cm_json_reader *reader, const json_t *object, void *item)
{
    reading walk = {.json = *reader};
    cm_status status = read_members(&walk, fields, object, item, 0);
    return status == CM_OK && fields->check != NULL ? fields->check(&walk.json, item, 0) : status;
}
