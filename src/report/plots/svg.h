/* What all plots are drawn with. Lengths are pixels, from the upper left corner. */
#ifndef CM_REPORT_PLOTS_SVG_H
#define CM_REPORT_PLOTS_SVG_H

#include <stdbool.h>
#include <stdio.h>

#include "report/plots/markup.h"

/* Of the names in plots, whose letters are all of one width. */
#define CM_SVG_LETTER 6.7

typedef enum cm_svg_anchor { CM_SVG_START, CM_SVG_MIDDLE, CM_SVG_END } cm_svg_anchor;

typedef enum cm_svg_shape {
    CM_SVG_DIAMOND,
    CM_SVG_DOT,
    CM_SVG_TRIANGLE,
    CM_SVG_CROSS,
    CM_SVG_SQUARE,
    CM_SVG_DASH,
    CM_SVG_RING,
} cm_svg_shape;

/* An element that takes `class` for its looks, and its title, which is also what tells those who cannot see it. */
void cm_svg_begin(double width, double height, const char *title, FILE *stream);
void cm_svg_end(FILE *stream);

void cm_svg_line(const char *class, double x1, double y1, double x2, double y2, FILE *stream);
/* Begins a text, whose words follow, and </text>. Rotated ones read upwards. */
void cm_svg_begin_text(const char *class, double x, double y, cm_svg_anchor anchor, bool rotated, FILE *stream);
void cm_svg_text(const char *class, double x, double y, cm_svg_anchor anchor, const char *text, FILE *stream);
/* The same for a text that rises by so many degrees. */
void cm_svg_begin_sloped_text(const char *class, double x, double y, double degrees, FILE *stream);
/* A name of at most so many letters; what is left out shows in its title. */
void cm_svg_name(double x, double y, cm_svg_anchor anchor, bool rotated, const char *name, size_t most, FILE *stream);
/* The letters that cm_svg_name shows of it. */
size_t cm_svg_name_length(const char *name, size_t most);

/* The beginning of a mark, `<path class="m CLASS" d="..."`: attributes may follow, then ">", a title and </path>. */
void cm_svg_begin_mark(const char *class, cm_svg_shape shape, double x, double y, FILE *stream);
/* The same for a filled rectangle, a <rect>. */
void cm_svg_begin_box(const char *class, double x, double y, double width, double height, FILE *stream);

#endif
