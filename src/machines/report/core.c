/* The ports of a core and the instructions that each executes, for people and programs, and as a diagram. */
#include "machines/report/report.h"

enum { UNIT = 13, EXAMPLE = 33, CORE_FIGURE = 10, LINE = 1024 };

static const char *const isas[] = {[CM_PORT_X86_64] = "x86_64", [CM_PORT_AARCH64] = "aarch64"};

/* ---- tables ---- */

/* Whether two ports have the same roles and execute the same kinds of instruction. */
static bool are_alike(const cm_core *core, size_t one, size_t other)
{
    bool alike = core->roles[one] == core->roles[other];
    for (size_t i = 0; i < core->unit_count && alike; i++)
        alike = (core->units[i].mask >> one & 1) == (core->units[i].mask >> other & 1);
    return alike;
}

/* How many of the ordered ports from `first` on a line names: "P0 P1", or "A0 to A5" if the table has them in a row. */
static size_t name_ports(const cm_core *core, size_t first, char *label, size_t size)
{
    const size_t *order = core->order;
    char joined[CM_CORE_PORTS];
    size_t count = 1;
    snprintf(joined, sizeof joined, "%s", core->model->ports[order[first]]);
    snprintf(label, size, "%s", core->model->ports[order[first]]);
    for (bool row = true; first + count < core->model->port_count; count++) {
        const size_t next = order[first + count];
        cm_text_append(joined, sizeof joined, " ", "%s", core->model->ports[next]);
        row = row && next == order[first + count - 1] + 1;
        if (!are_alike(core, order[first], next) || (strlen(joined) >= CM_PAGE_LABEL && !row))
            break;
        if (strlen(joined) < CM_PAGE_LABEL)
            snprintf(label, size, "%.*s", CM_PAGE_LABEL, joined);
        else
            snprintf(label, size, "%s to %s", core->model->ports[order[first]], core->model->ports[next]);
    }
    return count;
}

/* Each port with its roles and the kinds of instructions that it executes; equal ports share a line. */
static void write_ports(const cm_page *page, const cm_core *core)
{
    char label[2 * CM_PORT_NAME + 8];
    for (size_t at = 0; at < core->model->port_count;) {
        const size_t port = core->order[at];
        char kinds[LINE / 2] = "", roles[LINE / 4];
        at += name_ports(core, at, label, sizeof label);
        for (size_t i = 0; i < core->unit_count; i++)
            if (core->units[i].mask >> port & 1)
                cm_text_append(kinds, sizeof kinds, "; ", "%s", core->units[i].name);
        cm_core_roles(core, core->roles[port], roles, sizeof roles);
        cm_page_write_labelled(page, label, "%s%s%s", roles, roles[0] != '\0' ? ": " : "",
                               kinds[0] != '\0' ? kinds : "none of the kinds below");
    }
    fputc('\n', page->stream);
}

/* A row a kind of instructions: an example, its latencies, its rate, and the ports that it keeps busy. */
static void write_units(const cm_page *page, const cm_core *core)
{
    char uses[CM_CORE_PORTS];
    cm_page_mark(page, CM_MARK_BOLD);
    fprintf(page->stream, "%-*s%-*s%*s%*s%*s  cycles of ports\n", UNIT, "Kind", EXAMPLE, "by this instruction",
            CORE_FIGURE, "latency", CORE_FIGURE, "chained", CORE_FIGURE, "per cycle");
    cm_page_mark(page, CM_MARK_PLAIN);
    for (size_t i = 0; i < core->unit_count; i++) {
        const cm_core_unit *unit = &core->units[i];
        cm_page_write(page, unit->name, UNIT);
        cm_page_write(page, unit->instruction, EXAMPLE);
        fprintf(page->stream, "%*g%*g%*.3g  %s\n", CORE_FIGURE, unit->latency, CORE_FIGURE, unit->chained, CORE_FIGURE,
                unit->per_cycle, cm_core_uses(core, unit, uses, sizeof uses));
    }
}

/* Writes machine, ports and kinds of instruction as a page. */
static void write_core_table(const void *content, const cm_page *page)
{
    const cm_core *core = content;
    cm_page_write_labelled(page, "Machine", "%s, %s", core->model->name, isas[core->model->isa]);
    cm_page_write_labelled(page, "Front end",
                           "%g instructions enter the core per cycle; a turn of a loop takes %g cycle%s at least",
                           core->model->width, core->model->turn, core->model->turn == 1.0 ? "" : "s");
    cm_page_write_labelled(page, "Stores", "a load of the stored value has it %g cycles after the store",
                           core->model->forward);
    fputc('\n', page->stream);
    write_ports(page, core);
    write_units(page, core);
}

/* ---- JSON ---- */

static json_t *names_json(const cm_port_model *model, uint32_t mask)
{
    json_t *names = json_array();
    for (size_t p = 0; p < model->port_count; p++)
        if (mask >> p & 1)
            names = cm_json_append(names, cm_json_text(model->ports[p]));
    return names;
}

/* A port with the words of its roles and the kinds that it executes. */
static json_t *port_json(const cm_core *core, size_t port)
{
    json_t *roles = json_array(), *units = json_array();
    for (size_t r = 0; r < core->model->role_count; r++)
        if (core->roles[port] >> r & 1)
            roles = cm_json_append(roles, cm_json_text(core->model->roles[r].words));
    for (size_t i = 0; i < core->unit_count; i++)
        if (core->units[i].mask >> port & 1)
            units = cm_json_append(units, cm_json_text(core->units[i].name));
    return json_pack("{s:o, s:o, s:o}", "port", cm_json_text(core->model->ports[port]), "roles", roles, "units", units);
}

static json_t *unit_json(const cm_core *core, const cm_core_unit *unit)
{
    char uses[CM_CORE_PORTS];
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "group", cm_json_text(unit->group), "unit",
                     cm_json_text(unit->name), "instruction", cm_json_text(unit->instruction), "latency",
                     cm_json_number(unit->latency), "chained", cm_json_number(unit->chained), "per_cycle",
                     cm_json_number(unit->per_cycle), "ports", names_json(core->model, unit->mask), "uses",
                     cm_json_text(cm_core_uses(core, unit, uses, sizeof uses)));
}

/* Writes the ports as catmint.core/1. */
static json_t *core_json(const void *content)
{
    const cm_core *core = content;
    const cm_port_model *model = core->model;
    json_t *ports = json_array(), *units = json_array();
    for (size_t at = 0; at < model->port_count; at++)
        ports = cm_json_append(ports, port_json(core, core->order[at]));
    for (size_t i = 0; i < core->unit_count; i++)
        units = cm_json_append(units, unit_json(core, &core->units[i]));
    return json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.core/1", "machine",
                     cm_json_text(model->name), "isa", isas[model->isa], "width", cm_json_number(model->width), "turn",
                     cm_json_number(model->turn), "forward", cm_json_number(model->forward), "ports", ports, "units",
                     units);
}

static cm_status write_svg(const void *content, const cm_output_style *style, FILE *stream, cm_error *error)
{
    (void)style;
    return cm_plot_write(cm_plot_core, content, stream, error);
}

static const cm_report core_report = {"ports", core_json, {[CM_FORMAT_SVG] = write_svg}, .page = write_core_table};

CM_REPORT_WRITE(cm_core_write, cm_core, core_report)
CM_REPORT_SAVE(cm_core_save, cm_core, core_report)
