/* Writes PAPI's event table. Its arithmetic reads integers by atoi and has no unary minus; it calculates in doubles and
 * truncates the result to an integer. So a fraction becomes a single division, at the end. */
#include "formats/papi/papi.h"

enum {
    MOST_TERMS = CM_PAPI_OLD_TERMS,
    MOST_LINE = 2046, /* LINE_MAX, less the line feed and the NUL */
    MOST_NOTE = 1000, /* PAPI keeps 1024 bytes of a text */
    LEAST_NOTE = 100,
    BEFORE_TRUST = 16,  /* bytes of a note for "catmint: " and to spare */
    MOST_SHORT = 60,    /* and 64 of a short one */
    MOST_PRESETS = 128, /* in one table */
    MOST_USER_EVENTS = 50,
};

/* Writes "N0|3|*|N1|-|2|/|": every token ends with '|'. Term i of the table is term order[i] of the definition. */
static void write_postfix(const cm_writing_item *item, int64_t denominator, FILE *stream)
{
    for (size_t i = 0; i < item->term_count; i++) {
        int64_t factor = cm_writing_numerator(item->terms[item->order[i]].coefficient, denominator);
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

/* Writes the type of a definition, and the arithmetic if it needs any. */
static void write_kind(const cm_writing_item *item, int64_t denominator, FILE *stream)
{
    size_t count = item->term_count, plus = 0, minus = 0;
    for (size_t k = 0; k < count; k++) {
        plus += item->terms[k].coefficient == 1.0;
        minus += item->terms[k].coefficient == -1.0;
    }
    if (plus == 1 && count == 1) {
        fputs("NOT_DERIVED", stream);
    } else if (plus == count) {
        fputs("DERIVED_ADD", stream);
    } else if (plus == 1 && plus + minus == count) {
        fputs("DERIVED_SUB", stream);
    } else {
        fputs("DERIVED_POSTFIX,", stream);
        write_postfix(item, denominator, stream);
    }
}

static void write_text(const char *keyword, const char *text, size_t limit, FILE *stream)
{
    if (text[0] == '\0')
        return;
    fprintf(stream, ",%s,", keyword);
    cm_writing_write(text, limit, true, stream);
}

static void write_definition(const cm_writing_item *item, int64_t denominator, const char *keyword, FILE *stream)
{
    fprintf(stream, "%s,%s,", keyword, item->name);
    write_kind(item, denominator, stream);
    for (size_t i = 0; i < item->term_count; i++)
        fprintf(stream, ",%s", item->events[item->order[i]]);
}

/* Writes a line, with as much of its note as PAPI reads. */
static cm_status write_line(cm_writing *writing, const cm_writing_item *item, int64_t denominator, bool user,
                            FILE *stream, cm_error *error)
{
    char *line = NULL;
    size_t size = 0;
    FILE *text = cm_memory_stream(&line, &size);
    if (text == NULL)
        return cm_error_no_memory(error);
    write_definition(item, denominator, user ? "EVENT" : "PRESET", text);
    if (user) {
        write_text("SDESC", item->metric, MOST_SHORT, text);
        write_text("LDESC", item->description, MOST_NOTE, text);
    }
    fputs(",NOTE,catmint: ", text);
    cm_status status = fclose(text) == 0 ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK && size + LEAST_NOTE > MOST_LINE) {
        cm_writing_refuse(writing, item, "its line would be longer than the %d bytes that PAPI reads", MOST_LINE);
    } else if (status == CM_OK) {
        size_t limit = MOST_LINE - size < MOST_NOTE ? MOST_LINE - size : MOST_NOTE;
        fputs(line, stream);
        cm_writing_write(item->trust, limit - BEFORE_TRUST, true, stream);
        fputc('\n', stream);
        writing->written++;
    }
    free(line);
    return status;
}

/* "skx" if the names of all events begin with skx::; else NULL. */
static const char *common_pmu(const cm_writing *writing, char *pmu, size_t size)
{
    size_t length = 0;
    for (size_t i = 0; i < writing->count; i++)
        for (size_t k = 0; k < writing->items[i].term_count; k++) {
            const char *event = writing->items[i].events[k], *end = strstr(event, "::");
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

/* The PMU of that type of cores; if its name is unknown, the one that the user names. */
static const char *section_of(const cm_writing *writing, const cm_core_type *core)
{
    return core->pmu[0] == '\0' && writing->cpu_count != 0 ? writing->cpus[0] : core->pmu;
}

/* CM_BAD_ARGUMENT if the PMU of a type of cores is unknown. */
static cm_status check_sections(const cm_writing *writing, cm_error *error)
{
    for (size_t i = 0; i < writing->count; i++)
        if (!good_cpu(section_of(writing, writing->items[i].core)))
            return CM_FAIL(error, CM_BAD_ARGUMENT,
                           "libpfm4's name of the PMU of the cores %s is not known, expected its name and these cores "
                           "alone, as in --core %s --cpu PMU",
                           writing->items[i].core->name, writing->items[i].core->name);
    return CM_OK;
}

/* CM_BAD_ARGUMENT if the PMU of the table is unknown, or no name of libpfm4. */
static cm_status check_cpus(const cm_writing *writing, const char *common, cm_error *error)
{
    if (writing->count > 0 && writing->items[0].core != NULL)
        return check_sections(writing, error);
    for (size_t i = 0; i < writing->cpu_count; i++)
        if (!good_cpu(writing->cpus[i]))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.200s' is not a PMU of libpfm4, expected a name like 'skx'",
                           writing->cpus[i]);
    if (writing->cpu_count == 0 && writing->count > 0 && (common == NULL || !good_cpu(common)))
        return CM_FAIL(
            error, CM_BAD_ARGUMENT,
            "the results do not say which PMU the table is for, expected its name in libpfm4, as in --cpu skx");
    return CM_OK;
}

/* The word that begins a section: CPU for processors, the component's name for others: "cuda". */
static const char *section_word(const cm_writing *writing)
{
    static const char cuda[] = "cuda:::";
    for (size_t i = 0; i < writing->count; i++)
        for (size_t k = 0; k < writing->items[i].term_count; k++)
            if (strncmp(writing->items[i].events[k], cuda, strlen(cuda)) != 0)
                return "CPU";
    return writing->count > 0 ? "cuda" : "CPU";
}

/* Writes the comment, and the section's PMUs. */
static cm_status write_head(const cm_writing *writing, bool user, FILE *stream, cm_error *error)
{
    char pmu[CM_WRITING_NAME_SIZE];
    const char *common = common_pmu(writing, pmu, sizeof pmu);
    cm_status status = check_cpus(writing, common, error);
    if (status != CM_OK)
        return status;
    fprintf(stream, "# %s\n# PAPI reads this table if %s names it.\n", writing->origin,
            user ? "PAPI_USER_EVENTS_FILE" : "PAPI_CSV_EVENT_FILE");
    if (writing->count > 0 && writing->items[0].core != NULL)
        return CM_OK; /* each type of cores has a section of its own */
    for (size_t i = 0; i < writing->cpu_count; i++)
        fprintf(stream, "%s,%s\n", section_word(writing), writing->cpus[i]);
    if (writing->cpu_count == 0 && common != NULL)
        fprintf(stream, "CPU,%s\n", common);
    return CM_OK;
}

/* Writes the table; definitions that PAPI cannot read are refused. */
static cm_status write_table(cm_writing *writing, bool user, FILE *stream, cm_error *error)
{
    size_t most = user ? MOST_USER_EVENTS : MOST_PRESETS;
    cm_status status = write_head(writing, user, stream, error);
    for (size_t i = 0; status == CM_OK && i < writing->count; i++) {
        const cm_writing_item *item = &writing->items[i];
        if (item->core != NULL && (i == 0 || item->core != writing->items[i - 1].core))
            fprintf(stream, "CPU,%s\n", section_of(writing, item->core));
        if (item->term_count > MOST_TERMS) {
            cm_writing_refuse(writing, item, "it has %zu terms, PAPI takes %d", item->term_count, MOST_TERMS);
            continue;
        }
        const char *event = NULL;
        int64_t denominator = cm_writing_denominator(item, INT32_MAX, &event);
        if (denominator == 0)
            cm_writing_refuse(writing, item,
                              "the coefficient of '%.200s' is not a fraction of integers that PAPI can read", event);
        else if (writing->written == most)
            cm_writing_refuse(writing, item, "PAPI takes %zu %s", most, user ? "user events" : "presets");
        else
            status = write_line(writing, item, denominator, user, stream, error);
    }
    return status;
}

static cm_status write_presets(cm_writing *writing, FILE *stream, cm_error *error)
{
    return write_table(writing, false, stream, error);
}

static cm_status write_user_events(cm_writing *writing, FILE *stream, cm_error *error)
{
    return write_table(writing, true, stream, error);
}

const cm_foreign_format cm_format_papi = {
    .name = "papi",
    .rules = {.title = "PAPI", .divides_unchecked = true},
    .looks = "a PAPI table (CPU and PRESET lines)",
    .beginning = CM_WORDS("CPU,", "PRESET,", "EVENT,"),
    .read = cm_papi_read,
    .content = "presets",
    .takes_cpus = true,
    .one_set = true,
    .respells = true,
    .name_metric = cm_papi_preset,
    .name_event = cm_papi_event,
    .write = write_presets,
};

const cm_foreign_format cm_format_papi_user = {
    .name = "papi-user",
    .content = "user events",
    .takes_cpus = true,
    .one_set = true,
    .respells = true,
    .name_metric = cm_name_identifier,
    .name_event = cm_papi_event,
    .write = write_user_events,
};
