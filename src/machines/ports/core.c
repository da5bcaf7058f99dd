/* The ports of a core and the instructions that each executes: the examples of data/port-units.csv, looked up in the
 * core's table. */
#include "core/csv.h"
#include "machines/ports/ports.h"

enum { ISA, GROUP, UNIT, INSTRUCTION, EXAMPLE_COLUMNS };

static const char *const example_columns[EXAMPLE_COLUMNS] = {"isa", "group", "unit", "instruction"};

static uint32_t mask_of(const cm_port_row *row)
{
    uint32_t mask = 0;
    for (size_t i = 0; row != NULL && i < row->part_count; i++)
        mask |= row->parts[i].mask;
    return mask;
}

/* Takes the figures of the example from its analysis. */
static void measure_unit(const cm_port_model *model, cm_core_unit *unit)
{
    const cm_port_instruction *one = &unit->alone.instructions[0];
    unit->mask = mask_of(one->row) | mask_of(one->load) | mask_of(one->store);
    unit->latency = unit->alone.critical_path;
    unit->chained = unit->latency - (one->row->latency - one->row->next);
    unit->per_cycle = 1.0 / fmax(unit->alone.throughput, 1.0 / model->width);
}

/* Adds the example if the core's table knows it. */
static cm_status add_unit(cm_core *core, const cm_core_unit *unit, cm_error *error)
{
    const cm_port_range whole = {.first = 0, .last = strlen(unit->instruction), .line = 1};
    if (!CM_GROW_BY_ONE(core->units, core->unit_count))
        return cm_error_no_memory(error);
    cm_core_unit *made = &core->units[core->unit_count];
    *made = *unit;
    cm_status status = cm_port_loop_analyse(core->model, made->instruction, &whole, &made->alone, error);
    if (status != CM_OK || made->alone.count != 1 || made->alone.unknown > 0) {
        cm_port_loop_clear(&made->alone);
        return status;
    }
    measure_unit(core->model, made);
    core->unit_count++;
    return CM_OK;
}

/* Takes a row of kinds of instruction, if it is of the model's architecture. */
static cm_status take_unit(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    static const char *const isas[] = {[CM_PORT_X86_64] = "x86_64", [CM_PORT_AARCH64] = "aarch64"};
    cm_core *core = data;
    if (strcmp(row->fields[ISA], isas[core->model->isa]) != 0)
        return CM_OK;
    const cm_core_unit unit = {.group = cm_arena_text(&core->texts, row->fields[GROUP]),
                               .name = cm_arena_text(&core->texts, row->fields[UNIT]),
                               .instruction = cm_arena_text(&core->texts, row->fields[INSTRUCTION])};
    return unit.group != NULL && unit.name != NULL && unit.instruction != NULL ? add_unit(core, &unit, error)
                                                                               : cm_error_no_memory(error);
}

/* Puts ports of the same roles side by side, in the order of the roles in the table. */
static void order_ports(cm_core *core)
{
    const cm_port_model *model = core->model;
    uint32_t placed = 0;
    size_t count = 0;
    for (size_t p = 0; p < model->port_count; p++)
        for (size_t r = 0; r < model->role_count; r++)
            core->roles[p] |= (model->roles[r].mask >> p & 1) << r;
    for (size_t first = 0; first < model->role_count; first++)
        for (size_t p = 0; p < model->port_count; p++)
            for (size_t q = p; q < model->port_count && core->roles[p] >> first & 1; q++)
                if (core->roles[q] == core->roles[p] && (placed >> q & 1) == 0) {
                    placed |= UINT32_C(1) << q;
                    core->order[count++] = q;
                }
    for (size_t p = 0; p < model->port_count; p++)
        if ((placed >> p & 1) == 0)
            core->order[count++] = p;
}

cm_status cm_core_create(const char *machine, cm_core **core, cm_error *error)
{
    cm_core *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_port_model_choose(machine, &made->model, error);
    CM_THEN(status, cm_csv_each_data("data/port-units.csv", EXAMPLE_COLUMNS, example_columns, take_unit, made, error));
    if (status == CM_OK) {
        order_ports(made);
        *core = made;
    } else {
        cm_core_free(made);
    }
    return status;
}

void cm_core_free(cm_core *core)
{
    if (core == NULL)
        return;
    for (size_t i = 0; i < core->unit_count; i++)
        cm_port_loop_clear(&core->units[i].alone);
    free(core->units);
    cm_arena_clear(&core->texts);
    cm_port_model_free(core->model);
    free(core);
}
