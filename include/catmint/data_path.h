/* Where the data that comes with catmint is: bases, signatures, models of PMUs. */
#ifndef CATMINT_DATA_PATH_H
#define CATMINT_DATA_PATH_H

#include <catmint/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The path of a data file that comes with catmint: "bases/branch.csv", "signatures/branch.csv", "data/pmu/zen4". Looked
 * for in $CATMINT_DATA_DIR (only there if it is set), else in share/catmint beside the installed or built library.
 * CM_IO where it is not found. Free with free(). */
CM_API cm_status cm_data_path(const char *name, char **path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
