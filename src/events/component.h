/* component:::NAME: an event by PAPI's component and its name. */
#ifndef CM_EVENTS_COMPONENT_H
#define CM_EVENTS_COMPONENT_H

#include <stdbool.h>
#include <stddef.h>

/* Separates component and name. */
#define CM_COMPONENT_MARK ":::"

/* The length of the component in "component:::NAME"; 0: the name has none. */
size_t cm_spelling_component(const char *text);
/* Whether the name, or pattern of names, has the mark. */
bool cm_component_is_named(const char *text);
/* The name behind the component; the whole text if there is none. */
const char *cm_component_bare(const char *text);
/* Whether `text` is a name with that component. */
bool cm_component_begins(const char *text, const char *component);
/* Whether `text` is component:::name. */
bool cm_component_is_key(const char *text, const char *component, const char *name);
/* component:::NAME; a name that tables spell so already stays. The caller frees it; NULL without memory. */
char *cm_component_key(const char *component, const char *name);
/* Writes component:::NAME into `text`; false if it does not fit. */
bool cm_component_spell(const char *component, const char *name, char *text, size_t size);

#endif
