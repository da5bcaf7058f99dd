#include "core/files.h"

cm_status cm_text_lines_open(const char *path, size_t limit, cm_text_lines *lines, cm_error *error)
{
    *lines = (cm_text_lines){0};
    return cm_lines_open(path, limit, &lines->lines, error);
}

bool cm_text_lines_more(cm_text_lines *lines, cm_status *status, cm_error *error)
{
    const char *text = NULL;
    size_t length = 0;
    lines->text = NULL;
    CM_THEN(*status, cm_lines_next(lines->lines, &text, &length, error));
    if (*status != CM_OK || text == NULL)
        return false;
    while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == '\r'))
        length--;
    if (!CM_GROW(lines->buffer, length + 1, &lines->capacity)) {
        *status = cm_error_no_memory(error);
        return false;
    }
    memcpy(lines->buffer, text, length);
    lines->buffer[length] = '\0';
    lines->text = lines->buffer;
    lines->length = length;
    lines->number = cm_lines_number(lines->lines);
    return true;
}

void cm_text_lines_close(cm_text_lines *lines)
{
    cm_lines_close(lines->lines);
    free(lines->buffer);
}

char *cm_text_trim(char *text)
{
    text += strspn(text, " \t");
    for (size_t length = strlen(text); length > 0 && strchr(" \t", text[length - 1]) != NULL;)
        text[--length] = '\0';
    return text;
}
