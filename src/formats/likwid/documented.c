/* Compares the formulas in a group's LONG with those in METRICS. */
#include "formats/format.h"

enum { TRIALS = 2 };

static const double rounding_errors = 1e-9;

/* A line of LONG: `metric = formula`, over events instead of counters. */
struct cm_documented {
    const char *text;    /* without blanks at its ends */
    size_t line, column; /* of the text */
};

/* The names of a formula in LONG. */
typedef struct long_names {
    cm_likwid_reader *reader;
    bool several; /* a name is that of several counters */
    bool unknown; /* a name is that of none */
} long_names;

cm_status cm_documented_take(cm_likwid_reader *reader)
{
    if (!CM_GROW_BY_ONE(reader->documented, reader->documented_count))
        return cm_error_no_memory(reader->error);
    size_t blanks = strspn(reader->lines.text, " \t");
    const char *text = cm_text_trim(reader->lines.text);
    text = cm_formulas_keep(reader->formulas, text, strlen(text));
    reader->documented[reader->documented_count++] = (struct cm_documented){text, reader->lines.number, 1 + blanks};
    return text != NULL ? CM_OK : cm_error_no_memory(reader->error);
}

/* Expands the sums of a formula; the caller frees it, NULL without memory. */
static char *write_in_full(const cm_likwid_reader *reader, const char *formula)
{
    cm_likwid_counter *counters = calloc(reader->counter_count + 1, sizeof *counters);
    if (counters == NULL)
        return NULL;
    for (size_t i = 0; i < reader->counter_count; i++)
        counters[i] = (cm_likwid_counter){reader->counters[i].name, reader->counters[i].event};
    char *whole = cm_likwid_in_full(formula, counters, reader->counter_count);
    free(counters);
    return whole;
}

/* Whether the counter has this event, and the options behind it: EVENT:EDGEDETECT is counted by PMC0:EDGEDETECT. */
static bool counts_event(const cm_likwid_line *counter, const char *name)
{
    size_t length = strlen(counter->event);
    const char *options = strchr(counter->name, ':');
    if (strncmp(counter->event, name, length) != 0)
        return false;
    return name[length] == '\0' || (options != NULL && strcmp(options, name + length) == 0);
}

/* Finds the quantity of a name in LONG: an event if it is counted once, a counter in sums; time is called "runtime". */
static ptrdiff_t resolve_long_name(const char *name, void *data)
{
    static const char *const variables[] = {"time", "inverseClock", "num_numadomains", "num_sockets"};
    long_names *names = data;
    cm_likwid_reader *reader = names->reader;
    size_t found = 0, place = 0;
    if (strcmp(name, "runtime") == 0)
        name = "time";
    if (CM_IS_ONE(name, variables))
        return cm_formulas_quantity(reader->formulas, CM_QUANTITY_VARIABLE, name);
    for (size_t i = 0; i < reader->counter_count; i++)
        if (counts_event(&reader->counters[i], name)) {
            place = i;
            found++;
        }
    if (found == 0)
        place = cm_likwid_find_counter(reader, name);
    names->several =
        names->several || found > 1 || strcasecmp(name, "SUM") == 0; /* of a sum that EVENTSET spells otherwise */
    names->unknown = names->unknown || (found == 0 && place == reader->counter_count);
    return found <= 1 && place < reader->counter_count ? cm_likwid_event_quantity(reader, &reader->counters[place])
                                                       : CM_RESOLVED_NONE;
}

/* The metric of that name, of which LONG may leave the unit in brackets out; NULL if there is none. */
static const cm_formula *find_metric(const cm_formulas *formulas, const char *metric)
{
    const cm_formula *without = NULL;
    size_t length = strlen(metric);
    for (size_t i = 0; i < formulas->count; i++) {
        const char *name = formulas->formulas[i].info.metric;
        if (strcmp(name, metric) == 0)
            return &formulas->formulas[i];
        if (strncmp(name, metric, length) == 0 && strncmp(name + length, " [", 2) == 0 &&
            strchr(name + length + 2, '[') == NULL)
            without = &formulas->formulas[i];
    }
    return without;
}

