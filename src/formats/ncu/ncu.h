/* The CSV of NVIDIA's ncu: which columns it has, and what its metrics are called elsewhere. */
#ifndef CM_FORMATS_NCU_NCU_H
#define CM_FORMATS_NCU_NCU_H

#include <stdbool.h>
#include <stddef.h>

#include "formats/sheet/sheet.h"
#include "formats/writer.h"

/* Columns of a sheet; SIZE_MAX: there is none. */
typedef struct cm_ncu_columns {
    size_t heading; /* a row of the sheet */
    size_t kernel, launch, process, device, block, grid;
    size_t metric, unit, value; /* where each row is a metric of a launch; else each row is a launch */
} cm_ncu_columns;

/* ---- columns.c ---- */

/* CM_BAD_INPUT where no row has the headings that ncu writes. */
cm_status cm_ncu_find_columns(const cm_sheet *sheet, cm_ncu_columns *columns, cm_error *error);
/* Whether a row is a launch's, not ncu's own words nor the units below the headings. */
bool cm_ncu_is_launch(const cm_ncu_columns *columns, const cm_sheet_row *row);
/* The number of threads that "(80, 1, 1)" and "(256, 1, 1)" make; 0: they do not say it. */
double cm_ncu_threads(const char *grid, const char *block);

/* ---- metric.c ---- */

/* What PAPI calls "sm__inst_executed.sum": "cuda:::sm__inst_executed:stat=sum", and with a device
 * "cuda:::sm__inst_executed:stat=sum:device=0". False for metrics that are no counts, and where the name is too long.
 */
bool cm_ncu_event(const char *metric, const char *device, char *name, size_t size);
/* How many of its base a unit is: 1000 of "Kbyte", 1e6 of "msecond" in nanoseconds, as PAPI counts time. */
double cm_ncu_scale(const char *unit);

/* ---- section.c ---- */

cm_status cm_ncu_write_section(cm_writing *writing, FILE *stream, cm_error *error);

/* "cuda:::sm__inst_executed:stat=sum" is sm__inst_executed.sum. */
const char *cm_ncu_metric(const char *event, char *name, size_t size);
/* "DP Ops." is catmint__dp_ops. */
const char *cm_ncu_metric_name(const cm_writing_item *item, char *name, size_t size);

#endif
