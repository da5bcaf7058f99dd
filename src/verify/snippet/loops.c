#include "verify/snippet/snippet.h"

#include "core/files.h"

/* How a loop begins: all general registers but the stack pointer are saved; a return of the snippet's goes to
 * catmint_returned. */
static const char begin[] = "catmint_begin:\n"
                            "\tpopq %rax\n" /* the caller's loop */
                            "\tpushq %rbx\n\tpushq %rbp\n\tpushq %r12\n\tpushq %r13\n\tpushq %r14\n\tpushq %r15\n"
                            "\tmovq %rdi, catmint_turns(%rip)\n"
                            "\tleaq catmint_returned(%rip), %rcx\n\tpushq %rcx\n"
                            "\tmovq %rsp, catmint_stack(%rip)\n"
                            "\tleaq catmint_memory+32768(%rip), %r14\n"
                            "\tmovl $1, %ebx\n\tmovl $1, %ecx\n\tmovl $1, %edx\n\tmovl $1, %esi\n\tmovl $1, %edi\n"
                            "\tmovl $1, %ebp\n\tmovl $1, %r8d\n\tmovl $1, %r9d\n\tmovl $1, %r10d\n\tmovl $1, %r11d\n"
                            "\tmovl $1, %r12d\n\tmovl $1, %r13d\n\tmovl $1, %r15d\n"
                            "\t.irp number, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
                            "\txorps %xmm\\number, %xmm\\number\n\t.endr\n"
                            "\tmovq %rax, catmint_loop(%rip)\n\tmovl $1, %eax\n\tcld\n"
                            "\tjmp *catmint_loop(%rip)\n";

/* How it ends, and how it ends if the snippet went astray. */
static const char end[] = "catmint_unbalanced:\n\tmovl $1, catmint_astray(%rip)\n\tjmp catmint_done\n"
                          "catmint_returned:\n\tmovl $2, catmint_astray(%rip)\n"
                          "catmint_done:\n\tmovq catmint_stack(%rip), %rsp\n\taddq $8, %rsp\n\tcld\n\temms\n"
                          "\tpopq %r15\n\tpopq %r14\n\tpopq %r13\n\tpopq %r12\n\tpopq %rbp\n\tpopq %rbx\n\tret\n"
                          "\t.bss\n\t.balign 4096\ncatmint_memory:\n\t.zero 65536\n"
                          "catmint_turns:\n\t.quad 0\ncatmint_stack:\n\t.quad 0\ncatmint_loop:\n\t.quad 0\n"
                          "\t.globl catmint_fault\ncatmint_fault:\ncatmint_astray:\n\t.long 0\n"
                          "\t.section .note.GNU-stack,\"\",@progbits\n";

/* Writes a loop; the snippet's choice of section and syntax ends with it. */
static void write_loop(FILE *stream, size_t number, size_t copies, const char *snippet)
{
    fprintf(stream,
            "\t.globl catmint_loop_%zu\n\t.type catmint_loop_%zu, @function\n\t.p2align 6\ncatmint_loop_%zu:\n"
            "\tcall catmint_begin\n\t.p2align 5\ncatmint_turn_%zu:\n",
            number, number, number, number);
    for (size_t i = 0; i < copies; i++)
        fprintf(stream, "\t.include \"%s\"\n\t.text\n\t.att_syntax prefix\n", snippet);
    fprintf(stream,
            "\tcmpq %%rsp, catmint_stack(%%rip)\n\tjne catmint_unbalanced\n"
            "\tdecq catmint_turns(%%rip)\n\tjnz catmint_turn_%zu\n\tjmp catmint_done\n",
            number);
}

cm_status cm_snippet_write_loops(const char *path, const char *snippet, size_t copies, cm_error *error)
{
    cm_output *output = NULL;
    cm_status status = cm_output_create(path, &output, error);
    if (status == CM_OK) {
        FILE *stream = cm_output_stream(output);
        fprintf(stream, "\t.text\n%s", begin);
        for (size_t i = 0; i < CM_SNIPPET_LOOPS; i++)
            write_loop(stream, i, i * copies, snippet);
        fputs(end, stream);
        status = cm_output_commit(output, error);
    }
    cm_output_free(output);
    return status;
}
