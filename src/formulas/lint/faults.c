/* The list of faults that the checks find. */
#include "formulas/lint/lint.h"

cm_status cm_lint_append(cm_lint *lint, const cm_formula_fault *fault, const char *bare)
{
    return CM_APPEND(lint->faults, lint->count, (cm_lint_fault){*fault, bare}) ? CM_OK : CM_NO_MEMORY;
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) || character == '_';
}

/* Removes lists of a section's names, "one, two", from the text. */
static void remove_names(char *text, const char *section)
{
    for (const char *name = section; *name != '\0'; name += strspn(name, ",")) {
        size_t length = strcspn(name, ",");
        for (char *at = text; *at != '\0'; at += *at != '\0') {
            if (strncmp(at, name, length) != 0 || is_word(at[length]) || (at > text && is_word(at[-1])))
                continue;
            size_t more = strncmp(at + length, ", ", 2) == 0 ? length + 2 : length;
            memmove(at, at + more, strlen(at + more) + 1);
        }
        name += length;
    }
}

cm_status cm_lint_add(cm_lint *lint, cm_formula_fault_kind kind, size_t line, size_t column,
                      const cm_formula_info *info, const char *format, ...)
{
    char text[CM_ERROR_TEXT_SIZE];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    cm_formula_fault fault = {line, column, info != NULL ? info->metric : "", cm_arena_text(&lint->texts, text), kind};
    if (info != NULL)
        remove_names(text, info->section);
    const char *bare = cm_arena_text(&lint->texts, text);
    return fault.text != NULL && bare != NULL ? cm_lint_append(lint, &fault, bare) : CM_NO_MEMORY;
}

void cm_lint_free(cm_lint *lint)
{
    if (lint == NULL)
        return;
    cm_arena_clear(&lint->texts);
    CM_FREE(lint->faults, lint);
}

CM_GETTER(size_t cm_lint_count(const cm_lint *lint), lint->count)
CM_GETTER(const cm_formula_fault *cm_lint_get(const cm_lint *lint, size_t index), &lint->faults[index].fault)
