/* Values of formulas: metrics by level, a column a run, and a plot of the hierarchy for each run. */
#include "report/html/html.h"

enum { SHADES = 10, MOST_LEVELS = 6, MOST_COLUMNS = 10 };

/* A value, shaded if it is a share; the reason why a value is unknown is shown on hovering. */
static void write_value_cell(const cm_html *html, const cm_valued_metric *metric, size_t run)
{
    char text[CM_VALUE_SIZE];
    double value = metric->values[run];
    cm_html_write(html, "<td class=\"number");
    if (metric->of != NULL && !isnan(value))
        fprintf(html->stream, " share%d", (int)(fmin(fmax(value, 0.0), 1.0) * SHADES + 0.5));
    if (isnan(value)) {
        cm_html_write(html, "\" title=\"");
        cm_markup_write(metric->reasons[run], html->stream);
    }
    fprintf(html->stream, "\">%s</td>", cm_value_text(metric, value, text));
}

/* A metric, indented by its level, with its values in the runs from `begin` to `end`. */
static void write_values_row(const cm_html *html, const cm_valued_metric *metric, size_t begin, size_t end)
{
    size_t level = metric->depth < MOST_LEVELS ? (size_t)metric->depth : MOST_LEVELS;
    fprintf(html->stream, "<tr><th scope=\"row\" class=\"level%zu\">", level);
    cm_markup_write(metric->metric, html->stream);
    cm_html_write(html, "</th>");
    cm_html_cell(html, NULL, metric->of != NULL ? metric->of : "");
    for (size_t run = begin; run < end; run++)
        write_value_cell(html, metric, run);
    cm_html_write(html, "</tr>\n");
}

/* Runs from `begin` to before `end`. */
static void write_values_table(const cm_html *html, const cm_formula_values *values, size_t begin, size_t end)
{
    cm_html_write(html,
                  "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Values\">\n"
                  "<table class=\"values\"><thead><tr><th scope=\"col\">Metric</th><th scope=\"col\">Fraction of</th>");
    for (size_t run = begin; run < end; run++) {
        cm_html_write(html, "<th scope=\"col\" class=\"number\">");
        cm_markup_write(values->runs[run], html->stream);
        cm_html_write(html, "</th>");
    }
    cm_html_write(html, "</tr></thead><tbody>\n");
    for (size_t i = 0; i < values->metric_count; i++)
        write_values_row(html, &values->metrics[i], begin, end);
    cm_html_end_table(html);
}

/* Writes tables of as many runs as fit on paper. */
static void write_all_values(const cm_html *html, const cm_formula_values *values)
{
    for (size_t begin = 0; begin < values->run_count; begin += MOST_COLUMNS)
        write_values_table(html, values, begin,
                           begin + MOST_COLUMNS < values->run_count ? begin + MOST_COLUMNS : values->run_count);
    cm_html_write(html,
                  "<p class=\"dim\">A column a run. Fractions are shaded by their number, from 0, none, to 1, all of "
                  "the metric in the second column.</p>\n");
}

/* Writes a plot of the hierarchy for each of the first runs. */
static void write_trees(const cm_html *html, const cm_formula_values *values)
{
    for (size_t run = 0; run < values->run_count && run < CM_EVALUATE_MOST_DRAWN; run++) {
        fprintf(html->stream, "<details%s><summary>Hierarchy of run ", run == 0 ? " open" : "");
        cm_markup_write(values->runs[run], html->stream);
        cm_html_write(html, "</summary>\n");
        cm_html_begin_plot(html, "Hierarchy");
        cm_plot_tree(values, run, 1, html->stream);
        cm_html_end_plot(html, "From the whole to its parts; the bar below each is its fraction.");
        cm_html_write(html, "</details>\n");
    }
    if (values->run_count > CM_EVALUATE_MOST_DRAWN)
        fprintf(html->stream, "<p>The hierarchies of %zu more %s are not drawn.</p>\n",
                values->run_count - CM_EVALUATE_MOST_DRAWN,
                cm_plural(values->run_count - CM_EVALUATE_MOST_DRAWN, "run", "runs"));
}

void cm_html_values(const cm_html *html)
{
    for (size_t i = 0; i < html->value_count; i++) {
        const cm_formula_values *values = html->values[i];
        fprintf(html->stream, "<section id=\"values-%zu\">\n<h2>Values of ", i);
        cm_markup_write(cm_formula_values_title(values), html->stream);
        cm_html_write(html, "</h2>\n<div class=\"panel\">\n");
        write_all_values(html, values);
        if (cm_formula_values_have_tree(values))
            write_trees(html, values);
        cm_html_write(html, "</div></section>\n");
    }
}
