/* events.csv: event,description,expression[,code][,source]; uncore.csv: event,description,expression,background. */
#include "software_pmu/machine/facts.h"
#include "software_pmu/model/model.h"

enum { NAME, DESCRIPTION, EXPRESSION, CODE, BACKGROUND = CODE, EVENT_COLUMNS };

/* Words instead of an expression. */
static const char is_unknown[] = "unknown", is_none[] = "none";

/* PAPI adds "sde:::<model>::" and has 128 bytes for the whole name. */
enum { LONGEST_NAME = 96 };

/* More than any memory controller counts. */
static const double MOST_BACKGROUND = 1e6;

static void clear_event(cm_model_event *event)
{
    CM_FREE(event->name, event->description);
    cm_expression_free(event->expression);
}

static void clear_unknown(cm_model_names *unknown)
{
    cm_free_list(unknown->items, unknown->count);
    *unknown = (cm_model_names){0};
}

void cm_model_events_clear(cm_model_events *events)
{
    for (size_t i = 0; i < events->count; i++)
        clear_event(&events->events[i]);
    clear_unknown(&events->unknown);
    CM_FREE(events->events, events->conflicts);
    *events = (cm_model_events){0};
}

cm_status cm_model_events_take(cm_model_events *events, cm_model_events *others, cm_error *error)
{
    cm_model_event *all = realloc(events->events, (events->count + others->count + 1) * sizeof *all);
    if (all == NULL)
        return cm_error_no_memory(error);
    events->events = all;
    events->capacity = events->count + others->count + 1;
    for (size_t i = 0; i < others->count; i++) {
        const size_t at = CM_FIND_BY(name, others->events[i].name, all, events->count);
        const cm_model_event old = at < events->count ? all[at] : (cm_model_event){0};
        all[at] = others->events[i];
        others->events[i] = old;
        events->count += at == events->count;
    }
    cm_model_events_clear(others);
    return CM_OK;
}

/* An error for a name that PAPI or tables cannot hold. */
static cm_status check_name(const cm_csv *csv, const cm_csv_row *row, cm_error *error)
{
    const char *name = row->fields[NAME];
    const char *problem = NULL;
    if (name[0] == '\0')
        problem = "the event has no name";
    else if (strlen(name) > LONGEST_NAME)
        problem = "the event's name has more than 96 characters";
    else if (strcmp(name, "iterations") == 0)
        problem = "'iterations' cannot name an event: measurements use it for the kernels' iterations";
    for (const char *at = name; *at != '\0' && problem == NULL; at++)
        if (*at <= ' ' || *at > '~' || strchr(",\"'", *at) != NULL)
            problem = "the event's name holds a blank, comma, quote or a character beyond ASCII";
    return problem == NULL ? CM_OK : CM_CSV_FAULT(csv, row->line, error, "%s", problem);
}

static ptrdiff_t resolve_fact(const char *name, void *data)
{
    (void)data;
    return cm_fact_find(name);
}

/* Parses the expression, whose values must stay finite for facts up to the largest that doubles count exactly. */
static cm_status take_expression(const cm_csv *csv, const cm_csv_row *row, cm_model_event *event, cm_error *error)
{
    cm_expression_source source = {.names_are = "fact"};
    cm_status status =
        cm_expression_parse_field(csv, row, EXPRESSION, &source, resolve_fact, NULL, &event->expression, error);
    double values[CM_FACT_COUNT];
    for (size_t i = 0; i < CM_FACT_COUNT; i++)
        values[i] = 0x1p53;
    if (status == CM_OK && !isfinite(cm_expression_evaluate(event->expression, values)))
        status = CM_CSV_FAULT(csv, row->line, error, "the value of '%.80s' overflows if facts are large",
                              row->fields[EXPRESSION]);
    return status;
}

static bool has_codes(const cm_csv *csv)
{
    return cm_csv_find_column(csv, "code") == CODE;
}

