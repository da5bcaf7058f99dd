/* The plane in which rooflines are drawn. */
#include "machines/report/report.h"

cm_plot_plane cm_plot_plane_of(const cm_log_range *across, const cm_log_range *up, cm_plot_box box)
{
    cm_plot_plane plane = {cm_log_axis_of(across), cm_log_axis_of(up)};
    plane.across.from = box.left;
    plane.across.to = box.left + box.width;
    plane.up.from = box.top + box.height;
    plane.up.to = box.top;
    plane.across.zero_at = plane.up.zero_at = NAN;
    return plane;
}

double cm_plot_across(const cm_plot_plane *plane, double intensity)
{
    return isinf(intensity) ? plane->across.to : cm_log_axis_place(&plane->across, intensity);
}

double cm_plot_up(const cm_plot_plane *plane, double rate)
{
    return cm_log_axis_place(&plane->up, rate);
}

cm_plot_segment cm_plot_rising(double bandwidth, double peak, const cm_plot_plane *plane)
{
    const double from = fmax(pow(10.0, plane->across.low), pow(10.0, plane->up.low) / bandwidth);
    return (cm_plot_segment){cm_plot_across(plane, from), cm_plot_up(plane, from * bandwidth),
                             cm_plot_across(plane, peak / bandwidth), cm_plot_up(plane, peak)};
}
