/* The names of events of definitions: of all of them, or of those of one type of cores. */
#ifndef CM_EXPORT_NAMES_H
#define CM_EXPORT_NAMES_H

#include <catmint/names.h>

#include "core/name_index.h"
#include "export/export.h"

/* Every event that the results know, each once: what a name must not be mistaken for. */
typedef struct cm_event_list {
    const char **events;
    size_t count, capacity;
    cm_name_index *index;
} cm_event_list;

struct cm_export_names {
    cm_event_list list;
    cm_event_names *names;
};

/* Whether what has that type of cores is of this one; where cores are all alike, `core` is NULL. */
bool cm_core_has(const cm_core_type *core, const char *name);
/* To be freed with cm_export_names_free; the definitions must outlive it. */
cm_status cm_export_names_of_core(const cm_definitions *definitions, const cm_core_type *core, cm_export_names **names,
                                  cm_error *error);

#endif
