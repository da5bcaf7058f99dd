/* Allocations that fail: the linker leads the library's calls of malloc and of what allocates by itself here
 * (catmint_failing_memory in CMakeLists.txt), and fail_jansson() those of jansson. For one source of a program.
 *
 * From one allocation on all fail, as where memory has run out, or one fails alone, which shows what nobody looked at.
 * jansson's parser does not look itself, so that one that fails alone is never its own. */
#ifndef FAILING_MEMORY_H
#define FAILING_MEMORY_H

#include <errno.h>
#include <execinfo.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t length);
ssize_t __real_getline(char **line, size_t *size, FILE *stream);
char *__real_realpath(const char *path, char *resolved);
json_t *__real_json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t length);
int __wrap_asprintf(char **text, const char *format, ...);
ssize_t __wrap_getline(char **line, size_t *size, FILE *stream);
char *__wrap_realpath(const char *path, char *resolved);
json_t *__wrap_json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);

static atomic_long allocations_left = -1; /* of all threads; negative: no limit */
static atomic_bool one_alone;             /* the one that fails; those behind it do not */
static atomic_bool spared;                /* nothing fails just now */

/* Allocations that are counted down from here are known by their paths: numbers for the calls that lead to each. */
enum { COUNTED_FROM = 1000000000, MOST_PATHS = 1 << 17, OWN_CALLS = 1, CALLS = 4, MOST_CALLS = 16 };

static uint64_t allocation_paths[MOST_PATHS];
static int path_calls = CALLS; /* so many last calls make a path */

static inline uint64_t path_here(void)
{
    void *calls[OWN_CALLS + MOST_CALLS];
    uint64_t path = 14695981039346656037u; /* FNV-1a, over addresses */
    int count = backtrace(calls, OWN_CALLS + path_calls);
    for (int i = OWN_CALLS; i < count; i++)
        path = (path ^ (uint64_t)(uintptr_t)calls[i]) * 1099511628211u;
    return path;
}

__attribute__((noinline)) static bool refused(void)
{
    if (atomic_load(&spared))
        return false;
    long left = atomic_load(&allocations_left);
    while (left > 0 && !atomic_compare_exchange_weak(&allocations_left, &left, left - 1))
        ;
    if (left > COUNTED_FROM - MOST_PATHS)
        allocation_paths[COUNTED_FROM - left] = path_here();
    if (left == 0 && atomic_load(&one_alone))
        atomic_store(&allocations_left, -1);
    if (left == 0)
        errno = ENOMEM;
    return left == 0;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
    return refused() ? NULL : __real_realloc(memory, size);
}

char *__wrap_strdup(const char *text)
{
    return refused() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t length)
{
    return refused() ? NULL : __real_strndup(text, length);
}

int __wrap_asprintf(char **text, const char *format, ...)
{
    if (refused())
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

ssize_t __wrap_getline(char **line, size_t *size, FILE *stream)
{
    return refused() ? -1 : __real_getline(line, size, stream);
}

char *__wrap_realpath(const char *path, char *resolved)
{
    return refused() ? NULL : __real_realpath(path, resolved);
}

/* ---- jansson ---- */

json_t *__wrap_json_loadb(const char *text, size_t size, size_t flags, json_error_t *error)
{
    bool before = atomic_exchange(&spared, atomic_load(&one_alone));
    json_t *document = __real_json_loadb(text, size, flags, error);
    atomic_store(&spared, before);
    return document;
}

static inline void fail_jansson(void)
{
    json_set_alloc_funcs(__wrap_malloc, free);
}

#endif
