#include "result/fields.h"

size_t cm_field_length_of(const cm_field *field, const cm_field_lengths *lengths, const void *item)
{
    if (field->length == CM_LENGTH_TWO)
        return 2;
    return field->length == CM_LENGTH_OWN ? cm_field_count(field, item) : lengths->of[field->length];
}

void cm_field_note_length(const cm_field *field, const void *item, cm_field_lengths *lengths)
{
    if (field->gives != CM_LENGTH_OWN)
        lengths->of[field->gives] = cm_field_count(field, item);
}

const void *cm_field_pointer(const cm_field *field, const void *item)
{
    const void *pointer;
    memcpy(&pointer, (const char *)item + field->offset, sizeof pointer);
    return pointer;
}

void cm_field_set_pointer(const cm_field *field, const void *pointer, void *item)
{
    memcpy((char *)item + field->offset, &pointer, sizeof pointer);
}

size_t cm_field_count(const cm_field *field, const void *item)
{
    size_t count;
    memcpy(&count, (const char *)item + field->count, sizeof count);
    return count;
}

void cm_field_set_count(const cm_field *field, size_t count, void *item)
{
    memcpy((char *)item + field->count, &count, sizeof count);
}

void cm_field_set_unknown(const cm_field *field, void *item)
{
    void *at = (char *)item + field->offset;
    if (field->kind == CM_FIELD_NUMBER || field->kind == CM_FIELD_FIGURE)
        *(double *)at = field->number;
    else if (field->kind == CM_FIELD_BOOL)
        *(bool *)at = field->number != 0.0;
    else if (field->kind == CM_FIELD_TEXT)
        *(const char **)at = field->text;
    for (size_t i = 0; field->kind == CM_FIELD_PART && i < field->of->count; i++)
        cm_field_set_unknown(&field->of->rows[i], item);
}
