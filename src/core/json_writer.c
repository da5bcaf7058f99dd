#include "core/json.h"

enum { OTHER_LENGTH = 8 }; /* length of null, true, false and integers for line breaks */

struct cm_json_writer {
    cm_json_layout *layout;
    char *text; /* a string, escaped */
    size_t capacity;
    bool failed;
};

cm_json_writer *cm_json_writer_create(FILE *stream)
{
    cm_json_writer *writer = calloc(1, sizeof *writer);
    if (writer != NULL)
        writer->layout = cm_json_layout_create(stream);
    if (writer == NULL || writer->layout == NULL) {
        free(writer);
        return NULL;
    }
    return writer;
}

bool cm_json_writer_finish(cm_json_writer *writer)
{
    if (writer == NULL)
        return false;
    if (!writer->failed)
        cm_json_layout_scalar(writer->layout, "\n", 1, 0);
    bool written = cm_json_layout_finish(writer->layout) && !writer->failed;
    CM_FREE(writer->text, writer);
    return written;
}

/* Writes one character to *to, escaped if unsafe on a terminal. Returns its bytes in the text, 0 if not UTF-8. */
static size_t write_character(const char *text, size_t available, char **to)
{
    bool harmful;
    size_t length = cm_text_step(text, available, &harmful);
    if (harmful && cm_utf8_length(text, available) == 0)
        return 0;
    if (harmful)
        *to += sprintf(*to, "\\u%04X", (unsigned)cm_utf8_code_point(text, length));
    for (size_t i = 0; !harmful && i < length; i++)
        *(*to)++ = text[i];
    return length;
}

/* Quotes the text in writer->text, with quotes, backslashes, control characters and characters unsafe on a terminal
 * escaped. Returns the length; 0 without memory, or if the text is not UTF-8. */
static size_t quote_text(cm_json_writer *writer, const char *text, size_t length)
{
    static const char named[] = "\bb\ff\nn\rr\tt\"\"\\\\";
    if (!CM_GROW(writer->text, 6 * length + 3, &writer->capacity))
        return 0;
    char *to = writer->text;
    *to++ = '"';
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        if (c < ' ' || c == '"' || c == '\\') {
            const char *name = c != '\0' ? strchr(named, c) : NULL;
            to += name != NULL ? sprintf(to, "\\%c", name[1]) : sprintf(to, "\\u%04X", c);
            i++;
            continue;
        }
        if (c < 0x7F) {
            *to++ = text[i++];
            continue;
        }
        size_t step = write_character(text + i, length - i, &to);
        if (step == 0)
            return 0;
        i += step;
    }
    *to++ = '"';
    return (size_t)(to - writer->text);
}

static void write_quoted(cm_json_writer *writer, const char *text, size_t length)
{
    size_t quoted = quote_text(writer, text, length);
    writer->failed = writer->failed || quoted == 0;
    if (!writer->failed)
        cm_json_layout_scalar(writer->layout, writer->text, quoted, length + 2);
}

void cm_json_key(cm_json_writer *writer, const char *key)
{
    if (writer == NULL || writer->failed)
        return;
    size_t length = strlen(key), quoted = quote_text(writer, key, length);
    writer->failed = quoted == 0;
    if (!writer->failed)
        cm_json_layout_key(writer->layout, writer->text, quoted, length);
}

static void write_word(cm_json_writer *writer, const char *word)
{
    cm_json_layout_scalar(writer->layout, word, strlen(word), OTHER_LENGTH);
}

void cm_json_write_text(cm_json_writer *writer, const char *text)
{
    if (writer == NULL || writer->failed)
        return;
    if (text != NULL)
        write_quoted(writer, text, strlen(text));
    else
        write_word(writer, "null");
}

/* Writes a point or an exponent always, as JSON's reals have one. */
static void write_finite(cm_json_writer *writer, double value)
{
    char number[CM_NUMBER_TEXT_SIZE + 2];
    size_t length = cm_shortest_write(value, number);
    if (memchr(number, '.', length) == NULL && memchr(number, 'e', length) == NULL) {
        number[length++] = '.';
        number[length++] = '0';
    }
    cm_json_layout_scalar(writer->layout, number, length, length);
}

void cm_json_write_real(cm_json_writer *writer, double value)
{
    if (writer == NULL || writer->failed)
        return;
    if (isfinite(value))
        write_finite(writer, value == 0.0 ? 0.0 : value);
    else
        write_word(writer, "null");
}

void cm_json_write_count(cm_json_writer *writer, size_t count)
{
    char number[CM_NUMBER_TEXT_SIZE];
    snprintf(number, sizeof number, "%zu", count);
    if (writer != NULL && !writer->failed)
        write_word(writer, number);
}

void cm_json_write_bool(cm_json_writer *writer, bool value)
{
    if (writer != NULL && !writer->failed)
        write_word(writer, value ? "true" : "false");
}

void cm_json_begin_object(cm_json_writer *writer)
{
    if (writer != NULL && !writer->failed)
        cm_json_layout_begin(writer->layout, true);
}

void cm_json_begin_array(cm_json_writer *writer)
{
    if (writer != NULL && !writer->failed)
        cm_json_layout_begin(writer->layout, false);
}

void cm_json_end(cm_json_writer *writer)
{
    if (writer != NULL && !writer->failed)
        cm_json_layout_end(writer->layout);
}

void cm_json_write_reals(cm_json_writer *writer, const double *values, size_t count)
{
    if (writer == NULL || writer->failed)
        return;
    if (values == NULL) {
        write_word(writer, "null");
        return;
    }
    cm_json_begin_array(writer);
    for (size_t i = 0; i < count; i++)
        cm_json_write_real(writer, values[i]);
    cm_json_end(writer);
}

/* Writes an object of jansson's. */
static void write_object(cm_json_writer *writer, const json_t *object)
{
    const char *key;
    json_t *member;
    cm_json_begin_object(writer);
    json_object_foreach((json_t *)object, key, member)
    {
        cm_json_key(writer, key);
        cm_json_write_value(writer, member);
    }
    cm_json_end(writer);
}

static void write_array(cm_json_writer *writer, const json_t *array)
{
    cm_json_begin_array(writer);
    for (size_t i = 0; i < json_array_size(array); i++)
        cm_json_write_value(writer, json_array_get(array, i));
    cm_json_end(writer);
}

void cm_json_write_value(cm_json_writer *writer, const json_t *value)
{
    if (writer == NULL || writer->failed)
        return;
    if (value == NULL) {
        writer->failed = true;
        return;
    }
    char number[CM_NUMBER_TEXT_SIZE];
    switch (json_typeof(value)) {
    case JSON_OBJECT: write_object(writer, value); break;
    case JSON_ARRAY: write_array(writer, value); break;
    case JSON_STRING: write_quoted(writer, json_string_value(value), json_string_length(value)); break;
    case JSON_REAL: write_finite(writer, json_real_value(value)); break;
    case JSON_INTEGER:
        snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
        write_word(writer, number);
        break;
    case JSON_TRUE: write_word(writer, "true"); break;
    case JSON_FALSE: write_word(writer, "false"); break;
    case JSON_NULL: write_word(writer, "null"); break;
    }
}

bool cm_json_write(const json_t *value, FILE *stream)
{
    cm_json_writer *writer = cm_json_writer_create(stream);
    cm_json_write_value(writer, value);
    return cm_json_writer_finish(writer);
}
