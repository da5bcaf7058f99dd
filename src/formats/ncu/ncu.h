/* The CSV of NVIDIA's ncu and of AMD's rocprofv3: its columns, and names of its metrics in other programs. */
#ifndef CM_FORMATS_NCU_NCU_H
#define CM_FORMATS_NCU_NCU_H

#include <catmint/import_ncu.h>

#include "formats/sheet/sheet.h"
#include "formats/format.h"

/* Columns of a sheet; SIZE_MAX: there is none. */
typedef struct cm_ncu_columns {
    size_t heading; /* index of a row in the sheet */
    size_t kernel, launch, process, device, block, grid;
    size_t metric, unit, value; /* if each row is a metric of a launch; otherwise each row is a launch */
    bool of_rocprofv3;          /* the headings are those of AMD's rocprofv3 */
} cm_ncu_columns;

/* ---- columns.c ---- */

/* CM_BAD_INPUT if no row has the headings of ncu or rocprofv3. */
cm_status cm_ncu_find_columns(const cm_sheet *sheet, cm_ncu_columns *columns, cm_error *error);
/* Whether a row is a launch's, not a message of ncu's or the units below the headings. */
bool cm_ncu_is_launch(const cm_ncu_columns *columns, const cm_sheet_row *row);
/* Whether two rows have the same cells. */
bool cm_ncu_is_same_row(const cm_sheet_row *row, const cm_sheet_row *other);
/* CM_BAD_INPUT if a launch's row has other cells than the headings, or a size that is there is no product of numbers
 * above 0. */
cm_status cm_ncu_check_launch(const cm_sheet *sheet, const cm_ncu_columns *columns, const cm_sheet_row *row,
                              cm_error *error);
/* The divisor of a launch's counts, 0: unknown. Threads of a grid "(80, 1, 1)" and a block "(256, 1, 1)"; of
 * rocprofv3, whose grid is the threads, wavefronts of 64. */
double cm_ncu_threads(const cm_ncu_columns *columns, const cm_sheet_row *row);

/* ---- metric.c ---- */

/* Writes PAPI's name of AMD's "SQ_WAVES": "rocp_sdk:::SQ_WAVES", and with a device "...:device=0"; device "Agent 4" is
 * the fourth agent. False for shares and the like, whose names are no counter's of a block. */
bool cm_rocprofv3_event(const char *metric, const char *device, char *name, size_t size);
/* Writes PAPI's name of "sm__inst_executed.sum": "cuda:::sm__inst_executed:stat=sum", and with a device
 * "cuda:::sm__inst_executed:stat=sum:device=0". False for metrics that are no counts, and if the name is too long. */
bool cm_ncu_event(const char *metric, const char *device, char *name, size_t size);
/* Whether a unit is one that ncu counts in, with or without a prefix: "inst", "Kbyte", "". */
bool cm_ncu_is_known_unit(const char *unit);
/* The factor of a unit: 1000 for "Kbyte", 1e6 for "msecond", because PAPI counts nanoseconds. */
double cm_ncu_scale(const char *unit);

/* ---- names.c: names that are reported in one line, each once ---- */

typedef struct cm_ncu_names {
    size_t count;
    cm_name_index *index;
    char *list; /* the first ones, separated by commas */
    size_t size;
    FILE *stream;
} cm_ncu_names;

cm_status cm_ncu_names_add(cm_ncu_names *names, const char *name, cm_error *error);
/* Notes the number of names, the reason in words for one or for many, and the first ones; nothing if there are none. */
cm_status cm_ncu_names_note(const cm_ncu_import_options *options, cm_ncu_names *names, const char *one,
                            const char *many, cm_error *error);
void cm_ncu_names_clear(cm_ncu_names *names);

/* ---- section.c ---- */

#endif
