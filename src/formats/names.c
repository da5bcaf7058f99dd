/* Names of metrics and events as other programs spell them. */
#include "formats/writer.h"

#include <ctype.h>
#include <string.h>

#include "core/text.h"
#include "events/spelling.h"

static const char too_long[] = "it is too long";

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *copy(const char *text, char *name, size_t size)
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

const char *cm_export_plain_metric(const cm_defined_metric *metric, char *name, size_t size)
{
    const char *text = metric->metric;
    const char *why = copy(text, name, size);
    if (why != NULL)
        return why;
    if (text[0] == ' ' || text[strlen(text) - 1] == ' ' || strstr(text, "  ") != NULL)
        return "its name has blanks that would be lost";
    return text[0] == '#' ? "its name begins with '#', which begins a comment" : NULL;
}

void cm_export_word(const char *text, char *word, size_t size)
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

const char *cm_export_identifier(const cm_defined_metric *metric, char *name, size_t size)
{
    cm_export_word(metric->metric, name, size);
    if (!isalpha((unsigned char)name[0]))
        return "its name does not begin with a letter from A to Z";
    return strlen(metric->metric) >= size ? too_long : NULL;
}

const char *cm_export_preset(const cm_defined_metric *metric, char *name, size_t size)
{
    if (metric->preset[0] == '\0')
        return "it has no preset; --to papi-user exports it";
    for (const char *text = metric->preset; *text != '\0'; text++)
        if (!is_word(*text))
            return "its preset has characters other than letters, digits and '_'";
    return copy(metric->preset, name, size);
}

/* What PAPI takes for something else than an event, where one is expected. */
static bool is_papi_word(const char *event)
{
    static const char *const words[] = {"NOTE", "LDESC", "SDESC"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasecmp(words[i], event) == 0)
            return true;
    return false;
}

/* The event without the component that a table puts before names which two share: PAPI's perf_event is the core's, and
 * a model's events stand for a core's. Other components, and other libraries' events of sde, are parts of PAPI's names.
 */
static const char *without_component(const char *event)
{
    static const char *const cores[] = {"perf_event:::", "sde:::"};
    for (size_t i = 0; i < sizeof cores / sizeof cores[0]; i++) {
        size_t length = strlen(cores[i]);
        if (strncmp(event, cores[i], length) == 0 && (i == 0 || strstr(event + length, "::") == NULL))
            return event + length;
    }
    return event;
}

const char *cm_export_papi_event(const char *event, char *name, size_t size)
{
    event = without_component(event);
    if (strchr(event, ',') != NULL)
        return "the table cannot quote its comma";
    if (event[0] == ' ' || (event[0] != '\0' && event[strlen(event) - 1] == ' '))
        return "blanks around it would be lost";
    if (is_papi_word(event))
        return "it is a keyword of the table";
    return copy(event, name, size);
}

/* The event without its PMU and without qualifiers that have a value; whether the latter are the default ones shows
 * when the name is looked up. */
static const char *respell(const char *event, char separator, char *name, size_t size)
{
    cm_spelling spelling;
    const char *prefix = strstr(event, "::");
    size_t length = 0;
    if (!cm_spelling_parse(event, &spelling))
        return "it is not the name of an event";
    /* Software-defined events bear the names of a core's. */
    bool foreign = strstr(event, CM_COMPONENT_MARK) != NULL && strncmp(event, "sde:::", 6) != 0;
    if (!cm_spelling_is_core(spelling.pmu) || (foreign && strncmp(event, "perf_event:::", 13) != 0))
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
                if (!is_word(event[i]))
                    return "it has characters other than letters, digits and '_'";
                name[length++] = event[i];
            }
        }
        event += part + (event[part] != '\0');
    }
    name[length] = '\0';
    return length == 0 ? "it is empty" : NULL;
}

const char *cm_export_likwid_event(const char *event, char *name, size_t size)
{
    return respell(event, '_', name, size);
}

const char *cm_export_perf_event(const char *event, char *name, size_t size)
{
    const char *why = respell(event, '.', name, size);
    return why == NULL && isdigit((unsigned char)name[0]) ? "it begins with a digit" : why;
}

const char *cm_export_csv_event(const char *event, char *name, size_t size)
{
    static const char *const words[] = {"if", "else", "min", "max"};
    bool quoted = !isalpha((unsigned char)event[0]) && event[0] != '_';
    for (const char *text = event; *text != '\0'; text++)
        quoted = quoted || !(is_word(*text) || *text == ':' || *text == '.');
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        quoted = quoted || strcmp(words[i], event) == 0;
    if (!quoted)
        return copy(event, name, size);
    if (strchr(event, '\'') != NULL)
        return "it holds a single quote, which ends names there";
    const char *why = copy(event, name + 1, size - 2);
    if (why != NULL)
        return why;
    name[0] = '\'';
    size_t length = strlen(name);
    name[length] = '\'';
    name[length + 1] = '\0';
    return NULL;
}

void cm_export_put(const char *text, size_t limit, bool list, FILE *stream)
{
    size_t kept = strlen(text);
    if (kept > limit)
        for (kept = limit; kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80;)
            kept--;
    for (size_t i = 0, step; i < kept; i += step) {
        bool harmful = false;
        step = cm_text_step(text + i, kept - i, &harmful);
        if (harmful || (list && text[i] == ','))
            fputc(harmful ? ' ' : ';', stream);
        else
            fwrite(text + i, 1, step, stream);
    }
}
