#include "report/report.h"

enum { GAP = 2, COMPOSABLE = 10, ERROR = 8, WORST = 6, STABLE = 6, SIGN = 2, BELOW_INDENT = 4, RANGE_WIDTH = 80 };

/* The width of a term without its sign, "0.8 x EVENT". */
static size_t term_width(double coefficient, const char *event)
{
    char number[CM_NUMBER_SIZE];
    return strlen(cm_coefficient_text(fabs(coefficient), number)) + strlen(" x ") + cm_text_width(event);
}

static const char *term_event(const cm_benchmark_result *result, const cm_fit *fit, size_t term)
{
    return cm_analysis_event(result->analysis, fit->events[term]).event;
}

static size_t widest_metric(const cm_benchmark_result *result)
{
    size_t widest = strlen("Metric");
    for (size_t i = 0; i < result->signatures->metric_count; i++) {
        size_t width = cm_text_width(result->signatures->metrics[i].metric);
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Writes words in the place of terms. */
static void write_note(const char *text, const cm_page *page, size_t indent)
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
    write_note(text, page, indent);
    cm_page_mark(page, CM_MARK_PLAIN);
}

static void write_unmeasurable(const cm_benchmark_result *result, size_t metric, const cm_page *page, size_t indent)
{
    char text[CM_UNMEASURABLE_SIZE];
    cm_unmeasurable_text(result, metric, text);
    write_note(text, page, indent);
}

/* The layout of one definition's terms: each follows a sign of two columns. */
typedef struct term_layout {
    size_t terms;
    size_t widest_number;
    bool one_line; /* the whole definition fits on one line */
} term_layout;

/* The layout of the terms on a page of this width. */
static term_layout lay_out(const cm_benchmark_result *result, const cm_fit *fit, size_t indent, size_t page_width)
{
    term_layout layout = {0};
    size_t width = indent;
    for (size_t k = 0; k < fit->term_count; k++) {
        if (fit->rounded[k] == 0.0)
            continue;
        char number[CM_NUMBER_SIZE];
        size_t digits = strlen(cm_coefficient_text(fabs(fit->rounded[k]), number));
        layout.widest_number = digits > layout.widest_number ? digits : layout.widest_number;
        width += (layout.terms > 0 ? 1 : 0) + SIGN + term_width(fit->rounded[k], term_event(result, fit, k));
        layout.terms++;
    }
    layout.one_line = layout.terms <= 1 || width <= page_width;
    return layout;
}

/* The width of the widest line of all definitions that take a line for each term. */
static size_t widest_term(const cm_benchmark_result *result)
{
    size_t widest = 0;
    for (size_t i = 0; i < result->signatures->metric_count; i++) {
        const cm_fit *fit = result->fits[i];
        if (fit == NULL)
            continue;
        size_t number = lay_out(result, fit, 0, 0).widest_number;
        for (size_t k = 0; k < fit->term_count; k++) {
            size_t width = SIGN + number + strlen(" x ") + cm_text_width(term_event(result, fit, k));
            if (fit->rounded[k] != 0.0 && width > widest)
                widest = width;
        }
    }
    return widest;
}

/* Writes a term; all but the first begin a line unless all fit on one. */
static void write_term(const term_layout *layout, bool first, double coefficient, const char *event, size_t indent,
                       FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    if (!first && layout->one_line)
        fputc(' ', stream);
    else if (!first)
        fprintf(stream, "\n%*s", (int)indent, "");
    fprintf(stream, "%s%*s x ",
            coefficient < 0.0 ? "- "
            : first           ? "  "
                              : "+ ",
            layout->one_line ? 0 : (int)layout->widest_number, cm_coefficient_text(fabs(coefficient), number));
    cm_text_write(event, stream);
}

/* Writes positive terms first, then negative ones: easier to read than the order of the pivoting. */
static void write_terms(const cm_benchmark_result *result, const cm_fit *fit, const cm_page *page, size_t indent)
{
    term_layout layout = lay_out(result, fit, indent, page->width);
    bool first = true;
    for (int negative = 0; negative <= 1; negative++)
        for (size_t k = 0; k < fit->term_count; k++) {
            if (fit->rounded[k] == 0.0 || (fit->rounded[k] < 0.0) != (negative == 1))
                continue;
            write_term(&layout, first, fit->rounded[k], term_event(result, fit, k), indent, page->stream);
            first = false;
        }
    double constant = 0.0;
    for (size_t k = 0; k < fit->term_count; k++)
        constant += fit->rounded[k] * cm_analysis_event(result->analysis, fit->events[k]).offset;
    if (constant != 0.0) {
        char text[64];
        snprintf(text, sizeof text, "%s %.6g per iteration, offset", constant > 0.0 ? "-" : "+", fabs(constant));
        fprintf(page->stream, "\n%*s", (int)indent, "");
        fputs(text, page->stream);
    }
    if (layout.terms == 0)
        write_note("none: no selected event contributes to it", page, indent);
}

/* Writes below the definition why it is not composable. */
static void write_reason(const cm_benchmark_result *result, size_t metric, const cm_page *page, size_t indent)
{
    const cm_fit *fit = result->fits[metric];
    const cm_thresholds *thresholds = &result->thresholds;
    char text[640 + CM_PROGRAM_WORDS];
    if (cm_validation_reason(result, metric, text, sizeof text) ||
        cm_refusal_text(result, metric, text, sizeof text) != NULL)
        ;
    else if (fit->rounded_fitness.misfit > thresholds->residual)
        snprintf(text, sizeof text, "misses %.3g %% of the metric (misfit %.3g)", 100.0 * fit->rounded_fitness.misfit,
                 fit->rounded_fitness.misfit);
    else if (fit->check.worst > thresholds->residual)
        snprintf(text, sizeof text, "is off by %.3g %% of the largest value on a kernel", 100.0 * fit->check.worst);
    else
        snprintf(text, sizeof text, "noise in the events would grow %.3g-fold (amplification)",
                 fit->rounded_fitness.amplification);
    write_dim(text, page, indent);
}

/* Writes below the definition its range, and which of its events refuse each other. */
static void write_limits(const cm_benchmark_result *result, size_t metric, const cm_page *page, size_t indent)
{
    const cm_event_group group = cm_fit_group(result, result->fits[metric]);
    cm_arena arena = {0};
    cm_filler filler = {.arena = &arena};
    cm_defined_metric filled = {0};
    if (cm_fit_is_ranged(result, metric))
        cm_fill_ranges(result->evidence->law, result->proofs[metric].open_questions, &filler, &filled);
    char *range = cm_ranges_text(filled.ranges, filled.range_count, NAN, RANGE_WIDTH - BELOW_INDENT - SIGN, NULL);
    cm_fill_together(result, &group, &filler, &filled);
    char *refusal = cm_together_refusal(&filled);
    write_dim(range, page, BELOW_INDENT);
    write_dim(refusal, page, indent);
    *page->short_of_memory |= filler.short_of_memory || (refusal == NULL && filled.refusing_count > 0);
    free(range);
    free(refusal);
    cm_arena_clear(&arena);
}

/* Whether rounding changed more than rounding errors do. */
static bool differs_as_solved(const cm_fit *fit)
{
    for (size_t k = 0; k < fit->term_count; k++)
        if (fabs(fit->coefficients[k] - fit->rounded[k]) > 1e-9 * fmax(1.0, fabs(fit->rounded[k])))
            return true;
    return false;
}

/* Writes unrounded coefficients in the order of the terms, their error, and the largest one rounded to zero. */
static void write_as_solved(const cm_fit *fit, const cm_page *page, size_t indent)
{
    char *text = NULL, figure[CM_NUMBER_SIZE];
    double left_out = 0.0;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL) {
        *page->short_of_memory = true;
        return;
    }
    fprintf(stream, "as solved, error %s:", cm_figure_text(fit->fitness.backward_error, figure));
    for (int negative = 0; negative <= 1; negative++)
        for (size_t k = 0; k < fit->term_count; k++)
            if (fit->rounded[k] != 0.0 && (fit->rounded[k] < 0.0) == (negative == 1))
                fprintf(stream, " %.6g", fit->coefficients[k]);
    for (size_t k = 0; k < fit->term_count; k++)
        if (fit->rounded[k] == 0.0)
            left_out = fmax(left_out, fabs(fit->coefficients[k]));
    if (left_out >= 1e-9)
        fprintf(stream, ", others up to %.2g", left_out);
    if (fclose(stream) == 0)
        write_dim(text, page, indent);
    else
        *page->short_of_memory = true;
    free(text);
}

