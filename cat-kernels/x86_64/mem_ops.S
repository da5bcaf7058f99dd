/* mem-ops: loops of loads, of stores and of instructions that do both, of one width each, on three lines of the stack.
 *
 * Besides its accesses a turn executes \fillers additions to an integer, a decrement and a branch. Aligned accesses go round the first two
 * lines; those that cross a line do so in turn at the end of either. Loads write no register that addresses come from, so that no access
 * waits for another. The values that are moved are arbitrary: only load_add computes with one that it loaded. */
#include "body.inc"

        .macro  BEGIN name
        KERNEL  \name
        movq    %rsp, %r11
        subq    $256, %rsp
        andq    $-64, %rsp
        movq    %rsp, %rax
        .p2align 5
1:
        .endm

        .macro  FINISH name, fillers, after
        .rept   \fillers
        addq    $1, %rdx
        .endr
        decq    %rdi
        jnz     1b
        movq    %r11, %rsp
        \after
        ret
        END     \name
        .endm

/* COUNT times ONE with an offset: of \width bytes, aligned or over the end of a line. */
        .macro  ACCESSES one, count, width, split
        .set    turn, 0
        .rept   \count
        .altmacro
        .if     \split
        \one    %((turn & 1) * 64 + 64 - \width / 2)
        .else
        \one    %((turn * \width) & 127)
        .endif
        .noaltmacro
        .set    turn, turn + 1
        .endr
        .endm

        .macro  LOOP name, one, width, count, fillers=0, after, split=0
        BEGIN   \name\()_\width\()_\count
        ACCESSES \one, \count, \width, \split
        FINISH  \name\()_\width\()_\count, \fillers, \after
        .endm

/* ---- loads ---- */

        .macro  LOAD_1 at
        movzbl  \at(%rax), %ecx
        .endm
        .macro  LOAD_2 at
        movzwl  \at(%rax), %ecx
        .endm
        .macro  LOAD_4 at
        movl    \at(%rax), %ecx
        .endm
        .macro  LOAD_8 at
        movq    \at(%rax), %rcx
        .endm
        .macro  LOAD_16 at
        movups  \at(%rax), %xmm0
        .endm
        .macro  LOAD_32 at
        vmovups \at(%rax), %ymm0
        .endm
        .macro  LOAD_64 at
        vmovups \at(%rax), %zmm0
        .endm

        .macro  LOADS one, width, after
        LOOP    load, \one, \width, 8, 3, \after
        LOOP    load, \one, \width, 24, 0, \after
        .if     \width > 1
        LOOP    split_load, \one, \width, 8, 0, \after, 1
        .endif
        .endm

        LOADS   LOAD_1, 1
        LOADS   LOAD_2, 2
        LOADS   LOAD_4, 4
        LOADS   LOAD_8, 8
        LOADS   LOAD_16, 16
        LOADS   LOAD_32, 32, vzeroupper
        LOADS   LOAD_64, 64, vzeroupper

        .macro  LOAD_VECTOR_4 at
        movss   \at(%rax), %xmm0
        .endm
        .macro  LOAD_VECTOR_8 at
        movsd   \at(%rax), %xmm0
        .endm
        .macro  LOAD_ADD at
        addq    \at(%rax), %rcx
        .endm

        LOOP    load_vector, LOAD_VECTOR_4, 4, 8
        LOOP    load_vector, LOAD_VECTOR_8, 8, 8
        LOOP    load_add, LOAD_ADD, 8, 8

