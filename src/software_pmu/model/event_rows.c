/* Rows of machine.csv about events: fixed,<event> and conflict,<event>,<event> limit the events that can be counted at
 * a time; fault,<event>,<kind> is for tests of a sweep with events that fail. */
#include "software_pmu/model/model.h"

enum { ROW_KEY, EVENT, MORE, ROW_COLUMNS };

typedef cm_status (*row_taker)(const cm_csv *csv, const cm_csv_row *row, size_t event, cm_model_events *events,
                               cm_error *error);

/* A row's field after its event. */
static const char *more_of(const cm_csv_row *row)
{
    return row->count > MORE ? row->fields[MORE] : "";
}

/* The number of the event that a row names. */
static cm_status find_event(const cm_csv *csv, const cm_csv_row *row, const char *name, const cm_model_events *events,
                            size_t *event, cm_error *error)
{
    *event = CM_FIND_BY(name, name, events->events, events->count);
    if (*event < events->count)
        return CM_OK;
    return CM_CSV_FAULT(csv, row->line, error, "unknown event '%.80s' in a %s", name, row->fields[ROW_KEY]);
}

/* Takes the kind of fault of an event; an error lists the kinds. */
static cm_status take_fault(const cm_csv *csv, const cm_csv_row *row, size_t event, cm_model_events *events,
                            cm_error *error)
{
    static const char *const kinds[] = {
        [CM_PMU_FAULT_CRASH] = "crash",           [CM_PMU_FAULT_HANG] = "hang",
        [CM_PMU_FAULT_REFUSE] = "refuse",         [CM_PMU_FAULT_SECOND_READ] = "second-read",
        [CM_PMU_FAULT_CONFLICT] = "conflict",     [CM_PMU_FAULT_CRASH_ADD] = "crash-add",
        [CM_PMU_FAULT_HANG_ADD] = "hang-add",     [CM_PMU_FAULT_CRASH_TRIAL] = "crash-trial",
        [CM_PMU_FAULT_HANG_TRIAL] = "hang-trial",
    };
    size_t kind = CM_PMU_FAULT_CRASH;
    while (kind < CM_COUNT_OF(kinds) && strcmp(kinds[kind], more_of(row)) != 0)
        kind++;
    if (kind == CM_COUNT_OF(kinds))
        return CM_CSV_FAULT(csv, row->line, error,
                            "unknown fault '%.40s', expected crash, hang, refuse, second-read, conflict, crash-add, "
                            "hang-add, crash-trial or hang-trial",
                            more_of(row));
    events->events[event].fault = (cm_pmu_fault)kind;
    return CM_OK;
}

static cm_status take_fixed(const cm_csv *csv, const cm_csv_row *row, size_t event, cm_model_events *events,
                            cm_error *error)
{
    if (more_of(row)[0] != '\0')
        return CM_CSV_FAULT(csv, row->line, error, "'%.40s' follows a fixed event, expected nothing", more_of(row));
    events->events[event].fixed = true;
    return CM_OK;
}

/* Takes a conflict of two different events. */
static cm_status take_conflict(const cm_csv *csv, const cm_csv_row *row, size_t event, cm_model_events *events,
                               cm_error *error)
{
    size_t other = 0;
    cm_status status = find_event(csv, row, more_of(row), events, &other, error);
    if (status != CM_OK)
        return status;
    if (other == event)
        return CM_CSV_FAULT(csv, row->line, error, "event '%.80s' conflicts with itself, expected another one",
                            more_of(row));
    cm_model_conflict *grown =
        cm_grow(events->conflicts, events->conflict_count + 1, &events->conflict_capacity, sizeof *grown);
    if (grown == NULL)
        return cm_error_no_memory(error);
    events->conflicts = grown;
    events->conflicts[events->conflict_count++] = (cm_model_conflict){event, other};
    return CM_OK;
}

static const struct {
    const char *key;
    row_taker take;
    bool counted; /* it decides the counts, so it enters the model's checksum */
} kinds[] = {{"fault", take_fault, false}, {"fixed", take_fixed, true}, {"conflict", take_conflict, true}};

enum { KINDS = CM_COUNT_OF(kinds) };

bool cm_model_key_is_of_events(const char *key)
{
    return CM_FIND_BY(key, key, kinds, KINDS) < KINDS;
}

/* Whether the row is about an event that is not there. */
static bool names_another(const cm_csv *csv, const cm_csv_row *row, const cm_model_events *events)
{
    cm_error ignored;
    size_t event = 0;
    bool pair = strcmp(row->fields[ROW_KEY], "conflict") == 0;
    return find_event(csv, row, row->fields[EVENT], events, &event, &ignored) != CM_OK ||
           (pair && find_event(csv, row, more_of(row), events, &event, &ignored) != CM_OK);
}

/* Reads a row about an event; an inherited one only if it is about an event taken over. */
static cm_status take_event_row(const cm_csv *csv, const cm_csv_row *row, bool inherited, cm_model_events *events,
                                cm_error *error)
{
    size_t kind = CM_FIND_BY(key, row->fields[ROW_KEY], kinds, KINDS), event = 0;
    if (kind == KINDS || (inherited && names_another(csv, row, events)))
        return CM_OK;
    cm_status status = find_event(csv, row, row->fields[EVENT], events, &event, error);
    CM_THEN(status, kinds[kind].take(csv, row, event, events, error));
    for (size_t i = 0; status == CM_OK && kinds[kind].counted && i < row->count && i < ROW_COLUMNS; i++)
        events->checksum = cm_checksum(events->checksum, row->fields[i], strlen(row->fields[i]) + 1);
    return status;
}

cm_status cm_model_event_rows_read(const char *path, bool inherited, cm_model_events *events, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_csv_row row;
    cm_status status = cm_csv_open(path, &csv, error);
    while (cm_csv_more(csv, &row, &status, error))
        if (row.count > EVENT)
            status = take_event_row(csv, &row, inherited, events, error);
    cm_csv_close(csv);
    return status;
}
