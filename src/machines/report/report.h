/* Rooflines, in-core figures and projections for people, programs and browsers. */
#ifndef CM_MACHINES_REPORT_REPORT_H
#define CM_MACHINES_REPORT_REPORT_H

#include "machines/projection/projection.h"
#include "machines/roofline.h"

/* ---- incore.c: in-core figures as documents ---- */

void cm_incore_write_table(const void *content, const cm_page *page);

/* ---- core_words.c: the ports of a core ---- */

enum { CM_CORE_PORTS = 160 }; /* size of a text that lists them */

/* The words of the roles that have a bit, with commas between. */
const char *cm_core_roles(const cm_core *core, uint32_t roles, char *text, size_t size);
/* The ports that the kind of instruction takes, as a table has them: "1 P7|P8; 1 P4|P9". */
const char *cm_core_uses(const cm_core *core, const cm_core_unit *unit, char *text, size_t size);

/* ---- core_plot.c ---- */

/* Draws a cm_core, as Figure 1 of the paper. */
void cm_plot_core(const void *core, FILE *stream);

/* ---- projection.c: projections for people, programs and spreadsheets ---- */

cm_status cm_projection_write_table(const void *content, const cm_output_style *style, FILE *stream, cm_error *error);

/* ---- projection_plot.c, projections_plot.c ---- */

/* The rooflines of both machines for a program, and all projections by equation 4, as Figures 4 to 9 of the paper. */
void cm_plot_projection(const cm_projection *made, const cm_projected_case *one, FILE *stream);
/* The intervals of all programs and memories, as Figures 10 to 17. */
void cm_plot_projections(const cm_projection *made, FILE *stream);

/* ---- roofline.c: the figures of a machine, as documents ---- */

json_t *cm_roofline_json(const void *content);

/* Lowest, median, highest; null if unknown. */
json_t *cm_reading_json(const cm_reading *reading);

/* "614 GB/s", "0.0833 flop/byte": three digits, with k, M, G or T above 1000. */
enum { CM_RATE_SIZE = 40 };
char *cm_rate_text(double value, const char *unit, char text[CM_RATE_SIZE]);

/* "70 Gflop/s, more than the 64 Gflop/s that 1 core reaches at most" */
enum { CM_POINT_WARNING_SIZE = 224 };
const char *cm_point_warning_text(const cm_point *point, const cm_point_warning *warning,
                                  char text[CM_POINT_WARNING_SIZE]);

/* "1.2 Gflop/s, less than add, SSE on 1 core: 8.6 Gflop/s"; NULL: nothing contradicts the figure. */
const char *cm_contradiction_text(const cm_roofline *roofline, const cm_ceiling *ceiling,
                                  char text[CM_POINT_WARNING_SIZE]);

/* ---- segment.c ---- */

typedef struct cm_plot_segment {
    double x1, y1, x2, y2;
} cm_plot_segment;

/* Draws the line, which later texts avoid. */
void cm_plot_segment_draw(const char *class, const cm_plot_segment *at, cm_plot_labels *labels, FILE *stream);
double cm_plot_text_width(const char *text);
/* The best place along the line, above it or else below, as near to its lower end as possible. */
cm_plot_label_choice cm_plot_segment_label(const cm_plot_segment *at, double width, const cm_plot_labels *labels);

/* ---- roofline_plane.c ---- */

/* Intensities in flop a byte across, flop/s upwards, both as logarithms. */
typedef struct cm_plot_plane {
    cm_log_axis across, up;
} cm_plot_plane;

/* In px. */
typedef struct cm_plot_box {
    double left, top, width, height;
} cm_plot_box;

cm_plot_plane cm_plot_plane_of(const cm_log_range *across, const cm_log_range *up, cm_plot_box box);
/* The place of an intensity: an infinite one is at the right edge. */
double cm_plot_across(const cm_plot_plane *plane, double intensity);
double cm_plot_up(const cm_plot_plane *plane, double rate);
/* The line of a bandwidth, in bytes a second, from the left or the lower edge up to a peak. */
cm_plot_segment cm_plot_rising(double bandwidth, double peak, const cm_plot_plane *plane);

/* ---- roofline_plot.c, sizes_plot.c ---- */

/* The roofline of so many cores: bandwidths rise, peaks are flat, each with its name. Programs that ran on as many
 * cores stand in it as dots by the bytes that they load and store, and as rings by the bytes of memory. */
bool cm_plot_has_roofline(const cm_roofline *roofline, size_t cores, cm_float_precision precision);
void cm_plot_roofline(const cm_roofline *roofline, size_t cores, cm_float_precision precision, FILE *stream);

bool cm_plot_has_sweep(const cm_roofline *roofline, size_t cores);
void cm_plot_sweep(const cm_roofline *roofline, size_t cores, FILE *stream);

/* ---- roofline_page.c ---- */

void cm_html_roofline(const cm_html *html, const cm_roofline *roofline);
/* The same within a page: a section of plots for each number of cores, and a table of programs. */
void cm_html_roofline_sections(const cm_html *html, const cm_roofline *roofline);

/* ---- roofline_part.c: the plots of a roofline, numbered; as those of a cm_page_part ---- */

size_t cm_roofline_plot_count(const cm_roofline *roofline);
bool cm_roofline_name_plot(const void *content, size_t plot, char name[CM_PLOT_NAME]);
void cm_roofline_draw_plot(const void *content, size_t plot, FILE *stream);

#endif
