/* Hybrid processors: each type of cores is counted by itself, in its own directory. */
#ifndef CM_CLI_CORES_H
#define CM_CLI_CORES_H

#include "cli/command.h"
#include "cli/temporary.h"

/* The directory of the sweep of that type; reports a path that is too long. */
cli_exit cli_core_folder(const char *directory, const cm_core_type *core, char folder[CLI_PATH_SIZE]);

/* Work on the type of cores that `options` name, in its directory; if all cores are alike, in the directory itself. */
typedef cli_exit (*cli_core_work)(const char *directory, const cli_options *options, void *data);

/* Finds the PMU's types of cores, or only that of --core; *count is 0 if all cores are alike. */
cli_exit cli_find_cores(const cli_options *options, cm_core_type types[CM_CORE_TYPES], size_t *count);

/* Lists the types in the directory and works on each. CLI_PARTLY of one type does not stop the others, and is returned
 * in the end. */
cli_exit cli_on_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);
/* The same for the types that the directory lists. */
cli_exit cli_on_swept_cores(const char *directory, const cli_options *options, cli_core_work work, void *data);

#endif
