/* Whether the processor has the instruction set of an instruction, which would otherwise raise SIGILL. */
#include "software_pmu/x86_64/step.h"

#include <cpuid.h>

typedef enum cpuid_register { EAX, EBX, ECX, EDX } cpuid_register;

enum { XCR0_AVX = 0x06, XCR0_AVX512 = 0xE6 };

/* The leaves of CPUID that matter, read once: in a virtual machine each reading takes tens of microseconds. */
static const struct {
    uint32_t leaf, subleaf;
} leaves[CM_ISA_LEAVES] = {{1, 0}, {7, 0}, {7, 1}, {0x80000001, 0}};

void cm_isa_read(uint32_t xcr0, cm_isa_features *features)
{
    memset(features, 0, sizeof *features);
    features->xcr0 = xcr0;
    for (size_t i = 0; i < CM_ISA_LEAVES; i++) {
        uint32_t *words = features->words[i];
        if (!__get_cpuid_count(leaves[i].leaf, leaves[i].subleaf, &words[EAX], &words[EBX], &words[ECX], &words[EDX]))
            memset(words, 0, sizeof features->words[i]);
    }
}

/* Bits of instruction sets by the prefix of Zydis' name, longer ones first. Source: Intel's manual, volume 2, CPUID. */
static const struct {
    const char *start;
    uint32_t leaf, subleaf;
    cpuid_register reg;
    unsigned bit;
    uint32_t xcr0;
} rows[] = {
    {"AVX512_FP16", 7, 0, EDX, 23, XCR0_AVX512},
    {"AVX512_BF16", 7, 1, EAX, 5, XCR0_AVX512},
    {"AVX512_IFMA", 7, 0, EBX, 21, XCR0_AVX512},
    {"AVX512_VBMI2", 7, 0, ECX, 6, XCR0_AVX512},
    {"AVX512_VBMI", 7, 0, ECX, 1, XCR0_AVX512},
    {"AVX512_VNNI", 7, 0, ECX, 11, XCR0_AVX512},
    {"AVX512_BITALG", 7, 0, ECX, 12, XCR0_AVX512},
    {"AVX512_VPOPCNTDQ", 7, 0, ECX, 14, XCR0_AVX512},
    {"AVX512_VP2INTERSECT", 7, 0, EDX, 8, XCR0_AVX512},
    {"AVX512_4FMAPS", 7, 0, EDX, 3, XCR0_AVX512},
    {"AVX512_4VNNIW", 7, 0, EDX, 2, XCR0_AVX512},
    {"AVX512_GFNI", 7, 0, ECX, 8, XCR0_AVX512},
    {"AVX512_VAES", 7, 0, ECX, 9, XCR0_AVX512},
    {"AVX512_VPCLMULQDQ", 7, 0, ECX, 10, XCR0_AVX512},
    {"AVX512BW", 7, 0, EBX, 30, XCR0_AVX512},
    {"AVX512DQ", 7, 0, EBX, 17, XCR0_AVX512},
    {"AVX512CD", 7, 0, EBX, 28, XCR0_AVX512},
    {"AVX512ER", 7, 0, EBX, 27, XCR0_AVX512},
    {"AVX512PF", 7, 0, EBX, 26, XCR0_AVX512},
    {"AVX512", 7, 0, EBX, 16, XCR0_AVX512},
    {"AVX_VNNI", 7, 1, EAX, 4, XCR0_AVX},
    {"AVX2", 7, 0, EBX, 5, XCR0_AVX},
    {"AVX", 1, 0, ECX, 28, XCR0_AVX},
    {"FMA4", 0x80000001, 0, ECX, 16, XCR0_AVX},
    {"FMA", 1, 0, ECX, 12, XCR0_AVX},
    {"F16C", 1, 0, ECX, 29, XCR0_AVX},
    {"XOP", 0x80000001, 0, ECX, 11, XCR0_AVX},
    {"TBM", 0x80000001, 0, ECX, 21, 0},
    {"VAES", 7, 0, ECX, 9, XCR0_AVX},
    {"VPCLMULQDQ", 7, 0, ECX, 10, XCR0_AVX},
    {"BMI1", 7, 0, EBX, 3, 0},
    {"BMI2", 7, 0, EBX, 8, 0},
    {"ADOX_ADCX", 7, 0, EBX, 19, 0},
    {"SHA", 7, 0, EBX, 29, 0},
    {"GFNI", 7, 0, ECX, 8, 0},
    {"MOVBE", 1, 0, ECX, 22, 0},
    {"RDRAND", 1, 0, ECX, 30, 0},
    {"RDSEED", 7, 0, EBX, 18, 0},
    {"SERIALIZE", 7, 0, EDX, 14, 0},
    {"MOVDIR", 7, 0, ECX, 27, 0},
    {"SSE4A", 0x80000001, 0, ECX, 6, 0},
    {"SSE42", 1, 0, ECX, 20, 0},
    {"SSE4", 1, 0, ECX, 19, 0},
    {"SSSE3", 1, 0, ECX, 9, 0},
    {"SSE3", 1, 0, ECX, 0, 0},
    {"POPCNT", 1, 0, ECX, 23, 0},
};

static uint32_t feature_word(const cm_isa_features *features, uint32_t leaf, uint32_t subleaf, cpuid_register reg)
{
    for (size_t i = 0; i < CM_ISA_LEAVES; i++)
        if (leaves[i].leaf == leaf && leaves[i].subleaf == subleaf)
            return features->words[i][reg];
    return 0;
}

static bool processor_has(const cm_isa_features *features, size_t row)
{
    uint32_t word = feature_word(features, rows[row].leaf, rows[row].subleaf, rows[row].reg);
    return (word >> rows[row].bit & 1) != 0 && (features->xcr0 & rows[row].xcr0) == rows[row].xcr0;
}

/* AVX-512 on 128 and 256 bits is a separate extension (Zydis: AVX512F_128); scalars do not need it. */
static bool needs_avx512vl(const ZydisDecodedInstruction *instruction, const char *set)
{
    size_t length = strlen(set);
    return instruction->encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX && length > 4 &&
           (strcmp(set + length - 4, "_128") == 0 || strcmp(set + length - 4, "_256") == 0);
}

bool cm_isa_executable(const cm_isa_features *features, const ZydisDecodedInstruction *instruction)
{
    /* On processors without them these run as bsf and bsr, and compilers rely on it. */
    if (instruction->mnemonic == ZYDIS_MNEMONIC_TZCNT || instruction->mnemonic == ZYDIS_MNEMONIC_LZCNT)
        return true;
    const char *set = ZydisISASetGetString(instruction->meta.isa_set);
    if (needs_avx512vl(instruction, set) && (feature_word(features, 7, 0, EBX) >> 31 & 1) == 0)
        return false;
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        if (strncmp(set, rows[row].start, strlen(rows[row].start)) == 0)
            return processor_has(features, row);
    return true;
}
