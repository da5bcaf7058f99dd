/* The paths of the data that comes with catmint: bases, signatures, models of PMUs. */
#ifndef CATMINT_DATA_PATH_H
#define CATMINT_DATA_PATH_H

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The path of a data file that comes with catmint: "bases/branch.csv", "signatures/branch.csv", "data/pmu/zen4".
 * Searches $CATMINT_DATA_DIR alone if it is set, else share/catmint beside the installed or built library. CM_IO if it
 * is not found. Free with free(). */
CM_API cm_status cm_data_path(const char *name, char **path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
