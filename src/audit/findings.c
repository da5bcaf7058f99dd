/* Findings, appended to a list one by one or by groups of symbols. */
#include "audit/claims.h"

void cm_finding_list_add(cm_finding_list *list, const cm_audit_finding *finding)
{
    size_t count = list->count;
    if ((count & (count - 1)) == 0) { /* 0 or a power of two: it is full */
        cm_audit_finding *grown = cm_arena_allocate(list->arena, (count > 0 ? 2 * count : 1) * sizeof *grown);
        if (grown == NULL) {
            list->short_of_memory = true;
            return;
        }
        if (count > 0)
            memcpy(grown, list->items, count * sizeof *grown);
        list->items = grown;
    }
    list->items[list->count++] = *finding;
}

void cm_finding_list_add_symbols(cm_finding_list *list, const cm_audit_finding *finding, const cm_symbol_parts *parts,
                                 const bool *set, const bool *universe)
{
    cm_audit_finding about = *finding;
    if (cm_symbol_parts_group(parts, set, universe, list->arena, &about))
        cm_finding_list_add(list, &about);
    else
        list->short_of_memory = true;
}