/* Fills pseudo-random numbers, the same each time, beside which a 1 that guards a division is nothing. */
static void draw_values(double *values, size_t count, unsigned long long *state)
{
    for (size_t i = 0; i < count; i++) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        values[i] = 1e12 * (1.0 + (double)(*state >> 11) / 9007199254740992.0);
    }
}

/* *found: both expressions have different values for some random quantities. */
static cm_status formulas_differ(const cm_formulas *formulas, const cm_expression *one, const cm_expression *other,
                                 bool *found, cm_error *error)
{
    unsigned long long state = 1;
    double *values = calloc(formulas->quantity_count + 1, sizeof *values);
    cm_status status = values != NULL ? CM_OK : cm_error_no_memory(error);
    *found = false;
    for (int i = 0; i < TRIALS && status == CM_OK; i++) {
        double a = 0.0, b = 0.0;
        draw_values(values, formulas->quantity_count, &state);
        status = cm_expression_try(one, values, &a, error);
        CM_THEN(status, cm_expression_try(other, values, &b, error));
        *found = *found || (status == CM_OK && fabs(a - b) > rounding_errors * fmax(fabs(a), fabs(b)));
    }
    free(values);
    return status == CM_BAD_INPUT ? CM_OK : status; /* a division by zero */
}

/* Whether two words stand beside each other, as in sentences. */
static bool is_prose(const char *text)
{
    for (const char *at = text; (at = strpbrk(at, " \t")) != NULL;) {
        const char *next = at + strspn(at, " \t");
        bool word = at > text && (isalnum((unsigned char)at[-1]) || strchr("_.,;:", at[-1]) != NULL);
        if (word && (isalpha((unsigned char)*next) || *next == '_'))
            return true;
        at = next;
    }
    return false;
}

static cm_status remark_difference(const cm_likwid_reader *reader, const struct cm_documented *documented,
                                   const char *formula, const char *metric, const char *part, const char *text)
{
    size_t column = documented->column - 1 + cm_lines_column(documented->text, (size_t)(formula - documented->text));
    return cm_formulas_add_remark(reader->formulas, CM_FAULT_DOCUMENTED, documented->line, column, metric, "LONG %s%s",
                                  part, text);
}

/* Records the fault of a formula that cannot be read; sentences are left alone. */
static cm_status remark_unread(const long_names *names, const struct cm_documented *documented, const char *formula,
                               const char *metric, const cm_error *fault)
{
    char last[2] = {formula[0] != '\0' ? formula[strlen(formula) - 1] : '\0'};
    if (names->several || is_prose(formula))
        return CM_OK;
    if (last[0] != '\0' && strchr("+-*/(", last[0]) != NULL)
        return remark_difference(names->reader, documented, formula, metric, "breaks off behind ", last);
    return remark_difference(names->reader, documented, formula, metric,
                             "has no formula that fits the group: ", fault->text);
}

/* Compares the formula of a line with that of its metric. */
static cm_status check_formula(cm_likwid_reader *reader, const struct cm_documented *documented, const char *given,
                               const cm_formula *formula)
{
    const cm_expression_source source = {
        .dialect = CM_EXPRESSION_LIKWID, .name_characters = "[]", .names_are = "event"};
    const size_t line = formula->info.line;
    const char *metric = formula->info.metric;
    const cm_expression *own = formula->expression; /* names may move the formulas' quantities, not the formulas */
    long_names names = {.reader = reader};
    cm_expression *expression = NULL;
    cm_error fault = {0};
    bool found = false;
    char *whole = write_in_full(reader, given);
    if (whole == NULL)
        return cm_error_no_memory(reader->error);
    cm_status status = cm_expression_parse(whole, &source, resolve_long_name, &names, &expression, &fault);
    if (status == CM_BAD_INPUT)
        status = remark_unread(&names, documented, given, metric, &fault);
    else if (status == CM_OK)
        status = formulas_differ(reader->formulas, own, expression, &found, reader->error);
    free(whole);
    cm_expression_free(expression);
    char text[64];
    snprintf(text, sizeof text, "says otherwise than METRICS does in line %zu", line);
    return status == CM_OK && found ? remark_difference(reader, documented, given, metric, text, "") : status;
}

