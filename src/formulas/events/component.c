#include "formulas/events/events.h"

static const size_t mark_length = sizeof CM_COMPONENT_MARK - 1;

size_t cm_spelling_component(const char *text)
{
    const char *mark = strstr(text, CM_COMPONENT_MARK);
    return mark != NULL ? (size_t)(mark - text) : 0;
}

bool cm_component_is_named(const char *text)
{
    return strstr(text, CM_COMPONENT_MARK) != NULL;
}

const char *cm_component_bare(const char *text)
{
    size_t length = cm_spelling_component(text);
    return length > 0 ? text + length + mark_length : text;
}

bool cm_component_begins(const char *text, const char *component)
{
    size_t length = cm_spelling_component(text);
    return length > 0 && strlen(component) == length && strncmp(text, component, length) == 0;
}

bool cm_component_is_key(const char *text, const char *component, const char *name)
{
    size_t length = strlen(component);
    return strncmp(text, component, length) == 0 && strncmp(text + length, CM_COMPONENT_MARK, mark_length) == 0 &&
           strcmp(text + length + mark_length, name) == 0;
}

char *cm_component_key(const char *component, const char *name)
{
    if (cm_component_begins(name, component))
        return strdup(name);
    size_t size = strlen(component) + mark_length + strlen(name) + 1;
    char *key = malloc(size);
    if (key != NULL)
        cm_component_spell(component, name, key, size);
    return key;
}

bool cm_component_spell(const char *component, const char *name, char *text, size_t size)
{
    int length = snprintf(text, size, "%s%s%s", component, CM_COMPONENT_MARK, name);
    return length > 0 && (size_t)length < size;
}
