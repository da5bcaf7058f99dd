/* Functions whose behaviour is known instruction by instruction. The argument, in rdi, is a buffer of 4096 bytes, aligned
 * to 64. */

    .macro function name
    .globl \name
    .hidden \name
    .type \name, @function
    .balign 64
\name:
    .endm

    .text

    function step_nothing
    ret

/* 3 loads and 2 stores of data besides the return */
    function step_moves
    movq (%rdi), %rax
    movl %eax, 8(%rdi)
    addw $1, 16(%rdi)
    cmpb $0, 24(%rdi)
    leaq 8(%rdi,%rax,4), %rdx
    nopl 8(%rdi)
    prefetcht0 (%rdi)
    nop
    ret

    function step_stack
    pushq %rax
    pushq (%rdi)
    popq %rcx
    popq 8(%rdi)
    pushq %rbp
    movq %rsp, %rbp
    leave
    pushfq
    popfq
    ret

    function step_atomics
    lock addq $1, (%rdi)
    xchgl %eax, 8(%rdi)
    lock cmpxchgq %rax, 16(%rdi)
    ret

/* 5 times around: 4 times taken */
    function step_loop
    movl $5, %eax
1:  decl %eax
    jnz 1b
    jmp 2f
    ud2
2:  ret

    function step_counted_branches
    movl $3, %ecx
1:  loop 1b
    jrcxz 2f
    ud2
2:  jecxz 3f
    ud2
3:  movq $-1, %rcx
    jrcxz 4f
    ret
4:  ud2

    function step_conditions
    xorl %eax, %eax
    jo .Lbad
    jc .Lbad
    jnz .Lbad
    jg .Lbad
    js .Lbad
    jnp .Lbad
    jl .Lbad
    ja .Lbad
    cmpl $1, %eax
    jnc .Lbad
    jge .Lbad
    jle 1f
.Lbad:
    ud2
1:  jb 2f
    ud2
2:  ret

    function step_calls
    call .Lleaf
    leaq .Lleaf(%rip), %rax
    call *%rax
    pushq %rax
    call *(%rsp)
    popq %rax
    leaq 1f(%rip), %rax
    jmp *%rax
    ud2
1:  movq %rax, (%rdi)
    leaq 2f(%rip), %rax
    movq %rax, (%rdi)
    jmp *(%rdi)
    ud2
2:  ret
.Lleaf:
    ret

    function step_pops_arguments
    pushq $1
    pushq $2
    call 1f
    ret
1:  ret $16

    function step_strings
    pushq %rdi
    leaq 1024(%rdi), %rsi
    movl $10, %ecx
    rep movsb
    movl $6, %ecx
    rep stosq
    xorl %ecx, %ecx
    rep movsb
    lodsl
    popq %rdi
    ret

/* The third of 8 bytes differs: repe stops after 3, repne scasb after 1. rsi points behind. */
    function step_compares
    pushq %rdi
    movq $0, (%rdi)
    movq $0x10000, 8(%rdi)
    leaq 8(%rdi), %rsi
    movl $8, %ecx
    repe cmpsb
    movq (%rsp), %rdi
    xorl %eax, %eax
    movl $8, %ecx
    repne scasb
    popq %rdi
    ret

    function step_strings_backwards
    std
    leaq 56(%rdi), %rdi
    movl $4, %ecx
    rep stosq
    cld
    ret

    function step_bits
    movl $100, %eax
    btl %eax, (%rdi)
    btsq $3, (%rdi)
    ret

    function step_floating_point
    addsd %xmm0, %xmm1
    subsd %xmm0, %xmm1
    mulss (%rdi), %xmm1
    divps %xmm0, %xmm1
    sqrtpd %xmm0, %xmm1
    minsd %xmm0, %xmm1
    haddpd %xmm0, %xmm1
    ucomisd %xmm0, %xmm1
    cvtsd2ss %xmm0, %xmm1
    andpd %xmm0, %xmm1
    movaps %xmm0, %xmm1
    paddd %xmm0, %xmm1
    ret

    function step_avx
    vaddpd %ymm0, %ymm1, %ymm2
    vmulps 32(%rdi), %ymm1, %ymm2
    vaddsd %xmm0, %xmm1, %xmm2
    vdpps $255, %ymm0, %ymm1, %ymm2
    vzeroupper
    ret

    function step_fma
    vfmadd231pd %ymm0, %ymm1, %ymm2
    vfnmsub132ss %xmm0, %xmm1, %xmm2
    vfmaddsub213ps %xmm0, %xmm1, %xmm2
    vzeroupper
    ret

    function step_avx512
    vaddpd (%rdi){1to8}, %zmm1, %zmm2
    movl $5, %eax
    kmovw %eax, %k1
    vfmadd231ps %zmm0, %zmm1, %zmm2{%k1}
    vmovupd %zmm2, 64(%rdi){%k1}
    vmulpd %ymm16, %ymm17, %ymm18
    vzeroupper
    ret

