/* Which events are swept: globs over their names. */
#ifndef CM_SWEEP_SELECT_H
#define CM_SWEEP_SELECT_H

#include <stdbool.h>
#include <stddef.h>

/* A name is selected where one of the globs fits, or where there are only exclusions, and no `!GLOB` fits, wherever it
 * stands. `*` takes everything, colons and dots too. */
bool cm_selected(const char *name, const char *const *globs, size_t count);

/* Whether a glob (without its `!`) fits the name. */
bool cm_glob_fits(const char *glob, const char *name);

#endif
