/* Which facts a floating-point instruction counts by. The bytes are GNU as' of the text beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/facts.h"
#include "software_pmu/x86_64/step.h"

static const struct {
    const char *text;
    unsigned char bytes[CM_INSTRUCTION_SIZE];
    const char *facts; /* "": not arithmetic */
} rows[] = {
    {"addsd %xmm0,%xmm1", {0xf2, 0x0f, 0x58, 0xc8}, "fp_d_scalar_add fp_d_scalar"},
    {"addpd %xmm0,%xmm1", {0x66, 0x0f, 0x58, 0xc8}, "fp_d_128_add fp_d_128"},
    {"subps %xmm0,%xmm1", {0x0f, 0x5c, 0xc8}, "fp_s_128_sub fp_s_128"},
    {"addsubps %xmm0,%xmm1", {0xf2, 0x0f, 0xd0, 0xc8}, "fp_s_128_other fp_s_128"},
    {"haddps %xmm0,%xmm1", {0xf2, 0x0f, 0x7c, 0xc8}, "fp_s_128_other fp_s_128"},
    {"hsubpd %xmm0,%xmm1", {0x66, 0x0f, 0x7d, 0xc8}, "fp_d_128_other fp_d_128"},
    {"dppd $0x1,%xmm0,%xmm1", {0x66, 0x0f, 0x3a, 0x41, 0xc8, 0x01}, "fp_d_128_other fp_d_128 fp_d_128_dpp"},
    {"dpps $0x1,%xmm0,%xmm1", {0x66, 0x0f, 0x3a, 0x40, 0xc8, 0x01}, "fp_s_128_other fp_s_128 fp_s_128_dpp"},
    {"vdpps $0x1,%ymm0,%ymm1,%ymm2", {0xc4, 0xe3, 0x75, 0x40, 0xd0, 0x01}, "fp_s_256_other fp_s_256 fp_s_256_dpp"},
    {"rcpss %xmm0,%xmm1", {0xf3, 0x0f, 0x53, 0xc8}, "fp_s_scalar_other fp_s_scalar fp_reciprocals"},
    {"vrsqrtps %ymm0,%ymm1", {0xc5, 0xfc, 0x52, 0xc8}, "fp_s_256_other fp_s_256 fp_reciprocals"},
    {"vrcp14pd %zmm0,%zmm1", {0x62, 0xf2, 0xfd, 0x48, 0x4c, 0xc8}, "fp_d_512_other fp_d_512 fp_reciprocals"},
    {"vrsqrt14ss %xmm0,%xmm1,%xmm2",
     {0x62, 0xf2, 0x75, 0x08, 0x4f, 0xd0},
     "fp_s_scalar_other fp_s_scalar fp_reciprocals"},
    {"maxpd %xmm0,%xmm1", {0x66, 0x0f, 0x5f, 0xc8}, "fp_d_128_other fp_d_128 fp_min_max"},
    {"vminss %xmm0,%xmm1,%xmm2", {0xc5, 0xf2, 0x5d, 0xd0}, "fp_s_scalar_other fp_s_scalar fp_min_max"},
    {"vaddpd %zmm0,%zmm1,%zmm2", {0x62, 0xf1, 0xf5, 0x48, 0x58, 0xd0}, "fp_d_512_add fp_d_512"},
    {"vaddpd {rz-sae},%zmm0,%zmm1,%zmm2", {0x62, 0xf1, 0xf5, 0x78, 0x58, 0xd0}, "fp_d_512_add fp_d_512"},
    {"vmulps %ymm16,%ymm17,%ymm18", {0x62, 0xa1, 0x74, 0x20, 0x59, 0xd0}, "fp_s_256_mul fp_s_256"},
    {"vdivpd %xmm16,%xmm17,%xmm18", {0x62, 0xa1, 0xf5, 0x00, 0x5e, 0xd0}, "fp_d_128_div fp_d_128"},
    {"vsqrtps %zmm0,%zmm1{%k1}{z}", {0x62, 0xf1, 0x7c, 0xc9, 0x51, 0xc8}, "fp_s_512_sqrt fp_s_512"},
    {"vfmadd132sd %xmm0,%xmm1,%xmm2", {0xc4, 0xe2, 0xf1, 0x99, 0xd0}, "fp_d_scalar_fma"},
    {"vfmsub213ps %ymm0,%ymm1,%ymm2", {0xc4, 0xe2, 0x75, 0xaa, 0xd0}, "fp_s_256_fma"},
    {"vfnmadd231pd %zmm0,%zmm1,%zmm2", {0x62, 0xf2, 0xf5, 0x48, 0xbc, 0xd0}, "fp_d_512_fma"},
    {"vfnmsub231ss {rn-sae},%xmm0,%xmm1,%xmm2", {0x62, 0xf2, 0x75, 0x18, 0xbf, 0xd0}, "fp_s_scalar_fma"},
    {"vfmsubadd213pd %xmm0,%xmm1,%xmm2", {0xc4, 0xe2, 0xf1, 0xa7, 0xd0}, "fp_d_128_fma"},
    {"vfmaddpd %xmm0,%xmm1,%xmm2,%xmm3", {0xc4, 0xe3, 0xe9, 0x69, 0xd8, 0x10}, "fp_d_128_fma"},
    {"vaddph %zmm0,%zmm1,%zmm2", {0x62, 0xf5, 0x74, 0x48, 0x58, 0xd0}, "fp_h_512_add fp_h_512"},
    {"vmulsh %xmm0,%xmm1,%xmm2", {0x62, 0xf5, 0x76, 0x08, 0x59, 0xd0}, "fp_h_scalar_mul fp_h_scalar"},
    {"vsubph %xmm0,%xmm1,%xmm2", {0x62, 0xf5, 0x74, 0x08, 0x5c, 0xd0}, "fp_h_128_sub fp_h_128"},
    {"vdivph %ymm0,%ymm1,%ymm2", {0x62, 0xf5, 0x74, 0x28, 0x5e, 0xd0}, "fp_h_256_div fp_h_256"},
    {"vsqrtsh %xmm0,%xmm1,%xmm2", {0x62, 0xf5, 0x76, 0x08, 0x51, 0xd0}, "fp_h_scalar_sqrt fp_h_scalar"},
    {"vfmadd231ph %zmm0,%zmm1,%zmm2", {0x62, 0xf6, 0x75, 0x48, 0xb8, 0xd0}, "fp_h_512_fma"},
    {"vfmadd213sh %xmm0,%xmm1,%xmm2", {0x62, 0xf6, 0x75, 0x08, 0xa9, 0xd0}, "fp_h_scalar_fma"},
    {"vmaxph %ymm0,%ymm1,%ymm2", {0x62, 0xf5, 0x74, 0x28, 0x5f, 0xd0}, "fp_h_256_other fp_h_256 fp_min_max"},
    {"vrcpph %zmm0,%zmm1", {0x62, 0xf6, 0x7d, 0x48, 0x4c, 0xc8}, "fp_h_512_other fp_h_512 fp_reciprocals"},
    {"vfmulcph %ymm0,%ymm1,%ymm2", {0x62, 0xf6, 0x76, 0x28, 0xd6, 0xd0}, "fp_h_256_other fp_h_256"},
    {"vfmulcsh %xmm0,%xmm1,%xmm2",
     {0x62, 0xf6, 0x76, 0x08, 0xd7, 0xd0},
     "fp_h_scalar_other fp_h_scalar fp_h_scalar_complex"},
    {"vfcmaddcsh %xmm0,%xmm1,%xmm2",
     {0x62, 0xf6, 0x77, 0x08, 0x57, 0xd0},
     "fp_h_scalar_other fp_h_scalar fp_h_scalar_complex"},
    {"vfmaddcph %zmm0,%zmm1,%zmm2", {0x62, 0xf6, 0x76, 0x48, 0x56, 0xd0}, "fp_h_512_other fp_h_512"},
    {"movsd %xmm0,%xmm1", {0xf2, 0x0f, 0x10, 0xc8}, ""},
    {"movsl %ds:(%rsi),%es:(%rdi)", {0xa5}, ""},
    {"cmpsl %es:(%rdi),%ds:(%rsi)", {0xa7}, ""},
    {"cmpltsd %xmm0,%xmm1", {0xf2, 0x0f, 0xc2, 0xc8, 0x01}, "fp_compares"},
    {"ucomisd %xmm0,%xmm1", {0x66, 0x0f, 0x2e, 0xc8}, "fp_compares"},
    {"vcmpltps %zmm0,%zmm1,%k1", {0x62, 0xf1, 0x74, 0x48, 0xc2, 0xc8, 0x01}, "fp_compares"},
    {"cvtps2pd %xmm0,%xmm1", {0x0f, 0x5a, 0xc8}, "fp_conversions"},
    {"roundsd $0x1,%xmm0,%xmm1", {0x66, 0x0f, 0x3a, 0x0b, 0xc8, 0x01}, ""},
    {"vrndscalepd $0x1,%zmm0,%zmm1", {0x62, 0xf3, 0xfd, 0x48, 0x09, 0xc8, 0x01}, ""},
    {"vgetexppd %zmm0,%zmm1", {0x62, 0xf2, 0xfd, 0x48, 0x42, 0xc8}, ""},
    {"andps %xmm0,%xmm1", {0x0f, 0x54, 0xc8}, ""},
    {"vxorpd %ymm0,%ymm1,%ymm2", {0xc5, 0xf5, 0x57, 0xd0}, ""},
    {"unpcklps %xmm0,%xmm1", {0x0f, 0x14, 0xc8}, ""},
    {"paddd %xmm0,%xmm1", {0x66, 0x0f, 0xfe, 0xc8}, ""},
    {"vpmaxsd %xmm0,%xmm1,%xmm2", {0xc4, 0xe2, 0x71, 0x3d, 0xd0}, ""},
    {"vpmulld %ymm0,%ymm1,%ymm2", {0xc4, 0xe2, 0x75, 0x40, 0xd0}, ""},
    {"fadd %st(1),%st", {0xd8, 0xc1}, ""},
    {"fmul %st(1),%st", {0xd8, 0xc9}, ""},
    {"pfadd %mm0,%mm1", {0x0f, 0x0f, 0xc8, 0x9e}, ""},
    {"vdpbf16ps %zmm0,%zmm1,%zmm2", {0x62, 0xf2, 0x76, 0x48, 0x52, 0xd0}, ""},
    {"vblendps $0x1,%ymm0,%ymm1,%ymm2", {0xc4, 0xe3, 0x75, 0x0c, 0xd0, 0x01}, ""},
    {"movmskpd %xmm0,%eax", {0x66, 0x0f, 0x50, 0xc0}, ""},
    {"vscalefpd %zmm0,%zmm1,%zmm2", {0x62, 0xf2, 0xf5, 0x48, 0x2c, 0xd0}, ""},
};

static void instructions_count_by_their_facts(void **state)
{
    (void)state;
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ZydisDecodedInstruction instruction;
        ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
        if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, rows[i].bytes, CM_INSTRUCTION_SIZE, &instruction, operands)))
            fail_msg("%s is not decoded", rows[i].text);
        uint16_t facts[CM_FP_FACTS];
        size_t count = cm_fp_classify(&instruction, facts);
        char names[128] = "";
        for (size_t k = 0; k < count; k++)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%s", k != 0 ? " " : "",
                     cm_fact_name(facts[k]));
        if (strcmp(names, rows[i].facts) != 0)
            fail_msg("%s counts as '%s', expected '%s'", rows[i].text, names, rows[i].facts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_count_by_their_facts),
    };
    return cmocka_run_group_tests_name("fp_class", tests, NULL, NULL);
}
