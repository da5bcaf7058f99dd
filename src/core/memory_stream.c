#include "core/base.h"

struct memory {
    char **text;
    size_t *size, own_size, capacity;
    bool failed;
};

/* Called by the C library: appends to the text. After a failure nothing more is written. */
static ssize_t append_bytes(void *cookie, const char *bytes, size_t count)
{
    struct memory *memory = cookie;
    memory->failed = memory->failed || !CM_GROW(*memory->text, *memory->size + count + 1, &memory->capacity);
    if (memory->failed)
        return 0; /* nothing is written behind lost bytes */
    memcpy(*memory->text + *memory->size, bytes, count);
    *memory->size += count;
    (*memory->text)[*memory->size] = '\0';
    return (ssize_t)count;
}

/* Returns the position, for ftell; seeking is not supported. */
static int tell_position(void *cookie, off64_t *offset, int whence)
{
    const struct memory *memory = cookie;
    if (whence != SEEK_CUR || *offset != 0)
        return -1;
    *offset = (off64_t)*memory->size;
    return 0;
}

static int finish_memory_stream(void *cookie)
{
    struct memory *memory = cookie;
    bool failed = memory->failed;
    free(memory);
    if (failed)
        errno = ENOMEM;
    return failed ? EOF : 0;
}

FILE *cm_memory_stream(char **text, size_t *size)
{
    struct memory *memory = malloc(sizeof *memory);
    *text = calloc(1, 1);
    if (size != NULL)
        *size = 0;
    const cookie_io_functions_t functions = {
        .write = append_bytes, .seek = tell_position, .close = finish_memory_stream};
    FILE *stream = memory != NULL && *text != NULL ? fopencookie(memory, "w", functions) : NULL;
    if (stream != NULL) {
        *memory = (struct memory){.text = text, .size = size != NULL ? size : &memory->own_size, .capacity = 1};
        return stream;
    }
    CM_FREE(memory, *text);
    *text = NULL;
    return NULL;
}

char *cm_memory_text(FILE *stream, char **text)
{
    if (stream != NULL && fclose(stream) == 0)
        return *text;
    free(*text);
    *text = NULL;
    return NULL;
}
