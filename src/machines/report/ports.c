/* Loops by the ports of a core, for people and programs. */
#include "machines/report/report.h"

enum { LOOP_FIGURE = 7, LABEL = 13 };

/* ---- tables ---- */

static void write_cycles(const cm_page *page, double cycles)
{
    if (cycles < 0.005)
        fprintf(page->stream, "%*s", LOOP_FIGURE, "");
    else
        fprintf(page->stream, "%*.*f", LOOP_FIGURE, cycles < 999.995 ? 2 : 0, cycles);
}

/* Writes the ports' names, then a row an instruction. */
static void write_pressure(const cm_page *page, const cm_port_model *model, const cm_port_loop *loop)
{
    cm_page_mark(page, CM_MARK_BOLD);
    for (size_t p = 0; p < model->port_count; p++)
        fprintf(page->stream, "%*s", LOOP_FIGURE, model->ports[p]);
    fputs("  path  instruction\n", page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    for (size_t i = 0; i < loop->count; i++) {
        const cm_port_instruction *one = &loop->instructions[i];
        for (size_t p = 0; p < model->port_count; p++)
            write_cycles(page, loop->pressure[i * CM_PORTS_MOST + p]);
        fprintf(page->stream, "  %c%c %c  ", loop->critical[i] ? 'c' : ' ', loop->carried[i] ? 't' : ' ',
                one->known ? ' ' : '?');
        for (size_t k = 0; k < one->length; k++)
            fputc(one->text[k] == '\t' ? ' ' : one->text[k], page->stream);
        fputc('\n', page->stream);
    }
    for (size_t p = 0; p < model->port_count; p++)
        fprintf(page->stream, "%*.*f", LOOP_FIGURE, loop->port_cycles[p] < 999.995 ? 2 : 0, loop->port_cycles[p]);
    fputs("  all\n", page->stream);
}

static void write_bound(const cm_page *page, const char *label, double cycles, const char *words)
{
    cm_page_write_labelled(page, label, "%.2f cycles%s", cycles, words);
}

/* A loop, its pressure on the ports, and the cycles of a turn that each limit allows. */
static void write_loop(const cm_page *page, const cm_ports *ports, const cm_port_loop *loop)
{
    const bool turns = loop->range.label[0] != '\0';
    cm_page_write_labelled(page, turns ? "Loop" : "Code",
                           turns ? "%.64s, line %zu: %zu instruction%s"
                                 : "%.64sno loop, from line %zu: %zu instruction%s",
                           loop->range.label, loop->range.line, loop->count, loop->count == 1 ? "" : "s");
    write_pressure(page, ports->model, loop);
    write_bound(page, "Ports", loop->throughput, " a turn, if they are perfectly distributed");
    write_bound(page, "Front", loop->front, " a turn in which its instructions enter the core");
    if (turns)
        write_bound(page, "Carried", loop->loop_carried, " a turn that wait for the turn before (t)");
    write_bound(page, "Critical", loop->critical_path, " from the first to the last of one turn (c)");
    write_bound(page, "Predicted", loop->predicted, turns ? " a turn" : "");
    if (!isnan(loop->mca))
        write_bound(page, "llvm-mca", loop->mca, turns ? " a turn" : "");
    fputc('\n', page->stream);
}

/* Writes each loop with its bounds and ports. */
static void write_loops_table(const void *content, const cm_page *page)
{
    const cm_ports *ports = content;
    cm_page_write_labelled(page, "Machine", "%.100s", ports->model->name);
    fputc('\n', page->stream);
    for (size_t i = 0; i < ports->loop_count; i++)
        write_loop(page, ports, &ports->loops[i]);
}

/* ---- JSON ---- */

static json_t *ports_json(const cm_port_model *model, const double *cycles)
{
    json_t *object = json_object();
    for (size_t p = 0; p < model->port_count; p++)
        if (cycles[p] > 0.0)
            object = cm_json_set(object, model->ports[p], cm_json_number(cycles[p]));
    return object;
}

static json_t *loop_instruction_json(const cm_port_model *model, const cm_port_loop *loop, size_t index)
{
    const cm_port_instruction *one = &loop->instructions[index];
    return json_pack("{s:s%, s:s, s:o, s:b, s:b, s:b}", "text", one->text, one->length, "form", one->form, "ports",
                     ports_json(model, &loop->pressure[index * CM_PORTS_MOST]), "known", one->known, "loop_carried",
                     loop->carried[index], "critical", loop->critical[index]);
}

/* A loop of catmint.ports/1; NULL without memory. */
static json_t *loop_json(const cm_port_model *model, const cm_port_loop *loop)
{
    json_t *instructions = json_array();
    for (size_t i = 0; i < loop->count; i++)
        instructions = cm_json_append(instructions, loop_instruction_json(model, loop, i));
    const bool turns = loop->range.label[0] != '\0';
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "label",
                     turns ? cm_json_text(loop->range.label) : json_null(), "line", cm_json_count(loop->range.line),
                     "throughput", cm_json_number(loop->throughput), "front", cm_json_number(loop->front),
                     "loop_carried", turns ? cm_json_number(loop->loop_carried) : json_null(), "critical_path",
                     cm_json_number(loop->critical_path), "predicted", cm_json_number(loop->predicted), "llvm_mca",
                     cm_json_number(loop->mca), "ports", ports_json(model, loop->port_cycles), "instructions",
                     instructions);
}

/* Writes the loops as catmint.ports/1. */
static json_t *loops_json(const void *content)
{
    const cm_ports *ports = content;
    json_t *loops = json_array(), *names = json_array();
    for (size_t p = 0; p < ports->model->port_count; p++)
        names = cm_json_append(names, cm_json_text(ports->model->ports[p]));
    for (size_t i = 0; i < ports->loop_count; i++)
        loops = cm_json_append(loops, loop_json(ports->model, &ports->loops[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "schema", "catmint.ports/1", "machine",
                     cm_json_text(ports->model->name), "source", cm_json_text(ports->source), "width",
                     cm_json_number(ports->model->width), "ports", names, "loops", loops);
}

static const cm_report loops_report = {"loops", loops_json, .page = write_loops_table};

CM_REPORT_WRITE(cm_ports_write, cm_ports, loops_report)
CM_REPORT_SAVE(cm_ports_save, cm_ports, loops_report)
