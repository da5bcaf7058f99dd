/* The base of all rooms: errors, arrays that grow, text, numbers, memory and names. */
#ifndef CM_CORE_BASE_H
#define CM_CORE_BASE_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <strings.h>

#include <catmint/error.h>
#include <catmint/text.h>

/* ---- shared ---- */

/* Marks the functions that libcatmint-machines takes from libcatmint beside its public interface. Such a symbol is
 * exported under a version that only libraries of the same release have (src/package/libcatmint.symbols), and is in no
 * public header. */

#define CM_SHARED CM_API

/* Defines a function that returns a member of a structure. */
#define CM_GETTER(function, member)                                                                                    \
    function                                                                                                           \
    {                                                                                                                  \
        return member;                                                                                                 \
    }

/* ---- Fills a cm_error ---- */

/* Fills `error` (may be NULL) and returns `status`, so that a caller can `return cm_error_set(...)`. `file` may be
 * NULL; line and column 0 if unknown. */
CM_SHARED cm_status cm_error_set(cm_error *error, cm_status status, const char *file, size_t line, size_t column,
                                 const char *format, ...) CM_PRINTF(6, 7);

/* The same without a file. */
#define CM_FAIL(error, status, ...) cm_error_set(error, status, NULL, 0, 0, __VA_ARGS__)
/* Returns CM_NO_MEMORY with its text. */
CM_SHARED cm_status cm_error_no_memory(cm_error *error);

/* Returns, by errno, CM_IO with "`problem`: the system's words", or CM_NO_MEMORY without memory or open files. */
cm_status cm_error_io(cm_error *error, const char *file, const char *problem);

/* For files that are read: turns CM_IO into CM_BAD_INPUT; any other status stays. */
cm_status cm_error_of_input(cm_status status, cm_error *error);

#ifdef __clang_analyzer__ /* it sees one file at a time, and would take a failure for CM_OK */
#define cm_error_set(error, status, ...) (cm_error_set(error, status, __VA_ARGS__), (status))
#define cm_error_no_memory(error) (cm_error_no_memory(error), CM_NO_MEMORY)
#define cm_error_io(error, ...) (cm_error_io(error, __VA_ARGS__), CM_IO)
#endif

/* CM_BAD_ARGUMENT unless the options that a public function was given have their size. */
static inline cm_status cm_options_check(const char *name, size_t size, size_t expected, cm_error *error)
{
    return size == expected
               ? CM_OK
               : CM_FAIL(error, CM_BAD_ARGUMENT, "%s have the size %zu, expected %zu: begin with %s_default", name,
                         size, expected, name);
}
#define CM_OPTIONS_CHECK(name, options, error) cm_options_check(#name, (options)->size, sizeof(name), error)

/* ---- Arrays that grow; all of catmint's do it here ---- */

/* The capacity of an array that must hold `count` elements: half as many more, so that appending takes constant time.
 * For several arrays that share one capacity. */
static inline size_t cm_grow_capacity(size_t count)
{
    return count + count / 2 + 16;
}

/* Grows `items` to hold more than `count` elements of `size` bytes, and sets *capacity to the new capacity. Returns the
 * array, which may have moved; NULL without memory: then `items` is unchanged. */
void *cm_grow_beyond(void *items, size_t count, size_t *capacity, size_t size);

/* The same for `count` elements, at least one; *capacity is 0 for NULL. */
static inline void *cm_grow(void *items, size_t count, size_t *capacity, size_t size)
{
    return count <= *capacity ? items : cm_grow_beyond(items, count, capacity, size);
}

/* Makes space for one element behind `count` of them, in an array that grows by this function alone: it is full if
 * `count` is 0 or a power of two, so its capacity is not stored. NULL without memory. It is inline because the program
 * needs it too, and the library hides its own functions. */
static inline void *cm_grow_by_one(void *items, size_t count, size_t size)
{
    if ((count & (count - 1)) != 0)
        return items;
    size_t capacity = count == 0 ? 1 : 2 * count;
    return capacity > count && capacity <= SIZE_MAX / size ? realloc(items, capacity * size) : NULL;
}

/* Sets the pointer at `items` to the grown array: false without memory, and then it is as it was. */
static inline bool cm_take_grown(void *items, void *grown)
{
    if (grown != NULL)
        memcpy(items, &grown, sizeof grown);
    return grown != NULL;
}

/* Frees each pointer, which may be NULL. All are read first: CM_FREE(list->items, list) frees both. */
#define CM_FREE(...) cm_free_each((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
static inline void cm_free_each(void *const *pointers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pointers[i]);
}

