/* Shared by all writers. */
#include "formats/format.h"

void cm_writing_refuse(cm_writing *writing, const cm_writing_item *item, const char *format, ...)
{
    char why[1024];
    CM_PRINT_ARGUMENTS(vsnprintf, why, format);
    writing->refuse(writing->refuse_data, item, why);
}

const char *cm_writing_find_metric(const cm_writing *writing, const char *name,
                                   int (*compare)(const char *, const char *))
{
    for (size_t i = 0; i < writing->count; i++)
        if (compare(writing->items[i].name, name) == 0)
            return writing->items[i].name;
    return NULL;
}

void cm_writing_write(const char *text, size_t limit, bool list, FILE *stream)
{
    size_t kept = strlen(text);
    if (kept > limit)
        for (kept = limit; kept > 0 && cm_utf8_continues(text[kept]);)
            kept--;
    for (size_t i = 0, step; i < kept; i += step) {
        bool harmful = false;
        step = cm_text_step(text + i, kept - i, &harmful);
        if (harmful || (list && text[i] == ','))
            fputc(harmful ? ' ' : ';', stream);
        else
            fwrite(text + i, 1, step, stream);
    }
}
