/* A function of a binary as assembly: the text of objdump, with labels at the targets of jumps. */
#include "core/files.h"
#include "machines/ports/ports.h"

/* Writes a line "  401: addq $1,%rax" as "L401:" and the instruction; targets "401 <f+0x1>" become labels, too. */
static void write_line(const char *line, FILE *stream)
{
    const char *colon = strchr(line, ':'), *end = line + strcspn(line, "\n");
    const char *at = line + strspn(line, " \t");
    if (colon == NULL || colon > end || !isxdigit((unsigned char)*at) ||
        strspn(at, "0123456789abcdef") != (size_t)(colon - at))
        return;
    fprintf(stream, "L%.*s:\n\t", (int)(colon - at), at);
    const char *code = colon + 1 + strspn(colon + 1, " \t"), *angle = memchr(code, '<', (size_t)(end - code));
    const char *stop = angle != NULL && angle > code ? angle - 1 : end, *word = stop;
    while (angle != NULL && word > code && isxdigit((unsigned char)word[-1]))
        word--;
    const bool jumps = angle != NULL && word > code && word < stop && strchr(" \t,", word[-1]) != NULL;
    fprintf(stream, "%.*s%s%.*s\n", (int)((jumps ? word : stop) - code), code, jumps ? "L" : "",
            jumps ? (int)(stop - word) : 0, word);
}

/* Whether the binary is of the table's architecture, by its ELF header. */
static cm_status check_binary(const char *binary, cm_port_isa isa, cm_error *error)
{
    enum { X86_64 = 62, AARCH64 = 183, MACHINE = 18 };
    unsigned char head[MACHINE + 2] = {0};
    const char *wanted = isa == CM_PORT_X86_64 ? "x86-64" : "aarch64";
    FILE *stream = NULL;
    cm_status status = cm_input_open(binary, &stream, error);
    if (status != CM_OK)
        return status;
    const size_t got = fread(head, 1, sizeof head, stream);
    fclose(stream);
    if (got < sizeof head || memcmp(head, "\177ELF", 4) != 0)
        return cm_error_set(error, CM_BAD_INPUT, binary, 0, 0, "expected an object or program (ELF) of %s", wanted);
    if (head[MACHINE] + 256 * head[MACHINE + 1] != (isa == CM_PORT_X86_64 ? X86_64 : AARCH64))
        return cm_error_set(error, CM_BAD_INPUT, binary, 0, 0,
                            "it is of another architecture than the table of ports, expected %s", wanted);
    return CM_OK;
}

cm_status cm_port_disassemble(const char *binary, const char *symbol, cm_port_isa isa, char **text, cm_error *error)
{
    static const char *const programs[][3] = {
        [CM_PORT_X86_64] = {"objdump", "x86_64-linux-gnu-objdump", "llvm-objdump"},
        [CM_PORT_AARCH64] = {"objdump", "aarch64-linux-gnu-objdump", "llvm-objdump"}};
    char wanted[256], *printed = NULL;
    size_t size = 0;
    struct stat state;
    if (stat(binary, &state) != 0 || !S_ISREG(state.st_mode))
        return cm_error_set(error, CM_IO, binary, 0, 0, "there is no such file");
    cm_status status = check_binary(binary, isa, error);
    if (status != CM_OK)
        return status;
    snprintf(wanted, sizeof wanted, "--disassemble=%.200s", symbol);
    for (size_t i = 0; i < 3 && printed == NULL; i++) {
        char by_llvm[256];
        const bool llvm = i == 2;
        snprintf(by_llvm, sizeof by_llvm, "--disassemble-symbols=%.200s", symbol);
        const char *const command[] = {programs[isa][i], llvm ? by_llvm : wanted, "--no-show-raw-insn", binary, NULL};
        printed = cm_port_output_of(command, NULL);
        if (printed != NULL && strstr(printed, ">:\n") == NULL) {
            free(printed);
            printed = NULL;
        }
    }
    if (printed == NULL)
        return cm_error_set(error, CM_BAD_INPUT, binary, 0, 0,
                            "objdump finds no function '%.100s' of %s in it, or is not installed", symbol,
                            isa == CM_PORT_X86_64 ? "x86-64" : "aarch64");
    FILE *stream = open_memstream(text, &size);
    for (const char *line = printed; stream != NULL && *line != '\0';) {
        write_line(line, stream);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    free(printed);
    if (stream == NULL || fclose(stream) != 0)
        return cm_error_no_memory(error);
    return CM_OK;
}