/* Writes that the definition needs too many events, and the best one with fewer. */
static void write_limited(const cm_benchmark_result *result, const cm_fit *fit, const cm_definition *limited,
                          const cm_page *page, size_t indent)
{
    char *text = NULL, number[CM_NUMBER_SIZE];
    size_t size = 0, needed = 0;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL) {
        *page->short_of_memory = true;
        return;
    }
    for (size_t k = 0; k < fit->term_count; k++)
        needed += fit->rounded[k] != 0.0;
    fprintf(stream, "needs %zu events; with at most %zu error %s, misses %.3g %%, %scomposable:", needed,
            result->max_events, cm_figure_text(limited->fitness.backward_error, number),
            100.0 * limited->fitness.misfit, limited->composable ? "" : "not ");
    for (size_t k = 0; k < limited->count; k++)
        fprintf(stream, " %s%s x %s",
                limited->coefficients[k] < 0.0 ? "- "
                : k > 0                        ? "+ "
                                               : "",
                cm_coefficient_text(fabs(limited->coefficients[k]), number),
                cm_analysis_event(result->analysis, limited->events[k]).event);
    if (limited->count == 0)
        fputs(" nothing", stream);
    if (fclose(stream) == 0) {
        fprintf(page->stream, "\n%*s", (int)indent, "");
        write_note(text, page, indent);
    } else {
        *page->short_of_memory = true;
    }
    free(text);
}