/* Takes the event's own code, or its name if that is a code. */
static cm_status take_code(const cm_csv *csv, const cm_csv_row *row, cm_model_events *events, cm_model_event *event,
                           cm_error *error)
{
    const char *text = has_codes(csv) ? row->fields[CODE] : "";
    size_t in_name = cm_model_code_parse(row->fields[NAME], &event->code);
    size_t parts = text[0] != '\0' ? cm_model_code_parse(text, &event->code) : in_name;
    events->named_by_code |= in_name != 0;
    if (text[0] != '\0' && parts == 0)
        return CM_CSV_FAULT(csv, row->line, error,
                            "'%.40s' is no code: expected an event, and behind a colon its unit mask, as in 0xc7:0x10",
                            text);
    if (parts != 0 && events->code_parts != 0 && parts != events->code_parts)
        return CM_CSV_FAULT(csv, row->line, error, "the code of '%.80s' has %zu part%s, expected %zu as before",
                            row->fields[NAME], parts, parts > 1 ? "s" : "", events->code_parts);
    if (events->named_by_code && in_name == 0)
        return CM_CSV_FAULT(csv, row->line, error,
                            "'%.80s' is a name, expected codes throughout: events before it are named by code",
                            row->fields[NAME]);
    events->code_parts = parts != 0 ? parts : events->code_parts;
    event->has_code = parts != 0;
    events->codes += parts != 0;
    return CM_OK;
}

static cm_status take_background(const cm_csv *csv, const cm_csv_row *row, cm_model_event *event, cm_error *error)
{
    cm_status status = cm_csv_number(csv, row, BACKGROUND, &event->background, error);
    if (status != CM_OK || (event->background >= 0.0 && event->background <= MOST_BACKGROUND))
        return status;
    return CM_CSV_FAULT(csv, row->line, error, "the background of '%.80s' is %s, expected 0 to %g", row->fields[NAME],
                        row->fields[BACKGROUND], MOST_BACKGROUND);
}

static void sum_up(const cm_csv *csv, const cm_csv_row *row, cm_model_scope scope, cm_model_events *events)
{
    static const size_t fields[] = {NAME, EXPRESSION, CODE};
    const size_t count = scope == CM_SCOPE_SOCKET || has_codes(csv) ? 3 : 2;
    for (size_t i = 0; i < count; i++) {
        const char *text = row->fields[fields[i]];
        events->checksum = cm_checksum(events->checksum, text, strlen(text) + 1);
    }
}

static cm_status append_event(cm_model_events *events, const cm_model_event *event, cm_error *error)
{
    if (!CM_GROW(events->events, events->count + 1, &events->capacity))
        return cm_error_no_memory(error);
    events->events[events->count++] = *event;
    return CM_OK;
}

static void take_away(cm_model_events *events, size_t at)
{
    events->codes -= events->events[at].has_code;
    clear_event(&events->events[at]);
    memmove(&events->events[at], &events->events[at + 1], (events->count - at - 1) * sizeof events->events[at]);
    events->count--;
}

/* Lists the name among the events whose meaning is not known, or not any more. */
static cm_status note_unknown(cm_model_names *unknown, const char *name, bool is_unknown_now, cm_error *error)
{
    const size_t at = CM_FIND(name, unknown->items, unknown->count);
    bool listed = at < unknown->count;
    if (listed && !is_unknown_now) {
        free(unknown->items[at]);
        unknown->items[at] = unknown->items[--unknown->count];
    }
    if (listed || !is_unknown_now)
        return CM_OK;
    char *copy = CM_GROW_BY_ONE(unknown->items, unknown->count) ? strdup(name) : NULL;
    if (copy == NULL)
        return cm_error_no_memory(error);
    unknown->items[unknown->count++] = copy;
    return CM_OK;
}

/* Takes the row as it stands: an event of its own, which replaces the one at `at` if there is one. */
static cm_status take_event(const cm_csv *csv, const cm_csv_row *row, cm_model_scope scope, size_t at,
                            cm_model_events *events, cm_error *error)
{
    cm_model_event event = {.listed = true};
    cm_status status = take_expression(csv, row, &event, error);
    CM_THEN(status, scope == CM_SCOPE_SOCKET ? take_background(csv, row, &event, error)
                                             : take_code(csv, row, events, &event, error));
    event.name = strdup(row->fields[NAME]);
    event.description = strdup(row->fields[DESCRIPTION]);
    CM_THEN(status, event.name != NULL && event.description != NULL ? CM_OK : cm_error_no_memory(error));
    if (status == CM_OK && at < events->count) {
        events->codes -= events->events[at].has_code;
        clear_event(&events->events[at]);
        events->events[at] = event;
        return CM_OK;
    }
    CM_THEN(status, append_event(events, &event, error));
    if (status != CM_OK)
        clear_event(&event);
    return status;
}

