/* The metrics of a benchmark with their definitions, as lines of the table. */
#ifndef CM_REPORT_DEFINITIONS_H
#define CM_REPORT_DEFINITIONS_H

#include <stdio.h>

#include <catmint/results.h>

/* Where and how a table is written. */
typedef struct cm_page {
    FILE *stream;
    size_t width;
    bool colour;
    bool *short_of_memory; /* set where a part could not be written for lack of it */
} cm_page;

typedef enum cm_style { CM_STYLE_PLAIN, CM_STYLE_BOLD, CM_STYLE_GOOD, CM_STYLE_BAD, CM_STYLE_DIM } cm_style;

/* What follows is written in this style; nothing without colour. */
void cm_page_style(const cm_page *page, cm_style style);

/* One metric after another: side by side with the definition where the page is wide enough, else the definition below.
 */
void cm_definitions_put(const cm_benchmark_result *result, const cm_page *page);

#endif
