/* The pointer chase: cm_kernel_chase(iterations, data), one iteration an access.
 *
 * Each access is a load whose address is the result of the last, and an addition that makes an address of the offset it found: two
 * instructions. The loop around UNROLL of them costs two more a turn; what `iterations` leaves over runs before it.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chase goes on), buffer at 8. */

#define UNROLL 64

        .text
        .globl  cm_kernel_chase
        .hidden cm_kernel_chase
        .type   cm_kernel_chase, @function
        .p2align 6
cm_kernel_chase:
        movq    8(%rsi), %rdx
        movq    (%rsi), %rax
        addq    %rdx, %rax
        movq    %rdi, %rcx
        andq    $(UNROLL - 1), %rcx
        jz      2f
1:      movq    (%rax), %rax
        addq    %rdx, %rax
        decq    %rcx
        jnz     1b
2:      shrq    $6, %rdi
        jz      4f
        .p2align 6
3:
        .rept   UNROLL
        movq    (%rax), %rax
        addq    %rdx, %rax
        .endr
        decq    %rdi
        jnz     3b
4:      subq    %rdx, %rax
        cmpq    (%rsi), %rax            # fetches the line, so that no store misses: a chase is about loads
        movq    %rax, (%rsi)
        ret
        .size   cm_kernel_chase, . - cm_kernel_chase

        .section .note.GNU-stack, "", @progbits
