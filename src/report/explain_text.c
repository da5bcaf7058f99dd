/* Explanations as text for people. */
#include "report/report.h"

/* Controls that are listed; lines, and symbols on a line, of a list that is cut. */
enum { MOST_CONTROLS = 6, SOME_CONTROLS = 3, LINES = 2, PARTS = 12, WORDS = 3 };

/* Terms of any structure, with the offsets of name and coefficient. */
typedef struct term_list {
    const void *items;
    size_t count, size, name, coefficient;
} term_list;

#define TERMS(items_, count_, type, name_, coefficient_)                                                               \
    &(const term_list)                                                                                                 \
    {                                                                                                                  \
        items_, count_, sizeof(type), offsetof(type, name_), offsetof(type, coefficient_)                              \
    }
#define SYMBOLS(list) TERMS((list).parts, (list).count, cm_symbol_part_of, symbol, coefficient)

/* "2 x A - 1 x B"; free with free(). NULL if memory runs out. */
static char *terms_text(const cm_page *page, const term_list *terms)
{
    const size_t shown = cm_page_shown(page, terms->count, PARTS);
    char *text = NULL, number[CM_NUMBER_SIZE];
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return NULL;
    for (size_t i = 0; i < shown; i++) {
        const char *item = (const char *)terms->items + i * terms->size;
        double value = *(const double *)(const void *)(item + terms->coefficient);
        fprintf(stream, "%s%s x %s", value < 0.0 ? (i == 0 ? "-" : " - ") : (i == 0 ? "" : " + "),
                cm_coefficient_text(fabs(value), number), *(const char *const *)(const void *)(item + terms->name));
    }
    if (terms->count == 0)
        fputs("nothing", stream);
    if (shown < terms->count)
        fprintf(stream, " and %zu more", terms->count - shown);
    return cm_memory_text(stream, &text);
}

static void write_term_list(const cm_page *page, const char *label, const term_list *terms)
{
    char *text = terms_text(page, terms);
    if (text == NULL)
        *page->short_of_memory = true;
    cm_page_labelled(page, label, text != NULL ? text : "");
    free(text);
}

/* Writes descriptions of the symbols that have one. */
static void write_words(const cm_page *page, const cm_symbol_list *symbols)
{
    bool first = true;
    const size_t shown = cm_page_shown(page, symbols->count, WORDS);
    for (size_t i = 0; i < shown; i++) {
        const cm_symbol_part_of *part = &symbols->parts[i];
        if (part->words == NULL || part->words[0] == '\0')
            continue;
        cm_page_write_labelled(page, first ? "In words" : "", "%.100s: %.400s", part->symbol, part->words);
        first = false;
    }
    cm_page_rest(page, symbols->count - shown, "symbols");
}

/* The events that count the same as a term's, with their factors and their noise. */
static void write_equivalents(const cm_page *page, const cm_defined_equivalent *equivalents, size_t count,
                              const char *label)
{
    char line[1024], number[CM_NUMBER_SIZE];
    const size_t shown = cm_page_shown(page, count, 1);
    for (size_t i = 0; i < shown; i++) {
        double factor = equivalents[i].factor, noise = equivalents[i].max_rnmse;
        snprintf(line, sizeof line, "%.600s", equivalents[i].event);
        if (fabs(factor - 1.0) > 1e-9)
            cm_text_append(line, sizeof line, "", " = %s%s of it", factor < 0.0 ? "-" : "",
                           cm_coefficient_text(fabs(factor), number));
        cm_text_append(line, sizeof line, "", noise == 0.0 ? ", exact" : ", noise %.3g", noise);
        cm_page_labelled(page, i == 0 ? label : "", line);
    }
    cm_page_rest(page, count - shown, "events that count the same");
}

/* Writes the representation in symbols, then in words. */
static void write_representation(const cm_explained_event *event, const cm_page *page)
{
    double offset = event->offset;
    bool constant = offset != 0.0 && event->representation.count == 0;
    if (!constant)
        write_term_list(page, "Measures", SYMBOLS(event->representation));
    if (offset != 0.0) {
        cm_page_write_labelled(
            page, constant ? "Measures" : "",
            constant ? "a constant %.6g per iteration, and nothing else" : "and a constant %.6g per iteration", offset);
    }
    write_words(page, &event->representation);
}

/* "DP Ops., in benchmark cpu-flops on cpu_core" */
static void write_place(const cm_page *page, const char *label, const char *name, const char *benchmark,
                        const char *core)
{
    cm_page_write_labelled(page, label, "%.500s, in benchmark %.200s%s%.200s", name, benchmark,
                           core[0] != '\0' ? " on " : "", core);
}

