/* Text: printed into buffers, wrapped, made harmless for terminals, and its width there. */
#include "core/base.h"

enum { SHOWN_SIZE = 12 };

static bool is_harmful(uint32_t code)
{
    static const uint32_t ranges[][2] = {{0, 0x1F},        {0x7F, 0x9F},     {0x61C, 0x61C},
                                         {0x200E, 0x200F}, {0x2028, 0x202E}, {0x2066, 0x2069}};
    for (size_t i = 0; i < CM_COUNT_OF(ranges); i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

size_t cm_text_step(const char *text, size_t available, bool *shown)
{
    unsigned char byte = (unsigned char)*text;
    *shown = false;
    if (byte >= 0x20 && byte < 0x7F)
        return 1;
    size_t length = cm_utf8_length(text, available);
    *shown = length == 0 || is_harmful(cm_utf8_code_point(text, length));
    return length != 0 ? length : 1;
}

/* Makes one character harmless in `shown`; returns its bytes in the text. */
static size_t show_one(const char *text, size_t available, char shown[SHOWN_SIZE])
{
    static const char letters[] = "\n\r\t", *const names[] = {"\\n", "\\r", "\\t"};
    bool harmful;
    size_t length = cm_text_step(text, available, &harmful);
    const char *letter = *text != '\0' ? strchr(letters, *text) : NULL;
    if (!harmful) {
        memcpy(shown, text, length);
        shown[length] = '\0';
    } else if (letter != NULL) {
        snprintf(shown, SHOWN_SIZE, "%s", names[letter - letters]);
    } else if (length == 1) {
        snprintf(shown, SHOWN_SIZE, "\\x%02x", (unsigned)(unsigned char)*text);
    } else {
        snprintf(shown, SHOWN_SIZE, "\\u%04x", (unsigned)cm_utf8_code_point(text, length));
    }
    return length;
}

/* The columns that so many bytes take on a terminal; writes them if there is a stream. */
static size_t write_bytes(const char *text, size_t length, FILE *stream)
{
    size_t width = 0;
    for (size_t i = 0; i < length;) {
        char shown[SHOWN_SIZE];
        i += show_one(text + i, length - i, shown);
        width += cm_utf8_count(shown, strlen(shown));
        if (stream != NULL)
            fputs(shown, stream);
    }
    return width;
}

void cm_text_write(const char *text, FILE *stream)
{
    (void)write_bytes(text, strlen(text), stream);
}

size_t cm_text_width(const char *text)
{
    return write_bytes(text, strlen(text), NULL);
}

char *cm_text_show(const char *text, char *buffer, size_t size)
{
    size_t used = 0, length = strlen(text);
    for (size_t i = 0; i < length;) {
        char shown[SHOWN_SIZE];
        i += show_one(text + i, length - i, shown);
        if (used + strlen(shown) >= size)
            break;
        memcpy(buffer + used, shown, strlen(shown));
        used += strlen(shown);
    }
    buffer[used] = '\0';
    return buffer;
}

/* Removes a character that the cut at the end left incomplete. */
static void drop_unfinished(char *text, size_t length)
{
    size_t begin = length;
    while (begin > 0 && length - begin < 3 && cm_utf8_continues(text[begin - 1]))
        begin--;
    if (begin > 0 && (unsigned char)text[begin - 1] >= 0xC0 &&
        cm_utf8_length(text + begin - 1, length - begin + 1) == 0)
        text[begin - 1] = '\0';
}

void cm_text_vprint(char *buffer, size_t size, const char *format, va_list arguments)
{
    char raw[CM_TEXT_RAW_SIZE];
    int length = vsnprintf(raw, sizeof raw, format, arguments);
    if (length >= (int)sizeof raw)
        drop_unfinished(raw, sizeof raw - 1);
    cm_text_show(length < 0 ? format : raw, buffer, size);
}

void cm_text_append(char *text, size_t size, const char *between, const char *format, ...)
{
    va_list arguments;
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, size - used, "%s", used > 0 ? between : "");
    va_start(arguments, format);
    if (used < size)
        vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void cm_text_print(char *buffer, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cm_text_vprint(buffer, size, format, arguments);
    va_end(arguments);
}

/* The length of a word; of a command, as in 'catmint analyze DIR', up to its closing quote, so that it can be pasted. A
 * quoted blank ends no word. */
static size_t unbroken(const char *text)
{
    static const char program[] = "catmint";
    size_t length = strcspn(text, " ");
    const char *end = text[0] == '\'' && length >= sizeof program &&
                              strncmp(text + length - strlen(program), program, strlen(program)) == 0
                          ? strchr(text + 1, '\'')
                          : NULL;
    if (end != NULL)
        length = (size_t)(end - text) + strcspn(end, " ");
    while (end == NULL && length > 0 && text[length] == ' ' && text[length - 1] == '\\')
        length += 1 + strcspn(text + length + 1, " ");
    return length;
}

void cm_text_wrap(const char *text, size_t at, size_t indent, size_t width, FILE *stream)
{
    for (bool first = true; *text != '\0'; first = false) {
        size_t length = unbroken(text);
        size_t taken = write_bytes(text, length, NULL);
        if (!first && at + 1 + taken > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            fputc(' ', stream);
            at++;
        }
        write_bytes(text, length, stream);
        at += taken;
        text += length;
        text += strspn(text, " ");
    }
}
