/* What holds on each type of a hybrid processor's cores, side by side. */
#ifndef CM_REPORT_CORES_H
#define CM_REPORT_CORES_H

#include "discovery/cores.h"
#include "report/page.h"

/* "1 x A + 2 x B": the definition on that type, its events less their PMU's names, to be freed. *text is NULL where the
 * type has none. */
cm_status cm_core_definition_text(const cm_results *results, const cm_core_row *row, size_t core, char **text,
                                  cm_error *error);

/* What the types have in common, in a line, and which events of one name differ. */
cm_status cm_cores_put_summary(const cm_results *results, const cm_page *page, cm_error *error);
cm_status cm_cores_put_table(const cm_results *results, const cm_page *page, cm_error *error);

#endif
