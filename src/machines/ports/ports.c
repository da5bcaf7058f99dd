/* Loops of a file or a function, analysed by a processor's ports. */
#include "machines/ports/ports.h"

#include "core/files.h"

enum { MOST_INSTRUCTIONS = 10000 };

/* The instruction of a line, behind labels; NULL: a directive, a comment, or nothing. */
static const char *instruction_in(const char *line, const char *end)
{
    const char *at = line + strspn(line, " \t");
    for (size_t word = strcspn(at, " \t\n"); at < end && word > 0 && at[word - 1] == ':';) {
        at += word + strspn(at + word, " \t");
        word = strcspn(at, " \t\n");
    }
    return at < end && *at != '.' && *at != '#' && *at != '/' && *at != '\n' ? at : NULL;
}

/* The end of a statement: that of its line, or a semicolon that is in no comment. */
static const char *statement_end(cm_port_isa isa, const char *statement)
{
    const char *at = statement;
    while (*at != '\0' && *at != '\n' && *at != ';' && !(isa == CM_PORT_X86_64 && *at == '#') &&
           !(at[0] == '/' && at[1] == '/'))
        at++;
    return *at == ';' ? at : at + strcspn(at, "\n");
}

/* Decodes the instructions of the range; CM_BAD_INPUT, without a message: they are too many. */
static cm_status decode_lines(const cm_port_model *model, const char *text, const cm_port_range *range,
                              cm_port_loop *loop, cm_error *error)
{
    for (const char *line = text + range->first; line < text + range->last;) {
        const char *end = statement_end(model->isa, line), *at = instruction_in(line, end);
        cm_port_instruction one;
        if (at != NULL && cm_port_decode(model, at, (size_t)(end - at), &one)) {
            if (!CM_APPEND(loop->instructions, loop->count, one))
                return cm_error_no_memory(error);
            loop->unknown += !one.known;
        }
        if (loop->count > MOST_INSTRUCTIONS)
            return CM_BAD_INPUT;
        if (at == NULL) /* a directive's text may have semicolons */
            end = line + strcspn(line, "\n");
        line = end + (*end != '\0');
    }
    return CM_OK;
}

cm_status cm_port_loop_analyse(const cm_port_model *model, const char *text, const cm_port_range *range,
                               cm_port_loop *loop, cm_error *error)
{
    *loop = (cm_port_loop){.range = *range, .mca = NAN};
    cm_status status = decode_lines(model, text, range, loop, error);
    if (status != CM_OK)
        return status;
    if (!CM_ALLOCATE(loop->carried, loop->count + 1) || !CM_ALLOCATE(loop->critical, loop->count + 1) ||
        !CM_ALLOCATE(loop->pressure, (loop->count + 1) * CM_PORTS_MOST))
        return cm_error_no_memory(error);
    double slots = 0.0;
    for (size_t i = 0; i < loop->count; i++)
        slots += !loop->instructions[i].fused || i == 0;
    cm_port_cross(loop);
    status = cm_port_press(loop, error);
    CM_THEN(status, cm_port_chain(model, loop, error));
    loop->front = fmax(slots / model->width, range->label[0] != '\0' ? model->turn : 0.0);
    loop->predicted = fmax(fmax(loop->throughput, loop->front), range->label[0] != '\0' ? loop->loop_carried : 0.0);
    return status;
}

void cm_port_loop_clear(cm_port_loop *loop)
{
    CM_FREE(loop->instructions, loop->carried, loop->critical, loop->pressure);
}

/* ---- files ---- */

/* Reads the assembly, or disassembles BINARY:SYMBOL. */
static cm_status read_text(const cm_ports_options *options, cm_ports *ports, cm_error *error)
{
    size_t size = 0;
    if (options->assembly != NULL)
        return cm_file_text_read(options->assembly, &ports->text, &size, error);
    const char *colon = strrchr(options->function, ':');
    if (colon == NULL || colon == options->function || colon[1] == '\0')
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "found the function '%.100s', expected BINARY:SYMBOL, as in ./program:solve", options->function);
    char *binary = strndup(options->function, (size_t)(colon - options->function));
    cm_status status = binary != NULL ? cm_port_disassemble(binary, colon + 1, ports->model->isa, &ports->text, error)
                                      : cm_error_no_memory(error);
    free(binary);
    return status;
}

