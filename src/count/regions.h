/* Regions: what the program that names them and catmint tell each other, by files in a folder. */
#ifndef CM_COUNT_REGIONS_H
#define CM_COUNT_REGIONS_H

#include "core/temporary.h"
#include "count/count.h"

/* The variable that names the folder. `events` in it lists what each process is to count: a line an event, as the
 * source calls it; none under the emulated PMU, where facts are counted. A process leaves a file of its number there: a
 * line a region, its name, its calls, its counts, and its seconds unless emulated, with tabs between. */
#define CM_REGIONS_VARIABLE "CATMINT_COUNT_REGIONS"
#define CM_REGIONS_EVENTS "events"
/* Set beside it where the emulated PMU counts. */
#define CM_REGIONS_EMULATED "CATMINT_COUNT_EMULATED"

enum { CM_REGION_NAME = 64, CM_REGIONS_MOST = 256 };

/* One run with as many of the wanted events as go together, counted by the program itself. */
cm_status cm_count_regions(cm_run *run, cm_error *error);

/* A folder for files of one run. One that was not made, whose lock is -1, is not removed. */
typedef struct cm_count_folder {
    char path[CM_TEMPORARY_SIZE];
    int lock;
} cm_count_folder;
cm_status cm_count_folder_make(cm_count_folder *folder, cm_error *error);
void cm_count_folder_remove(cm_count_folder *folder);
/* Calls `take` for each line that a process has left in the folder. Seconds are NaN where they are unknown. */
typedef cm_status (*cm_region_take)(void *data, const char *name, double calls, double seconds, const double *counts,
                                    cm_error *error);
cm_status cm_count_regions_read(const char *folder, size_t count, cm_region_take take, void *data, cm_error *error);

#endif
