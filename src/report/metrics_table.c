#include "report/report.h"

enum { COMPOSABLE = 10, ERROR = 8, WORST = 6, STABLE = 6, SIGN = 2, BELOW_INDENT = 4, RANGE_WIDTH = 80 };

static size_t widest_metric_of_benchmark(const cm_read_benchmark *benchmark)
{
    size_t widest = strlen("Metric");
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        size_t width = cm_text_width(benchmark->metrics[i].metric);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes words in the place of terms. */
static void write_instead_of_terms(const char *text, const cm_page *page, size_t indent)
{
    fprintf(page->stream, "%*s", SIGN, "");
    cm_text_wrap(text, indent + SIGN, indent + SIGN, page->width, page->stream);
}

/* Writes a line below the definition; NULL: none. */
static void write_dim(const char *text, const cm_page *page, size_t indent)
{
    if (text == NULL)
        return;
    fprintf(page->stream, "\n%*s", (int)indent, "");
    cm_page_mark(page, CM_MARK_DIM);
    write_instead_of_terms(text, page, indent);
    cm_page_mark(page, CM_MARK_PLAIN);
}

static void write_unmeasurable(const cm_defined_metric *metric, const cm_page *page, size_t indent)
{
    char text[CM_UNMEASURABLE_SIZE];
    cm_unmeasurable_text(metric, text);
    write_instead_of_terms(text, page, indent);
}

/* The layout of one definition's terms: each follows a sign of two columns. */
typedef struct term_layout {
    size_t widest_number;
    bool one_line; /* the whole definition fits on one line */
} term_layout;

/* The layout of the terms on a page of this width. */
static term_layout lay_out_terms(const cm_defined_metric *metric, size_t indent, size_t page_width)
{
    term_layout layout = {0};
    size_t width = indent;
    for (size_t k = 0; k < metric->term_count; k++) {
        const cm_defined_term *term = &metric->terms[k];
        char number[CM_NUMBER_SIZE];
        size_t digits = strlen(cm_coefficient_text(fabs(term->coefficient), number));
        layout.widest_number = digits > layout.widest_number ? digits : layout.widest_number;
        width += (k > 0 ? 1 : 0) + SIGN + digits + strlen(" x ") + cm_text_width(term->event);
    }
    layout.one_line = metric->term_count <= 1 || width <= page_width;
    return layout;
}

/* The width of the widest line of all definitions that take a line for each term. */
static size_t widest_term(const cm_read_benchmark *benchmark)
{
    size_t widest = 0;
    for (size_t i = 0; i < benchmark->metric_count; i++) {
        const cm_defined_metric *metric = &benchmark->metrics[i];
        size_t number = lay_out_terms(metric, 0, 0).widest_number;
        for (size_t k = 0; k < metric->term_count; k++) {
            size_t width = SIGN + number + strlen(" x ") + cm_text_width(metric->terms[k].event);
            widest = width > widest ? width : widest;
        }
    }
    return widest;
}

/* Writes a term; all but the first begin a line unless all fit on one. */
static void write_defined_term(const term_layout *layout, bool first, const cm_defined_term *term, size_t indent,
                               FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    if (!first && layout->one_line)
        fputc(' ', stream);
    else if (!first)
        fprintf(stream, "\n%*s", (int)indent, "");
    fprintf(stream, "%s%*s x ",
            term->coefficient < 0.0 ? "- "
            : first                 ? "  "
                                    : "+ ",
            layout->one_line ? 0 : (int)layout->widest_number, cm_coefficient_text(fabs(term->coefficient), number));
    cm_text_write(term->event, stream);
}

/* Writes positive terms first, then negative ones: easier to read than the order of the pivoting. */
static void write_defined_terms(const cm_defined_metric *metric, const cm_page *page, size_t indent)
{
    const term_layout layout = lay_out_terms(metric, indent, page->width);
    bool first = true;
    for (int negative = 0; negative <= 1; negative++)
        for (size_t k = 0; k < metric->term_count; k++) {
            if ((metric->terms[k].coefficient < 0.0) != (negative == 1))
                continue;
            write_defined_term(&layout, first, &metric->terms[k], indent, page->stream);
            first = false;
        }
    if (metric->constant != 0.0)
        fprintf(page->stream, "\n%*s%s %.6g per iteration, offset", (int)indent, "", metric->constant < 0.0 ? "-" : "+",
                fabs(metric->constant));
    if (metric->term_count == 0)
        write_instead_of_terms("none: no selected event contributes to it", page, indent);
}

/* Writes below the definition why it is not composable. */
static void write_metric_reason(const cm_defined_metric *metric, double tolerance, const cm_page *page, size_t indent)
{
    char text[640 + CM_PROGRAM_WORDS];
    if (cm_validation_reason(metric, tolerance, text, sizeof text))
        ;
    else if (metric->refused != NULL)
        snprintf(text, sizeof text, "%s", metric->refused);
    else if (metric->misfit > tolerance)
        snprintf(text, sizeof text, "misses %.3g %% of the metric (misfit %.3g)", 100.0 * metric->misfit,
                 metric->misfit);
    else if (metric->check->worst > tolerance)
        snprintf(text, sizeof text, "is off by %.3g %% of the largest value on a kernel", 100.0 * metric->check->worst);
    else
        snprintf(text, sizeof text, "noise in the events would grow %.3g-fold (amplification)", metric->amplification);
    write_dim(text, page, indent);
}

/* Writes below the definition its range, and which of its events refuse each other. */
static void write_metric_limits(const cm_defined_metric *metric, const cm_page *page, size_t indent)
{
    char *range = cm_ranges_text(metric->ranges, metric->range_count, NAN, RANGE_WIDTH - BELOW_INDENT - SIGN, NULL);
    char *refusal = cm_together_refusal(metric);
    write_dim(range, page, BELOW_INDENT);
    write_dim(refusal, page, indent);
    *page->short_of_memory |= refusal == NULL && metric->refusing_count > 0;
    CM_FREE(range, refusal);
}

/* The rounded coefficient of a term as solved; 0: the definition has no such term. `next`: the first term of the
 * definition that may be it, which moves on. */
static double rounded_of(const cm_defined_metric *metric, size_t solved, size_t *next)
{
    const bool kept =
        *next < metric->term_count && strcmp(metric->terms[*next].event, metric->solved[solved].event) == 0;
    return kept ? metric->terms[(*next)++].coefficient : 0.0;
}

/* Whether rounding changed more than rounding errors do. */
static bool differs_as_solved(const cm_defined_metric *metric)
{
    bool differs = false;
    for (size_t k = 0, next = 0; k < metric->solved_count && !differs; k++) {
        const double rounded = rounded_of(metric, k, &next);
        differs = fabs(metric->solved[k].coefficient - rounded) > 1e-9 * fmax(1.0, fabs(rounded));
    }
    return differs;
}

/* Writes unrounded coefficients in the order of the terms, their error, and the largest one rounded to zero. */
static void write_as_solved(const cm_defined_metric *metric, const cm_page *page, size_t indent)
{
    char *text = NULL, figure[CM_NUMBER_SIZE];
    double left_out = 0.0;
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    fprintf(stream, "as solved, error %s:", cm_figure_text(metric->solved_backward_error, figure));
    for (int negative = 0; negative <= 1; negative++)
        for (size_t k = 0, next = 0; k < metric->solved_count; k++) {
            const double rounded = rounded_of(metric, k, &next), solved = metric->solved[k].coefficient;
            if (rounded == 0.0)
                left_out = fmax(left_out, fabs(solved));
            else if ((rounded < 0.0) == (negative == 1))
                fprintf(stream, " %.6g", solved);
        }
    if (left_out >= 1e-9)
        fprintf(stream, ", others up to %.2g", left_out);
    if (cm_page_end_text(page, stream, &text) != NULL)
        write_dim(text, page, indent);
    free(text);
}

/* Writes that the definition needs too many events, and the best one with fewer. */
static void write_limited_metric(const cm_defined_metric *metric, size_t most, const cm_page *page, size_t indent)
{
    const cm_defined_metric *limited = metric->limited;
    char *text = NULL, number[CM_NUMBER_SIZE];
    FILE *stream = cm_page_begin_text(page, &text);
    if (stream == NULL)
        return;
    fprintf(stream, "needs %zu events; with at most %zu error %s, misses %.3g %%, %scomposable:", metric->term_count,
            most, cm_figure_text(limited->backward_error, number), 100.0 * limited->misfit,
            limited->usable ? "" : "not ");
    for (size_t k = 0; k < limited->term_count; k++)
        fprintf(stream, " %s%s x %s",
                limited->terms[k].coefficient < 0.0 ? "- "
                : k > 0                             ? "+ "
                                                    : "",
                cm_coefficient_text(fabs(limited->terms[k].coefficient), number), limited->terms[k].event);
    if (limited->term_count == 0)
        fputs(" nothing", stream);
    if (cm_page_end_text(page, stream, &text) != NULL) {
        fprintf(page->stream, "\n%*s", (int)indent, "");
        write_instead_of_terms(text, page, indent);
    }
    free(text);
}

/* The factor by which tau or alpha may change alone and keep the definition: "1.4x", ">999x". Returns `text`. */
static char *stability_text(const cm_defined_firmness *firmness, const cm_defined_benchmark *thresholds,
                            char text[CM_NUMBER_SIZE])
{
    double factor = fmin(thresholds->alpha / firmness->alpha[0], firmness->alpha[1] / thresholds->alpha);
    if (firmness->tau[0] > 0.0)
        factor = fmin(factor, thresholds->tau / firmness->tau[0]);
    if (isfinite(firmness->tau[1]))
        factor = fmin(factor, firmness->tau[1] / thresholds->tau);
    factor = fmax(factor, 1.0);
    if (factor < 9.95)
        snprintf(text, CM_NUMBER_SIZE, "%.1fx", floor(factor * 10.0) / 10.0);
    else
        snprintf(text, CM_NUMBER_SIZE, factor < 1000.0 ? "%.0fx" : ">999x", floor(factor));
    return text;
}

/* Writes a metric with its figures and definition, and remarks below. */
static void write_solved_metric(const cm_read_benchmark *benchmark, const cm_defined_metric *metric,
                                const cm_page *page, size_t name_width, bool beside)
{
    FILE *stream = page->stream;
    char figure[CM_NUMBER_SIZE] = "-", worst[CM_NUMBER_SIZE] = "-", stable[CM_NUMBER_SIZE] = "-";
    if (metric->measurable) {
        cm_figure_text(metric->backward_error, figure);
        /* The worst error, shortened to the column's width. */
        cm_percent_text(metric->check->worst, worst);
        if (strlen(worst) > WORST + 1)
            strcpy(worst, metric->check->worst < 1.0 ? "<0.01 %" : ">9999 %");
        stability_text(metric->firmness, &benchmark->listed, stable);
    }
    cm_text_write(metric->metric, stream);
    fprintf(stream, "%*s", (int)(name_width - cm_text_width(metric->metric) + CM_COLUMN_GAP), "");
    cm_page_mark(page, metric->usable ? CM_MARK_GOOD : CM_MARK_BAD);
    fprintf(stream, "%-*s", COMPOSABLE + CM_COLUMN_GAP,
            !metric->usable       ? "no"
            : !metric->composable ? "in a range"
                                  : "yes");
    cm_page_mark(page, CM_MARK_PLAIN);
    size_t indent = beside ? name_width + COMPOSABLE + ERROR + WORST + STABLE + 5 * CM_COLUMN_GAP : BELOW_INDENT;
    if (beside)
        fprintf(stream, "%-*s%-*s%-*s", ERROR + CM_COLUMN_GAP, figure, WORST + CM_COLUMN_GAP, worst,
                STABLE + CM_COLUMN_GAP, stable);
    else
        fprintf(stream, "%-*s%-*s%s\n%*s", ERROR + CM_COLUMN_GAP, figure, WORST + CM_COLUMN_GAP, worst, stable,
                BELOW_INDENT, "");
    if (metric->measurable)
        write_defined_terms(metric, page, indent);
    else
        write_unmeasurable(metric, page, indent);
    if (metric->usable)
        write_metric_limits(metric, page, indent);
    else if (metric->measurable)
        write_metric_reason(metric, benchmark->listed.residual, page, indent);
    if (differs_as_solved(metric))
        write_as_solved(metric, page, indent);
    if (metric->limited != NULL)
        write_limited_metric(metric, benchmark->max_events, page, indent);
    fputc('\n', stream);
}

void cm_metrics_table_write(const cm_read_benchmark *benchmark, const cm_page *page)
{
    size_t name_width = widest_metric_of_benchmark(benchmark);
    size_t before = name_width + COMPOSABLE + ERROR + WORST + STABLE + 5 * CM_COLUMN_GAP;
    bool beside = before + widest_term(benchmark) <= page->width;
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%-*s%-*s", (int)(name_width + CM_COLUMN_GAP), "Metric", COMPOSABLE + CM_COLUMN_GAP,
            "Composable");
    if (beside)
        fprintf(page->stream, "%-*s%-*s%-*s%s", ERROR + CM_COLUMN_GAP, "Error", WORST + CM_COLUMN_GAP, "Worst",
                STABLE + CM_COLUMN_GAP + SIGN, "Stable", "Definition");
    else
        fprintf(page->stream, "%-*s%-*s%s", ERROR + CM_COLUMN_GAP, "Error", WORST + CM_COLUMN_GAP, "Worst", "Stable");
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    for (size_t i = 0; i < benchmark->metric_count; i++)
        write_solved_metric(benchmark, &benchmark->metrics[i], page, name_width, beside);
}
