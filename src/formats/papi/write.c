/* PAPI's event table. Its arithmetic has integers alone, which atoi reads, and no unary minus; all of it is done in
 * doubles, and what comes out is cut off to an integer. So a fraction is one division, at the very end. */
#include "formats/writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/memory_stream.h"

enum {
    MOST_TERMS = 12,
    MOST_LINE = 2046, /* LINE_MAX, less the line feed and the zero */
    MOST_NOTE = 1000, /* PAPI keeps 1024 bytes of a text */
    LEAST_NOTE = 100,
    MOST_SHORT = 60,    /* and 64 of a short one */
    MOST_PRESETS = 128, /* in one table */
    MOST_USER_EVENTS = 50,
};

/* "N0|3|*|N1|-|2|/|": tokens end with '|', the last one too. Term i of the table is term order[i] of the definition. */
static void put_postfix(const cm_export_item *item, int64_t denominator, FILE *stream)
{
    for (size_t i = 0; i < item->metric->term_count; i++) {
        int64_t factor = cm_export_numerator(item->metric->terms[item->order[i]].coefficient, denominator);
        if (i == 0 && factor < 0)
            fputs("0|", stream);
        fprintf(stream, "N%zu|", i);
        if (llabs(factor) != 1)
            fprintf(stream, "%lld|*|", llabs(factor));
        if (i > 0 || factor < 0)
            fputs(factor < 0 ? "-|" : "+|", stream);
    }
    if (denominator != 1)
        fprintf(stream, "%lld|/|", (long long)denominator);
}

static void put_kind(const cm_export_item *item, int64_t denominator, FILE *stream)
{
    size_t count = item->metric->term_count, plus = 0, minus = 0;
    for (size_t k = 0; k < count; k++) {
        plus += item->metric->terms[k].coefficient == 1.0;
        minus += item->metric->terms[k].coefficient == -1.0;
    }
    if (plus == 1 && count == 1) {
        fputs("NOT_DERIVED", stream);
    } else if (plus == count) {
        fputs("DERIVED_ADD", stream);
    } else if (plus == 1 && plus + minus == count) {
        fputs("DERIVED_SUB", stream);
    } else {
        fputs("DERIVED_POSTFIX,", stream);
        put_postfix(item, denominator, stream);
    }
}

static void put_text(const char *keyword, const char *text, size_t limit, FILE *stream)
{
    if (text[0] == '\0')
        return;
    fprintf(stream, ",%s,", keyword);
    cm_export_put(text, limit, true, stream);
}

static void put_definition(const cm_export_item *item, int64_t denominator, const char *keyword, FILE *stream)
{
    fprintf(stream, "%s,%s,", keyword, item->name);
    put_kind(item, denominator, stream);
    for (size_t i = 0; i < item->metric->term_count; i++)
        fprintf(stream, ",%s", item->events[item->order[i]]);
}

static cm_status write_line(cm_export *export, const cm_export_item *item, int64_t denominator, bool user, FILE *stream,
                            cm_error *error)
{
    char *line = NULL, *remark = NULL;
    size_t size = 0;
    FILE *text = cm_memory_stream(&line, &size);
    if (text == NULL)
        return cm_error_no_memory(error);
    put_definition(item, denominator, user ? "EVENT" : "PRESET", text);
    if (user) {
        put_text("SDESC", item->metric->metric, MOST_SHORT, text);
        put_text("LDESC", item->metric->description, MOST_NOTE, text);
    }
    fputs(",NOTE,catmint: ", text);
    cm_status status = fclose(text) == 0 ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && size + LEAST_NOTE > MOST_LINE) {
        cm_export_refuse(export, item->metric, "its line would be longer than the %d bytes that PAPI reads", MOST_LINE);
    } else if (status == CM_OK) {
        size_t limit = MOST_LINE - size < MOST_NOTE ? MOST_LINE - size : MOST_NOTE;
        status = cm_export_remark_create(export, item->metric, limit - 16, &remark, error);
        if (status == CM_OK) {
            fprintf(stream, "%s%s\n", line, remark);
            export->summary.written++;
        }
    }
    free(remark);
    free(line);
    return status;
}

