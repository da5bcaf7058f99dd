/* Memory and texts of the document that is filled. */
#include "result/result.h"

void *cm_filler_allocate(cm_filler *filler, size_t count, size_t size)
{
    void *items = cm_arena_allocate(filler->arena, count * size);
    filler->short_of_memory = filler->short_of_memory || items == NULL;
    return items != NULL ? memset(items, 0, count * size) : NULL;
}

const char *cm_filler_take(cm_filler *filler, char *words)
{
    const char *kept = words != NULL ? cm_arena_text(filler->arena, words) : NULL;
    filler->short_of_memory = filler->short_of_memory || kept == NULL;
    free(words);
    return kept;
}

const char *cm_filler_print(cm_filler *filler, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    return cm_filler_take(filler, length < 0 ? NULL : text);
}
