/* Findings of audits in words. */
#include "analysis/numerics.h"
#include "report/report.h"

static const double rounding_errors = 1e-9;
static const double small = 1e-3; /* smaller factors are printed in full */

/* The sentence of each kind; words in braces are placeholders. */
static const char *const sentences[CM_FINDING_COUNT] = {
    [CM_FINDING_MULTIPLE] = "{factor}",
    [CM_FINDING_OTHER_METRIC] = "measures {subject}",
    [CM_FINDING_OTHER_MULTIPLE] = "measures {factor} {subject}",
    [CM_FINDING_WEIGHTS_OF] = "has the weights of {subject}",
    [CM_FINDING_NOTHING] = "counts nothing on these kernels",
    [CM_FINDING_ALMOST_NOTHING] = "counts almost nothing on these kernels",
    [CM_FINDING_SWAPPED] = "has {subject} and {other} swapped",
    [CM_FINDING_INSTEAD] = "counts {subject} instead of {other}",
    [CM_FINDING_MISSED] = "misses {symbols}",
    [CM_FINDING_TIMES] = "counts {symbols} {factor}",
    [CM_FINDING_ONCE] = "counts {symbols} once",
    [CM_FINDING_TWICE] = "counts {symbols} twice",
    [CM_FINDING_EXTRA] = "counts {symbols} too",
    [CM_FINDING_SUBTRACTED] = "subtracts {symbols}",
    [CM_FINDING_CONSTANT] = "adds a constant {constant}",
    [CM_FINDING_ALIAS] = "{subject} is another name of {other}",
    [CM_FINDING_SUM_OF] = "{subject} is read as the sum of {list}",
    [CM_FINDING_AMBIGUOUS_EVENT] = "{subject} is ambiguous: it may be {names}",
    [CM_FINDING_NOT_LISTED] =
        ("the results list only {count} of the {total} events measured on {subject}, so an event "
         "that is not listed may exist: audit against the sweep, or against results with --events-detail all"),
    [CM_FINDING_NOISY] = "repetitions of {subject} differ by {value}, more than tau = {limit}",
    [CM_FINDING_UNEXPLAINED] = "the kernels do not explain {share} of the counts of {subject}",
    [CM_FINDING_ZERO] =
        "not tried: {subject}, which counts nothing on the kernels that ran, so its weight is not judged",
    [CM_FINDING_ZERO_HERE] = "not tried: {subject}, which counts nothing on these kernels, so its weight is not judged "
                             "(it does on those of {other})",
    [CM_FINDING_SYMBOLS_NOT_RUN] = "not tried: {symbols}, of which no kernel was run",
    [CM_FINDING_NO_COMBINATION] = "no combination of these events is right: the best misses {share} of the metric",
    [CM_FINDING_VARIABLE] = "contains {subject}, which is not an event",
    [CM_FINDING_NO_SUM] = "neither a sum of events nor a ratio of two sums",
    [CM_FINDING_NO_RATIO] = "not a ratio of two sums of events",
    [CM_FINDING_UNKNOWN_METRIC] = "the results have no metric {subject}",
    [CM_FINDING_AMBIGUOUS_METRIC] = "{subject}",
    [CM_FINDING_METRIC_NOT_RUN] = "no kernel was run that has {subject}",
    [CM_FINDING_ON_ROW] = "yields {constant} on {subject}, expected {expected}",
    [CM_FINDING_NO_VALUE] = "has no value on {subject}, expected {expected}",
    [CM_FINDING_ON_MIXTURE] = "yields {constant} on several kernels together, expected {expected}",
    [CM_FINDING_WHERE] = "so where {subject} is {constant}",
    [CM_FINDING_NOT_EXERCISED] = "not tried: {list}",
    [CM_FINDING_IN_PROGRAMS] = "median deviation {share} in {count} programs that are not kernels",
    [CM_FINDING_INDISTINGUISHABLE] = "cannot be distinguished: {subject} from {list}",
    [CM_FINDING_NO_MEANING] = "known in advance for no kernel: {subject}",
    [CM_FINDING_OTHER_SENSE] = "its name may also mean {subject}, and then it is wrong",
    [CM_FINDING_REFUSED] = "{subject}",
    [CM_FINDING_NOT_OTHER] = "but as {other} it {subject}",
    [CM_FINDING_NOT_HELD] = "not tried: the {count} control kernels of {subject}, since the results do not say what "
                            "these events count there",
    [CM_FINDING_ON_CONTROLS_ALONE] = "{subject} counts nothing on the kernels of {other} that are fitted, but on its "
                                     "control kernels, which judge its weight",
    [CM_FINDING_IN_PROGRAMS_ALONE] = "not tried: {subject} on kernels, where it counts nothing; it does in programs",
    [CM_FINDING_UNCONTROLLED] = "not tried: anything else that the kernels of {subject} do alike, since there are no "
                                "control kernels",
    [CM_FINDING_NEAR] = "off on {subject}, but too little to be sure",
};

