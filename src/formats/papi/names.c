/* Names as PAPI has them. */
#include "formats/papi/papi.h"

#include <string.h>
#include <strings.h>

const char *cm_papi_preset(const cm_export_item *item, char *name, size_t size)
{
    if (item->preset[0] == '\0')
        return "it has no preset; --to papi-user exports it";
    for (const char *text = item->preset; *text != '\0'; text++)
        if (!cm_export_is_word(*text))
            return "its preset has characters other than letters, digits and '_'";
    return cm_export_copy(item->preset, name, size);
}

/* What PAPI takes for something else than an event, where one is expected. */
static bool is_table_word(const char *event)
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

const char *cm_papi_event(const char *event, char *name, size_t size)
{
    event = without_component(event);
    if (strchr(event, ',') != NULL)
        return "the table cannot quote its comma";
    if (event[0] == ' ' || (event[0] != '\0' && event[strlen(event) - 1] == ' '))
        return "blanks around it would be lost";
    if (is_table_word(event))
        return "it is a keyword of the table";
    return cm_export_copy(event, name, size);
}
