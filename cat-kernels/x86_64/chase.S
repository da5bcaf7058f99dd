/* The pointer chase: cm_kernel_chase_<fillers>(iterations, data), one iteration an access.
 *
 * Each access is a load whose address is the result of the last, an addition that makes an address of the offset it found, and none, two, three or five
 * fillers: additions to a register of its own. In chase_store one of two is a store beside the chain, in chase_update one of three an addition to
 * memory there (only in chains that stay in the first cache, so that a line driven out of it is not taken for an access of the chain). The loop around
 * them costs two instructions more for 64 accesses, with two fillers for 16; the iterations that do not fill a turn run before it. So nothing that
 * comes with an access or with a turn looks like a load.
 *
 * cm_kernel_data: generator at 0 (here: the offset at which the chase goes on), buffer at 8. */
#include "branch.inc"

        .macro  ACCESS
        movq    (%rax), %rax
        addq    %rdx, %rax
        .endm
        .macro  ACCESS_2
        ACCESS
        addq    $1, %r8
        addq    $1, %r8
        .endm
        .macro  ACCESS_STORE
        ACCESS
        addq    $1, %r8
        movq    %r8, -8(%rsp)
        .endm
        .macro  ACCESS_UPDATE
        ACCESS
        addq    $1, %r8
        addq    $1, %r8
        addq    %r8, -8(%rsp)
        .endm
/* With a load of the stack, which hits, while the chain misses. */
        .macro  ACCESS_HIT
        movq    -8(%rsp), %r8
        ACCESS
        .endm
/* With loads of the same line before it, whose address is that of the first one: they find the line on its way. */
        .macro  ACCESS_FILL_1
        movq    8(%rax), %r8
        ACCESS
        .endm
        .macro  ACCESS_FILL_3
        movq    8(%rax), %r8
        movq    16(%rax), %r9
        movq    24(%rax), %r10
        ACCESS
        .endm
/* With hits of the stack beside it: misses are rare, as in programs. */
        .macro  ACCESS_FIFTH
        .rept   4
        movq    -8(%rsp), %r8
        .endr
        ACCESS
        .endm
        .macro  ACCESS_RARE
        .rept   63
        movq    -8(%rsp), %r8
        .endr
        ACCESS
        .endm
/* With a prefetch of the line that ACCESS_BESIDE stores to: it misses as the chain does, and nothing else touches it. */
        .macro  ACCESS_HINT_T0
        prefetcht0 448(%rax)
        ACCESS
        .endm
        .macro  ACCESS_HINT_T1
        prefetcht1 448(%rax)
        ACCESS
        .endm
        .macro  ACCESS_HINT_NTA
        prefetchnta 448(%rax)
        ACCESS
        .endm
        .macro  ACCESS_HINT_W
        prefetchw 448(%rax)
        ACCESS
        .endm
        .macro  ACCESS_5
        ACCESS
        .rept   5
        addq    $1, %r8
        .endr
        .endm

/* With a branch at random, and a wall behind it (branch.inc). */
        .macro  ACCESS_RANDOM
        ACCESS
        RANDOM_BRANCH
        .endm
        .macro  ACCESS_BESIDE_RANDOM
        movq    %r8, 448(%rax)
        ACCESS_RANDOM
        .endm
        .macro  ACCESS_BEFORE_RANDOM
        movq    %r8, 8(%rax)
        ACCESS_RANDOM
        .endm

/* With stores: beside the element, on a line that no element is on, once or twice, and into the element itself, of its own value. Elements
 * step over two lines there, of 64, 128 or 256 bytes: 448 bytes on there is none, nor on the line that some prefetchers fetch along with it. */
        .macro  ACCESS_BESIDE
        movq    %r8, 448(%rax)
        ACCESS
        .endm
/* Before it: the store is the first to touch the element's line. */
        .macro  ACCESS_BEFORE
        movq    %r8, 8(%rax)
        ACCESS
        .endm
        .macro  ACCESS_BESIDE_FIFTH
        .rept   4
        movq    %r8, -8(%rsp)
        .endr
        ACCESS_BESIDE
        .endm
        .macro  ACCESS_BESIDE_RARE
        .rept   63
        movq    %r8, -8(%rsp)
        .endr
        ACCESS_BESIDE
        .endm
        .macro  ACCESS_BEFORE_RARE
        .rept   63
        movq    %r8, -8(%rsp)
        .endr
        ACCESS_BEFORE
        .endm
        .macro  ACCESS_TWICE
        movq    %r8, 448(%rax)
        movq    %r8, 456(%rax)
        ACCESS
        addq    $1, %r8
        addq    $1, %r8
        .endm
        .macro  ACCESS_SAME
        movq    (%rax), %r9
        movq    %r9, (%rax)
        leaq    (%rdx,%r9), %rax
        .endm

/* With a store that crosses from a line into the next, which holds no other element: elements step over eight lines, of 64, 128 or 256 bytes.
 * The element's own line is loaded before. */
        .macro  ACCESS_SPLIT
        movq    (%rax), %r9
        movq    %r8, 252(%rax)
        leaq    (%rdx,%r9), %rax
        .endm

/* As many accesses as rdi says. */
        .macro  TURNS access, shift
        movq    %rdi, %rcx
        andq    $((1 << \shift) - 1), %rcx
        jz      2f
1:      \access
        decq    %rcx
        jnz     1b
2:      shrq    $\shift, %rdi
        jz      4f
        .p2align 6
