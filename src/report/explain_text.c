/* What `explain` found, as text for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/figures.h"
#include "core/memory_stream.h"
#include "discovery/benchmark_result.h"
#include "report/explain.h"
#include "report/page.h"
#include "report/together_json.h"

enum { MOST_CONTROLS = 6 }; /* that are listed */

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));
    return text != NULL ? text : "";
}

static double real_of(const json_t *json, const char *key)
{
    const json_t *value = json_object_get(json, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* "2 x A - 1 x B"; free with free(). NULL where memory is short. */
static char *terms_text(const json_t *terms, const char *name)
{
    char *text = NULL, number[CM_NUMBER_SIZE];
    size_t size = 0, i;
    json_t *term;
    FILE *stream = cm_memory_stream(&text, &size);
    if (stream == NULL)
        return NULL;
    json_array_foreach((json_t *)terms, i, term)
    {
        double value = real_of(term, "coefficient");
        fprintf(stream, "%s%s x ", value < 0.0 ? (i == 0 ? "-" : " - ") : (i == 0 ? "" : " + "),
                cm_coefficient_text(fabs(value), number));
        fputs(text_of(term, name), stream);
    }
    if (json_array_size(terms) == 0)
        fputs("nothing", stream);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

static void put_terms(const cm_page *page, const char *label, const json_t *terms, const char *name)
{
    char *text = terms_text(terms, name);
    if (text == NULL)
        *page->short_of_memory = true;
    cm_page_labelled(page, label, text != NULL ? text : "");
    free(text);
}

/* What the symbols count, where that is known. */
static void put_words(const cm_page *page, const json_t *terms)
{
    char line[512];
    size_t i;
    json_t *term;
    bool first = true;
    json_array_foreach((json_t *)terms, i, term)
    {
        if (text_of(term, "words")[0] == '\0')
            continue;
        snprintf(line, sizeof line, "%.100s: %.400s", text_of(term, "symbol"), text_of(term, "words"));
        cm_page_labelled(page, first ? "In words" : "", line);
        first = false;
    }
}

static void put_equivalents(const cm_page *page, const json_t *equivalents, const char *label)
{
    char line[1024], number[CM_NUMBER_SIZE];
    size_t i;
    json_t *other;
    json_array_foreach((json_t *)equivalents, i, other)
    {
        double factor = real_of(other, "factor"), noise = real_of(other, "max_rnmse");
        int length = snprintf(line, sizeof line, "%.600s", text_of(other, "event"));
        if (fabs(factor - 1.0) > 1e-9)
            length += snprintf(line + length, sizeof line - (size_t)length, " = %s%s of it", factor < 0.0 ? "-" : "",
                               cm_coefficient_text(fabs(factor), number));
        snprintf(line + length, sizeof line - (size_t)length, noise == 0.0 ? ", exact" : ", noise %.3g", noise);
        cm_page_labelled(page, i == 0 ? label : "", line);
    }
}

/* In symbols, then in words. */
static void put_representation(const json_t *json, const cm_page *page)
{
    char line[64];
    const json_t *terms = json_object_get(json, "representation");
    double offset = real_of(json, "offset");
    bool constant = offset != 0.0 && json_array_size(terms) == 0;
    if (!constant)
        put_terms(page, "Measures", terms, "symbol");
    if (offset != 0.0) {
        snprintf(line, sizeof line,
                 constant ? "a constant %.6g per iteration, and nothing else" : "and a constant %.6g per iteration",
                 offset);
        cm_page_labelled(page, constant ? "Measures" : "", line);
    }
    put_words(page, terms);
}

/* "DP Ops., in benchmark cpu-flops on cpu_core" */
static void put_place(const json_t *json, const char *what, char *line, size_t size)
{
    const char *core = json_object_get(json, "core") != NULL ? text_of(json, "core") : "";
    snprintf(line, size, "%.500s, in benchmark %.200s%s%.200s", text_of(json, what), text_of(json, "benchmark"),
             core[0] != '\0' ? " on " : "", core);
}

/* Of a code, as far as a table has some. */
static void put_names(const cm_page *page, const json_t *names, const char *label)
{
    char *text = json_array_size(names) > 0 ? cm_code_names_text(names) : NULL;
    if (text != NULL)
        cm_page_labelled(page, label, text);
    else if (json_array_size(names) > 0)
        *page->short_of_memory = true;
    free(text);
}

/* On which control kernels the event counts, and what these say of what it measures. */
static void put_controls(const json_t *json, const cm_page *page)
{
    char line[1024];
    const json_t *controls = json_object_get(json, "controls"), *counted = json_object_get(controls, "counted");
    size_t i, more = json_array_size(counted) > MOST_CONTROLS ? json_array_size(counted) - MOST_CONTROLS : 0;
    json_t *one;
    int length = snprintf(line, sizeof line, "%s", json_array_size(counted) > 0 ? "counts " : "");
    json_array_foreach((json_t *)counted, i, one)
    {
        if (i < MOST_CONTROLS)
            length += snprintf(line + length, sizeof line - (size_t)length, "%s%.6g on %.100s", i > 0 ? ", " : "",
                               real_of(one, "counted"), text_of(one, "kernel"));
    }
    if (more > 0)
        snprintf(line + length, sizeof line - (size_t)length, ", and something on %zu more", more);
    if (json_array_size(counted) == 0)
        snprintf(line, sizeof line, "counts nothing on any of %lld kernels",
                 (long long)json_integer_value(json_object_get(controls, "kernels")));
    if (json_is_object(controls))
        cm_page_labelled(page, "Controls", line);
    json_array_foreach(json_object_get(json, "refuted"), i, one)
    {
        snprintf(line, sizeof line, "it is not %.200s by itself: it %.512s", text_of(one, "metric"),
                 text_of(one, "why"));
        cm_page_labelled(page, i == 0 ? "Refuted" : "", line);
    }
}

void cm_explain_put_event(const json_t *json, const cm_page *page)
{
    char line[1024], number[CM_NUMBER_SIZE];
    put_place(json, "event", line, sizeof line);
    cm_page_labelled(page, "Event", line);
    put_names(page, json_object_get(json, "names"), "Named");
    const json_t *rank = json_object_get(json, "selected_as");
    if (json_is_integer(rank))
        snprintf(line, sizeof line, "selected as number %lld: %.600s", (long long)json_integer_value(rank),
                 text_of(json, "reason"));
    else
        snprintf(line, sizeof line, "%s, not selected: %.600s", text_of(json, "status"), text_of(json, "reason"));
    cm_page_labelled(page, "Status", line);
    double noise = real_of(json, "max_rnmse"), residual = real_of(json, "residual");
    snprintf(line, sizeof line,
             isnan(noise)   ? "unknown, there is only one repetition"
             : noise == 0.0 ? "none, all repetitions are equal"
                            : "repetitions differ by up to %.3g",
             noise);
    cm_page_labelled(page, "Noise", line);
    bool zero = strcmp(text_of(json, "status"), "zero") == 0;
    if (!zero) {
        put_representation(json, page);
        snprintf(line, sizeof line, "the ideal events do not explain %s of the counts%s",
                 cm_percent_text(residual, number),
                 json_is_object(json_object_get(json, "controls")) ? " on the kernels that are fitted" : "");
        cm_page_labelled(page, "Residual", line);
    }
    put_controls(json, page);
    size_t i;
    json_t *kernel;
    json_array_foreach(json_object_get(json, "disagrees"), i, kernel)
    {
        snprintf(line, sizeof line, "%.200s: counted %.6g, represented as %.6g", text_of(kernel, "kernel"),
                 real_of(kernel, "counted"), real_of(kernel, "represented"));
        cm_page_labelled(page, i == 0 ? "Disagrees on" : "", line);
    }
    if (json_array_size(json_object_get(json, "combination")) > 0)
        put_terms(page, "Made of", json_object_get(json, "combination"), "event");
    put_equivalents(page, json_object_get(json, "equivalents"), "Equivalents");
    json_t *metric;
    json_array_foreach(json_object_get(json, "metrics"), i, metric)
        cm_page_labelled(page, i == 0 ? "Used by" : "", json_string_value(metric));
}

static void put_interval(const cm_page *page, const char *label, const json_t *ends)
{
    if (!json_is_array(ends))
        return;
    char line[128];
    const json_t *to = json_array_get(ends, 1);
    if (json_is_number(to))
        snprintf(line, sizeof line, "the same from %.3g to %.3g", json_number_value(json_array_get(ends, 0)),
                 json_number_value(to));
    else
        snprintf(line, sizeof line, "the same from %.3g on", json_number_value(json_array_get(ends, 0)));
    cm_page_labelled(page, label, line);
}

/* From where on the definition holds in natural programs; without a range, what it may leak there. */
static void put_range(const json_t *proof, const cm_page *page)
{
    char line[1024];
    size_t i;
    json_t *one;
    const json_t *ranges = json_object_get(proof, "valid_above");
    json_array_foreach(ranges, i, one)
    {
        snprintf(line, sizeof line, "%s where %.200s is above %.3g of %.200s",
                 i == 0 ? "within 10 % in natural programs" : "and", text_of(one, "fact"), real_of(one, "share"),
                 text_of(one, "per"));
        cm_page_labelled(page, i == 0 ? "Holds" : "", line);
    }
    json_array_foreach(json_object_get(proof, "leaks"), i, one)
    {
        snprintf(line, sizeof line, "at most %.3g of it an occurrence of %.200s", real_of(one, "at_most"),
                 text_of(one, "fact"));
        if (!json_is_array(ranges))
            cm_page_labelled(page, i == 0 ? "Leaks" : "", line);
    }
}

/* What the definition was held against, and what that cannot tell. */
static void put_proof(const json_t *proof, const cm_page *page)
{
    char line[1024], names[CM_PAGE_NAMES];
    size_t i;
    json_t *one;
    const json_t *controls = json_object_get(proof, "controls");
    json_array_foreach(json_object_get(proof, "symbols"), i, one)
    {
        snprintf(line, sizeof line, "%.200s: the metric has %.6g, the definition %.6g, within %.3g",
                 text_of(one, "symbol"), real_of(one, "metric"), real_of(one, "definition"), real_of(one, "limit"));
        cm_page_labelled(page, i == 0 ? "By symbol" : "", line);
    }
    if (json_is_object(controls))
        snprintf(line, sizeof line, "%lld kernels that nothing was fitted to, at worst %.3g %% off, on %.200s",
                 (long long)json_integer_value(json_object_get(controls, "kernels")),
                 100.0 * real_of(controls, "worst"), text_of(proof, "worst_control"));
    else
        snprintf(line, sizeof line, "none: not controlled");
    cm_page_labelled(page, "Controls", line);
    double resolution = real_of(proof, "resolution");
    if (!isnan(resolution)) {
        snprintf(line, sizeof line, "an overcount of %.3g %% would have been noticed", 100.0 * resolution);
        cm_page_labelled(page, "Resolution", line);
    }
    json_array_foreach(json_object_get(proof, "confounded_with"), i, one)
        cm_page_labelled(page, i == 0 ? "Confounded" : "", cm_page_names(json_string_value(one), names));
    json_array_foreach(json_object_get(proof, "also_counts"), i, one)
        cm_page_labelled(page, i == 0 ? "Also counts" : "", json_string_value(one));
    put_range(proof, page);
}

/* What became of it in programs, or in workloads. */
static void put_judged(const json_t *judged, const char *label, const cm_page *page)
{
    char line[1024], median[CM_NUMBER_SIZE], worst[CM_NUMBER_SIZE];
    if (!json_is_object(judged))
        return;
    const double most = real_of(judged, "worst");
    snprintf(line, sizeof line, "%lld that nothing was fitted to: median %s off, worst %s off%s%.400s",
             (long long)json_integer_value(json_object_get(judged, "programs")),
             cm_percent_text(real_of(judged, "median"), median), cm_percent_text(most, worst),
             most > 0.0 ? ", in " : "", most > 0.0 ? text_of(judged, "worst_program") : "");
    cm_page_labelled(page, label, line);
}

static void put_limited(const json_t *limited, const cm_page *page)
{
    char line[256];
    if (!json_is_object(limited))
        return;
    put_terms(page, "Fewer events", json_object_get(limited, "definition"), "event");
    snprintf(line, sizeof line, "misses %.3g %% of the metric, error %.3g, %scomposable",
             100.0 * real_of(limited, "misfit"), real_of(limited, "backward_error"),
             json_is_true(json_object_get(limited, "composable")) ? "" : "not ");
    cm_page_labelled(page, "", line);
}

/* Whether one event set takes the events of a definition. */
static void put_together(const json_t *json, const char *label, const cm_page *page)
{
    char *refusal = cm_together_refusal(json);
    bool yes = strcmp(text_of(json, "together"), "yes") == 0;
    cm_page_labelled(page, label,
                     refusal != NULL ? refusal
                     : yes           ? "its events can be counted as one event set"
                                     : "not known: its events were not tried as one event set");
    free(refusal);
}

static void put_alternatives(const json_t *others, const cm_page *page)
{
    size_t i;
    json_t *other;
    json_array_foreach((json_t *)others, i, other)
    {
        put_terms(page, i == 0 ? "Or" : "", json_object_get(other, "definition"), "event");
        if (strcmp(text_of(other, "together"), "no") == 0)
            put_together(other, "", page);
    }
}

void cm_explain_put_metric(const json_t *json, const cm_page *page)
{
    char line[2048];
    put_place(json, "metric", line, sizeof line);
    cm_page_labelled(page, "Metric", line);
    if (text_of(json, "description")[0] != '\0')
        cm_page_labelled(page, "", text_of(json, "description"));
    put_terms(page, "Signature", json_object_get(json, "signature"), "symbol");
    cm_page_labelled(page, "Verdict", text_of(json, "reason"));
    put_terms(page, "Definition", json_object_get(json, "definition"), "event");
    if (json_array_size(json_object_get(json, "missed")) > 0)
        put_terms(page, "Missed", json_object_get(json, "missed"), "symbol");
    size_t i;
    json_t *term;
    json_array_foreach(json_object_get(json, "definition"), i, term)
    {
        const json_t *interval = json_object_get(term, "interval");
        int length =
            snprintf(line, sizeof line, "%.600s: solved %.6g", text_of(term, "event"), real_of(term, "solved"));
        if (json_is_array(interval))
            snprintf(line + length, sizeof line - (size_t)length, ", from %.6g to %.6g with 95 %%",
                     json_number_value(json_array_get(interval, 0)), json_number_value(json_array_get(interval, 1)));
        cm_page_labelled(page, i == 0 ? "Terms" : "", line);
        put_names(page, json_object_get(term, "names"), "  named");
        put_equivalents(page, json_object_get(term, "equivalents"), "  instead");
    }
    if (json_array_size(json_object_get(json, "definition")) > 0)
        put_together(json, "Together", page);
    put_alternatives(json_object_get(json, "alternatives"), page);
    put_limited(json_object_get(json, "limited"), page);
    if (json_is_object(json_object_get(json, "proof")))
        put_proof(json_object_get(json, "proof"), page);
    put_judged(json_object_get(json, "validation"), "Programs", page);
    put_judged(json_object_get(json, "workloads"), "Workloads", page);
    put_interval(page, "Stable, alpha", json_object_get(json, "firm_alpha"));
    put_interval(page, "Stable, tau", json_object_get(json, "firm_tau"));
}
