/* Published figures of a processor's instructions, to compare with. */
#include "machines/roofline.h"

enum { VENDOR, FAMILY, MODEL, OPERATION, VECTORS, LATENCY, THROUGHPUT, SOURCE, KNOWN_COLUMNS };

static const char *const known_columns[KNOWN_COLUMNS] = {"vendor",  "family",  "model",      "operation",
                                                         "vectors", "latency", "throughput", "source"};

struct taking {
    const cm_machine *machine;
    cm_incore *incore;
};

/* Whether the row is for the machine; a blank model fits any. */
static cm_status is_of_machine(const cm_csv *csv, const cm_csv_row *row, const cm_machine *machine, bool *it_is,
                               cm_error *error)
{
    size_t family = 0, model = machine->model;
    cm_status status = cm_csv_size(csv, row, FAMILY, &family, error);
    if (status == CM_OK && row->fields[MODEL][0] != '\0')
        status = cm_csv_size(csv, row, MODEL, &model, error);
    *it_is = strcmp(row->fields[VENDOR], machine->vendor) == 0 && family == machine->family && model == machine->model;
    return status;
}

static cm_status read_figure(const cm_csv *csv, const cm_csv_row *row, size_t field, double *figure, cm_error *error)
{
    *figure = NAN;
    if (row->fields[field][0] == '\0')
        return CM_OK;
    cm_status status = cm_csv_number(csv, row, field, figure, error);
    if (status == CM_OK && !(*figure > 0.0))
        status = CM_CSV_FAULT(csv, row->line, error, "%s is %g, expected more than 0", known_columns[field], *figure);
    return status;
}

/* Adds a row's figures if it is for the machine; an error names a wrong field. */
static cm_status take_known_figure(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    struct taking *taking = data;
    cm_arena *arena = &taking->incore->arena;
    cm_known_figure figure = {0};
    bool wanted = false;
    cm_status status = is_of_machine(csv, row, taking->machine, &wanted, error);
    if (status == CM_OK && cm_timed_operation_find(row->fields[OPERATION]) == NULL)
        status = CM_CSV_FAULT(csv, row->line, error, "unknown operation '%s'", row->fields[OPERATION]);
    CM_THEN(status, read_figure(csv, row, LATENCY, &figure.latency, error));
    CM_THEN(status, read_figure(csv, row, THROUGHPUT, &figure.throughput, error));
    if (status != CM_OK || !wanted)
        return status;
    figure.operation = cm_arena_text(arena, row->fields[OPERATION]);
    figure.vectors = cm_arena_text(arena, row->fields[VECTORS]);
    figure.source = cm_arena_text(arena, row->fields[SOURCE]);
    return figure.operation != NULL && figure.vectors != NULL && figure.source != NULL &&
                   CM_APPEND(taking->incore->known, taking->incore->known_count, figure)
               ? CM_OK
               : cm_error_no_memory(error);
}

cm_status cm_known_figures_load(const char *path, const cm_machine *machine, cm_incore *incore, cm_error *error)
{
    struct taking taking = {machine, incore};
    return cm_csv_each(path, KNOWN_COLUMNS, known_columns, take_known_figure, &taking, error);
}

const cm_known_figure *cm_known_figure_find(const cm_incore *incore, const char *operation, const char *vectors)
{
    for (size_t i = 0; i < incore->known_count; i++)
        if (strcmp(incore->known[i].operation, operation) == 0 && strcmp(incore->known[i].vectors, vectors) == 0)
            return &incore->known[i];
    return NULL;
}
