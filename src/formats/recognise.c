/* Recognises the format of a file. */
#include "formats/format.h"

/* A word that ends in a comma is a whole field. */
static bool begins_with(const char *text, const char *word)
{
    size_t length = strlen(word);
    char last = word[length - 1];
    if (last == ',')
        return strncmp(text, word, length - 1) == 0 &&
               strchr(",", text[length - 1 + strspn(text + length - 1, " \t\r")]) != NULL;
    bool bracket = strchr("[{<", last) != NULL; /* any text may follow */
    return strncmp(text, word, length) == 0 &&
           (bracket || (!isalnum((unsigned char)text[length]) && text[length] != '_'));
}

/* NULL if the line does not tell the format; `top`: it is the first that may. */
static const cm_foreign_format *look_at_line(const char *text, bool top)
{
    const cm_foreign_format *format = NULL;
    text += strspn(text, " \t");
    for (size_t i = 0; (format = cm_foreign_format_get(i)) != NULL; i++)
        for (const char *const *word = format->beginning; word != NULL && *word != NULL; word++)
            if ((top || !format->at_top) && begins_with(text, *word))
                return format;
    return NULL;
}

/* CM_BAD_INPUT: "expected this, that, or such". */
static cm_status recognise_none(const char *path, size_t line, cm_error *error)
{
    char expected[CM_ERROR_TEXT_SIZE] = "";
    const cm_foreign_format *format = NULL, *last = NULL;
    for (size_t i = 0; (format = cm_foreign_format_get(i)) != NULL; i++) {
        if (format->read == NULL)
            continue;
        if (last != NULL)
            cm_text_append(expected, sizeof expected, "", "%s, ", last->looks);
        last = format;
    }
    if (last != NULL)
        cm_text_append(expected, sizeof expected, "", "or %s", last->looks);
    return cm_error_set(error, CM_BAD_INPUT, path, line, 0, "not a file of formulas, expected %s", expected);
}

cm_status cm_foreign_format_find_mark(const char *path, const char *mark, bool *found, cm_error *error)
{
    cm_text_lines lines;
    cm_status status = cm_text_lines_open(path, CM_FORMULAS_FILE, &lines, error);
    while (!*found && cm_text_lines_more(&lines, &status, error)) {
        *found = strstr(lines.text, mark) != NULL;
    }
    cm_text_lines_close(&lines);
    return status;
}

/* Chooses among formats that begin alike the one whose mark is in the file; else the first. */
static cm_status choose_by_mark(const char *path, const cm_foreign_format *first, const cm_foreign_format **format,
                                cm_error *error)
{
    const cm_foreign_format *other = NULL;
    bool found = false;
    cm_status status = CM_OK;
    *format = first;
    for (size_t i = 0; status == CM_OK && !found && (other = cm_foreign_format_get(i)) != NULL; i++) {
        if (other->mark == NULL || other->beginning == NULL || strcmp(other->beginning[0], first->beginning[0]) != 0)
            continue;
        status = cm_foreign_format_find_mark(path, other->mark, &found, error);
        *format = found ? other : first;
    }
    return status;
}

cm_status cm_foreign_format_recognise(const char *path, const cm_foreign_format **format, cm_error *error)
{
    cm_text_lines lines;
    const cm_foreign_format *found = NULL;
    size_t first = 0;
    cm_status status = cm_text_lines_open(path, CM_FORMULAS_FILE, &lines, error);
    while (found == NULL && cm_text_lines_more(&lines, &status, error)) {
        if (lines.text[0] == '#' || lines.text[strspn(lines.text, " \t")] == '\0')
            continue;
        found = look_at_line(lines.text, first == 0);
        if (first == 0)
            first = lines.number;
    }
    cm_text_lines_close(&lines);
    if (status != CM_OK)
        return status;
    if (found == NULL)
        return recognise_none(path, first, error);
    return choose_by_mark(path, found, format, error);
}