static void write_subject(const cm_audit_finding *finding, FILE *stream)
{
    fputs(finding->subject, stream);
}

static void write_other(const cm_audit_finding *finding, FILE *stream)
{
    fputs(finding->other, stream);
}

/* "2x", "-0.5x" */
static void write_factor(const cm_audit_finding *finding, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    double size = fabs(finding->value);
    fprintf(stream, "%s%sx", finding->value < 0.0 ? "-" : "",
            cm_coefficient_text(size > small ? cm_round_coefficient(size, rounding_errors) : size, number));
}

static void write_share(const cm_audit_finding *finding, FILE *stream)
{
    char share[CM_NUMBER_SIZE];
    fputs(cm_percent_text(finding->value, share), stream);
}

static void write_value(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%.3g", finding->value);
}

static void write_constant(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%.6g", finding->value);
}

static void write_limit(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%.3g", finding->limit);
}

static void write_count(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%zu", finding->count);
}

static void write_total(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%zu", finding->total);
}

static void write_names(const cm_audit_finding *finding, FILE *stream)
{
    for (size_t i = 0; i < finding->name_count; i++)
        fprintf(stream, "%s%s", i > 0 ? " or " : "", finding->names[i]);
    fputs(finding->total > finding->name_count ? " or others" : "", stream);
}

static void write_expected(const cm_audit_finding *finding, FILE *stream)
{
    fprintf(stream, "%.6g", finding->limit);
}

static void write_list(const cm_audit_finding *finding, FILE *stream)
{
    for (size_t i = 0; i < finding->name_count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", finding->names[i]);
    if (finding->total > finding->name_count)
        fprintf(stream, ", and %zu more", finding->total - finding->name_count);
}

/* "512-bit", "all but scalar", "256-bit double precision FMA and 512-bit". */
static void write_symbols(const cm_audit_finding *finding, FILE *stream)
{
    for (size_t i = 0; i < finding->group_count; i++) {
        const cm_symbol_group *group = &finding->groups[i];
        fputs(i == 0 ? "" : i + 1 == finding->group_count ? " and " : ", ", stream);
        fputs(group->kind == CM_SYMBOLS_ALL_BUT ? "all but " : "", stream);
        for (size_t part = 0; part < group->part_count; part++)
            fprintf(stream, "%s%s",
                    part == 0                           ? ""
                    : group->kind == CM_SYMBOLS_WITHOUT ? " without "
                                                        : " ",
                    group->parts[part]);
    }
}

/* Writes the value of the placeholder `name`; returns the address of its closing brace. */
static const char *write_placeholder(const char *name, const cm_audit_finding *finding, FILE *stream)
{
    static const struct {
        const char *name;
        void (*put)(const cm_audit_finding *, FILE *);
    } rows[] = {{"subject", write_subject},  {"other", write_other},     {"factor", write_factor},
                {"share", write_share},      {"value", write_value},     {"constant", write_constant},
                {"limit", write_limit},      {"count", write_count},     {"total", write_total},
                {"names", write_names},      {"symbols", write_symbols}, {"list", write_list},
                {"expected", write_expected}};
    size_t length = strcspn(name, "}");
    for (size_t i = 0; i < CM_COUNT_OF(rows); i++)
        if (strlen(rows[i].name) == length && strncmp(rows[i].name, name, length) == 0)
            rows[i].put(finding, stream);
    return name + length;
}

void cm_findings_write(const cm_audit_finding *findings, size_t count, FILE *stream)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "; " : "", stream);
        for (const char *at = sentences[findings[i].kind]; *at != '\0'; at++)
            if (*at == '{')
                at = write_placeholder(at + 1, &findings[i], stream);
            else
                fputc(*at, stream);
    }
}

