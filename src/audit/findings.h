/* The list of findings of an audit, in the order in which they are made. */
#ifndef CM_AUDIT_FINDINGS_H
#define CM_AUDIT_FINDINGS_H

#include <catmint/audit.h>

#include "audit/symbol_parts.h"
#include "core/arena.h"

/* All zero but for the arena, which keeps the findings: an empty list. */
typedef struct cm_finding_list {
    cm_arena *arena;
    size_t count;
    cm_audit_finding *items;
    bool short_of_memory; /* some could not be added */
} cm_finding_list;

/* The texts of the finding must live as long as the list. */
void cm_finding_list_add(cm_finding_list *list, const cm_audit_finding *finding);
/* The same about the symbols of `set`, not empty, named as those among the `universe`. */
void cm_finding_list_add_symbols(cm_finding_list *list, const cm_audit_finding *finding, const cm_symbol_parts *parts,
                                 const bool *set, const bool *universe);

#endif
