/* The ports of a core as a diagram, as Figure 1 of Laukemann et al. 2024: the front end above, ports side by side, and
 * below each the kinds of instruction that it executes. */
#include "machines/report/report.h"

enum { CORE_LEFT = 12, CORE_TOP = 34, BAR = 24, GAP = 14, COLUMN = 96, INSET = 3, CORE_ROW = 22, CORE_TEXT = 256 };

static const double front_top = CORE_TOP, role_top = CORE_TOP + BAR + GAP, port_top = CORE_TOP + 2 * (BAR + GAP),
                    unit_top = CORE_TOP + 3 * BAR + 2 * GAP + INSET;

/* The class of boxes for a group of kinds. */
static const char *class_of(const char *group)
{
    static const struct {
        const char *group, *class;
    } rows[] = {{"branches", "minus1"}, {"integers", "plus1"}, {"vectors", "plus2"}, {"memory", "minus2"}};
    const size_t i = CM_FIND_BY(group, group, rows, CM_COUNT_OF(rows));
    return i < CM_COUNT_OF(rows) ? rows[i].class : "box";
}

static double left_of(size_t column)
{
    return CORE_LEFT + (double)column * COLUMN;
}

/* Draws a box with words in its middle; `title` NULL: they say all. */
static void draw_box(const char *class, const cm_plot_box *at, const char *words, const char *title, FILE *stream)
{
    cm_svg_begin_box(class, at->left, at->top, at->width, at->height, stream);
    if (title != NULL) {
        fputs("><title>", stream);
        cm_markup_write(title, stream);
        fputs("</title></rect>\n", stream);
    } else {
        fputs("/>\n", stream);
    }
    if (words[0] == '\0')
        return;
    cm_svg_name(at->left + at->width / 2.0, at->top + at->height / 2.0 + 4.0, CM_SVG_MIDDLE, false, words,
                (size_t)(at->width / CM_SVG_LETTER), stream);
}

/* Draws the box of the role that ports side by side share, and a line to it from the front end. */
static void draw_role(const cm_core *core, size_t first, size_t count, FILE *stream)
{
    char words[CORE_TEXT];
    const cm_plot_box at = {left_of(first) + INSET, role_top, (double)count * COLUMN - 2 * INSET, BAR};
    const double middle = at.left + at.width / 2.0;
    cm_svg_line("span", middle, front_top + BAR, middle, role_top, stream);
    draw_box("box", &at, cm_core_roles(core, core->roles[core->order[first]], words, sizeof words), NULL, stream);
}

/* Draws a port and the instructions that it executes. */
static void draw_port(const cm_core *core, size_t column, FILE *stream)
{
    const size_t port = core->order[column];
    const double middle = left_of(column) + COLUMN / 2.0;
    char title[CORE_TEXT], uses[CORE_TEXT / 2];
    size_t count = 0;
    cm_plot_box at = {left_of(column) + INSET, port_top, COLUMN - 2 * INSET, BAR};
    cm_svg_line("span", middle, role_top + BAR, middle, port_top, stream);
    draw_box("box", &at, core->model->ports[port], NULL, stream);
    for (size_t i = 0; i < core->unit_count; i++) {
        const cm_core_unit *unit = &core->units[i];
        if ((unit->mask >> port & 1) == 0)
            continue;
        snprintf(title, sizeof title, "%.60s: latency %g, %.3g per cycle, %.100s", unit->instruction, unit->latency,
                 unit->per_cycle, cm_core_uses(core, unit, uses, sizeof uses));
        at = (cm_plot_box){left_of(column) + INSET, unit_top + (double)count++ * CORE_ROW, COLUMN - 2 * INSET,
                           CORE_ROW - 2};
        draw_box(class_of(unit->group), &at, unit->name, title, stream);
    }
}

/* The most kinds that a port executes. */
static size_t count_rows(const cm_core *core)
{
    size_t most = 0;
    for (size_t p = 0; p < core->model->port_count; p++) {
        size_t count = 0;
        for (size_t i = 0; i < core->unit_count; i++)
            count += core->units[i].mask >> p & 1;
        most = count > most ? count : most;
    }
    return most;
}

void cm_plot_core(const void *content, FILE *stream)
{
    const cm_core *core = content;
    const size_t count = core->model->port_count;
    char text[CORE_TEXT];
    const cm_plot_box front = {CORE_LEFT + INSET, front_top, (double)count * COLUMN - 2 * INSET, BAR};
    snprintf(text, sizeof text, "The ports of %.64s", core->model->name);
    cm_svg_begin(2 * CORE_LEFT + (double)count * COLUMN, unit_top + (double)count_rows(core) * CORE_ROW + CORE_LEFT,
                 stream, "%s", text);
    snprintf(text, sizeof text, "front end: %g instructions a cycle", core->model->width);
    draw_box("box", &front, text, NULL, stream);
    for (size_t at = 0, next = 0; at < count; at = next) {
        while (next < count && core->roles[core->order[next]] == core->roles[core->order[at]])
            next++;
        draw_role(core, at, next - at, stream);
    }
    for (size_t at = 0; at < count; at++)
        draw_port(core, at, stream);
    cm_svg_end(stream);
}