cm_status cm_findings_text(const cm_audit_finding *findings, size_t count, char **text, cm_error *error)
{
    char *written = NULL;
    FILE *stream = cm_memory_stream(&written, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    cm_findings_write(findings, count, stream);
    if (cm_memory_text(stream, &written) == NULL)
        return cm_error_no_memory(error);
    *text = written;
    return CM_OK;
}

void cm_audit_write_confounded(const cm_audited_sum *sum, FILE *stream)
{
    char names[CM_PAGE_NAMES];
    const size_t count = sum->confounded_count;
    const size_t shown = count > 0 ? cm_page_alike(sum->confounded, count, names) : 0;
    fputs(shown > 0 ? names : "", stream);
    if (count > shown)
        fprintf(stream, "; and %zu more (--format json names them)", count - shown);
}

static void write_size(double value, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    double rounded = cm_round_coefficient(fabs(value), rounding_errors);
    fprintf(stream, "%s%s", value < 0.0 && rounded > 0.0 ? "-" : "", cm_coefficient_text(rounded, number));
}

void cm_audit_write_symbols(const cm_audited_sum *sum, FILE *stream)
{
    enum { SYMBOLS = 8 };
    size_t said = 0, off = 0;
    for (size_t i = 0; i < sum->symbol_count && sum->off != NULL; i++) {
        off += sum->off[i];
        if (!sum->off[i] || said == SYMBOLS)
            continue;
        fprintf(stream, "%s%s ", said++ > 0 ? ", " : "", sum->symbols[i]);
        write_size(sum->representation[i], stream);
        fputs(" for ", stream);
        write_size(sum->signature[i], stream);
    }
    if (off > said)
        fprintf(stream, ", and %zu more", off - said);
}

/* Terms that are added first, then those that are taken away: "1000 x (2 x A - 1 x B)", "1000 x A". */
void cm_audit_write_definition(const cm_audited_sum *sum, FILE *stream)
{
    char number[CM_NUMBER_SIZE];
    double factor = sum->definition_factor;
    bool whole = sum->definition_count > 1 && fabs(factor - 1.0) > rounding_errors;
    if (whole) {
        write_size(factor, stream);
        fputs(" x (", stream);
        factor = 1.0;
    }
    for (int negative = 0, said = 0; negative <= 1; negative++)
        for (size_t i = 0; i < sum->definition_count; i++) {
            double value = factor * sum->definition[i].coefficient;
            if ((value < 0.0) != (negative == 1))
                continue;
            fprintf(stream, "%s%s x %s",
                    negative == 1 ? (said > 0 ? " - " : "-")
                    : said > 0    ? " + "
                                  : "",
                    cm_coefficient_text(fabs(value), number), sum->definition[i].event);
            said++;
        }
    fputs(whole ? ")" : "", stream);
}

static bool is_alike(const cm_audit_kernel *one, const cm_audit_kernel *other)
{
    const double same = 1e-6;
    bool counted =
        isnan(one->counted) ? isnan(other->counted) : fabs(one->counted - other->counted) <= same * fabs(one->counted);
    return counted && fabs(one->expected - other->expected) <= same * fabs(one->expected);
}

/* How many of the kernels before `end` have the same figures as this one. */
static size_t count_alike(const cm_audit_entry *entry, size_t kernel, size_t end)
{
    size_t count = 0;
    for (size_t i = 0; i < end; i++)
        count += is_alike(&entry->kernels[kernel], &entry->kernels[i]);
    return count;
}

/* Names the kernel, and its benchmark if others have a kernel of that name. */
static void write_kernel_name(const cm_audit_entry *entry, size_t kernel, FILE *stream)
{
    const cm_audit_kernel *named = &entry->kernels[kernel];
    bool others = false;
    for (size_t i = 0; i < entry->kernel_count; i++)
        others = others || (i != kernel && strcmp(entry->kernels[i].kernel, named->kernel) == 0);
    fprintf(stream, "%s%s%s", others ? named->benchmark : "", others ? " " : "", named->kernel);
}

/* Names kernels with the same figures as this one, the first of them. */
static void write_alike(const cm_audit_entry *entry, size_t kernel, FILE *stream)
{
    enum { NAMED = 3 };
    const size_t count = count_alike(entry, kernel, entry->kernel_count);
    for (size_t i = kernel, named = 0; i < entry->kernel_count && named < NAMED; i++) {
        if (!is_alike(&entry->kernels[kernel], &entry->kernels[i]))
            continue;
        named++;
        fputs(named == 1 ? "" : named == count ? " and " : ", ", stream);
        write_kernel_name(entry, i, stream);
    }
    if (count > NAMED)
        fprintf(stream, " and %zu more", count - NAMED);
}

void cm_audit_write_kernels(const cm_audit_entry *entry, FILE *stream)
{
    enum { GROUPS = 3 };
    size_t groups = 0, named = 0;
    for (size_t i = 0; i < entry->kernel_count && groups < GROUPS; i++) {
        if (count_alike(entry, i, i) > 0)
            continue;
        fputs(groups++ > 0 ? "; " : "", stream);
        if (isnan(entry->kernels[i].counted))
            fputs("no value", stream);
        else
            fprintf(stream, "%.6g", entry->kernels[i].counted);
        fprintf(stream, " for %.6g on ", entry->kernels[i].expected);
        write_alike(entry, i, stream);
        named += count_alike(entry, i, entry->kernel_count);
    }
    if (named < entry->kernel_count)
        fprintf(stream, "; off on %zu more", entry->kernel_count - named);
}
