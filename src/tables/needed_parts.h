/* Parts of symbols that metrics need, such as a precision: bases/needed-parts.csv. */
#ifndef CM_TABLES_NEEDED_PARTS_H
#define CM_TABLES_NEEDED_PARTS_H

#include <stdbool.h>

#include <catmint/error.h>
#include <catmint/tables.h>

/* Whether the symbol has the part: "S_" is a beginning, "_512" an end, "_FMA_" is within; any other text is a whole
 * symbol. */
bool cm_symbol_has_part(const char *symbol, const char *part);

/* Describes the parts that each metric lacks if only the basis' symbols remain: parts of symbols on which it has
 * weight, but of none that remains ("half precision", or "FMA in half precision" if other symbols of half precision
 * remain; with " and " between several). One text a metric of `whole`, NULL if it lacks none; the caller frees all with
 * cm_lacking_free. */
cm_status cm_lacking_find(const char *benchmark, const cm_signatures *whole, const cm_basis *basis, char ***lacking,
                          cm_error *error);
void cm_lacking_free(size_t metrics, char **lacking);

#endif
