/* Copies structures by their fields, as writing and reading them would. */
#include "result/fields.h"

typedef struct copying {
    cm_arena *arena;
    cm_error *error;
    cm_field_lengths lengths;
} copying;

static cm_status copy_members(copying *walk, const cm_fields *fields, const void *item, void *copy);

/* The number that a document gives back: it has neither infinities nor a negative zero. */
static double as_written(double value, double unknown)
{
    return isfinite(value) ? value + 0.0 : unknown;
}

static void *allocate_items(copying *walk, size_t count, size_t size)
{
    void *made = cm_arena_allocate(walk->arena, count * size);
    if (made == NULL)
        cm_error_no_memory(walk->error);
    return made;
}

static void *copy_numbers(copying *walk, const cm_field *field, const double *numbers, size_t count)
{
    double *copied = allocate_items(walk, count, sizeof *copied);
    for (size_t i = 0; i < count && copied != NULL; i++)
        copied[i] = as_written(numbers[i], isinf(field->number) ? field->number : NAN);
    return copied;
}

static void *copy_places(copying *walk, const size_t *places, size_t count)
{
    size_t *copied = allocate_items(walk, count, sizeof *copied);
    if (copied != NULL && count > 0)
        memcpy(copied, places, count * sizeof *copied);
    return copied;
}

static void *copy_texts(copying *walk, const char *const *texts, size_t count)
{
    const char **copied = allocate_items(walk, count, sizeof *copied);
    for (size_t i = 0; i < count && copied != NULL; i++)
        if ((copied[i] = cm_arena_text(walk->arena, texts[i])) == NULL)
            copied = NULL;
    return copied;
}

/* The copy holds its own JSON references from its first bytes on, so that it can be freed wherever memory runs out. */
static cm_status copy_object(copying *walk, const cm_fields *fields, const void *object, void *copied)
{
    memcpy(copied, object, fields->size);
    for (size_t i = 0; i < fields->count; i++)
        if (fields->rows[i].kind == CM_FIELD_JSON)
            json_incref((json_t *)(uintptr_t)cm_field_pointer(&fields->rows[i], object));
    return copy_members(walk, fields, object, copied);
}

/* Makes each item of a stream anew, and keeps its copy. */
static cm_status copy_stream(copying *walk, const cm_field *field, const void *parent, size_t *count, char *copied)
{
    cm_status status = CM_OK;
    cm_arena arena = {0};
    *count = 0;
    for (size_t i = 0; status == CM_OK && (i = field->stream->next(parent, i)) != SIZE_MAX; i++) {
        char *item = copied + *count * field->of->size;
        memset(item, 0, field->of->size);
        status = field->stream->fill(parent, i, &arena, item, walk->error);
        CM_THEN(status, copy_members(walk, field->of, item, item));
        *count += status == CM_OK;
        if (*count % CM_FIELD_TOGETHER == 0)
            cm_arena_clear(&arena);
    }
    cm_arena_clear(&arena);
    return status;
}

static size_t count_items(const cm_field *field, const void *parent)
{
    size_t count = 0;
    if (cm_field_pointer(field, parent) != NULL || field->stream == NULL)
        return cm_field_count(field, parent);
    for (size_t i = 0; (i = field->stream->next(parent, i)) != SIZE_MAX; i++)
        count++;
    return count;
}

/* Copies a list, or the items that its stream makes. */
static cm_status copy_items(copying *walk, const cm_field *field, const void *parent, void *copy)
{
    const char *items = cm_field_pointer(field, parent);
    size_t count = count_items(field, parent), size = field->of->size;
    if (items == NULL && field->stream == NULL)
        return CM_OK;
    char *copied = allocate_items(walk, count, size);
    if (copied == NULL)
        return CM_NO_MEMORY;
    cm_status status = CM_OK;
    if (items == NULL && field->stream != NULL)
        status = copy_stream(walk, field, parent, &count, copied);
    for (size_t i = 0; items != NULL && i < count && status == CM_OK; i++)
        status = copy_object(walk, field->of, items + i * size, copied + i * size);
    cm_field_set_count(field, count, copy);
    cm_field_set_pointer(field, copied, copy);
    return status;
}

/* Copies the target of a field's pointer. */
static cm_status copy_pointer(copying *walk, const cm_field *field, const void *item, void *copy)
{
    const void *pointer = cm_field_pointer(field, item);
    void *copied = NULL;
    cm_status status = CM_OK;
    if (pointer == NULL)
        return CM_OK;
    if (field->kind == CM_FIELD_NUMBERS)
        copied = copy_numbers(walk, field, pointer, cm_field_length_of(field, &walk->lengths, item));
    else if (field->kind == CM_FIELD_PLACES)
        copied = copy_places(walk, pointer, cm_field_count(field, item));
    else if (field->kind == CM_FIELD_TEXTS || field->kind == CM_FIELD_NAMES)
        copied = copy_texts(walk, pointer, cm_field_count(field, item));
    else if (field->kind == CM_FIELD_OBJECT && (copied = allocate_items(walk, 1, field->of->size)) != NULL)
        status = copy_object(walk, field->of, pointer, copied);
    else if (field->kind == CM_FIELD_TEXT)
        copied = cm_arena_text(walk->arena, pointer);
    cm_field_set_pointer(field, copied, copy);
    return copied != NULL ? status : cm_error_no_memory(walk->error);
}

/* Copies one member, whose bytes `copy` already has. */
static cm_status copy_field(copying *walk, const cm_field *field, const void *item, void *copy)
{
    double *number = (double *)((char *)copy + field->offset);
    switch (field->kind) {
    case CM_FIELD_NUMBER:
    case CM_FIELD_FIGURE: *number = as_written(*number, field->number); return CM_OK;
    case CM_FIELD_PART: return copy_members(walk, field->of, item, copy);
    case CM_FIELD_ITEMS:
    case CM_FIELD_MAP: return copy_items(walk, field, item, copy);
    case CM_FIELD_SHORT_TEXT:
    case CM_FIELD_WHOLE:
    case CM_FIELD_BOOL:
    case CM_FIELD_WORD:
    case CM_FIELD_PAIR:
    case CM_FIELD_JSON: return CM_OK;
    default: return copy_pointer(walk, field, item, copy);
    }
}

/* `copy` is a copy of `item`, or `item` itself. */
static cm_status copy_members(copying *walk, const cm_fields *fields, const void *item, void *copy)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < fields->count && status == CM_OK; i++) {
        cm_field_note_length(&fields->rows[i], item, &walk->lengths);
        status = copy_field(walk, &fields->rows[i], item, copy);
    }
    if (status == CM_OK && fields->finish != NULL && !fields->finish(walk->arena, copy))
        status = cm_error_no_memory(walk->error);
    return status;
}

cm_status cm_fields_copy(const cm_fields *fields, const void *item, cm_arena *arena, void *copy, cm_error *error)
{
    copying walk = {.arena = arena, .error = error};
    return copy_object(&walk, fields, item, copy);
}
