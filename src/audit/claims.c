/* The metrics that a formula's name claims. */
#include "audit/audit.h"

/* The metric of this name in the results, with its meaning; the text is `length` bytes long. */
static cm_status find_metric(cm_audit *audit, const char *name, size_t length, cm_claimed_metric *metric,
                             cm_claims *claims, cm_error *error)
{
    cm_error several;
    char *copy = cm_arena_allocate(&audit->arena, length + 1);
    if (copy == NULL)
        return cm_error_no_memory(error);
    memcpy(copy, name, length);
    copy[length] = '\0';
    *metric = (cm_claimed_metric){.name = copy};
    cm_status status = cm_definitions_resolve(audit->definitions, copy, &metric->metric, &several);
    metric->meaning = cm_meanings_find(&audit->meanings, metric->metric != NULL ? metric->metric->metric : copy);
    if (metric->metric == NULL && metric->meaning != NULL)
        metric->name = metric->meaning->metric;
    if (status == CM_OK)
        return CM_OK;
    if (status == CM_BAD_INPUT)
        claims->ambiguity = cm_arena_text(&audit->arena, several.text);
    return status == CM_BAD_INPUT && claims->ambiguity != NULL ? CM_OK : cm_error_no_memory(error);
}

static bool is_known(const cm_claimed_metric *metric)
{
    return metric->metric != NULL || metric->meaning != NULL;
}

/* "1e-06 line L1 Misses": a factor that is of each line's bytes; true if it is. */
static bool take_line(const char **text, size_t *length)
{
    static const char line[] = "line ";
    bool is_line = *length > strlen(line) && strncmp(*text, line, strlen(line)) == 0;
    *text += is_line ? strlen(line) : 0;
    *length -= is_line ? strlen(line) : 0;
    return is_line;
}

/* "1000 L1 Misses / Instructions": a factor, a metric, and perhaps another below it. A map's text has them all, a name
 * of a formula is a metric. */
static cm_status add_claim(cm_audit *audit, const char *text, size_t length, bool mapped, cm_claims *claims,
                           cm_error *error)
{
    static const char over[] = " / ";
    const size_t usual_line = 64, line = audit->definitions->line_size;
    cm_claimed_quantity claim = {.factor = NAN, .mapped = mapped};
    double factor = 1.0;
    size_t number = mapped ? cm_number_prefix(text, &factor) : 0;
    if (number > 0 && text[number] == ' ') {
        claim.factor = factor;
        text += number + 1;
        length -= number + 1;
        if (take_line(&text, &length))
            claim.factor *= (double)(line != 0 ? line : usual_line);
    }
    const char *slash = mapped ? memmem(text, length, over, strlen(over)) : NULL;
    size_t above = slash != NULL ? (size_t)(slash - text) : length;
    cm_status status = find_metric(audit, text, above, &claim.numerator, claims, error);
    if (status == CM_OK && slash != NULL)
        status =
            find_metric(audit, slash + strlen(over), length - above - strlen(over), &claim.denominator, claims, error);
    bool whole = is_known(&claim.numerator) && (slash == NULL || is_known(&claim.denominator));
    if (status == CM_OK && whole && claims->count < CM_MOST_CLAIMS)
        claims->items[claims->count++] = claim;
    return status;
}

static const char otherwise[] = " || ";

/* All that a map's text names up to `stop`, with " | " between, or why there is nothing. */
static cm_status add_mapped(cm_audit *audit, const char *text, const char *stop, cm_claims *claims, cm_error *error)
{
    static const char between[] = " | ", none[] = "none: ";
    cm_status status = CM_OK;
    if (strncmp(text, none, strlen(none)) == 0) {
        claims->none = text + strlen(none);
        return CM_OK;
    }
    for (const char *begin = text; begin != NULL && status == CM_OK;) {
        const char *end = memmem(begin, (size_t)(stop - begin), between, strlen(between));
        status = add_claim(audit, begin, (size_t)((end != NULL ? end : stop) - begin), true, claims, error);
        begin = end != NULL ? end + strlen(between) : NULL;
    }
    if (claims->count == 0)
        claims->unknown = text;
    return status;
}

/* The map that ships for a format; NULL: none. */
static const cm_pairs *map_of(const cm_audit *audit, const char *format)
{
    const size_t i = CM_FIND_BY(format, format, audit->shipped, CM_SHIPPED_MAPS);
    return i < CM_SHIPPED_MAPS ? audit->shipped[i].pairs : NULL;
}

static bool is_in_results(const cm_claims *claims)
{
    bool found = false;
    for (size_t i = 0; i < claims->count; i++)
        found = found || claims->items[i].numerator.metric != NULL;
    return found;
}

cm_status cm_audit_find_claims(cm_audit *audit, const cm_formulas *formulas, const cm_formula_info *info,
                               cm_claims *claims, cm_error *error)
{
    *claims = (cm_claims){0};
    const char *text = cm_pairs_match(audit->map, info->section, info->metric);
    if (text == NULL)
        text = cm_pairs_match(map_of(audit, cm_formulas_format(formulas)), info->section, info->metric);
    const char *rest = text != NULL ? strstr(text, otherwise) : NULL, *end = text != NULL ? text + strlen(text) : NULL;
    cm_status status = CM_OK;
    if (text != NULL)
        status = add_mapped(audit, text, rest != NULL ? rest : end, claims, error);
    else if (info->preset[0] != '\0')
        status = add_claim(audit, info->preset, strlen(info->preset), false, claims, error);
    bool unnamed = text == NULL ? claims->count == 0 && claims->ambiguity == NULL
                                : claims->count > 0 && !is_in_results(claims); /* they may define it otherwise */
    if (status == CM_OK && unnamed)
        status = add_claim(audit, info->metric, strlen(info->metric), false, claims, error);
    claims->usual = claims->count;
    if (status == CM_OK && rest != NULL && claims->count > 0)
        status = add_mapped(audit, rest + strlen(otherwise), end, claims, error);
    return status;
}
