/* Validation programs as rows: formulas are held against them, too, because nothing was fitted to them. */
#ifndef CM_AUDIT_PROGRAMS_H
#define CM_AUDIT_PROGRAMS_H

#include "audit/rows.h"

typedef struct cm_audit_programs {
    cm_row_group rows;
    struct cm_program_table *table;
    cm_event_names *names;
    cm_arena arena;
} cm_audit_programs;

/* Loads the programs of a sweep's validation; *programs stays NULL if there is none, or `against` is a file.
 * Programs that need missing facts are skipped. */
cm_status cm_audit_programs_load(const char *against, const cm_fact_table *facts, cm_audit_programs **programs,
                                 cm_error *error);
void cm_audit_programs_free(cm_audit_programs *programs);

#endif
