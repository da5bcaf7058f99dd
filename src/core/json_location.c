#include "core/json.h"

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* The position behind the string that begins here. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"' && *at != '\0'; at++)
        if (*at == '\\' && at[1] != '\0')
            at++;
    return *at == '"' ? at + 1 : at;
}

/* The position behind the value that begins here, and the blanks after it. */
static const char *skip_value(const char *at)
{
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (*at == '{' || *at == '[')
            depth++;
        else if (*at == '}' || *at == ']')
            depth--;
        at++;
        if (depth == 0 && strchr(",]} \t\r\n", *at) != NULL)
            break;
    } while (*at != '\0' && (depth > 0 || strchr(",]} \t\r\n", *at) == NULL));
    return skip_blank(at);
}

const char *cm_json_begin(const char *text)
{
    return skip_blank(strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text);
}

const char *cm_json_next(const char *at)
{
    at = skip_value(at);
    return *at == ',' ? skip_blank(at + 1) : NULL;
}

/* Bytes of the character that begins here, escaped or not; a pair of surrogates is one character. */
static size_t character_length(const char *at)
{
    size_t length = 1;
    if (at[0] == '\\' && at[1] == 'u')
        return strncasecmp(at, "\\ud8", 4) >= 0 && strncasecmp(at, "\\udc", 4) < 0 && strlen(at) >= 12 ? 12 : 6;
    if (at[0] == '\\')
        return 2;
    while (cm_utf8_continues(at[length]))
        length++;
    return length;
}

const char *cm_json_character(const char *at, size_t character)
{
    for (at++; character > 0 && *at != '"' && *at != '\0'; character--)
        at += character_length(at);
    return at;
}

const char *cm_json_find(const char *at, const cm_json_step *step)
{
    bool object = *at == '{';
    if (object != (step->key != NULL) || (!object && *at != '['))
        return NULL;
    at = skip_blank(at + 1);
    for (size_t i = 0; *at != '\0' && *at != '}' && *at != ']'; i++) {
        bool found = !object && i == step->index;
        if (object) {
            const char *end = skip_string(at);
            size_t length = strlen(step->key);
            found = (size_t)(end - at) == length + 2 && strncmp(at + 1, step->key, length) == 0;
            at = skip_blank(end);
            at = skip_blank(*at == ':' ? at + 1 : at);
        }
        if (found)
            return at;
        at = skip_value(at);
        if (*at == ',')
            at = skip_blank(at + 1);
    }
    return NULL;
}

void cm_json_locate(const char *text, const cm_json_step *path, size_t depth, size_t *line, size_t *column)
{
    const char *at = cm_json_begin(text);
    for (size_t i = 0; i < depth; i++) {
        const char *next = cm_json_find(at, &path[i]);
        if (next == NULL)
            break;
        at = next;
    }
    const char *begin = text;
    *line = 1;
    for (const char *end = strchr(begin, '\n'); end != NULL && end < at; end = strchr(begin, '\n')) {
        begin = end + 1;
        (*line)++;
    }
    *column = cm_lines_column(begin, (size_t)(at - begin));
}
