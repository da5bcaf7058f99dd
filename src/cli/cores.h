/* Hybrid processors: what is counted, is counted on cores of each type, into a folder each. */
#ifndef CM_CLI_CORES_H
#define CM_CLI_CORES_H

#include "cli/command.h"
#include "cli/temporary.h"

/* Where the sweep of that type is; says so where the path is too long. */
cli_exit cli_core_folder(const char *directory, const cm_core_type *core, char folder[CLI_PATH_SIZE]);

/* Work on one type of cores, which `options` name, in a directory of its own; or, where all cores are alike, in the
 * directory itself. */
typedef cli_exit (*cli_core_work)(const char *directory, const cli_options *options, void *data);

/* The types that the PMU has, or the one of --core; *count is 0 where its cores are all alike. */
cli_exit cli_find_cores(const cli_options *options, cm_core_type types[CM_CORE_TYPES], size_t *count);

/* Lists the types in the directory, and works on each. Goes on behind work that was done in part, and says so in the
 * end. */
cli_exit cli_on_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);
/* The same for the types that the directory lists. */
cli_exit cli_on_swept_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);

#endif
