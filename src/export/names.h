/* Names of the events of definitions: of all, or of those for one type of cores. */
#ifndef CM_EXPORT_NAMES_H
#define CM_EXPORT_NAMES_H

#include <catmint/names.h>

#include "core/name_index.h"
#include "export/export.h"

/* All events of the results, each once: a name must not be mistaken for any other. */
typedef struct cm_event_list {
    const char **events;
    size_t count, capacity;
    cm_name_index *index;
} cm_event_list;

struct cm_export_names {
    cm_event_list list;
    cm_event_names *names;
};

/* Whether `name` is this type of cores; if cores are all alike, `core` is NULL. */
bool cm_core_has(const cm_core_type *core, const char *name);
/* Free with cm_export_names_free; the definitions must live as long. */
cm_status cm_export_names_of_core(const cm_definitions *definitions, const cm_core_type *core, cm_export_names **names,
                                  cm_error *error);

#endif
