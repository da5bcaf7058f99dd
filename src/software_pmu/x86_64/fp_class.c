/* The instructions that are floating-point arithmetic, and their kinds.
 *
 * Source: the descriptions of FP_ARITH_INST_RETIRED:* and FP_ARITH_INST_RETIRED2:* in Intel's event files for Skylake
 * and Sapphire Rapids: ADD SUB MUL DIV MIN MAX SQRT FM(N)ADD/SUB, packed also HADD HSUB SUBADD DPP, single RCP RSQRT.
 * Masking changes nothing. Complex half-precision products count as `other`. bfloat16 does not count. */
#include "software_pmu/x86_64/step.h"

/* The stem of a mnemonic: without a leading v and without its type (ps, sd ...); for fma without 132, 213, 231. */
static const struct {
    const char *stem;
    cm_fp_operation operation;
} fp_stems[] = {
    {"add", CM_FP_ADD},      {"sub", CM_FP_SUB},       {"mul", CM_FP_MUL},       {"div", CM_FP_DIV},
    {"sqrt", CM_FP_SQRT},    {"fmadd", CM_FP_FMA},     {"fmsub", CM_FP_FMA},     {"fnmadd", CM_FP_FMA},
    {"fnmsub", CM_FP_FMA},   {"fmaddsub", CM_FP_FMA},  {"fmsubadd", CM_FP_FMA},  {"min", CM_FP_OTHER},
    {"max", CM_FP_OTHER},    {"rcp", CM_FP_OTHER},     {"rcp14", CM_FP_OTHER},   {"rcp28", CM_FP_OTHER},
    {"rsqrt", CM_FP_OTHER},  {"rsqrt14", CM_FP_OTHER}, {"rsqrt28", CM_FP_OTHER}, {"addsub", CM_FP_OTHER},
    {"hadd", CM_FP_OTHER},   {"hsub", CM_FP_OTHER},    {"dp", CM_FP_OTHER},      {"fmulc", CM_FP_OTHER},
    {"fcmulc", CM_FP_OTHER}, {"fmaddc", CM_FP_OTHER},  {"fcmaddc", CM_FP_OTHER},
};

static const struct {
    const char *suffix;
    cm_fp_precision precision;
    bool scalar;
} types[] = {
    {"sh", CM_FP_HALF, true},  {"ss", CM_FP_SINGLE, true},  {"sd", CM_FP_DOUBLE, true},
    {"ph", CM_FP_HALF, false}, {"ps", CM_FP_SINGLE, false}, {"pd", CM_FP_DOUBLE, false},
};

enum { NO_EXTRA = CM_FACT_COUNT };

/* Whether it is an extension of vector registers. */
static bool works_on_vectors(ZydisISAExt extension)
{
    return CM_IS_AMONG(extension, ZYDIS_ISA_EXT_SSE, ZYDIS_ISA_EXT_SSE2, ZYDIS_ISA_EXT_SSE3, ZYDIS_ISA_EXT_SSE4,
                       ZYDIS_ISA_EXT_AVX, ZYDIS_ISA_EXT_FMA, ZYDIS_ISA_EXT_FMA4, ZYDIS_ISA_EXT_AVX512EVEX);
}

/* Finds the operation of a stem; false: it is none. */
static bool find_stem(const char *text, size_t length, cm_fp_operation *operation)
{
    static const char *const orders[] = {"132", "213", "231"};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (length > 3 && memcmp(text + length - 3, orders[i], 3) == 0) {
            length -= 3;
            break;
        }
    for (size_t i = 0; i < sizeof fp_stems / sizeof fp_stems[0]; i++)
        if (strlen(fp_stems[i].stem) == length && memcmp(text, fp_stems[i].stem, length) == 0) {
            *operation = fp_stems[i].operation;
            return true;
        }
    return false;
}

/* Lists the facts of an arithmetic instruction and returns their number. */
static size_t list_facts(cm_fp_precision precision, cm_fp_width width, cm_fp_operation operation, size_t extra,
                         uint16_t *facts)
{
    size_t count = 0;
    facts[count++] = (uint16_t)cm_fact_fp(precision, width, operation);
    if (operation != CM_FP_FMA)
        facts[count++] = (uint16_t)cm_fact_fp(precision, width, CM_FP_ANY);
    if (extra != NO_EXTRA)
        facts[count++] = (uint16_t)extra;
    return count;
}

/* The fact of one kind of `other`, if there is one. */
static size_t extra_fact(const char *name, size_t length, cm_fp_precision precision, cm_fp_width width)
{
    if (length == 4 && memcmp(name, "dp", 2) == 0)
        return precision == CM_FP_DOUBLE ? CM_FACT_FP_D_128_DPP
               : width == CM_FP_256      ? CM_FACT_FP_S_256_DPP
                                         : CM_FACT_FP_S_128_DPP;
    if (length > 3 && memcmp(name + length - 3, "csh", 3) == 0)
        return CM_FACT_FP_H_SCALAR_COMPLEX;
    if (strncmp(name, "min", 3) == 0 || strncmp(name, "max", 3) == 0)
        return CM_FACT_FP_MIN_MAX;
    return strncmp(name, "rcp", 3) == 0 || strncmp(name, "rsq", 3) == 0 ? CM_FACT_FP_RECIPROCALS : NO_EXTRA;
}

/* Comparisons and conversions are not arithmetic, but some events count them as such. */
static size_t classify_other(const ZydisDecodedInstruction *instruction, const char *name, uint16_t *facts)
{
    if (instruction->meta.category == ZYDIS_CATEGORY_CONVERT)
        facts[0] = CM_FACT_FP_CONVERSIONS;
    else if (strncmp(name, "cmp", 3) == 0 || strncmp(name, "comi", 4) == 0 || strncmp(name, "ucomi", 5) == 0)
        facts[0] = CM_FACT_FP_COMPARES;
    else
        return 0;
    return 1;
}

size_t cm_fp_classify(const ZydisDecodedInstruction *instruction, uint16_t *facts)
{
    if (!works_on_vectors(instruction->meta.isa_ext))
        return 0;
    const char *name = ZydisMnemonicGetString(instruction->mnemonic);
    if (name[0] == 'v')
        name++;
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        cm_fp_operation operation;
        if (length < 3 || memcmp(name + length - 2, types[i].suffix, 2) != 0)
            continue;
        if (!find_stem(name, length - 2, &operation))
            return classify_other(instruction, name, facts);
        unsigned bits = instruction->avx.vector_length; /* 0 for SSE */
        cm_fp_width width = types[i].scalar ? CM_FP_SCALAR
                            : bits == 512   ? CM_FP_512
                            : bits == 256   ? CM_FP_256
                                            : CM_FP_128;
        size_t extra = extra_fact(name, length, types[i].precision, width);
        return list_facts(types[i].precision, width, operation, extra, facts);
    }
    return instruction->meta.category == ZYDIS_CATEGORY_CONVERT ? classify_other(instruction, name, facts) : 0;
}