/* The worst error, shortened to the column's width. */
static void worst_text(double worst, char text[CM_NUMBER_SIZE])
{
    cm_percent_text(worst, text);
    if (strlen(text) > WORST + 1)
        strcpy(text, worst < 1.0 ? "<0.01 %" : ">9999 %");
}

/* The factor by which tau or alpha may change alone and keep the definition: "1.4x", ">999x". Returns `text`. */
static char *stability_text(const cm_definition_stability *stability, const cm_thresholds *thresholds,
                            char text[CM_NUMBER_SIZE])
{
    double factor = fmin(thresholds->alpha / stability->alpha[0], stability->alpha[1] / thresholds->alpha);
    if (stability->tau[0] > 0.0)
        factor = fmin(factor, thresholds->tau / stability->tau[0]);
    if (isfinite(stability->tau[1]))
        factor = fmin(factor, stability->tau[1] / thresholds->tau);
    factor = fmax(factor, 1.0);
    if (factor < 9.95)
        snprintf(text, CM_NUMBER_SIZE, "%.1fx", floor(factor * 10.0) / 10.0);
    else
        snprintf(text, CM_NUMBER_SIZE, factor < 1000.0 ? "%.0fx" : ">999x", floor(factor));
    return text;
}

/* Writes a metric with its figures and definition, and remarks below. */
static void write_metric(const cm_benchmark_result *result, size_t metric, const cm_page *page, size_t name_width,
                         bool beside)
{
    FILE *stream = page->stream;
    const char *name = result->signatures->metrics[metric].metric;
    const cm_fit *fit = result->fits[metric];
    char figure[CM_NUMBER_SIZE] = "-", worst[CM_NUMBER_SIZE] = "-", stable[CM_NUMBER_SIZE] = "-";
    if (fit != NULL) {
        cm_figure_text(fit->rounded_fitness.backward_error, figure);
        worst_text(fit->check.worst, worst);
        stability_text(&result->stability[metric], &result->thresholds, stable);
    }
    bool composable = fit != NULL && fit->composable;
    cm_text_write(name, stream);
    fprintf(stream, "%*s", (int)(name_width - cm_text_width(name) + GAP), "");
    cm_page_mark(page, composable ? CM_MARK_GOOD : CM_MARK_BAD);
    fprintf(stream, "%-*s", COMPOSABLE + GAP,
            !composable                        ? "no"
            : cm_fit_is_ranged(result, metric) ? "in a range"
                                               : "yes");
    cm_page_mark(page, CM_MARK_PLAIN);
    size_t indent = beside ? name_width + COMPOSABLE + ERROR + WORST + STABLE + 5 * GAP : BELOW_INDENT;
    if (beside)
        fprintf(stream, "%-*s%-*s%-*s", ERROR + GAP, figure, WORST + GAP, worst, STABLE + GAP, stable);
    else
        fprintf(stream, "%-*s%-*s%s\n%*s", ERROR + GAP, figure, WORST + GAP, worst, stable, BELOW_INDENT, "");
    if (fit == NULL)
        write_unmeasurable(result, metric, page, indent);
    else
        write_terms(result, fit, page, indent);
    if (fit != NULL && !composable)
        write_reason(result, metric, page, indent);
    if (composable)
        write_limits(result, metric, page, indent);
    if (fit != NULL && differs_as_solved(fit))
        write_as_solved(fit, page, indent);
    if (result->alternatives[metric].limited != NULL)
        write_limited(result, fit, result->alternatives[metric].limited, page, indent);
    fputc('\n', stream);
}

void cm_metrics_table_write(const cm_benchmark_result *result, const cm_page *page)
{
    size_t name_width = widest_metric(result);
    size_t before = name_width + COMPOSABLE + ERROR + WORST + STABLE + 5 * GAP;
    bool beside = before + widest_term(result) <= page->width;
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%-*s%-*s", (int)(name_width + GAP), "Metric", COMPOSABLE + GAP, "Composable");
    if (beside)
        fprintf(page->stream, "%-*s%-*s%-*s%s", ERROR + GAP, "Error", WORST + GAP, "Worst", STABLE + GAP + SIGN,
                "Stable", "Definition");
    else
        fprintf(page->stream, "%-*s%-*s%s", ERROR + GAP, "Error", WORST + GAP, "Worst", "Stable");
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    for (size_t i = 0; i < result->signatures->metric_count; i++)
        write_metric(result, i, page, name_width, beside);
}