/* Frees `count` pointers of an array and the array, which may be NULL. */
static inline void cm_free_list(void *list, size_t count)
{
    for (size_t i = 0; list != NULL && i < count; i++) {
        void *item;
        memcpy(&item, (char *)list + i * sizeof item, sizeof item);
        free(item);
    }
    free(list);
}

/* The next of several steps, each of which is taken if none before it failed: `status` is CM_OK or CLI_DONE, 0, so far.
 */
#define CM_THEN(status, step)                                                                                          \
    do {                                                                                                               \
        if ((status) == 0)                                                                                             \
            (status) = (step);                                                                                         \
    } while (0)

/* At the end of a function that makes something: gives it to the caller, or frees it after a failure. */
#define CM_HAND_OVER(status, result, made, free_it)                                                                    \
    do {                                                                                                               \
        if ((status) == CM_OK)                                                                                         \
            *(result) = (made);                                                                                        \
        else                                                                                                           \
            free_it(made);                                                                                             \
    } while (0)

/* Makes an array `items` of `count` elements, all bytes 0; false without memory. */
#define CM_ALLOCATE(items, count) (((items) = calloc((count), sizeof *(items))) != NULL)
/* cm_grow and cm_grow_by_one of an array `items`: `if (!CM_GROW(list->items, list->count + 1, &list->capacity))`. */
#define CM_GROW(items, count, capacity) cm_take_grown(&(items), cm_grow((items), (count), (capacity), sizeof *(items)))
#define CM_GROW_BY_ONE(items, count) cm_take_grown(&(items), cm_grow_by_one((items), (count), sizeof *(items)))
/* Appends a value to an array that CM_GROW_BY_ONE alone grows, and counts it; false without memory. */
#define CM_APPEND(items, count, ...) (CM_GROW_BY_ONE(items, count) && ((items)[(count)++] = __VA_ARGS__, true))
/* The same for exactly `count` elements, at least one. */
#define CM_RESIZE(items, count) cm_take_grown(&(items), realloc((items), (count) * sizeof *(items)))

/* ---- Memory for many small things, which are never moved and are freed together ---- */

typedef struct cm_arena {
    struct cm_arena_block *blocks; /* NULL: empty; the newest first */
} cm_arena;

/* `size` bytes, aligned for any type; NULL without memory. */
CM_SHARED void *cm_arena_allocate(cm_arena *arena, size_t size);
/* A copy of `text`; NULL without memory. */
CM_SHARED char *cm_arena_text(cm_arena *arena, const char *text);
/* Moves everything allocated in `other` to `arena`. */
void cm_arena_join(cm_arena *arena, cm_arena *other);
/* Frees everything and leaves the arena empty. */
CM_SHARED void cm_arena_clear(cm_arena *arena);

/* ---- Numbers as text, the same in every locale; fractions; figures in tables ---- */

/* Reads `text`, which must be one finite decimal number, [+-] digits [. digits] [e [+-] digits], as the nearest double.
 * CM_BAD_INPUT for empty text, blanks, trailing text, NaN, infinity, hexadecimal, overflow, and underflow to zero;
 * `error` then has the reason, without file and line. */
CM_SHARED cm_status cm_number_parse(const char *text, double *value, cm_error *error);

/* Reads `text`, which must be decimal digits alone. */
CM_SHARED cm_status cm_number_parse_size(const char *text, size_t *value, cm_error *error);

enum { CM_NUMBER_TEXT_SIZE = 32 };

/* The shortest decimal text that cm_number_parse turns into the same double; integers below 1e17 without exponent.
 * `value` must be finite. Returns the length. */
CM_SHARED size_t cm_number_write(double value, char text[CM_NUMBER_TEXT_SIZE]);

/* Writes the first of %.15g, %.16g and %.17g that reads back as the same double, with a point as separator. `value`
 * must be finite. Returns the length. */
size_t cm_shortest_write(double value, char text[CM_NUMBER_TEXT_SIZE]);

/* Reads the number, without a sign, at the start of the text. Returns its length in bytes; 0 if there is no number
 * within the range of a double. */
CM_SHARED size_t cm_number_prefix(const char *text, double *value);

/* ---- fraction.c: numbers as fractions ---- */

typedef struct cm_fraction {
    int64_t numerator, denominator; /* numerator with the sign of the number; denominator 1 or more */
} cm_fraction;

typedef struct cm_fraction_limits {
    int64_t numerator, denominator; /* the largest, without sign */
    double tolerance; /* largest difference from the number, relative to the fraction; 0: divided as doubles, the
                         fraction is the number */
} cm_fraction_limits;

