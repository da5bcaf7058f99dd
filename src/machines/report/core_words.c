/* Words of the ports of a core: their roles, and those that a kind of instruction takes. */
#include "machines/report/report.h"

const char *cm_core_roles(const cm_core *core, uint32_t roles, char *text, size_t size)
{
    text[0] = '\0';
    for (size_t r = 0; r < core->model->role_count; r++)
        if (roles >> r & 1)
            cm_text_append(text, size, ", ", "%s", core->model->roles[r].words);
    return text;
}

const char *cm_core_uses(const cm_core *core, const cm_core_unit *unit, char *text, size_t size)
{
    const cm_port_instruction *one = &unit->alone.instructions[0];
    const cm_port_row *const rows[] = {one->load, one->row, one->store};
    char part[CM_CORE_PORTS];
    text[0] = '\0';
    for (size_t k = 0; k < CM_COUNT_OF(rows); k++)
        for (size_t i = 0; rows[k] != NULL && i < rows[k]->part_count; i++) {
            part[0] = '\0';
            for (size_t p = 0; p < core->model->port_count; p++)
                if (rows[k]->parts[i].mask >> p & 1)
                    cm_text_append(part, sizeof part, "|", "%s", core->model->ports[p]);
            cm_text_append(text, size, "; ", "%g %s", rows[k]->parts[i].cycles, part);
        }
    return text;
}
