#include "report/plots/plots.h"

enum { MOST_POWERS = 10, LEAST_POWER = -18, GREATEST_POWER = 18 };

void cm_log_range_add(cm_log_range *range, double value)
{
    if (!(value > 0.0) || isinf(value))
        return;
    if (range->lowest == 0.0 || value < range->lowest)
        range->lowest = value;
    if (value > range->highest)
        range->highest = value;
}

static int within(double power)
{
    return (int)fmin(fmax(power, LEAST_POWER), GREATEST_POWER);
}

cm_log_axis cm_log_axis_of(const cm_log_range *range)
{
    bool any = range->lowest > 0.0;
    cm_log_axis axis = {.low = any ? within(floor(log10(range->lowest))) : -2,
                        .high = any ? within(ceil(log10(range->highest))) : 0};
    if (axis.high < axis.low + 2)
        axis.low = axis.high - 2;
    return axis;
}

double cm_log_axis_place(const cm_log_axis *axis, double value)
{
    if (!(value > 0.0))
        return axis->zero_at;
    double power = fmin(fmax(log10(value), axis->low), axis->high);
    return axis->from + (power - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

/* Draws a line across and its number. */
static void draw_tick(bool vertical, double at, double start, double end, FILE *stream)
{
    if (vertical) {
        cm_svg_line("grid", start, at, end, at, stream);
        cm_svg_begin_text("tick", start - 8, at + 4, CM_SVG_END, false, stream);
    } else {
        cm_svg_line("grid", at, start, at, end, stream);
        cm_svg_begin_text("tick", at, end + 16, CM_SVG_MIDDLE, false, stream);
    }
}

void cm_log_axis_draw(const cm_log_axis *axis, int vertical, double start, double end, FILE *stream)
{
    int step = 1 + (axis->high - axis->low) / MOST_POWERS;
    if (!isnan(axis->zero_at)) {
        draw_tick(vertical, axis->zero_at, start, end, stream);
        fputs("0</text>\n", stream);
    }
    for (int power = axis->low; power <= axis->high; power += step) {
        double part = (double)(power - axis->low) / (axis->high - axis->low);
        draw_tick(vertical, axis->from + part * (axis->to - axis->from), start, end, stream);
        if (power == 0)
            fputs("1</text>\n", stream);
        else
            fprintf(stream, "10<tspan class=\"power\" dy=\"-4\">%d</tspan></text>\n", power);
    }
}

cm_linear_axis cm_linear_axis_of(double low, double high)
{
    static const double steps[] = {1.0, 2.0, 5.0, 10.0};
    if (!(high > low))
        high = low + 1.0;
    double power = pow(10.0, floor(log10((high - low) / 4.0)));
    size_t i = 0;
    while (i < 3 && steps[i] * power * 5.0 < high - low)
        i++;
    double step = steps[i] * power;
    return (cm_linear_axis){.low = step * floor(low / step), .high = step * ceil(high / step), .step = step};
}

double cm_linear_axis_place(const cm_linear_axis *axis, double value)
{
    return axis->from + (value - axis->low) / (axis->high - axis->low) * (axis->to - axis->from);
}

void cm_linear_axis_draw(const cm_linear_axis *axis, double start, double end, FILE *stream)
{
    for (int i = 0; i <= 20 && axis->low + i * axis->step <= axis->high + 0.5 * axis->step; i++) {
        double value = axis->low + i * axis->step;
        char text[CM_NUMBER_SIZE];
        draw_tick(true, cm_linear_axis_place(axis, value), start, end, stream);
        fprintf(stream, "%s%s</text>\n", value < 0.0 ? "-" : "", cm_coefficient_text(fabs(value), text));
    }
}