/* With a tolerance: the fraction of the smallest denominator within it. Without: the first convergent that equals the
 * number. False: there is none within the limits. */
bool cm_fraction_find(double number, const cm_fraction_limits *limits, cm_fraction *fraction);

/* ---- figures.c: short texts of numbers for tables ---- */

enum { CM_NUMBER_SIZE = 32 };

/* The magnitude of a coefficient, as simple as possible: "1", "0.8", "1/3", else five digits. Returns `text`. */
char *cm_coefficient_text(double magnitude, char text[CM_NUMBER_SIZE]);

/* An error figure as in the paper: "2.36e-1", "1.67e-16", "0". */
char *cm_figure_text(double value, char text[CM_NUMBER_SIZE]);

/* A share in percent with two digits: "1.2 %"; below 5e-6 it is rounding, and "0 %". Returns `text`. */
char *cm_percent_text(double share, char text[CM_NUMBER_SIZE]);

/* ---- Text: made harmless on a terminal, written into memory, split into characters and lines, compared ---- */

/* Bytes of the character at `text`, of which `available`, at least one, exist; *shown: it must be replaced on a
 * terminal. A byte that begins no character is a character by itself. */
size_t cm_text_step(const char *text, size_t available, bool *shown);

/* Appends to the terminated text of a buffer of `size` bytes, with `between` before it unless the text is empty; what
 * does not fit is cut off. What is appended is no part of the buffer. */
CM_SHARED void cm_text_append(char *text, size_t size, const char *between, const char *format, ...) CM_PRINTF(4, 5);

enum { CM_TEXT_RAW_SIZE = 4096 };

/* As vsnprintf and snprintf, with harmless text as the result. It is cut off at a whole character if it has more than
 * CM_TEXT_RAW_SIZE - 1 bytes, or more than `size` allows. */
void cm_text_vprint(char *buffer, size_t size, const char *format, va_list arguments);
void cm_text_print(char *buffer, size_t size, const char *format, ...) CM_PRINTF(3, 4);

/* The same for the arguments behind `format` of the function that it stands in, into an array; `print` is vsnprintf or
 * cm_text_vprint. */
#define CM_PRINT_ARGUMENTS(print, array, format)                                                                       \
    do {                                                                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        print(array, sizeof(array), format, arguments);                                                                \
        va_end(arguments);                                                                                             \
    } while (0)

/* Writes words, breaking at blanks before `width` columns; the first line begins at column `at`, further ones with
 * `indent` blanks. No newline at the end. */
CM_SHARED void cm_text_wrap(const char *text, size_t at, size_t indent, size_t width, FILE *stream);

/* Whether the text has one of the parts in it, or is one of the words, in upper or lower case; lists end with NULL. */
static inline bool cm_text_has_part(const char *text, const char *const *parts)
{
    while (*parts != NULL && strcasestr(text, *parts) == NULL)
        parts++;
    return *parts != NULL;
}

static inline bool cm_text_is_one_of(const char *text, const char *const *words)
{
    while (*words != NULL && strcasecmp(text, *words) != 0)
        words++;
    return *words != NULL;
}

/* The number of elements of an array that is not a pointer. */
#define CM_COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

/* The place of the first of `count` items whose text is `text`; `count`: there is none. An item has `size` bytes, and
 * the pointer to its text is at `offset`. */
static inline size_t cm_text_find(const char *text, const void *items, size_t count, size_t size, size_t offset)
{
    size_t i = 0;
    while (i < count && strcmp(*(const char *const *)((const char *)items + i * size + offset), text) != 0)
        i++;
    return i;
}

static inline void *cm_text_item(const char *text, const void *items, size_t count, size_t size, size_t offset)
{
    const size_t i = cm_text_find(text, items, count, size, offset);
    return i < count ? (char *)(uintptr_t)items + i * size : NULL;
}

/* The same for an array of texts, and for one of structures by a member that is a pointer to a text: 0 if it is. */
#define CM_AT_TEXT(place) _Generic(place, char ** : 0, const char ** : 0, char *const * : 0, const char *const * : 0)
#define CM_FIND(text, texts, count) cm_text_find(text, texts, count, sizeof *(texts), CM_AT_TEXT(&*(texts)))
#define CM_FIND_BY(member, text, items, count)                                                                         \
    cm_text_find(text, items, count, sizeof *(items),                                                                  \
                 offsetof(__typeof__(*(items)), member) + CM_AT_TEXT(&(items)->member))