/* Intel's syntax has operands the other way round. */
static cm_status check_syntax(const cm_ports *ports, cm_error *error)
{
    const char *intel = ports->model->isa == CM_PORT_X86_64 ? strstr(ports->text, ".intel_syntax") : NULL;
    size_t line = 1;
    for (const char *at = ports->text; intel != NULL && at < intel; at++)
        line += *at == '\n';
    if (intel == NULL)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, ports->source, line, 0,
                        "found Intel's syntax, expected AT&T's, as compilers write it without -masm=intel");
}

/* Analyses a loop, beside llvm-mca. */
static cm_status analyse_loop(const cm_ports_options *options, cm_ports *ports, const cm_port_range *range,
                              cm_error *error)
{
    if (options->stop != NULL && *options->stop != 0)
        return CM_FAIL(error, CM_INTERRUPTED, "interrupted, nothing was written");
    cm_port_loop *loop = &ports->loops[ports->loop_count++];
    cm_status status = cm_port_loop_analyse(ports->model, ports->text, range, loop, error);
    loop->mca = status == CM_OK ? cm_port_mca(ports->model, loop) : NAN;
    if (status == CM_BAD_INPUT)
        cm_error_set(error, status, ports->source, range->line, 0,
                     "found a loop, or code without one, of more than %d instructions, the most that are analysed",
                     MOST_INSTRUCTIONS);
    return status;
}

/* Fewer of the instructions are known in code of another architecture, which shares names such as ret. */
enum { KNOWN_ONE_IN = 4 };

/* Analyses all loops of the text. */
static cm_status analyse_all(const cm_ports_options *options, cm_ports *ports, cm_error *error)
{
    cm_port_range *ranges = NULL;
    size_t count = 0;
    const char *function = options->assembly != NULL ? options->function : NULL;
    cm_status status = cm_port_ranges_find(ports->text, ports->model->isa, function, &ranges, &count, error);
    ports->loops = status == CM_OK ? calloc(count + 1, sizeof *ports->loops) : NULL;
    if (status == CM_OK && ports->loops == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = analyse_loop(options, ports, &ranges[i], error);
    free(ranges);
    bool known = status != CM_OK;
    for (size_t i = 0; i < ports->loop_count; i++) {
        const size_t of_loop = ports->loops[i].count - ports->loops[i].unknown;
        known = known || (of_loop > 0 && KNOWN_ONE_IN * of_loop >= ports->loops[i].count);
    }
    if (!known)
        return cm_error_set(error, CM_BAD_INPUT, ports->source, 0, 0,
                            "the table of %s knows no instruction, or fewer than one in %d, expected assembly of %s",
                            ports->model->name, KNOWN_ONE_IN,
                            ports->model->isa == CM_PORT_X86_64 ? "x86-64 in AT&T syntax" : "aarch64");
    return status;
}

cm_status cm_ports_create(const cm_ports_options *options, cm_ports **ports, cm_error *error)
{
    if (CM_OPTIONS_CHECK(cm_ports_options, options, error) != CM_OK)
        return CM_BAD_ARGUMENT;
    cm_ports *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->source = options->assembly != NULL ? options->assembly : options->function;
    cm_status status = cm_port_model_choose(options->machine, &made->model, error);
    CM_THEN(status, read_text(options, made, error));
    CM_THEN(status, check_syntax(made, error));
    CM_THEN(status, analyse_all(options, made, error));
    CM_HAND_OVER(status, ports, made, cm_ports_free);
    return status;
}

void cm_ports_free(cm_ports *ports)
{
    if (ports == NULL)
        return;
    for (size_t i = 0; i < ports->loop_count; i++)
        cm_port_loop_clear(&ports->loops[i]);
    CM_FREE(ports->loops, ports->text);
    cm_port_model_free(ports->model);
    free(ports);
}

size_t cm_ports_unknown(const cm_ports *ports)
{
    size_t count = 0;
    for (size_t i = 0; i < ports->loop_count; i++)
        count += ports->loops[i].unknown;
    return count;
}
