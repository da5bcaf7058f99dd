/* The roofline as a part of a page of results, and its plots by number: of each team one a precision, and its sizes. */
#include "machines/report/report.h"

enum { PLOTS_OF_TEAM = CM_PRECISIONS + 1 };

static void write_link(const void *content, const cm_html *html)
{
    const cm_roofline *roofline = content;
    if (cm_roofline_teams(roofline) > 0)
        fprintf(html->stream, "<a href=\"#roofline-%zu\">Rooflines</a> \n", cm_roofline_team(roofline, 0));
}

static void write_sections(const void *content, const cm_html *html)
{
    cm_html_roofline_sections(html, content);
}

size_t cm_roofline_plot_count(const cm_roofline *roofline)
{
    return cm_roofline_teams(roofline) * PLOTS_OF_TEAM;
}

bool cm_roofline_name_plot(const void *content, size_t plot, char name[CM_PLOT_NAME])
{
    const cm_roofline *roofline = content;
    const size_t cores = cm_roofline_team(roofline, plot / PLOTS_OF_TEAM);
    const cm_float_precision precision = (cm_float_precision)(plot % PLOTS_OF_TEAM);
    if (precision == CM_PRECISIONS) {
        snprintf(name, CM_PLOT_NAME, "sizes-%zu", cores);
        return cm_plot_has_sweep(roofline, cores);
    }
    snprintf(name, CM_PLOT_NAME, "roofline-%zu-%s", cores, cm_float_precision_name(precision));
    return cm_plot_has_roofline(roofline, cores, precision);
}

void cm_roofline_draw_plot(const void *content, size_t plot, FILE *stream)
{
    const cm_roofline *roofline = content;
    const size_t cores = cm_roofline_team(roofline, plot / PLOTS_OF_TEAM);
    const cm_float_precision precision = (cm_float_precision)(plot % PLOTS_OF_TEAM);
    if (precision == CM_PRECISIONS)
        cm_plot_sweep(roofline, cores, stream);
    else
        cm_plot_roofline(roofline, cores, precision, stream);
}

const cm_page_part *cm_roofline_page_part(cm_roofline *roofline)
{
    if (roofline == NULL)
        return NULL;
    roofline->part = (cm_page_part){.content = roofline,
                                    .write_link = write_link,
                                    .write_sections = write_sections,
                                    .plot_count = cm_roofline_plot_count(roofline),
                                    .name_plot = cm_roofline_name_plot,
                                    .draw_plot = cm_roofline_draw_plot};
    return &roofline->part;
}