/* "skx" where the names of all events begin with skx::; else NULL. */
static const char *common_pmu(const cm_export *export, char *pmu, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < export->count; i++)
        for (size_t k = 0; k < export->items[i].metric->term_count; k++) {
            const char *event = export->items[i].events[k], *end = strstr(event, "::");
            bool first = length == 0;
            if (end == NULL || end == event || end[2] == ':' || (size_t)(end - event) >= size)
                return NULL;
            if (first)
                length = (size_t)(end - event);
            if (length != (size_t)(end - event) || (!first && strncmp(pmu, event, length) != 0))
                return NULL;
            memcpy(pmu, event, length);
            pmu[length] = '\0';
        }
    return length > 0 ? pmu : NULL;
}

static bool good_cpu(const char *cpu)
{
    bool good = cpu[0] != '\0';
    for (; *cpu != '\0'; cpu++)
        good = good && (isalnum((unsigned char)*cpu) || strchr("_-.", *cpu) != NULL);
    return good;
}

static cm_status check_cpus(const cm_export *export, const char *common, cm_error *error)
{
    const cm_export_options *options = export->options;
    for (size_t i = 0; i < options->cpu_count; i++)
        if (!good_cpu(options->cpus[i]))
            return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0,
                                "'%.200s' is not a PMU of libpfm4, expected a name like 'skx'", options->cpus[i]);
    if (options->cpu_count == 0 && export->count > 0 && (common == NULL || !good_cpu(common)))
        return cm_error_set(
            error, CM_BAD_ARGUMENT, NULL, 0, 0,
            "the results do not say which PMU the table is for, expected its name in libpfm4, as in --cpu skx");
    return CM_OK;
}

static cm_status write_head(const cm_export *export, bool user, FILE *stream, cm_error *error)
{
    char *origin = NULL, pmu[CM_EXPORT_NAME_SIZE];
    const char *common = common_pmu(export, pmu, sizeof pmu);
    cm_status status = check_cpus(export, common, error);
    if (status == CM_OK)
        status = cm_export_origin_create(export, &origin, error);
    if (status != CM_OK)
        return status;
    fprintf(stream, "# %s\n# PAPI reads this table where %s names it.\n", origin,
            user ? "PAPI_USER_EVENTS_FILE" : "PAPI_CSV_EVENT_FILE");
    for (size_t i = 0; i < export->options->cpu_count; i++)
        fprintf(stream, "CPU,%s\n", export->options->cpus[i]);
    if (export->options->cpu_count == 0 && common != NULL)
        fprintf(stream, "CPU,%s\n", common);
    free(origin);
    return CM_OK;
}

static cm_status write_table(cm_export *export, bool user, FILE *stream, cm_error *error)
{
    size_t most = user ? MOST_USER_EVENTS : MOST_PRESETS;
    cm_status status = write_head(export, user, stream, error);
    for (size_t i = 0; status == CM_OK && i < export->count; i++) {
        const cm_export_item *item = &export->items[i];
        if (item->metric->term_count > MOST_TERMS) {
            cm_export_refuse(export, item->metric, "it has %zu terms, PAPI takes %d", item->metric->term_count,
                             MOST_TERMS);
            continue;
        }
        const char *event = NULL;
        int64_t denominator = cm_export_denominator(item->metric, INT32_MAX, &event);
        if (denominator == 0)
            cm_export_refuse(export, item->metric,
                             "the coefficient of '%.200s' is not a fraction of integers that PAPI can read", event);
        else if (export->summary.written == most)
            cm_export_refuse(export, item->metric, "PAPI takes %zu %s", most, user ? "user events" : "presets");
        else
            status = write_line(export, item, denominator, user, stream, error);
    }
    return status;
}

cm_status cm_export_papi(cm_export *export, FILE *stream, cm_error *error)
{
    return write_table(export, false, stream, error);
}

cm_status cm_export_papi_user(cm_export *export, FILE *stream, cm_error *error)
{
    return write_table(export, true, stream, error);
}
