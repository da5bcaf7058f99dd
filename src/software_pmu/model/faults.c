/* machine.csv: fault,<event>,<kind>, for tests of what a sweep does about events that fail. */
#include <stddef.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "software_pmu/model/model.h"

enum { KEY, EVENT, KIND, COLUMNS };

static cm_status take_fault(const cm_csv *csv, const cm_csv_row *row, cm_model_events *events, cm_error *error)
{
    static const char *const kinds[] = {
        [CM_PMU_FAULT_CRASH] = "crash",           [CM_PMU_FAULT_HANG] = "hang",
        [CM_PMU_FAULT_REFUSE] = "refuse",         [CM_PMU_FAULT_SECOND_READ] = "second-read",
        [CM_PMU_FAULT_CONFLICT] = "conflict",     [CM_PMU_FAULT_CRASH_ADD] = "crash-add",
        [CM_PMU_FAULT_HANG_ADD] = "hang-add",     [CM_PMU_FAULT_CRASH_TRIAL] = "crash-trial",
        [CM_PMU_FAULT_HANG_TRIAL] = "hang-trial",
    };
    size_t event = 0, kind = CM_PMU_FAULT_CRASH;
    while (event < events->count && strcmp(events->events[event].name, row->fields[EVENT]) != 0)
        event++;
    if (event == events->count)
        return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0, "unknown event '%.80s' in a fault",
                            row->fields[EVENT]);
    while (kind < sizeof kinds / sizeof kinds[0] &&
           (row->count < COLUMNS || strcmp(kinds[kind], row->fields[KIND]) != 0))
        kind++;
    if (kind == sizeof kinds / sizeof kinds[0])
        return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
                            "unknown fault '%.40s', expected crash, hang, refuse, second-read, conflict, crash-add, "
                            "hang-add, crash-trial or hang-trial",
                            row->count < COLUMNS ? "" : row->fields[KIND]);
    events->events[event].fault = (cm_pmu_fault)kind;
    return CM_OK;
}

cm_status cm_model_faults_read(const char *path, cm_model_events *events, cm_error *error)
{
    cm_csv *csv = NULL;
    bool found = true;
    cm_status status = cm_csv_open(path, &csv, error);
    while (status == CM_OK && found) {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &found, error);
        if (status == CM_OK && found && row.count > EVENT && strcmp(row.fields[KEY], CM_PMU_FAULT_KEY) == 0)
            status = take_fault(csv, &row, events, error);
    }
    cm_csv_close(csv);
    return status;
}
