#include "results/json_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 116, INDENT = 2, NUMBER_SIZE = 32 };

/* The shortest of 15 to 17 digits that reads back as the same double, with a point or an exponent as JSON reals have.
 */
static const char *real_text(double value, char text[NUMBER_SIZE])
{
    int writing_error = errno; /* strtod sets it for numbers too small to be normal */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_SIZE, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    errno = writing_error;
    for (char *c = text; *c != '\0'; c++)
        if (*c == ',') /* a locale's decimal point */
            *c = '.';
    if (strpbrk(text, ".e") == NULL)
        strcat(text, ".0");
    return text;
}

/* Length on one line; stops adding up beyond `limit`. Escapes are not counted: it only decides where lines break. */
static size_t length_inline(const json_t *value, size_t limit)
{
    char number[NUMBER_SIZE];
    size_t length = 2;
    switch (json_typeof(value)) {
    case JSON_OBJECT: {
        const char *key;
        json_t *member;
        json_object_foreach((json_t *)value, key, member)
        {
            length += strlen(key) + 6;
            if (length > limit)
                break;
            length += length_inline(member, limit - length);
        }
        return length;
    }
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(value) && length <= limit; i++)
            length += 2 + length_inline(json_array_get(value, i), limit - length);
        return length;
    case JSON_STRING: return length + json_string_length(value);
    case JSON_REAL: return strlen(real_text(json_real_value(value), number));
    default: return 8;
    }
}

static bool write_value(const json_t *value, size_t depth, size_t taken, FILE *stream);

static bool write_string(const char *text, FILE *stream)
{
    json_t *string = json_string(text);
    bool written = string != NULL && (json_dumpf(string, stream, JSON_ENCODE_ANY) == 0 || ferror(stream));
    json_decref(string);
    return written;
}

static void new_line(size_t depth, FILE *stream)
{
    fprintf(stream, "\n%*s", (int)(depth * INDENT), "");
}

/* Numbers and texts that do not fit on one line fill several. */
static bool write_array(const json_t *array, size_t depth, bool broken, FILE *stream)
{
    bool written = true;
    size_t at = LINE; /* the first begins a line */
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *member = json_array_get(array, i);
        size_t length = broken ? length_inline(member, LINE) + 2 : 0;
        if (i > 0)
            fputc(',', stream);
        if (broken && (at + length > LINE || json_is_object(member) || json_is_array(member))) {
            new_line(depth + 1, stream);
            at = (depth + 1) * INDENT;
        } else if (i > 0) {
            fputc(' ', stream);
        }
        at += length;
        written = written && write_value(member, depth + 1, 1, stream);
    }
    return written;
}

static bool write_object(const json_t *object, size_t depth, bool broken, FILE *stream)
{
    bool written = true, first = true;
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)object, key, member)
    {
        if (!first)
            fputs(broken ? "," : ", ", stream);
        if (broken)
            new_line(depth + 1, stream);
        written = written && write_string(key, stream);
        fputs(": ", stream);
        written = written && write_value(member, depth + 1, strlen(key) + 5, stream);
        first = false;
    }
    return written;
}

static bool write_container(const json_t *value, size_t depth, size_t taken, FILE *stream)
{
    bool object = json_is_object(value);
    size_t limit = depth * INDENT + taken < LINE ? LINE - depth * INDENT - taken : 0;
    size_t members = object ? json_object_size(value) : json_array_size(value);
    bool broken = members > 0 && (depth == 0 || length_inline(value, limit) > limit);
    fputc(object ? '{' : '[', stream);
    bool written = object ? write_object(value, depth, broken, stream) : write_array(value, depth, broken, stream);
    if (broken)
        new_line(depth, stream);
    fputc(object ? '}' : ']', stream);
    return written;
}

static bool write_value(const json_t *value, size_t depth, size_t taken, FILE *stream)
{
    char number[NUMBER_SIZE];
    switch (json_typeof(value)) {
    case JSON_OBJECT:
    case JSON_ARRAY: return write_container(value, depth, taken, stream);
    case JSON_REAL: fputs(real_text(json_real_value(value), number), stream); return true;
    default: return json_dumpf(value, stream, JSON_ENCODE_ANY) == 0 || ferror(stream);
    }
}

bool cm_json_write(const json_t *value, FILE *stream)
{
    bool written = write_value(value, 0, 0, stream);
    fputc('\n', stream);
    return written;
}