/* All 8 of 8, then 3 of 4: lanes 0, 2 and 3 */
    function step_gathers
    vpcmpeqd %ymm0, %ymm0, %ymm0
    vpxor %xmm1, %xmm1, %xmm1
    vgatherdps %ymm0, (%rdi,%ymm1,4), %ymm2
    movl $-1, %eax
    vmovd %eax, %xmm0
    vpshufd $0x04, %xmm0, %xmm0
    vpxor %xmm1, %xmm1, %xmm1
    vgatherdps %xmm0, (%rdi,%xmm1,4), %xmm2
    vzeroupper
    ret

/* 4 of 16 */
    function step_scatters
    movl $0x8111, %eax
    kmovw %eax, %k1
    vpxord %zmm1, %zmm1, %zmm1
    vpxord %zmm17, %zmm17, %zmm17
    vpscatterdd %zmm1, (%rdi,%zmm17,4){%k1}
    kmovw %eax, %k1
    vpgatherdd (%rdi,%zmm17,4), %zmm1{%k1}
    vzeroupper
    ret

    function step_x87
    fld1
    fldl (%rdi)
    faddp
    fstpl 8(%rdi)
    ret

    function step_mmx
    movq (%rdi), %mm0
    paddd %mm0, %mm0
    emms
    ret

    function step_fences
    lfence
    mfence
    sfence
    ret

    function step_splits
    movq 60(%rdi), %rax
    movq %rax, 4092-64(%rdi)
    movq 64(%rdi), %rax
    ret

/* Loads of 1, 2, 4, 8, 16 and 10 bytes besides the return, stores of 8 and 16, an update of 2. */
    function step_widths
    movzbl (%rdi), %eax
    movzwl (%rdi), %eax
    movl (%rdi), %eax
    movq (%rdi), %rax
    movups (%rdi), %xmm0
    fldt (%rdi)
    fstpl 16(%rdi)
    movups %xmm0, 32(%rdi)
    incw 8(%rdi)
    ret

/* A line is stored to, past the caches, and stored to again; prefetches fetch nothing here. */
    function step_past
    movq %rax, (%rdi)
    movntiq %rax, (%rdi)
    movntil %eax, 8(%rdi)
    movntdq %xmm0, 16(%rdi)
    movntiq %rax, 60(%rdi)
    movq %rax, (%rdi)
    prefetchnta 128(%rdi)
    prefetcht0 128(%rdi)
    prefetcht1 128(%rdi)
    prefetcht2 128(%rdi)
    prefetchw 128(%rdi)
    ret

/* What must be refused, at its own address. */

    function refuse_ud2
    ud2
    function refuse_int3
    int3
    function refuse_hlt
    hlt
    function refuse_out
    outb %al, %dx
    function refuse_far_jump
    ljmp *(%rdi)
    function refuse_far_return
    lretl
    function refuse_iret
    iretq
    function refuse_transaction
    xbegin .
    function refuse_segment
    movl %eax, %ds
    function refuse_fsbase
    wrfsbase %rax
    function refuse_undecodable
    .byte 0x06, 0x06
    function refuse_int80
    int $0x80
    function refuse_vfork
    movl $58, %eax
    syscall
    function refuse_half
    vaddph %zmm0, %zmm1, %zmm2
    function refuse_nowhere
    xorl %eax, %eax
    jmp *%rax

/* A word that a stepped function is refused after having changed it. */
    function refuse_late
    movq $77, (%rdi)
    pushq %rbx
    ud2

/* ---- the wrong path ---- */

/* A branch that is mispredicted half of the time: rdi points to words that say whether it is taken, 0 ends. Behind it:
 * nothing but a fence (as in the kernels b4), or another branch before the fence (b5). */
    function path_fenced
1:  movl (%rdi), %eax
    addq $4, %rdi
    testl %eax, %eax
    jz 3f
    cmpl $1, %eax
    lfence
    je 2f
    lfence
    jmp 1b
2:  lfence
    jmp 1b
3:  ret

    function path_open
1:  lfence
    movl (%rdi), %eax
    addq $4, %rdi
    cmpl $1, %eax
    je 2f
    nop
2:  testl %eax, %eax
    jnz 1b
    ret

    .section .note.GNU-stack, "", @progbits
