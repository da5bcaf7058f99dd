#include "machines/timed.h"

/* A piece of text between blanks. */
struct word {
    const char *text;
    size_t length;
};

static const char *line_end(const char *line)
{
    return line + strcspn(line, "\n") + (strchr(line, '\n') != NULL);
}

static struct word next_word(const char *at)
{
    at += strspn(at, " \t");
    return (struct word){at, strcspn(at, " \t\n#,")};
}

/* "NAME:" at the beginning of a line. */
static const char *find_label(const char *text, const char *end, struct word name)
{
    for (const char *line = text; line < end && *line != '\0'; line = line_end(line))
        if (strncmp(line, name.text, name.length) == 0 && line[name.length] == ':')
            return line;
    return NULL;
}

/* The label to which a line jumps back, from `begin` on; NULL: it does not jump back. */
static const char *jumps_back_to(const char *begin, const char *line)
{
    struct word operation = next_word(line);
    if (operation.length < 2 || operation.text[0] != 'j')
        return NULL;
    return find_label(begin, line, next_word(operation.text + operation.length));
}

/* Whether a loop of the list lies within this one. */
static bool holds_another(const cm_loops *loops, const cm_loop *loop)
{
    for (size_t i = 0; i < loops->count; i++)
        if (loops->loops[i].first >= loop->first && loops->loops[i].last <= loop->last)
            return true;
    return false;
}

bool cm_loops_are_known(void)
{
#ifdef __x86_64__
    return true;
#else
    return false;
#endif
}

cm_status cm_loops_find(const char *text, const char *function, cm_loops *loops, cm_error *error)
{
    *loops = (cm_loops){0};
    const char *begin = find_label(text, text + strlen(text), (struct word){function, strlen(function)});
    if (begin == NULL)
        return CM_FAIL(error, CM_BAD_INPUT, "the compiler's assembly has no function '%s'", function);
    for (const char *line = line_end(begin); *line != '\0'; line = line_end(line)) {
        struct word word = next_word(line);
        if (word.length == 5 && strncmp(word.text, ".size", 5) == 0)
            break;
        const char *back = jumps_back_to(begin, line);
        cm_loop loop = {back != NULL ? (size_t)(back - text) : 0, (size_t)(line_end(line) - text)};
        if (back != NULL && !holds_another(loops, &loop) && loops->count < CM_LOOPS_MOST)
            loops->loops[loops->count++] = loop;
    }
    return CM_OK;
}

static void write_count(size_t number, FILE *stream)
{
    fprintf(stream,
            "\tmovq %%rax, catmint_saved(%%rip)\n\tmovq catmint_loops+%zu(%%rip), %%rax\n\tleaq 1(%%rax), %%rax\n"
            "\tmovq %%rax, catmint_loops+%zu(%%rip)\n\tmovq catmint_saved(%%rip), %%rax\n",
            8 * number, 8 * number);
}

void cm_loops_write_counted(const char *text, const cm_loops *loops, FILE *stream)
{
    for (const char *line = text; *line != '\0'; line = line_end(line)) {
        fwrite(line, 1, (size_t)(line_end(line) - line), stream);
        for (size_t i = 0; i < loops->count; i++)
            if (loops->loops[i].first == (size_t)(line - text))
                write_count(i, stream);
    }
    fprintf(stream,
            "\t.local catmint_saved\n\t.comm catmint_saved,8,8\n\t.local catmint_loops\n\t.comm catmint_loops,%d,8\n"
            "\t.text\n\t.globl catmint_counts\n\t.type catmint_counts, @function\ncatmint_counts:\n"
            "\tleaq catmint_loops(%%rip), %%rax\n\tret\n\t.size catmint_counts, .-catmint_counts\n",
            8 * CM_LOOPS_MOST);
}

static bool is_instruction_line(const char *line)
{
    return *line == '\t' && next_word(line).length > 0 && next_word(line).text[0] != '.';
}

size_t cm_loop_instructions(const char *text, const cm_loop *loop)
{
    size_t count = 0;
    for (const char *line = text + loop->first; line < text + loop->last; line = line_end(line))
        count += is_instruction_line(line);
    return count;
}

void cm_loops_write(const char *text, const cm_loop *loop, FILE *stream)
{
    for (const char *line = text + loop->first; line < text + loop->last; line = line_end(line))
        if (is_instruction_line(line))
            fwrite(line, 1, (size_t)(line_end(line) - line), stream);
}
