/* Reads PTX: directives, registers, labels, instructions. An error outside of the subset names the line. */
#include "core/base.h"
#include "software_pmu/gpu/device.h"

enum { STATEMENT = 512, MOST_OPERAND = 128, MOST_REGISTERS = 4096 };

struct reading {
    cm_ptx_program *program;
    const char *at;
    size_t line, began; /* the cursor's line, and the statement's first */
    unsigned target;
    unsigned version; /* of PTX, 80 for 8.0 */
    bool alone;       /* the program is for one target alone, as sm_90a */
    char statement[STATEMENT], *log;
    size_t size;
    bool failed;
};

static bool fail_line(struct reading *reading, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Keeps the first error, with its line; returns false. */
static bool fail_line(struct reading *reading, const char *format, ...)
{
    char text[STATEMENT + 64];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    if (!reading->failed)
        snprintf(reading->log, reading->size, "line %zu: %s", reading->began, text);
    reading->failed = true;
    return false;
}

/* ---- names ---- */

static ptrdiff_t find_register(const cm_ptx_program *program, const char *name)
{
    for (size_t i = 0; i < program->register_count; i++)
        if (strcmp(program->registers[i], name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

/* Declares a register; false, with an error, if there is one of this name. */
static bool add_register(struct reading *reading, const char *name)
{
    cm_ptx_program *program = reading->program;
    if (strlen(name) >= CM_PTX_NAME || find_register(program, name) >= 0)
        return fail_line(reading, "the register %s is too long or there twice", name);
    if (!CM_GROW_BY_ONE(program->registers, program->register_count))
        return fail_line(reading, "out of memory");
    strcpy(program->registers[program->register_count++], name);
    return true;
}

/* The label's number; adds a label that is not yet defined. -1 if memory runs out. */
static ptrdiff_t find_label(struct reading *reading, const char *name)
{
    cm_ptx_program *program = reading->program;
    for (size_t i = 0; i < program->label_count; i++)
        if (strcmp(program->labels[i].name, name) == 0)
            return (ptrdiff_t)i;
    const bool is_long = strlen(name) >= CM_PTX_NAME;
    if (is_long || !CM_GROW_BY_ONE(program->labels, program->label_count)) {
        fail_line(reading, is_long ? "the label %s is too long" : "out of memory", name);
        return -1;
    }
    cm_ptx_label *label = &program->labels[program->label_count];
    strcpy(label->name, name);
    label->at = SIZE_MAX;
    return (ptrdiff_t)program->label_count++;
}

/* ---- directives ---- */

/* ".b16 %h<4>" or ".b64 %a, %b" */
static bool read_registers(struct reading *reading, char *text)
{
    char *rest = NULL;
    strtok_r(text, " \t", &rest); /* the type, which is ignored: registers hold bits */
    for (char *name = strtok_r(NULL, ", \t", &rest); name != NULL; name = strtok_r(NULL, ", \t", &rest)) {
        char *many = strchr(name, '<'), each[MOST_OPERAND];
        size_t count = many != NULL ? strtoul(many + 1, NULL, 10) : 1;
        if (count > MOST_REGISTERS - reading->program->register_count)
            return fail_line(reading, "more than %d registers", MOST_REGISTERS);
        if (many != NULL)
            *many = '\0';
        for (size_t i = 0; i < count; i++) {
            snprintf(each, sizeof each, many != NULL ? "%.64s%zu" : "%.64s", name, i);
            if (!add_register(reading, each))
                return false;
        }
    }
    return true;
}

/* ".visible .entry name(.param .u64 a, .param .u32 b)" */
static bool read_entry(struct reading *reading, char *text)
{
    cm_ptx_program *program = reading->program;
    char *open = strchr(text, '('), *rest = NULL;
    if (open == NULL)
        return fail_line(reading, "an entry without parameters");
    *open = '\0';
    char *name = strrchr(text, ' ');
    snprintf(program->entry, sizeof program->entry, "%.63s", name != NULL ? name + 1 : text);
    for (char *one = strtok_r(open + 1, ",)", &rest); one != NULL; one = strtok_r(NULL, ",)", &rest)) {
        name = strrchr(one, ' ');
        if (name == NULL || program->parameter_count == CM_COUNT_OF(program->parameters))
            return fail_line(reading, "the parameters of the entry");
        snprintf(program->parameters[program->parameter_count++], CM_PTX_NAME, "%.31s", name + 1);
    }
    return true;
}

/* ".shared .align 16 .b8 tile[8192]": one variable, which begins at 0. */
static bool read_shared(struct reading *reading, const char *text)
{
    cm_ptx_program *program = reading->program;
    if (program->shared[0] != '\0' ||
        sscanf(text, ".shared .align %*u .b8 %63[^[][%zu]", program->shared, &program->shared_size) != 2 ||
        program->shared_size > CM_PTX_MOST_SHARED)
        return fail_line(reading, "more shared memory than one variable of %d bytes", CM_PTX_MOST_SHARED);
    return true;
}

/* Reads a directive; false: it is unknown, or for a newer target. */
static bool read_directive(struct reading *reading, char *text)
{
    unsigned target = 0, major = 0, minor = 0;
    if (strncmp(text, ".reg ", 5) == 0)
        return read_registers(reading, text + 5);
    if (strncmp(text, ".shared ", 8) == 0)
        return read_shared(reading, text);
    if (strncmp(text, ".visible .entry", 15) == 0)
        return read_entry(reading, text);
    if (sscanf(text, ".target sm_%u", &target) == 1) {
        const bool alone = text[strlen(text) - 1] == 'a'; /* for that one alone */
        reading->program->target = target;
        reading->alone = alone;
        return (alone ? target == reading->target : target <= reading->target) ||
               fail_line(reading, "it is for %s, the device is sm_%u", text + strlen(".target "), reading->target);
    }
    if (sscanf(text, ".version %u.%1u", &major, &minor) == 2) {
        reading->version = 10 * major + minor;
        return true;
    }
    return strcmp(text, ".address_size 64") == 0 || strcmp(text, ".pragma \"nounroll\"") == 0 ||
           fail_line(reading, "unknown directive %s", text);
}

/* ---- instructions ---- */

static bool read_register(struct reading *reading, const char *text, cm_ptx_operand *operand)
{
    ptrdiff_t found = find_register(reading->program, text);
    if (found < 0)
        return fail_line(reading, "unknown register %s", text);
    operand->registers[operand->count++] = (unsigned)found;
    return true;
}

/* Whether the text is one of the special registers that the subset has. */
static bool read_special(const char *text, cm_ptx_operand *operand)
{
    static const char *const names[] = {
        [CM_PTX_TID] = "%tid.x", [CM_PTX_CTAID] = "%ctaid.x", [CM_PTX_NTID] = "%ntid.x"};
    for (size_t i = 0; i < CM_COUNT_OF(names); i++)
        if (strcmp(names[i], text) == 0) {
            operand->kind = CM_PTX_SPECIAL;
            operand->value = i;
            return true;
        }
    return false;
}

/* "[%mine+256]" or "[memory]" */
static bool read_address(struct reading *reading, char *text, cm_ptx_operand *operand)
{
    char *plus = strchr(text, '+');
    text[strlen(text) - 1] = '\0';
    operand->value = plus != NULL ? strtoull(plus + 1, NULL, 0) : 0;
    if (plus != NULL)
        *plus = '\0';
    operand->kind = CM_PTX_ADDRESS;
    if (text[1] == '%')
        return read_register(reading, text + 1, operand);
    operand->kind = CM_PTX_PARAMETER;
    for (size_t i = 0; i < reading->program->parameter_count; i++)
        if (strcmp(reading->program->parameters[i], text + 1) == 0) {
            operand->value = i;
            return true;
        }
    return fail_line(reading, "unknown parameter %s", text + 1);
}

/* "{%a, %b}" */
static bool read_vector(struct reading *reading, char *text, cm_ptx_operand *operand)
{
    char *rest = NULL;
    if (strchr(text, '}') == NULL)
        return fail_line(reading, "a { without its }");
    operand->kind = CM_PTX_VECTOR;
    for (char *one = strtok_r(text, "{}, ", &rest); one != NULL; one = strtok_r(NULL, "{}, ", &rest))
        if (operand->count == CM_PTX_PARTS || !read_register(reading, one, operand))
            return fail_line(reading, "too many registers");
    return true;
}

/* Reads an operand of any kind. */
static bool read_operand(struct reading *reading, char *text, bool label, cm_ptx_operand *operand)
{
    char *end = NULL;
    if (text[0] == '{')
        return read_vector(reading, text, operand);
    if (text[0] == '[')
        return read_address(reading, text, operand);
    if (read_special(text, operand))
        return true;
    if (text[0] == '%') {
        operand->kind = CM_PTX_REGISTER;
        return read_register(reading, text, operand);
    }
    operand->kind = label ? CM_PTX_LABEL : CM_PTX_VALUE;
    if (label) {
        operand->value = (uint64_t)find_label(reading, text);
        return !reading->failed;
    }
    operand->value = (uint64_t)strtoll(text, &end, 0);
    if (reading->program->shared[0] != '\0' && strcmp(text, reading->program->shared) == 0)
        return true;
    return end != text && *end == '\0' ? true : fail_line(reading, "expected an operand, found %s", text);
}

/* Cuts one operand off; commas within braces belong to it. NULL at the end. */
static char *next_operand(char **rest)
{
    char *text = *rest + strspn(*rest, " \t,");
    size_t length = strcspn(text, text[0] == '{' ? "}" : ",");
    if (*text == '\0')
        return NULL;
    length += text[0] == '{' && text[length] == '}';
    *rest = text + length + (text[length] != '\0');
    text[length] = '\0';
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

/* Reads an instruction's operands; false with an error if they are wrong. */
static bool read_operands(struct reading *reading, char *text, cm_ptx_instruction *instruction)
{
    unsigned count = 0;
    for (char *one = next_operand(&text); one != NULL; one = next_operand(&text), count++)
        if (count == CM_PTX_OPERANDS ||
            !read_operand(reading, one, instruction->form->kind == CM_PTX_BRANCH, &instruction->operands[count]))
            return fail_line(reading, "too many operands");
    bool loads_parameter = instruction->form->kind == CM_PTX_LOAD_PARAMETER;
    if (loads_parameter && count > 1 && instruction->operands[1].kind != CM_PTX_PARAMETER)
        return fail_line(reading, "%s loads something that is no parameter", instruction->form->name);
    return count == instruction->form->operands ||
           fail_line(reading, "%s has %u operands, expected %u", instruction->form->name, count,
                     instruction->form->operands);
}

/* "@!%p add.rn.f32 %a, %b, %c" */
static bool read_instruction(struct reading *reading, char *text)
{
    cm_ptx_instruction instruction = {.line = reading->began};
    if (*text == '@') {
        cm_ptx_operand predicate = {0};
        instruction.predicated = true;
        instruction.negated = *++text == '!';
        char *name = text + instruction.negated;
        text += strcspn(text, " \t");
        if (*text == '\0')
            return fail_line(reading, "a predicate without an instruction");
        *text++ = '\0';
        text += strspn(text, " \t");
        if (!read_register(reading, name, &predicate))
            return false;
        instruction.predicate = predicate.registers[0];
    }
    size_t length = strcspn(text, " \t");
    char *operands = text + length + (text[length] != '\0');
    text[length] = '\0';
    instruction.form = cm_ptx_form_find(text);
    if (instruction.form == NULL || instruction.form->target > reading->program->target)
        return fail_line(reading, "unknown instruction %s", text);
    if (strncmp(text, "wgmma.", strlen("wgmma.")) == 0 && (!reading->alone || reading->version < 80))
        return fail_line(reading, "%s needs .version 8.0 and .target sm_90a", text);
    cm_ptx_program *program = reading->program;
    if (!CM_GROW_BY_ONE(program->instructions, program->count))
        return fail_line(reading, "out of memory");
    bool whole = read_operands(reading, operands, &instruction);
    program->instructions[program->count++] = instruction;
    return whole;
}

/* ---- statements ---- */

/* Goes on to the next token, past blanks, braces and comments, and counts lines. */
static void skip_blank(struct reading *reading)
{
    while (*reading->at != '\0') {
        if (strncmp(reading->at, "//", 2) == 0)
            reading->at += strcspn(reading->at, "\n");
        else if (!isspace((unsigned char)*reading->at) && strchr("{}", *reading->at) == NULL)
            return;
        reading->line += *reading->at == '\n';
        reading->at += *reading->at != '\0';
    }
}

/* Reads a statement and its `end`: a semicolon, a label's colon, or the end of a directive's or an entry's line. */
static bool next_statement(struct reading *reading, char *end)
{
    skip_blank(reading);
    const char *line = reading->at;
    bool whole_line = *line == '.' && strncmp(line, ".reg", 4) != 0 && strncmp(line, ".pragma", 7) != 0 &&
                      strncmp(line, ".shared", 7) != 0;
    size_t length = strcspn(line, whole_line ? "\n" : ";:");
    reading->began = reading->line;
    if (*line == '\0')
        return false;
    if (length >= STATEMENT || line[length] == '\0')
        return fail_line(reading, "a statement without an end");
    memcpy(reading->statement, line, length);
    reading->statement[length] = '\0';
    *end = line[length];
    for (size_t i = 0; i <= length; i++)
        reading->line += line[i] == '\n';
    reading->at += length + 1;
    return true;
}

static bool place_label(struct reading *reading)
{
    ptrdiff_t label = find_label(reading, reading->statement);
    if (label < 0)
        return false;
    if (reading->program->labels[label].at != SIZE_MAX)
        return fail_line(reading, "the label %s is there twice", reading->statement);
    reading->program->labels[label].at = reading->program->count;
    return true;
}

/* Reads all statements; false: one is wrong, a label is missing, or there is no entry. */
static bool read_all(struct reading *reading)
{
    char end = '\0';
    while (!reading->failed && next_statement(reading, &end)) {
        if (end == ':')
            place_label(reading);
        else if (reading->statement[0] == '.')
            read_directive(reading, reading->statement);
        else
            read_instruction(reading, reading->statement);
    }
    for (size_t i = 0; i < reading->program->label_count; i++)
        if (reading->program->labels[i].at == SIZE_MAX)
            fail_line(reading, "the label %s is nowhere", reading->program->labels[i].name);
    return !reading->failed && (reading->program->entry[0] != '\0' || fail_line(reading, "no entry"));
}

cm_ptx_program *cm_ptx_read(const char *text, unsigned target, char *log, size_t size)
{
    struct reading reading = {.at = text, .line = 1, .target = target, .log = log, .size = size};
    reading.program = calloc(1, sizeof *reading.program);
    if (reading.program == NULL)
        return NULL;
    if (read_all(&reading))
        return reading.program;
    cm_ptx_free(reading.program);
    return NULL;
}

void cm_ptx_free(cm_ptx_program *program)
{
    if (program == NULL)
        return;
    CM_FREE(program->registers, program->labels, program->instructions, program);
}
