/* Names in catmint's own formulas. */
#include "formats/format.h"

#include <ctype.h>

const char *cm_csv_event(const char *event, char *name, size_t size)
{
    bool quoted =
        (!isalpha((unsigned char)event[0]) && event[0] != '_') || cm_dialect_reserves(CM_EXPRESSION_CATMINT, event);
    for (const char *text = event; *text != '\0'; text++)
        quoted = quoted || !(cm_name_is_word(*text) || *text == ':' || *text == '.');
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
