/* Names in catmint's own formulas. */
#include "formats/csv/csv.h"

#include <ctype.h>
#include <string.h>

const char *cm_csv_event(const char *event, char *name, size_t size)
{
    static const char *const words[] = {"if", "else", "min", "max"};
    bool quoted = !isalpha((unsigned char)event[0]) && event[0] != '_';
    for (const char *text = event; *text != '\0'; text++)
        quoted = quoted || !(cm_name_is_word(*text) || *text == ':' || *text == '.');
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        quoted = quoted || strcmp(words[i], event) == 0;
    if (!quoted)
        return cm_name_copy(event, name, size);
    if (strchr(event, '\'') != NULL)
        return "it holds a single quote, which ends names there";
    const char *why = cm_name_copy(event, name + 1, size - 2);
    if (why != NULL)
        return why;
    name[0] = '\'';
    size_t length = strlen(name);
    name[length] = '\'';
    name[length + 1] = '\0';
    return NULL;
}
