/* A machine's figures: quantity,value,lowest,highest,unit,source as CSV. */
#include "machines/projection/projection.h"

const char *const cm_level_names[CM_LEVELS] = {"L1", "L2", "L3", "MEM"};

enum { PERFORMANCE, VECTOR_BITS, BANDWIDTH, CLOCK = BANDWIDTH + CM_LEVELS, MACHINE_QUANTITIES };

static const struct {
    const char *name, *unit;
} machine_quantities[MACHINE_QUANTITIES] = {
    {"performance", "GFLOP/s"}, {"vector_bits", "bits"},   {"bandwidth:L1", "GB/s"}, {"bandwidth:L2", "GB/s"},
    {"bandwidth:L3", "GB/s"},   {"bandwidth:MEM", "GB/s"}, {"clock", "GHz"}};

static const char *const columns[] = {"quantity", "value", "lowest", "highest", "unit", "source"};
enum { QUANTITY, VALUE, LOWEST, HIGHEST, UNIT, COLUMNS = CM_COUNT_OF(columns) };

typedef struct reader {
    cm_project_figure figures[MACHINE_QUANTITIES];
} reader;

static cm_status no_such_quantity(const cm_csv *csv, const cm_csv_row *row, cm_error *error)
{
    cm_near near = {.wanted = row->fields[QUANTITY]};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < MACHINE_QUANTITIES; i++)
        cm_near_offer(&near, machine_quantities[i].name);
    return CM_CSV_FAULT(csv, row->line, error, "a machine has no quantity '%s'%s", near.wanted,
                        cm_near_text(&near, offered));
}

/* Reads a figure with its lowest and highest value, which default to the value. */
static cm_status read_figure(const cm_csv *csv, const cm_csv_row *row, cm_project_figure *figure, cm_error *error)
{
    cm_status status = cm_csv_number(csv, row, VALUE, &figure->value, error);
    figure->lowest = figure->highest = figure->value;
    if (status == CM_OK && row->fields[LOWEST][0] != '\0')
        status = cm_csv_number(csv, row, LOWEST, &figure->lowest, error);
    if (status == CM_OK && row->fields[HIGHEST][0] != '\0')
        status = cm_csv_number(csv, row, HIGHEST, &figure->highest, error);
    if (status != CM_OK)
        return status;
    if (!(figure->lowest > 0.0) || figure->lowest > figure->value || figure->value > figure->highest)
        return CM_CSV_FAULT(csv, row->line, error, "'%s': expected a value above 0, from the lowest to the highest",
                            row->fields[QUANTITY]);
    return CM_OK;
}

/* Takes a row; an error names an unknown or repeated quantity. */
static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    reader *work = data;
    size_t i = 0;
    while (i < MACHINE_QUANTITIES && strcmp(row->fields[QUANTITY], machine_quantities[i].name) != 0)
        i++;
    if (i == MACHINE_QUANTITIES)
        return no_such_quantity(csv, row, error);
    if (strcmp(row->fields[UNIT], machine_quantities[i].unit) != 0)
        return CM_CSV_FAULT(csv, row->line, error, "'%s': expected the unit %s, found '%s'", machine_quantities[i].name,
                            machine_quantities[i].unit, row->fields[UNIT]);
    if (!isnan(work->figures[i].value))
        return CM_CSV_FAULT(csv, row->line, error, "'%s' appears twice", machine_quantities[i].name);
    return read_figure(csv, row, &work->figures[i], error);
}

const char *cm_name_of_file(const char *path, cm_arena *arena)
{
    const char *slash = strrchr(path, '/');
    char *name = cm_arena_text(arena, slash != NULL ? slash + 1 : path);
    char *dot = name != NULL ? strrchr(name, '.') : NULL;
    if (dot != NULL && dot != name) {
        const char *setting = dot + strcspn(dot, "@"); /* of a machine, after the file's name */
        memmove(dot, setting, strlen(setting) + 1);
    }
    return name;
}

/* Reads a machine from CSV; an error names a figure that every machine needs. */
static cm_status read_machine_table(const char *path, cm_project_machine *machine, cm_error *error)
{
    reader work;
    for (size_t i = 0; i < MACHINE_QUANTITIES; i++)
        work.figures[i] = (cm_project_figure){NAN, NAN, NAN};
    cm_status status = cm_csv_each(path, COLUMNS, columns, take_row, &work, error);
    if (status != CM_OK)
        return status;
    for (size_t i = 0; i < BANDWIDTH; i++)
        if (isnan(work.figures[i].value))
            return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "the machine has no %s", machine_quantities[i].name);
    machine->performance = work.figures[PERFORMANCE];
    machine->vector_bits = work.figures[VECTOR_BITS].value;
    machine->clock = work.figures[CLOCK];
    memcpy(machine->bandwidth, work.figures + BANDWIDTH, sizeof machine->bandwidth);
    memcpy(machine->streams, machine->bandwidth, sizeof machine->streams);
    return CM_OK;
}

cm_status cm_project_machine_read(const char *path, cm_arena *arena, cm_project_machine *machine, cm_error *error)
{
    *machine =
        (cm_project_machine){.name = cm_name_of_file(path, arena), .file = cm_arena_text(arena, path), .peak = NAN};
    if (machine->name == NULL || machine->file == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < CM_LEVELS * CM_STREAM_SHARES; i++)
        machine->shares[i / CM_STREAM_SHARES][i % CM_STREAM_SHARES] = (cm_project_figure){NAN, NAN, NAN};
    for (size_t i = 0; i < CM_WIDTHS; i++)
        machine->rates[i] = (cm_width_rates){{NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
    return cm_project_is_measured(path) ? cm_project_measured_read(path, machine, error)
                                        : read_machine_table(path, machine, error);
}