3:
        .rept   1 << \shift
        \access
        .endr
        decq    %rdi
        jnz     3b
4:
        .endm

        .macro  CHASE name, access, shift, prepare
        KERNEL  \name
        movq    8(%rsi), %rdx
        movq    (%rsi), %rax
        \prepare
        addq    %rdx, %rax
        TURNS   \access, \shift
        subq    %rdx, %rax
        cmpq    (%rsi), %rax            # fetches the line, so that no store misses: a chase is about loads
        movq    %rax, (%rsi)
        ret
        END     \name
        .endm

        CHASE   chase_0, ACCESS, 6
        CHASE   chase_2, ACCESS_2, 4
        CHASE   chase_store, ACCESS_STORE, 4
        CHASE   chase_update, ACCESS_UPDATE, 4
        CHASE   chase_hit, ACCESS_HIT, 6
        CHASE   chase_fill_1, ACCESS_FILL_1, 4
        CHASE   chase_fill_3, ACCESS_FILL_3, 4
        CHASE   chase_fifth, ACCESS_FIFTH, 1
        CHASE   chase_rare, ACCESS_RARE, 1
        CHASE   chase_hint_t0, ACCESS_HINT_T0, 6
        CHASE   chase_hint_t1, ACCESS_HINT_T1, 6
        CHASE   chase_hint_nta, ACCESS_HINT_NTA, 6
        CHASE   chase_hint_w, ACCESS_HINT_W, 6
        CHASE   chase_5, ACCESS_5, 6
/* The generator begins elsewhere in each run, as the chain does: a predictor would learn a sequence that repeats. */
        .macro  SEED
        movabsq $RANDOM_FACTOR, %r8
        movabsq $RANDOM_INCREMENT, %r9
        leaq    (%rdi,%rax), %r10
        .endm
/* Turns from one sign to the other: each predictor knows the next. */
        .macro  KNOWN
        movq    $-1, %r8
        xorl    %r9d, %r9d
        movl    $1, %r10d
        .endm
        CHASE   chase_random, ACCESS_RANDOM, 2, SEED
        CHASE   chase_known, ACCESS_RANDOM, 2, KNOWN
        CHASE   chase_beside_known, ACCESS_BESIDE_RANDOM, 2, KNOWN
        CHASE   chase_before_known, ACCESS_BEFORE_RANDOM, 2, KNOWN
        CHASE   chase_beside_random, ACCESS_BESIDE_RANDOM, 2, SEED
        CHASE   chase_before_random, ACCESS_BEFORE_RANDOM, 2, SEED
        CHASE   chase_beside, ACCESS_BESIDE, 6
        CHASE   chase_before, ACCESS_BEFORE, 6
        CHASE   chase_beside_fifth, ACCESS_BESIDE_FIFTH, 1
        CHASE   chase_beside_rare, ACCESS_BESIDE_RARE, 1
        CHASE   chase_before_rare, ACCESS_BEFORE_RARE, 1
        CHASE   chase_twice, ACCESS_TWICE, 4
        CHASE   chase_same, ACCESS_SAME, 6
        CHASE   chase_split, ACCESS_SPLIT, 6

/* A loop of two loads, of an element and as far behind it as the word behind the first offset says (CM_CHAIN_THIRDS), which goes on for a third load
 * as a branch at random says: so a wrong path does that load, to where the loop goes. One instruction does all three, whose step stays the same.
 * The branch waits for three multiplications, so that the load begins first. Of the branches before it, one counts, and one leaves after the third. */
        KERNEL  chase_wrong
        movq    8(%rsi), %rdx
        movq    (%rsi), %rax
        movq    8(%rdx), %r9
        leaq    (%rdi,%rax), %r10
        addq    %rdx, %rax
        .p2align 5
1:      movq    %rax, %r11
        movl    $2, %r8d
4:      movq    %rcx, %rax
5:      movq    (%r11), %rcx
        lfence
        addq    %r9, %r11
        decl    %r8d
        jg      4b
        js      6f
        addq    %rdx, %rax
        addq    %rax, %r10
        .rept   3
        imulq   $747796405, %r10, %r10
        .endr
        addq    $1, %r10
        js      5b
        lfence
6:      decq    %rdi
        jnz     1b
        subq    %rdx, %rax
        cmpq    (%rsi), %rax
        movq    %rax, (%rsi)
        ret
        END     chase_wrong

/* Steps over zeros: cm_kernel_step_<fillers>. buffer is a cm_steps (chase.h): start at 0, stride at 8, extent at 16. The zero that is
 * loaded goes into the next address, as in a chase. */
        .macro  STEP
        movq    (%rdx,%rax), %r9
        addq    %r10, %rax
        addq    %r9, %rax
        cmpq    %r11, %rax
        cmovaeq %r8, %rax
        .endm
        .macro  STEP_5
        STEP
        .rept   5
        addq    $1, %r9
        .endr
        .endm

        .macro  STEPS name, access
        KERNEL  \name
        movq    8(%rsi), %rdx
        movq    8(%rdx), %r10
        movq    16(%rdx), %r11
        movq    (%rdx), %rdx
        movq    (%rsi), %rax
        xorl    %r8d, %r8d
        TURNS   \access, 6
        movq    %rax, (%rsi)
        ret
        END     \name
        .endm

        STEPS   step_0, STEP
        STEPS   step_5, STEP_5

        .section .note.GNU-stack, "", @progbits
