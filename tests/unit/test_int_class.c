/* Which fact an instruction on integers counts as, by its bytes. What is expected is the manuals' grouping, typed in.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "software_pmu/machine/facts.h"
#include "software_pmu/x86_64/step.h"

static const struct {
    const char *text, *bytes;
    size_t size;
    const char *fact; /* NULL: none */
} rows[] = {
    {"addq $1, 8(%rdi)", "\x48\x83\x47\x08\x01", 5, "int_scalar_add"},
    {"sbbq %rcx, %rdx", "\x48\x19\xca", 3, "int_scalar_add"},
    {"negl %eax", "\xf7\xd8", 2, "int_scalar_add"},
    {"lock xaddq %rcx, (%rdi)", "\xf0\x48\x0f\xc1\x0f", 5, "int_scalar_add"},
    {"mulq %rcx", "\x48\xf7\xe1", 3, "int_scalar_mul"},
    {"imulq (%rdi), %rdx", "\x48\x0f\xaf\x17", 4, "int_scalar_mul"},
    {"mulx %rcx, %rdx, %rax", "\xc4\xe2\xeb\xf6\xc1", 5, "int_scalar_mul"},
    {"idivl %ecx", "\xf7\xf9", 2, "int_scalar_div"},
    {"xorl %eax, %eax", "\x31\xc0", 2, "int_scalar_logic"},
    {"notb (%rdi)", "\xf6\x17", 2, "int_scalar_logic"},
    {"popcntq %rcx, %rdx", "\xf3\x48\x0f\xb8\xd1", 5, "int_scalar_logic"},
    {"bswapq %rax", "\x48\x0f\xc8", 3, "int_scalar_logic"},
    {"btsq %rcx, %rdx", "\x48\x0f\xab\xca", 4, "int_scalar_logic"},
    {"blsrq %rcx, %rdx", "\xc4\xe2\xe8\xf3\xc9", 5, "int_scalar_logic"},
    {"rolq $3, %rax", "\x48\xc1\xc0\x03", 4, "int_scalar_shift"},
    {"shldq $3, %rcx, %rdx", "\x48\x0f\xa4\xca\x03", 5, "int_scalar_shift"},
    {"shlxq %rcx, %rdx, %rax", "\xc4\xe2\xf1\xf7\xc2", 5, "int_scalar_shift"},
    {"cmpq (%rdi), %rax", "\x48\x3b\x07", 3, "int_scalar_compare"},
    {"testb $1, (%rdi)", "\xf6\x07\x01", 3, "int_scalar_compare"},
    {"leaq 8(%rdi,%rax,2), %rdx", "\x48\x8d\x54\x47\x08", 5, "int_scalar_address"},
    {"movq %rcx, %rdx", "\x48\x89\xca", 3, "int_scalar_move"},
    {"movl $7, %eax", "\xb8\x07\x00\x00\x00", 5, "int_scalar_move"},
    {"movzbl %cl, %eax", "\x0f\xb6\xc1", 3, "int_scalar_move"},
    {"cmovzq %rcx, %rdx", "\x48\x0f\x44\xd1", 4, "int_scalar_move"},
    {"setz %al", "\x0f\x94\xc0", 3, "int_scalar_move"},
    {"cqto", "\x48\x99", 2, "int_scalar_move"},
    {"xchgq %rcx, %rdx", "\x48\x87\xca", 3, "int_scalar_move"},
    {"movq (%rdi), %rdx", "\x48\x8b\x17", 3, NULL},
    {"movq %rdx, (%rdi)", "\x48\x89\x17", 3, NULL},
    {"movzbl (%rdi), %eax", "\x0f\xb6\x07", 3, NULL},
    {"cmovzq (%rdi), %rdx", "\x48\x0f\x44\x17", 4, NULL},
    {"xchgq %rcx, (%rdi)", "\x48\x87\x0f", 3, NULL},
    {"pushq %rax", "\x50", 1, NULL},
    {"cmc", "\xf5", 1, NULL},
    {"nop", "\x90", 1, NULL},
    {"jmp .+2", "\xeb\x00", 2, NULL},
    {"crc32q %rcx, %rdx", "\xf2\x48\x0f\x38\xf1\xd1", 6, "crc_instructions"},
    {"movsq", "\x48\xa5", 2, "string_instructions"},
    {"rep stosb", "\xf3\xaa", 2, "string_instructions"},
    {"repne scasb", "\xf2\xae", 2, "string_instructions"},
    {"movsd %xmm0, %xmm1", "\xf2\x0f\x10\xc8", 4, NULL},
    {"paddd %xmm1, %xmm0", "\x66\x0f\xfe\xc1", 4, "int_128_add"},
    {"paddusw (%rdi), %xmm0", "\x66\x0f\xdd\x07", 4, "int_128_add"},
    {"vpaddq %ymm1, %ymm0, %ymm2", "\xc5\xfd\xd4\xd1", 4, "int_256_add"},
    {"vpaddd %zmm1, %zmm0, %zmm2", "\x62\xf1\x7d\x48\xfe\xd1", 6, "int_512_add"},
    {"psubb %xmm1, %xmm0", "\x66\x0f\xf8\xc1", 4, "int_128_sub"},
    {"vpmulld %ymm1, %ymm0, %ymm2", "\xc4\xe2\x7d\x40\xd1", 5, "int_256_mul"},
    {"pmaddwd %xmm1, %xmm0", "\x66\x0f\xf5\xc1", 4, NULL},
    {"pandn %xmm1, %xmm0", "\x66\x0f\xdf\xc1", 4, "int_128_logic"},
    {"vpternlogd $1, %zmm1, %zmm0, %zmm2", "\x62\xf3\x7d\x48\x25\xd1\x01", 7, "int_512_logic"},
    {"andps %xmm1, %xmm0", "\x0f\x54\xc1", 3, NULL},
    {"pslldq $1, %xmm0", "\x66\x0f\x73\xf8\x01", 5, "int_128_shift"},
    {"vpsravd %ymm1, %ymm0, %ymm2", "\xc4\xe2\x7d\x46\xd1", 5, "int_256_shift"},
    {"vprold $1, %zmm1, %zmm2", "\x62\xf1\x6d\x48\x72\xc9\x01", 7, "int_512_shift"},
    {"pcmpgtw %xmm1, %xmm0", "\x66\x0f\x65\xc1", 4, "int_128_compare"},
    {"vpcmpeqd %zmm1, %zmm0, %k1", "\x62\xf1\x7d\x48\x76\xc9", 6, "int_512_compare"},
    {"vpcmpeqd (%rdi), %zmm0, %k1", "\x62\xf1\x7d\x48\x76\x0f", 6, "int_512_compare"},
    {"pcmpeqb %mm1, %mm0", "\x0f\x74\xc1", 3, NULL},
    {"pshufhw $1, %xmm1, %xmm0", "\xf3\x0f\x70\xc1\x01", 5, "int_128_shuffle"},
    {"vpshufb %ymm1, %ymm0, %ymm2", "\xc4\xe2\x7d\x00\xd1", 5, "int_256_shuffle"},
    {"vpermd %zmm1, %zmm0, %zmm2", "\x62\xf2\x7d\x48\x36\xd1", 6, "int_512_shuffle"},
    {"valignd $1, %zmm1, %zmm0, %zmm2", "\x62\xf3\x7d\x48\x03\xd1\x01", 7, "int_512_shuffle"},
    {"vpermps %ymm1, %ymm0, %ymm2", "\xc4\xe2\x7d\x16\xd1", 5, NULL},
    {"vpermilpd $1, %ymm1, %ymm2", "\xc4\xe3\x7d\x05\xd1\x01", 6, NULL},
    {"vpaddd (%rdi), %ymm0, %ymm2", "\xc5\xfd\xfe\x17", 4, "int_256_add"},
    {"pand %mm1, %mm0", "\x0f\xdb\xc1", 3, NULL},
    {"kandw %k1, %k2, %k3", "\xc5\xec\x41\xd9", 4, NULL},
    {"movdqa %xmm1, %xmm0", "\x66\x0f\x6f\xc1", 4, NULL},
    {"movd %eax, %xmm0", "\x66\x0f\x6e\xc0", 4, NULL},
    {"packssdw %xmm1, %xmm0", "\x66\x0f\x6b\xc1", 4, NULL},
    {"psadbw %xmm1, %xmm0", "\x66\x0f\xf6\xc1", 4, NULL},
    {"addps %xmm1, %xmm0", "\x0f\x58\xc1", 3, NULL},
    {"aesenc %xmm1, %xmm0", "\x66\x0f\x38\xdc\xc1", 5, "aes_instructions"},
    {"vaesdeclast %ymm1, %ymm0, %ymm2", "\xc4\xe2\x7d\xdf\xd1", 5, "aes_instructions"},
    {"fadd %st(1), %st", "\xd8\xc1", 2, NULL},
};

static void instructions_count_as_what_they_do(void **state)
{
    (void)state;
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, rows[i].bytes, rows[i].size, &instruction, operands)) ||
            instruction.length != rows[i].size)
            fail_msg("%s: is not these bytes", rows[i].text);
        size_t found = cm_int_classify(&instruction, operands);
        size_t expected = rows[i].fact != NULL ? (size_t)cm_fact_find(rows[i].fact) : CM_FACT_COUNT;
        if (found != expected)
            fail_msg("%s: %s", rows[i].text, found == CM_FACT_COUNT ? "nothing" : cm_fact_name(found));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_count_as_what_they_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
