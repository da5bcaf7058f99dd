/* Regions: files in a directory by which the program that names them and catmint communicate. */
#ifndef CM_COUNT_REGIONS_H
#define CM_COUNT_REGIONS_H

#include "core/files.h"
#include "count/count.h"

/* The variable with the path of the directory. Its file `events` lists what each process must count: one event a line,
 * as the source spells it; none under the emulated PMU, which counts facts. Each process writes a file named by its
 * number: one region a line, with its name, its calls, its counts, and its seconds unless emulated, separated by
 * tabs. */
#define CM_REGIONS_VARIABLE "CATMINT_COUNT_REGIONS"
#define CM_REGIONS_EVENTS "events"
/* Set in addition if the emulated PMU counts. */
#define CM_REGIONS_EMULATED "CATMINT_COUNT_EMULATED"

enum { CM_REGION_NAME = 64, CM_REGIONS_MOST = 256 };

/* Runs the program once, with as many of the wanted events as it can count together. */
cm_status cm_count_regions(cm_run *run, cm_error *error);

/* A directory for the files of one run. One with the lock -1 was not made, and is not removed. */
typedef struct cm_count_folder {
    char path[CM_TEMPORARY_SIZE];
    int lock;
} cm_count_folder;
cm_status cm_count_folder_make(cm_count_folder *folder, cm_error *error);
void cm_count_folder_remove(cm_count_folder *folder);
/* Calls `take` for each line of the processes' files. Seconds are NaN if unknown. */
typedef cm_status (*cm_region_take)(void *data, const char *name, double calls, double seconds, const double *counts,
                                    cm_error *error);
cm_status cm_count_regions_read(const char *folder, size_t count, cm_region_take take, void *data, cm_error *error);

#endif