/* Whether the texts, or those of an array that is not a pointer, have the text. */
#define CM_HAS(text, texts, count) (CM_FIND(text, texts, count) < (count))
#define CM_IS_ONE(text, texts) CM_HAS(text, texts, CM_COUNT_OF(texts))
/* The first such item of structures; NULL: there is none. */
#define CM_FIND_ITEM(member, text, items, count)                                                                       \
    cm_text_item(text, items, count, sizeof *(items),                                                                  \
                 offsetof(__typeof__(*(items)), member) + CM_AT_TEXT(&(items)->member))

/* The words for one thing, or for another number of them: "event is", "events are". */
static inline const char *cm_plural(size_t count, const char *one, const char *many)
{
    return count == 1 ? one : many;
}

/* ---- near.c: suggests the name that was probably meant ---- */

enum { CM_NEAR_NAME = 128, CM_NEAR_TEXT = CM_NEAR_NAME + 32 };

typedef struct cm_near {
    const char *wanted;
    char name[CM_NEAR_NAME]; /* the nearest so far; "" if none is near */
    size_t distance;
} cm_near;

/* Ignores case, and which of " _-.:" separates words; up to a third of the letters, or 2 of 5 to 8, may differ, be
 * missing, be added or stand in the wrong order. Else a part of the candidate is compared, of five letters at least, up
 * to a quarter wrong. */
CM_SHARED void cm_near_offer(cm_near *near, const char *candidate);
/* "; did you mean 'NAME'?", or "". Returns `text`. */
CM_SHARED char *cm_near_text(const cm_near *near, char text[CM_NEAR_TEXT]);

/* Letters and digits in lower case, anything between them one blank: "DP Ops." and "dp_ops" are alike. Returns `made`.
 */
CM_SHARED char *cm_text_plain(const char *text, char *made, size_t size);

/* CM_BAD_ARGUMENT: "unknown benchmark 'brunch', expected one of branch, dcache; did you mean 'branch'?". A name may be
 * among the known ones several times. */
CM_SHARED cm_status cm_refuse_benchmark(const char *name, const char *const *known, size_t count, cm_error *error);

/* ---- utf8.c: UTF-8 ---- */

/* Length of the well-formed sequence at `bytes`, of which `available` (1 or more) exist; 0: none (Unicode 15, 3-7). */
size_t cm_utf8_length(const char *bytes, size_t available);

/* The code point of a well-formed sequence of `length` bytes. */
uint32_t cm_utf8_code_point(const char *bytes, size_t length);

/* Whether the byte belongs to a character that began before it. */
static inline bool cm_utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

/* Counts the characters that begin in `length` bytes. */
static inline size_t cm_utf8_count(const char *bytes, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !cm_utf8_continues(bytes[i]);
    return count;
}

/* ---- hunks.c: writes changes of a text as a unified diff, which patch(1) applies ---- */

/* A line of the original text, without its end, and its change. */
typedef struct cm_changed_line {
    const char *text;
    char *instead; /* the line that replaces it; NULL: it stays */
    char *behind;  /* lines added behind it, each with its end; NULL: none */
} cm_changed_line;

/* Writes the hunks, with three lines around each, naming the file `name` before and after; nothing if no line changes.
 * `ended`: the text's last line has an end. Errors show in ferror(stream). */
void cm_hunks_write(const cm_changed_line *lines, size_t count, bool ended, const char *name, FILE *stream);

/* ---- Finds names: a hash table from a text to its position in the caller's array ---- */

typedef struct cm_name_index cm_name_index;

cm_status cm_name_index_create(cm_name_index **index, cm_error *error);
void cm_name_index_free(cm_name_index *index);

/* `name` is not copied: it must live, unmoved, as long as the index. It must not be in the index yet. */
cm_status cm_name_index_add(cm_name_index *index, const char *name, size_t position, cm_error *error);
bool cm_name_index_find(const cm_name_index *index, const char *name, size_t *position);

/* ---- memory_stream.c ---- */

/* A stream into memory that reports a lack of memory: the C library's own drops the bytes without an error. */

/* As open_memstream: *text and *size are valid after fflush and fclose; `size` may be NULL. fclose fails if any byte
 * was lost; *text is freed by the caller even then. NULL without memory; *text is NULL then. */
FILE *cm_memory_stream(char **text, size_t *size);
/* Closes the stream, which may be NULL: the text, which the caller frees. NULL, and *text freed, if a byte was lost. */
char *cm_memory_text(FILE *stream, char **text);

#endif