/* ---- stores ---- */

        .macro  STORE_1 at
        movb    %cl, \at(%rax)
        .endm
        .macro  STORE_2 at
        movw    %cx, \at(%rax)
        .endm
        .macro  STORE_4 at
        movl    %ecx, \at(%rax)
        .endm
        .macro  STORE_8 at
        movq    %rcx, \at(%rax)
        .endm
        .macro  STORE_16 at
        movups  %xmm0, \at(%rax)
        .endm
        .macro  STORE_32 at
        vmovups %ymm0, \at(%rax)
        .endm
        .macro  STORE_64 at
        vmovups %zmm0, \at(%rax)
        .endm

        .macro  STORES one, width, after
        LOOP    store, \one, \width, 8, 5, \after
        LOOP    store, \one, \width, 24, 0, \after
        .if     \width > 1
        LOOP    split_store, \one, \width, 8, 0, \after, 1
        .endif
        .endm

        STORES  STORE_1, 1
        STORES  STORE_2, 2
        STORES  STORE_4, 4
        STORES  STORE_8, 8
        STORES  STORE_16, 16
        STORES  STORE_32, 32, vzeroupper
        STORES  STORE_64, 64, vzeroupper

        .macro  STORE_VECTOR_4 at
        movss   %xmm0, \at(%rax)
        .endm
        .macro  STORE_VECTOR_8 at
        movsd   %xmm0, \at(%rax)
        .endm

        LOOP    store_vector, STORE_VECTOR_4, 4, 8
        LOOP    store_vector, STORE_VECTOR_8, 8, 8

        .macro  NT_STORE_4 at
        movntil %ecx, \at(%rax)
        .endm
        .macro  NT_STORE_8 at
        movntiq %rcx, \at(%rax)
        .endm
        .macro  NT_STORE_16 at
        movntps %xmm0, \at(%rax)
        .endm
        .macro  NT_STORE_32 at
        vmovntps %ymm0, \at(%rax)
        .endm
        .macro  NT_STORE_64 at
        vmovntps %zmm0, \at(%rax)
        .endm

        LOOP    nt_store, NT_STORE_4, 4, 8
        LOOP    nt_store, NT_STORE_8, 8, 8
        LOOP    nt_store, NT_STORE_8, 8, 24, 5
        LOOP    nt_store, NT_STORE_16, 16, 8
        LOOP    nt_store, NT_STORE_32, 32, 8, 0, vzeroupper
        LOOP    nt_store, NT_STORE_64, 64, 8, 0, vzeroupper

/* ---- both ---- */

        .macro  UPDATE_1 at
        addb    $1, \at(%rax)
        .endm
        .macro  UPDATE_2 at
        addw    $1, \at(%rax)
        .endm
        .macro  UPDATE_4 at
        addl    $1, \at(%rax)
        .endm
        .macro  UPDATE_8 at
        addq    $1, \at(%rax)
        .endm
        .macro  LOCKED_4 at
        lock    addl $1, \at(%rax)
        .endm
        .macro  LOCKED_8 at
        lock    addq $1, \at(%rax)
        .endm
        .macro  EXCHANGE at
        xchgq   %rcx, \at(%rax)
        .endm
        .macro  COPY at
        movq    \at(%rax), %rcx
        movq    %rcx, 64 + \at(%rax)
        .endm
        .macro  PUSH_POP at
        pushq   %rcx
        popq    %rcx
        .endm

        LOOP    update, UPDATE_1, 1, 8
        LOOP    update, UPDATE_2, 2, 8
        LOOP    update, UPDATE_4, 4, 8
        LOOP    update, UPDATE_8, 8, 8
        LOOP    update, UPDATE_8, 8, 24, 3
        LOOP    split_update, UPDATE_8, 8, 8, 0, , 1
        LOOP    locked, LOCKED_4, 4, 8
        LOOP    locked, LOCKED_8, 8, 8
        LOOP    exchange, EXCHANGE, 8, 8
        LOOP    copy, COPY, 8, 8
        LOOP    push_pop, PUSH_POP, 8, 8

/* ---- counted differently by vendors: Intel counts them as loads ---- */

        .macro  PREFETCH_NTA at
        prefetchnta \at(%rax)
        .endm
        .macro  PREFETCH_T0 at
        prefetcht0 \at(%rax)
        .endm
        .macro  PREFETCH_T1 at
        prefetcht1 \at(%rax)
        .endm
        .macro  PREFETCH_T2 at
        prefetcht2 \at(%rax)
        .endm
        .macro  PREFETCH_W at
        prefetchw \at(%rax)
        .endm

        LOOP    prefetch_nta, PREFETCH_NTA, 64, 8
        LOOP    prefetch_t0, PREFETCH_T0, 64, 8
        LOOP    prefetch_t1, PREFETCH_T1, 64, 8
        LOOP    prefetch_t2, PREFETCH_T2, 64, 8
        LOOP    prefetch_w, PREFETCH_W, 64, 8

        .section .note.GNU-stack, "", @progbits
