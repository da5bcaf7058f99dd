/* The page of a machine's figures. */
#include <catmint/version.h>

#include "machines/report/report.h"

/* Writes the rooflines of so many cores, a plot a precision, and their bandwidths over sizes. */
static void write_plots(const cm_html *html, const cm_roofline *roofline, size_t cores)
{
    for (cm_float_precision precision = CM_DOUBLE; precision < CM_PRECISIONS; precision++) {
        if (!cm_plot_has_roofline(roofline, cores, precision))
            continue;
        cm_html_begin_plot(html, "Roofline");
        cm_plot_roofline(roofline, cores, precision, html->stream);
        cm_html_end_plot(html,
                         "The most that a program can reach, by its operations per byte. Rising: the highest bandwidth "
                         "of each level. Flat: multiply-adds by vectors, and the fastest other operations.");
    }
    if (!cm_plot_has_sweep(roofline, cores))
        return;
    cm_html_begin_plot(html, "Bandwidth over sizes");
    cm_plot_sweep(roofline, cores, html->stream);
    cm_html_end_plot(html, "The bandwidth that the processor sees, by the size of the arrays.");
}

/* Writes the row of a measured figure. */
static void write_ceiling_row(const cm_html *html, const cm_ceiling *ceiling)
{
    char text[CM_RATE_SIZE];
    const char *unit = ceiling->kind == CM_CEILING_FLOPS ? "flop/s" : "B/s";
    cm_html_write(html, "<tr>");
    cm_html_cell(html, NULL, cm_timed_words(ceiling->operation));
    cm_html_cell(html, NULL, ceiling->vectors);
    cm_html_cell(html, NULL,
                 ceiling->kind == CM_CEILING_FLOPS ? cm_float_precision_name(ceiling->precision) : ceiling->level);
    cm_html_cell(html, "number", cm_rate_text(ceiling->rate.median, unit, text));
    cm_html_write(html, "<td class=\"number\">");
    cm_html_percent(html, cm_reading_spread(&ceiling->rate));
    cm_html_write(html, "</td>");
    cm_html_cell(html, "number", cm_rate_text(ceiling->clock.median, "Hz", text));
    snprintf(text, sizeof text, "%.3g", ceiling->rate.median / ceiling->clock.median / (double)ceiling->cores);
    cm_html_cell(html, "number", text);
    cm_html_cell(html, NULL, ceiling->undisturbed > 0 ? "" : "disturbed");
    cm_html_write(html, "</tr>\n");
}

static void write_ceilings(const cm_html *html, const cm_roofline *roofline, size_t cores)
{
    static const char *const columns[] = {"Operation", "Vectors", "Precision or level", "Median",
                                          "Range ±",   "Clock",   "per cycle and core", "Remark"};
    cm_html_begin_table(html, "All figures", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < roofline->ceiling_count; i++)
        if (roofline->ceilings[i].cores == cores && roofline->ceilings[i].kind != CM_CEILING_SIZE)
            write_ceiling_row(html, &roofline->ceilings[i]);
    cm_html_end_table(html);
}

static void write_intensity_cell(const cm_html *html, double flops, double bytes)
{
    char text[CM_RATE_SIZE] = "unknown";
    if (!isnan(bytes))
        snprintf(text, sizeof text, "%.3g", flops / bytes);
    cm_html_cell(html, "number", text);
}

/* A cell with the reasons to doubt a point, one below the other. */
static void write_warnings_cell(const cm_html *html, const cm_roofline *roofline, const cm_point *point)
{
    cm_point_warning warnings[CM_POINT_WARNING_KINDS];
    char text[CM_POINT_WARNING_SIZE];
    cm_html_write(html, "<td>");
    for (size_t i = 0, count = cm_point_warnings(roofline, point, warnings); i < count; i++) {
        cm_html_write(html, i > 0 ? "<br>" : "");
        cm_markup_write(cm_point_warning_text(point, &warnings[i], text), html->stream);
    }
    cm_html_write(html, "</td>");
}

/* Writes a table of the programs. */
static void write_points_section(const cm_html *html, const cm_roofline *roofline)
{
    static const char *const columns[] = {
        "Program", "Cores", "Flop/s", "Flop/byte by loads and stores", "Flop/byte by memory traffic", "Remark"};
    char text[CM_RATE_SIZE];
    if (roofline->point_count == 0)
        return;
    cm_html_write(html, "<section>\n<h2>Programs</h2>\n");
    cm_html_begin_table(html, "Programs", columns, CM_COUNT_OF(columns));
    for (size_t i = 0; i < roofline->point_count; i++) {
        const cm_point *point = &roofline->points[i];
        cm_html_write(html, "<tr>");
        cm_html_cell(html, NULL, point->name);
        snprintf(text, sizeof text, "%zu", point->cores);
        cm_html_cell(html, "number", text);
        cm_html_cell(html, "number", cm_rate_text(point->flops / point->seconds, "flop/s", text));
        write_intensity_cell(html, point->flops, point->l1_bytes);
        write_intensity_cell(html, point->flops, point->memory_bytes);
        write_warnings_cell(html, roofline, point);
        cm_html_write(html, "</tr>\n");
    }
    cm_html_end_table(html);
    cm_html_write(html, "</section>\n");
}

void cm_html_roofline_sections(const cm_html *html, const cm_roofline *roofline)
{
    for (size_t i = 0; i < cm_roofline_teams(roofline); i++) {
        size_t cores = cm_roofline_team(roofline, i);
        fprintf(html->stream, "<section id=\"roofline-%zu\">\n<h2>Rooflines of %zu core%s</h2>\n", cores, cores,
                cores == 1 ? "" : "s");
        write_plots(html, roofline, cores);
        cm_html_write(html, "</section>\n");
    }
    write_points_section(html, roofline);
}

void cm_html_roofline(const cm_html *html, const cm_roofline *roofline)
{
    cm_html_head(html);
    cm_html_write(html, "<header>\n<h1>");
    cm_markup_write(html->title, html->stream);
    cm_html_write(html, "</h1>\n</header>\n<main>\n");
    for (size_t i = 0; i < cm_roofline_teams(roofline); i++) {
        size_t cores = cm_roofline_team(roofline, i);
        fprintf(html->stream, "<section>\n<h2>%zu core%s</h2>\n", cores, cores == 1 ? "" : "s");
        write_plots(html, roofline, cores);
        write_ceilings(html, roofline, cores);
        cm_html_write(html, "</section>\n");
    }
    write_points_section(html, roofline);
    cm_html_write(html, "</main>\n<footer><p class=\"dim\">Medians; the clock by a chain of additions beside each "
                        "measurement. Written by catmint " CATMINT_VERSION ".</p></footer>\n</body>\n</html>\n");
}