/* Writes one text a line, the label before the first. */
static void write_texts(const cm_page *page, const char *label, const char *const *texts, size_t count)
{
    const size_t shown = cm_page_shown(page, count, LINES);
    for (size_t i = 0; i < shown; i++)
        cm_page_labelled(page, i == 0 ? label : "", texts[i]);
    cm_page_rest(page, count - shown, "");
}

/* Writes the names that a table has for a code. */
static void write_names_of_code(const cm_page *page, const char *const *names, size_t count, const char *label)
{
    char *text = NULL;
    FILE *stream = count > 0 ? cm_page_begin_text(page, &text) : NULL;
    for (size_t i = 0; stream != NULL && i < count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", names[i]);
    if (stream != NULL && cm_page_end_text(page, stream, &text) != NULL)
        cm_page_labelled(page, label, text);
    free(text);
}

/* Writes the control kernels on which the event counts, and the metrics that these refute. */
static void write_counted_controls(const cm_explained_event *event, const cm_page *page)
{
    char line[1024];
    const size_t most = page->cut != NULL ? SOME_CONTROLS : MOST_CONTROLS;
    size_t count = event->counted_count, more = count > most ? count - most : 0;
    snprintf(line, sizeof line, "%s", count > 0 ? "counts " : "");
    for (size_t i = 0; i < count && i < most; i++)
        cm_text_append(line, sizeof line, i > 0 ? ", " : "", "%.6g on %.100s", event->counted[i].counted,
                       event->counted[i].kernel);
    if (more > 0)
        cm_text_append(line, sizeof line, "", ", and something on %zu more", more);
    if (count == 0)
        snprintf(line, sizeof line, "counts nothing on any of %zu kernels", event->control_count);
    if (event->control_count > 0)
        cm_page_labelled(page, "Controls", line);
    const size_t shown = cm_page_shown(page, event->refuted_count, LINES);
    for (size_t i = 0; i < shown; i++) {
        cm_refuted_text(&event->refuted[i], page->cut == NULL, line, sizeof line);
        cm_page_labelled(page, i == 0 ? "Not alone" : "", line);
    }
    cm_page_rest(page, event->refuted_count - shown, "metrics that it does not count alone");
}

/* Writes whether the event is selected and why, and its noise, which of zero is none of its own. */
static void write_status(const cm_explained_event *event, const cm_page *page)
{
    char line[1024];
    double noise = event->max_rnmse;
    if (event->selected_as > 0)
        snprintf(line, sizeof line, "selected as number %zu: %.600s", event->selected_as, event->reason);
    else
        snprintf(line, sizeof line, "%s, not selected: %.600s", cm_event_status_text(event->status), event->reason);
    cm_page_labelled(page, "Status", line);
    if (event->status != CM_EVENT_ZERO)
        cm_page_write_labelled(page, "Noise",
                               isnan(noise)   ? "unknown, there is only one repetition"
                               : noise == 0.0 ? "none, all repetitions are equal"
                                              : "repetitions differ by up to %.3g",
                               noise);
}

void cm_explain_write_event(const cm_explained_event *event, const cm_page *page)
{
    char number[CM_NUMBER_SIZE];
    write_place(page, "Event", event->event, event->benchmark, event->core);
    write_names_of_code(page, event->names, event->name_count, "Named");
    write_status(event, page);
    if (event->status != CM_EVENT_ZERO) {
        write_representation(event, page);
        cm_page_write_labelled(page, "Residual", "the ideal events do not explain %s of the counts%s",
                               cm_percent_text(event->residual, number),
                               event->control_count > 0 ? " on the kernels that are fitted" : "");
    }
    write_counted_controls(event, page);
    const size_t disagreements = cm_page_shown(page, event->disagreement_count, LINES);
    for (size_t i = 0; i < disagreements; i++) {
        const cm_explained_kernel *kernel = &event->disagreements[i];
        cm_page_write_labelled(page, i == 0 ? "Disagrees on" : "", "%.200s: counted %.6g, represented as %.6g",
                               kernel->kernel, kernel->counted, kernel->represented);
    }
    cm_page_rest(page, event->disagreement_count - disagreements, "kernels");
    if (event->term_count > 0)
        write_term_list(page, "Made of",
                        TERMS(event->terms, event->term_count, cm_explained_term, rounded.event, rounded.coefficient));
    write_equivalents(page, event->equivalents, event->equivalent_count, "Equivalents");
    write_texts(page, "Used by", event->metrics, event->metric_count);
}

static void write_interval(const cm_page *page, const char *label, const double *ends)
{
    if (ends == NULL)
        return;
    cm_page_write_labelled(page, label, isfinite(ends[1]) ? "the same from %.3g to %.3g" : "the same from %.3g on",
                           ends[0], ends[1]);
}

/* Whether the definition counts the symbol as the metric has it. */
static bool is_met(const cm_explained_symbol *symbol)
{
    return fabs(symbol->definition - symbol->metric) <= 1e-9 * fabs(symbol->metric);
}

/* Writes the symbols; in a list that is cut those that the definition counts as the metric has them are a number. */
static void write_explained_symbols(const cm_explained_metric *explained, const cm_page *page)
{
    const char *label = "By symbol";
    size_t met = 0, listed = 0, left = 0;
    for (size_t i = 0; i < explained->symbol_count; i++)
        met += is_met(&explained->symbols[i]);
    const bool cut = page->cut != NULL && met > 1;
    for (size_t i = 0; i < explained->symbol_count; i++) {
        const cm_explained_symbol *symbol = &explained->symbols[i];
        if (cut && is_met(symbol))
            continue;
        if (page->cut != NULL && listed == LINES) {
            left++;
            continue;
        }
        cm_page_write_labelled(page, listed++ == 0 ? label : "",
                               "%.200s: the metric has %.6g, the definition %.6g, within %.3g", symbol->symbol,
                               symbol->metric, symbol->definition, symbol->limit);
    }
    if (cut)
        cm_page_write_labelled(page, listed == 0 ? label : "",
                               "%zu %s%s: the definition counts %s as the metric has %s", met,
                               listed > 0 ? "other " : "", cm_plural(met, "symbol", "symbols"),
                               cm_plural(met, "it", "them"), cm_plural(met, "it", "them"));
    if (cut || left > 0)
        *page->cut = true;
    cm_page_rest(page, left, "that it counts otherwise");
}

enum { CONFOUNDED_LINES = 2 };

/* Writes the facts that nothing separates from the metric: of a list that is cut, a line for their common part. */
static void write_confounded(const cm_defined_metric *metric, const cm_page *page)
{
    char names[CM_PAGE_NAMES];
    size_t shown = 0;
    for (size_t line = 0; shown < metric->confounded_count && (page->cut == NULL || line < CONFOUNDED_LINES); line++) {
        const char *const *texts = metric->confounded + shown;
        const size_t alike = page->cut != NULL ? cm_page_alike(texts, metric->confounded_count - shown, names) : 1;
        cm_page_labelled(page, line == 0 ? "Confounded" : "", page->cut != NULL ? names : texts[0]);
        shown += alike;
        if (page->cut != NULL)
            *page->cut |= alike > CM_PAGE_ALIKE || shown < metric->confounded_count;
    }
    cm_page_rest(page, metric->confounded_count - shown + metric->confounded_more, "that no kernel separates");
}

/* Writes a line each for range and leaks. */
static void write_range(const cm_defined_metric *metric, const cm_page *page)
{
    const size_t width = page->cut != NULL ? page->width - CM_PAGE_LABEL : SIZE_MAX;
    char *range = cm_ranges_text(metric->ranges, metric->range_count, NAN, width, page->cut);
    char *leaks = cm_leaks_text(metric->leaks, metric->leak_count, width, page->cut);
    *page->short_of_memory |= (range == NULL && metric->range_count > 0) || (leaks == NULL && metric->leak_count > 0);
    if (range != NULL)
        cm_page_labelled(page, "Holds", range);
    if (leaks != NULL)
        cm_page_labelled(page, "Leaks", leaks);
    CM_FREE(range, leaks);
}

/* Writes the evidence for the definition: its symbols, its controls, and the facts that these cannot separate. */
static void write_proof(const cm_explained_metric *explained, const cm_page *page)
{
    char line[1024];
    const cm_defined_metric *metric = &explained->metric;
    write_explained_symbols(explained, page);
    if (metric->controls != NULL)
        snprintf(line, sizeof line, "%zu %s not used for fitting, at worst %.3g %% off, on %.200s",
                 metric->controls->kernels,
                 cm_plural(metric->controls->kernels, "kernel that was", "kernels that were"),
                 100.0 * metric->controls->worst, explained->worst_control);
    else
        snprintf(line, sizeof line, "none: not controlled");
    cm_page_labelled(page, "Controls", line);
    if (!isnan(metric->resolution)) {
        cm_page_write_labelled(page, "Resolution", "an overcount of %.3g %% would have been noticed",
                               100.0 * metric->resolution);
    }
    write_confounded(metric, page);
    write_texts(page, "Also counts", metric->also_counts, metric->also_count);
    write_range(metric, page);
}

/* Writes the verdict of programs, or of workloads. */
static void write_judged(const cm_defined_trial *trial, const char *label, const cm_page *page)
{
    char median[CM_NUMBER_SIZE], worst[CM_NUMBER_SIZE];
    if (trial == NULL)
        return;
    cm_page_write_labelled(page, label, "%zu that were not used for fitting: median %s off, worst %s off%s%.400s",
                           trial->programs, cm_percent_text(trial->median, median),
                           cm_percent_text(trial->worst, worst), trial->worst > 0.0 ? ", in " : "",
                           trial->worst > 0.0 ? trial->worst_program : "");
}

static void write_fewer_events(const cm_defined_metric *limited, const cm_page *page)
{
    if (limited == NULL)
        return;
    write_term_list(page, "Fewer events",
                    TERMS(limited->terms, limited->term_count, cm_defined_term, event, coefficient));
    cm_page_write_labelled(page, "", "misses %.3g %% of the metric, error %.3g, %scomposable", 100.0 * limited->misfit,
                           limited->backward_error, limited->composable ? "" : "not ");
}

/* Writes whether the events of a definition fit one event set. */
static void write_together(const cm_defined_metric *metric, const char *label, const cm_page *page)
{
    char *refusal = cm_together_refusal(metric);
    *page->short_of_memory |= refusal == NULL && metric->refusing_count > 0;
    const char *known = metric->together == CM_TOGETHER_YES ? "its events can be counted as one event set"
                                                            : "not known: its events were not tried as one event set";
    cm_page_labelled(page, label, refusal != NULL ? refusal : known);
    free(refusal);
}

/* A term of the definition: its coefficient as it was solved, other names and equivalent events. */
static void write_explained_term(const cm_explained_term *term, const char *label, const cm_page *page)
{
    char line[1024];
    const double *interval = term->rounded.interval;
    snprintf(line, sizeof line, "%.600s: solved %.6g", term->rounded.event, term->solved);
    if (interval != NULL)
        cm_text_append(line, sizeof line, "", ", from %.6g to %.6g with 95 %%", interval[0], interval[1]);
    cm_page_labelled(page, label, line);
    write_names_of_code(page, term->names, term->name_count, "  named");
    write_equivalents(page, term->rounded.equivalents, term->rounded.equivalent_count, "  instead");
}

/* The other definitions of a metric, as many as the page has room for. */
static void write_others(const cm_defined_metric *metric, const cm_page *page)
{
    const size_t shown = cm_page_shown(page, metric->alternative_count, 1);
    for (size_t i = 0; i < shown; i++) {
        write_term_list(page, i == 0 ? "Or" : "",
                        TERMS(metric->alternatives[i].terms, metric->alternatives[i].term_count, cm_defined_term, event,
                              coefficient));
        if (metric->alternatives[i].together == CM_TOGETHER_NO)
            write_together(&metric->alternatives[i], "", page);
    }
    cm_page_rest(page, metric->alternative_count - shown, "definitions");
    write_fewer_events(metric->limited, page);
}

void cm_explain_write_metric(const cm_explained_metric *explained, const cm_page *page)
{
    const cm_defined_metric *metric = &explained->metric;
    write_place(page, "Metric", metric->metric, metric->benchmark, metric->core);
    if (metric->description[0] != '\0')
        cm_page_labelled(page, "", metric->description);
    write_term_list(page, "Signature", SYMBOLS(explained->signature));
    cm_page_labelled(page, "Verdict", explained->reason);
    write_term_list(
        page, "Definition",
        TERMS(explained->terms, explained->term_count, cm_explained_term, rounded.event, rounded.coefficient));
    if (explained->missed.count > 0)
        write_term_list(page, "Missed", SYMBOLS(explained->missed));
    const size_t terms = cm_page_shown(page, explained->term_count, LINES);
    for (size_t i = 0; i < terms; i++)
        write_explained_term(&explained->terms[i], i == 0 ? "Terms" : "", page);
    cm_page_rest(page, explained->term_count - terms, "terms");
    if (explained->term_count > 0)
        write_together(metric, "Together", page);
    write_others(metric, page);
    if (explained->symbols != NULL)
        write_proof(explained, page);
    write_judged(metric->programs, "Programs", page);
    write_judged(metric->workloads, "Workloads", page);
    write_interval(page, "Stable, alpha", explained->firm.alpha);
    write_interval(page, "Stable, tau", explained->firm.tau);
}
