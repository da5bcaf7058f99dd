#include "tables/tables.h"

const char *const cm_event_columns[CM_EVENT_COLUMNS] = {"event",  "component", "status",
                                                        "reason", "hint",      "description"};

cm_status cm_events_table_begin(cm_directory *directory, cm_output **output, cm_error *error)
{
    const char *path = NULL;
    cm_status status = cm_directory_file(directory, "events.csv", &path, error);
    CM_THEN(status, cm_output_create(path, output, error));
    if (status == CM_OK)
        cm_csv_write_row(cm_output_stream(*output), cm_event_columns, CM_EVENT_COLUMNS);
    return status;
}

void cm_events_table_add(cm_output *output, const char *const fields[CM_EVENT_COLUMNS])
{
    char shown[CM_EVENT_COLUMNS][CM_TEXT_RAW_SIZE];
    const char *row[CM_EVENT_COLUMNS];
    for (size_t i = 0; i < CM_EVENT_COLUMNS; i++) {
        size_t at = 0;
        bool harmful = cm_lines_fault(fields[i], strlen(fields[i]), &at) != NULL;
        row[i] = harmful ? cm_text_show(fields[i], shown[i], sizeof shown[i]) : fields[i];
    }
    cm_csv_write_row(cm_output_stream(output), row, CM_EVENT_COLUMNS);
}

cm_status cm_events_table_end(cm_output *output, cm_status status, cm_error *error)
{
    CM_THEN(status, cm_output_commit(output, error));
    cm_output_free(output);
    return status;
}