/* Takes the inherited event at `at`, with the row's code if that has one. */
static cm_status take_inherited(const cm_csv *csv, const cm_csv_row *row, size_t at, cm_model_events *events,
                                cm_error *error)
{
    if (at == events->count)
        return CM_CSV_FAULT(csv, row->line, error, "'%.80s' has no expression, and none is inherited",
                            row->fields[NAME]);
    cm_model_event *event = &events->events[at];
    const bool had = event->has_code;
    const uint64_t code = event->code;
    events->codes -= had;
    event->listed = true;
    cm_status status = take_code(csv, row, events, event, error);
    if (status == CM_OK && !event->has_code && had) {
        event->code = code;
        event->has_code = true;
        events->codes++;
    }
    return status;
}

/* Removes (none or unknown), redefines (empty) or adds the row's event. `lines`: the line of each name. */
static cm_status change_event(const cm_csv *csv, const cm_csv_row *row, cm_model_scope scope, cm_name_index *lines,
                              cm_model_events *events, cm_error *error)
{
    size_t line = 0;
    const char *name = row->fields[NAME], *expression = row->fields[EXPRESSION];
    cm_status status = check_name(csv, row, error);
    if (status == CM_OK && cm_name_index_find(lines, name, &line))
        status = CM_CSV_FAULT(csv, row->line, error, "duplicate event '%s', which line %zu defines", name, line);
    if (status != CM_OK)
        return status;
    const size_t at = events->inherited > 0 ? CM_FIND_BY(name, name, events->events, events->count) : events->count;
    const bool none = strcmp(expression, is_none) == 0, unknown = strcmp(expression, is_unknown) == 0;
    status = note_unknown(&events->unknown, name, unknown, error);
    if (status == CM_OK && (none || unknown) && at < events->count)
        take_away(events, at);
    else if (status == CM_OK && !none && !unknown && expression[0] == '\0' && events->inherited > 0)
        status = take_inherited(csv, row, at, events, error);
    else if (status == CM_OK && !none && !unknown)
        status = take_event(csv, row, scope, at, events, error);
    return status == CM_OK ? cm_name_index_add(lines, name, row->line, error) : status;
}

/* Takes all rows, and adds each to the checksum; an error if there is none. */
static cm_status take_event_rows(cm_csv *csv, cm_model_scope scope, bool listed, cm_name_index *lines,
                                 cm_model_events *events, cm_error *error)
{
    cm_csv_row row;
    cm_status status = CM_OK;
    while (cm_csv_more(csv, &row, &status, error)) {
        status = change_event(csv, &row, scope, lines, events, error);
        if (status == CM_OK)
            sum_up(csv, &row, scope, events);
    }
    for (size_t i = events->count; status == CM_OK && listed && i-- > 0;)
        if (!events->events[i].listed)
            take_away(events, i);
    for (size_t i = 0; i < events->count; i++)
        events->events[i].listed = false;
    if (status == CM_OK && events->count == 0)
        status = CM_CSV_FAULT(csv, cm_csv_header(csv).line, error, "the model has no events");
    return status;
}

/* Checks the header; a socket's events have the column background, a core's may have a code and a source. */
static cm_status expect_columns(cm_csv *csv, cm_model_scope scope, cm_error *error)
{
    enum { MOST = EVENT_COLUMNS + 1 };
    static const char *const of_socket[EVENT_COLUMNS] = {"event", "description", "expression", "background"};
    const char *of_core[MOST] = {"event", "description", "expression"};
    size_t count = CODE;
    if (scope == CM_SCOPE_SOCKET)
        return cm_csv_expect(csv, EVENT_COLUMNS, of_socket, false, error);
    if (cm_csv_find_column(csv, "code") != SIZE_MAX)
        of_core[count++] = "code";
    if (cm_csv_find_column(csv, "source") != SIZE_MAX)
        of_core[count++] = "source";
    return cm_csv_expect(csv, count, of_core, false, error);
}

cm_status cm_model_events_read(const char *path, cm_model_scope scope, bool listed, cm_model_events *events,
                               cm_error *error)
{
    cm_csv *csv = NULL;
    cm_name_index *lines = NULL;
    events->inherited = events->count;
    if (listed)
        clear_unknown(&events->unknown);
    if (events->inherited == 0)
        events->checksum = CM_CHECKSUM_START;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, expect_columns(csv, scope, error));
    CM_THEN(status, cm_name_index_create(&lines, error));
    CM_THEN(status, take_event_rows(csv, scope, listed, lines, events, error));
    cm_name_index_free(lines);
    cm_csv_close(csv);
    return status;
}
