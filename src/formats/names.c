/* Spells metrics and events as several programs do. */
#include "formats/format.h"

#include "formulas/events/events.h"

static const char too_long[] = "it is too long";

bool cm_name_is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

const char *cm_name_copy(const char *text, char *name, size_t size)
{
    size_t length = strlen(text);
    if (length == 0)
        return "it is empty";
    if (length >= size)
        return too_long;
    bool harmful = false;
    for (size_t i = 0; i < length && !harmful;)
        i += cm_text_step(text + i, length - i, &harmful);
    if (harmful)
        return "it holds control characters";
    memcpy(name, text, length + 1);
    return NULL;
}

const char *cm_name_plain_metric(const cm_writing_item *item, char *name, size_t size)
{
    const char *text = item->metric;
    const char *why = cm_name_copy(text, name, size);
    if (why != NULL)
        return why;
    if (text[0] == ' ' || text[strlen(text) - 1] == ' ' || strstr(text, "  ") != NULL)
        return "its name has blanks that would be lost";
    return text[0] == '#' ? "its name begins with '#', which begins a comment" : NULL;
}

void cm_name_word(const char *text, char *word, size_t size)
{
    size_t length = 0;
    for (; *text != '\0' && length + 1 < size; text++)
        if (isalnum((unsigned char)*text))
            word[length++] = (char)toupper((unsigned char)*text);
        else if (length > 0 && word[length - 1] != '_')
            word[length++] = '_';
    while (length > 0 && word[length - 1] == '_')
        length--;
    word[length] = '\0';
}

const char *cm_name_identifier(const cm_writing_item *item, char *name, size_t size)
{
    cm_name_word(item->metric, name, size);
    if (!isalpha((unsigned char)name[0]))
        return "its name does not begin with a letter from A to Z";
    return strlen(item->metric) >= size ? too_long : NULL;
}

const char *cm_name_respell(const char *event, char separator, char *name, size_t size)
{
    cm_spelling spelling;
    const char *prefix = strstr(event, "::");
    size_t length = 0;
    if (!cm_spelling_parse(event, &spelling))
        return "it is not the name of an event";
    /* Software-defined events have the names of core events. */
    bool foreign = cm_component_is_named(event) && !cm_component_begins(event, "sde");
    if (!cm_spelling_is_core(spelling.pmu) || (foreign && !cm_component_begins(event, "perf_event")))
        return "it is not a core event";
    for (; prefix != NULL; prefix = strstr(event, "::"))
        event = prefix + 2 + (prefix[2] == ':');
    while (*event != '\0') {
        size_t part = strcspn(event, ":.");
        if (memchr(event, '=', part) == NULL) {
            if (length + part + 2 >= size)
                return too_long;
            if (length > 0)
                name[length++] = separator;
            for (size_t i = 0; i < part; i++) {
                if (!cm_name_is_word(event[i]))
                    return "it has characters other than letters, digits and '_'";
                name[length++] = event[i];
            }
        }
        event += part + (event[part] != '\0');
    }
    name[length] = '\0';
    return length == 0 ? "it is empty" : NULL;
}