/* The metric whose name, with a blank behind it, begins the line; NULL if there is none. The longest name wins. */
static const cm_formula *find_beginning(const cm_formulas *formulas, const char *text)
{
    const cm_formula *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < formulas->count; i++) {
        size_t length = strlen(formulas->formulas[i].info.metric);
        if (length > longest && strncmp(formulas->formulas[i].info.metric, text, length) == 0 &&
            strchr(" \t", text[length]) != NULL && text[length] != '\0') {
            found = &formulas->formulas[i];
            longest = length;
        }
    }
    return found;
}

/* Finds a formula right behind the name of its metric. */
static cm_status check_without_sign(cm_likwid_reader *reader, const struct cm_documented *documented)
{
    const cm_expression_source source = {
        .dialect = CM_EXPRESSION_LIKWID, .name_characters = "[]", .names_are = "event"};
    const cm_formula *formula = find_beginning(reader->formulas, documented->text);
    long_names names = {.reader = reader};
    cm_expression *expression = NULL;
    cm_error fault;
    if (formula == NULL)
        return CM_OK;
    const char *metric = formula->info.metric, *given = documented->text + strlen(metric);
    given += strspn(given, " \t");
    char *whole = write_in_full(reader, given);
    if (whole == NULL)
        return cm_error_no_memory(reader->error);
    cm_status status = cm_expression_parse(whole, &source, resolve_long_name, &names, &expression, &fault);
    bool reads = status == CM_OK && cm_expression_name_count(expression) > 0;
    free(whole);
    cm_expression_free(expression);
    if (status == CM_NO_MEMORY)
        return cm_error_no_memory(reader->error);
    return reads ? remark_difference(reader, documented, given, metric, "has no '=' between the metric and its formula",
                                     "")
                 : CM_OK;
}

/* Finds the formula of a metric that METRICS does not have, of events that the group does not count: it is left from
 * another group. */
static cm_status check_without_metric(cm_likwid_reader *reader, const struct cm_documented *documented,
                                      const char *given)
{
    const cm_expression_source source = {
        .dialect = CM_EXPRESSION_LIKWID, .name_characters = "[]", .names_are = "event"};
    long_names names = {.reader = reader};
    cm_expression *expression = NULL;
    cm_error fault;
    cm_status status = cm_expression_parse(given, &source, resolve_long_name, &names, &expression, &fault);
    cm_expression_free(expression);
    if (status == CM_NO_MEMORY)
        return cm_error_no_memory(reader->error);
    if (status == CM_OK || !names.unknown || names.several || is_prose(given) || strpbrk(given, "+-*/") == NULL)
        return CM_OK;
    return remark_difference(reader, documented, given, "",
                             "explains a metric that METRICS does not have: ", fault.text);
}

/* Checks a line of LONG. */
static cm_status check_line(cm_likwid_reader *reader, const struct cm_documented *documented)
{
    const char *equals = strstr(documented->text, " = ");
    if (equals == NULL)
        return check_without_sign(reader, documented);
    size_t length = (size_t)(equals - documented->text);
    while (length > 0 && documented->text[length - 1] == ' ')
        length--;
    char *metric = strndup(documented->text, length);
    if (metric == NULL)
        return cm_error_no_memory(reader->error);
    const cm_formula *formula = find_metric(reader->formulas, metric);
    free(metric);
    const char *given = equals + strlen(" = ");
    given += strspn(given, " \t");
    if (formula == NULL)
        return check_without_metric(reader, documented, given);
    return formula->expression != NULL ? check_formula(reader, documented, given, formula) : CM_OK;
}

cm_status cm_documented_check(cm_likwid_reader *reader)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < reader->documented_count && status == CM_OK; i++)
        status = check_line(reader, &reader->documented[i]);
    return status;
}
