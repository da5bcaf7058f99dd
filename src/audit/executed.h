/* What the processor cannot execute whose formulas are on trial. */
#ifndef CM_AUDIT_EXECUTED_H
#define CM_AUDIT_EXECUTED_H

#include "audit/audit.h"
#include "tables/symbol_words.h"

/* Notes which instruction sets the processor of the checkout lacks (data/instruction-sets.csv), and which facts of the
 * audit's are lacking with them. Nothing where formulas were given. */
cm_status cm_audit_find_missing(cm_audit *audit, cm_error *error);

/* Takes symbols that are lacking out of a benchmark of the definitions: no event counts them, no metric means them, and
 * a metric that means nothing else is not measurable. */
cm_status cm_audit_leave_out(cm_audit *audit, const cm_symbol_words *words, size_t benchmark, cm_error *error);

#endif
