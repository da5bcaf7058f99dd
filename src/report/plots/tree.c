#include "report/plots/plots.h"

enum { TREE_LEFT = 12, TREE_TOP = 34, TREE_ROW = 46, HEADING = 26, BOX = 38 };
enum { GAP = 30, PADDING = 8, BAR = 5, MOST_LETTERS = 44 };
enum { TEXT_SIZE = 160 };
static const double letter = CM_SVG_LETTER;

/* Positions of boxes: those of a level below each other, parents centred on their parts. */
typedef struct tree_layout {
    const cm_formula_values *values;
    double width[CM_FORMULAS_DEPTH + 1], left[CM_FORMULAS_DEPTH + 1]; /* of levels */
    size_t levels;
} tree_layout;

static size_t level_of(const cm_valued_metric *metric)
{
    return (size_t)metric->depth;
}

/* Helpers are no part of the hierarchy and are not drawn. */
static bool is_drawn(const cm_valued_metric *metric)
{
    return metric->above != CM_FORMULAS_NONE || metric->parts > 0;
}

/* "0.250 of Slots", "4000 slots"; "of Slots" without counts. */
static const char *words_of(const cm_valued_metric *metric, size_t run, bool counted, char text[TEXT_SIZE])
{
    char number[CM_VALUE_SIZE] = "";
    bool known = counted && !isnan(metric->values[run]);
    if (known)
        cm_value_text(metric, metric->values[run], number);
    else if (counted)
        snprintf(number, sizeof number, "no value");
    const char *of = !counted || known ? metric->of : NULL;
    const char *unit = of == NULL && (known || !counted) && metric->of == NULL ? metric->unit : "";
    snprintf(text, TEXT_SIZE, "%s%s%s%.100s%.100s", number,
             number[0] != '\0' && (of != NULL || unit[0] != '\0') ? " " : "", of != NULL ? "of " : "",
             of != NULL ? of : "", unit);
    return text;
}

static size_t letters_of(const cm_valued_metric *metric, size_t first, size_t count)
{
    char text[TEXT_SIZE];
    size_t most = cm_text_width(metric->metric);
    for (size_t run = first; run < first + (count > 0 ? count : 1); run++) {
        size_t width = cm_text_width(words_of(metric, run, count > 0, text));
        most = width > most ? width : most;
    }
    return most < MOST_LETTERS ? most : MOST_LETTERS;
}

/* The layout of the levels for `count` runs from `first` on. */
static tree_layout lay_out_tree(const cm_formula_values *values, size_t first, size_t count)
{
    tree_layout plan = {.values = values};
    for (size_t i = 0; i < values->metric_count; i++) {
        const cm_valued_metric *metric = &values->metrics[i];
        if (!is_drawn(metric))
            continue;
        size_t level = level_of(metric);
        plan.width[level] = fmax(plan.width[level], (double)letters_of(metric, first, count) * letter + 2 * PADDING);
        plan.levels = level + 1 > plan.levels ? level + 1 : plan.levels;
    }
    plan.left[0] = TREE_LEFT;
    for (size_t level = 1; level < plan.levels; level++)
        plan.left[level] = plan.left[level - 1] + plan.width[level - 1] + GAP;
    return plan;
}

/* Draws the box of a metric with its value in one run. */
static void draw_box(const tree_layout *plan, const cm_valued_metric *metric, size_t run, bool counted, double middle,
                     FILE *stream)
{
    char text[TEXT_SIZE];
    size_t level = level_of(metric);
    double left = plan->left[level], width = plan->width[level], top = middle - BOX / 2.0;
    cm_svg_begin_box("box", left, top, width, BOX, stream);
    if (counted && isnan(metric->values[run])) {
        fputs("><title>", stream);
        cm_markup_write(metric->reasons[run], stream);
        fputs("</title></rect>\n", stream);
    } else {
        fputs("/>\n", stream);
    }
    if (counted && metric->of != NULL && metric->values[run] > 0.0) {
        cm_svg_begin_box("share", left, top + BOX - BAR, width * fmin(metric->values[run], 1.0), BAR, stream);
        fputs("/>\n", stream);
    }
    cm_svg_name(left + PADDING, top + 14, CM_SVG_START, false, metric->metric, MOST_LETTERS, stream);
    cm_svg_begin_text("tick", left + PADDING, top + 28, CM_SVG_START, false, stream);
    cm_markup_write_short(words_of(metric, run, counted, text), MOST_LETTERS, stream);
    fputs("</text>\n", stream);
}

/* Draws the line from a box to its parts. */
static void draw_branches(const tree_layout *plan, const cm_valued_metric *metric, double top, FILE *stream)
{
    size_t level = level_of(metric);
    double middle = top + (metric->row + 0.5) * TREE_ROW, right = plan->left[level] + plan->width[level];
    if (metric->above != CM_FORMULAS_NONE)
        cm_svg_line("span", plan->left[level] - GAP / 2.0, middle, plan->left[level], middle, stream);
    if (metric->parts == 0)
        return;
    cm_svg_line("span", right, middle, right + GAP / 2.0, middle, stream);
    cm_svg_line("span", right + GAP / 2.0, top + (metric->first_row + 0.5) * TREE_ROW, right + GAP / 2.0,
                top + (metric->last_row + 0.5) * TREE_ROW, stream);
}

/* Draws the hierarchy with the values of one run. */
static void draw_run(const tree_layout *plan, size_t run, bool counted, double top, FILE *stream)
{
    for (size_t level = 0; level < plan->levels; level++) {
        char text[48] = "the whole";
        if (level > 0)
            snprintf(text, sizeof text, "level %zu", level);
        cm_svg_text("tick", plan->left[level], top + 14, CM_SVG_START, text, stream);
    }
    top += HEADING;
    for (size_t i = 0; i < plan->values->metric_count; i++) {
        const cm_valued_metric *metric = &plan->values->metrics[i];
        if (!is_drawn(metric))
            continue;
        draw_box(plan, metric, run, counted, top + (metric->row + 0.5) * TREE_ROW, stream);
        draw_branches(plan, metric, top, stream);
    }
}

void cm_plot_tree(const cm_formula_values *values, size_t first, size_t count, FILE *stream)
{
    char title[256];
    const tree_layout plan = lay_out_tree(values, first, count);
    double right = plan.left[plan.levels - 1] + plan.width[plan.levels - 1];
    size_t trees = count > 0 ? count : 1;
    double height = HEADING + (double)values->leaf_count * TREE_ROW, title_height = count > 1 ? 22.0 : 0.0;
    if (count == 1)
        snprintf(title, sizeof title, "%.100s, run %.100s", cm_formula_values_title(values), values->runs[first]);
    else
        snprintf(title, sizeof title, "%.100s", cm_formula_values_title(values));
    cm_svg_begin(right + TREE_LEFT, TREE_TOP + (double)trees * (height + title_height) + TREE_LEFT, stream, "%s",
                 title);
    for (size_t i = 0; i < trees; i++) {
        double top = TREE_TOP + (double)i * (height + title_height);
        if (count > 1) {
            snprintf(title, sizeof title, "run %.100s", values->runs[first + i]);
            cm_svg_text("title", TREE_LEFT, top + 14, CM_SVG_START, title, stream);
        }
        draw_run(&plan, first + i, count > 0, top + title_height, stream);
    }
    cm_svg_end(stream);
}
