/* What the kernels' bodies are made of, instruction by instruction, without running them: the proof also of those that
 * this CPU cannot execute. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <Zydis/Zydis.h>
#include <cmocka.h>

#include <catmint/kernels.h>

#include "cat-kernels/x86_64/isa.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/x86_64/step.h"
#include "verify/verify.h"

enum { MAX_INSTRUCTIONS = 1280, NONE = -1 };

typedef struct instruction {
    ZydisDecodedInstruction decoded;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    int target; /* of a direct branch: which instruction of the body */
} instruction;

/* A body from its first instruction to its only return. */
typedef struct kernel_code {
    const cm_kernel *kernel;
    int count;
    int loop, loop_end; /* first instruction of the loop, and the branch back to it */
    instruction instructions[MAX_INSTRUCTIONS];
} kernel_code;

static bool is_conditional(const instruction *in)
{
    return in->decoded.meta.category == ZYDIS_CATEGORY_COND_BR;
}

static bool is_jump(const instruction *in)
{
    return in->decoded.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

static bool is_fence(const instruction *in)
{
    return in->decoded.mnemonic == ZYDIS_MNEMONIC_LFENCE;
}

static void decode(const cm_kernel *kernel, kernel_code *code)
{
    ZydisDecoder decoder;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    const uint8_t *body = (const uint8_t *)(uintptr_t)kernel->body;
    const uint8_t *at = body, *starts[MAX_INSTRUCTIONS];
    code->kernel = kernel;
    code->count = 0;
    do {
        assert_true(code->count < MAX_INSTRUCTIONS);
        instruction *in = &code->instructions[code->count];
        if (!ZYAN_SUCCESS(
                ZydisDecoderDecodeFull(&decoder, at, ZYDIS_MAX_INSTRUCTION_LENGTH, &in->decoded, in->operands)))
            fail_msg("%s: byte %td is no instruction", kernel->name, at - body);
        starts[code->count++] = at;
        at += in->decoded.length;
    } while (code->instructions[code->count - 1].decoded.meta.category != ZYDIS_CATEGORY_RET);
    code->loop = code->loop_end = NONE;
    for (int i = 0; i < code->count; i++) {
        instruction *in = &code->instructions[i];
        in->target = NONE;
        if (!is_conditional(in) && !is_jump(in))
            continue;
        assert_int_equal(in->operands[0].type, ZYDIS_OPERAND_TYPE_IMMEDIATE);
        const uint8_t *target = starts[i] + in->decoded.length + in->operands[0].imm.value.s;
        for (int k = 0; k < code->count; k++)
            in->target = starts[k] == target ? k : in->target;
        if (in->target == NONE)
            fail_msg("%s: a branch leads out of the body", kernel->name);
        if (in->target <= i) {
            if (code->loop != NONE && kernel->level == 0) /* of a chase, the one that does the work is the last */
                fail_msg("%s: has more than one loop", kernel->name);
            code->loop = in->target;
            code->loop_end = i;
        }
    }
    if (code->loop == NONE)
        fail_msg("%s: has no loop", kernel->name);
}

static bool is_of(const cm_kernel *kernel, const char *benchmark)
{
    return strcmp(kernel->benchmark, benchmark) == 0;
}

/* Neither a GPU's, nor empty, nor one of the loops of branch that call, return or have several loops, nor one whose
 * code is in its chain, nor a mixture. */
static bool is_plain(const cm_kernel *kernel)
{
    return !cm_kernel_is_of_gpu(kernel) && strcmp(kernel->name, "empty") != 0 && (kernel->chain & CM_CHAIN_CODE) == 0 &&
           strstr(kernel->name, "mixture") == NULL && (!is_of(kernel, "branch") || kernel->name[0] == 'b');
}

static void no_loop_touches_memory_or_calls(void **state)
{
    kernel_code *code = *state;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        if (!is_plain(cm_kernel_get(k)) || !(is_of(cm_kernel_get(k), "cpu-flops") || is_of(cm_kernel_get(k), "branch")))
            continue;
        decode(cm_kernel_get(k), code);
        for (int i = code->loop; i <= code->loop_end; i++) {
            const instruction *in = &code->instructions[i];
            assert_int_not_equal(in->decoded.meta.category, ZYDIS_CATEGORY_CALL);
            for (int o = 0; o < in->decoded.operand_count; o++)
                if (in->operands[o].type == ZYDIS_OPERAND_TYPE_MEMORY)
                    fail_msg("%s: instruction %d has a memory operand", code->kernel->name, i);
        }
    }
}

/* ---- dcache ---- */

static bool is_load_of_its_own(const instruction *in)
{
    const ZydisDecodedOperand *to = &in->operands[0], *from = &in->operands[1];
    return in->decoded.mnemonic == ZYDIS_MNEMONIC_MOV && to->type == ZYDIS_OPERAND_TYPE_REGISTER &&
           from->type == ZYDIS_OPERAND_TYPE_MEMORY && from->mem.base == to->reg.value &&
           from->mem.index == ZYDIS_REGISTER_NONE && from->mem.disp.value == 0;
}

/* Two instructions an access, the load and what makes an address of it, and the fillers; two more for so many of them.
 */
static void a_chase_is_a_load_and_an_addition(void **state)
{
    kernel_code *code = *state;
    size_t chases = 0;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        if (kernel->level == 0 || !is_of(kernel, "dcache") || !isdigit(strchr(kernel->name, '+')[1]))
            continue;
        chases++;
        decode(kernel, code);
        int fillers = atoi(strchr(kernel->name, '+') + 1), step = 2 + fillers;
        int turns = fillers == 2 || fillers == 3 ? 16 : 64;
        assert_int_equal(code->loop_end - code->loop + 1, step * turns + 2);
        for (int i = 0; i < step * turns; i += step) {
            const instruction *load = &code->instructions[code->loop + i], *add = load + 1;
            assert_true(is_load_of_its_own(load));
            assert_int_equal(add->decoded.mnemonic, ZYDIS_MNEMONIC_ADD);
            assert_int_equal(add->operands[0].reg.value, load->operands[0].reg.value);
            assert_int_equal(add->operands[1].type, ZYDIS_OPERAND_TYPE_REGISTER);
        }
    }
    assert_int_equal(chases, 26);
}

/* ---- cpu-flops ---- */

/* Every fact of the loop that does not depend on values, by decoding: the proof of what cannot be run here. */
static void expect_facts(const kernel_code *code, const cm_fact_table *table, const cm_kernel_facts *expected)
{
    double counts[1024] = {0};
    uint64_t mask = 0;
    assert_true(cm_fact_count() <= 1024);
    for (int i = 0; i < code->count; i++) {
        const instruction *in = &code->instructions[i];
        cm_step step = {.kind = is_conditional(in) ? CM_STEP_JCC : CM_STEP_PLAIN};
        cm_step_decode_facts(&in->decoded, in->operands, &step);
        bool inside = i >= code->loop && i <= code->loop_end;
        counts[CM_FACT_INSTRUCTIONS] += inside;
        if (in->decoded.mnemonic == ZYDIS_MNEMONIC_KMOVW || in->decoded.mnemonic == ZYDIS_MNEMONIC_KMOVD)
            mask = code->instructions[i - 1].operands[1].imm.value.u;
        const uint64_t lanes = (UINT64_C(1) << step.lanes) - 1;
        counts[step.masked_fact] += step.lanes != 0 && inside ? __builtin_popcountll(lanes & ~mask) : 0;
        for (size_t f = 0; f < step.fact_count; f++) {
            if (!inside && strncmp(cm_fact_name(step.facts[f]), "fp_", 3) == 0)
                fail_msg("%s: instruction %d is arithmetic outside of the loop", code->kernel->name, i);
            counts[step.facts[f]] += inside;
        }
    }
    counts[CM_FACT_BRANCHES_COND_TAKEN] = counts[CM_FACT_COND_EXECUTED_TAKEN] = counts[CM_FACT_BRANCHES_COND];
    for (size_t f = 0; f < cm_fact_count(); f++)
        if (table->facts[f].kind != CM_FACT_UNLISTED && counts[f] != expected->values[f])
            fail_msg("%s: %s is %g", code->kernel->name, cm_fact_name(f), counts[f]);
}

/* Vector registers written by the loop: as many chains that do not wait for each other. */
static int count_accumulators(const kernel_code *code)
{
    unsigned written = 0;
    for (int i = code->loop; i <= code->loop_end; i++) {
        const ZydisDecodedOperand *first = &code->instructions[i].operands[0];
        if (first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(first->reg.value) >= ZYDIS_REGCLASS_XMM &&
            ZydisRegisterGetClass(first->reg.value) <= ZYDIS_REGCLASS_ZMM)
            written |= 1u << ZydisRegisterGetId(first->reg.value);
    }
    return __builtin_popcount(written);
}

static void flops_loops_are_their_facts(void **state)
{
    kernel_code *code = *state;
    cm_fact_table *table = NULL;
    cm_error error;
    if (cm_fact_table_load(CM_TEST_SOURCE_DIR "/bases/facts.csv", NULL, &table, &error) != CM_OK)
        fail_msg("%s", error.text);
    size_t loops = 0;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        if (!is_of(kernel, "cpu-flops") || !is_plain(kernel))
            continue;
        const cm_kernel_facts *facts = cm_fact_table_find(table, "cpu-flops", kernel->name);
        decode(kernel, code);
        assert_non_null(facts);
        expect_facts(code, table, facts);
        if (facts->role == CM_KERNEL_BASIS && kernel->name[1] == '_' && count_accumulators(code) != 8)
            fail_msg("%s: %d accumulators", kernel->name, count_accumulators(code));
        loops++;
    }
    assert_true(loops > 140);
    cm_fact_table_free(table);
}

/* ---- branch ---- */

/* How many branches a wrong path executes from an instruction on, until it meets a wall or has gone `steps`: the fewest
 * and the most, whatever a predictor says on the way. */
static void walk(const kernel_code *code, int at, int steps, int *fewest, int *most)
{
    const instruction *in = &code->instructions[at];
    *fewest = *most = 0;
    if (steps == 0 || is_fence(in) || in->decoded.meta.category == ZYDIS_CATEGORY_RET)
        return;
    if (!is_conditional(in)) {
        walk(code, is_jump(in) ? in->target : at + 1, steps - 1, fewest, most);
        return;
    }
    int taken[2], not_taken[2];
    walk(code, in->target, steps - 1, &taken[0], &taken[1]);
    walk(code, at + 1, steps - 1, &not_taken[0], &not_taken[1]);
    *fewest = 1 + (taken[0] < not_taken[0] ? taken[0] : not_taken[0]);
    *most = 1 + (taken[1] > not_taken[1] ? taken[1] : not_taken[1]);
}

static void branch_loops_have_their_branches_and_walls(void **state)
{
    kernel_code *code = *state;
    static const struct {
        const char *kernel;
        int conditional, jumps, multiplications, wrong; /* wrong: branches that the wrong path of js executes */
    } rows[] = {
        {"b1", 2, 0, 1, NONE}, {"b2", 2, 0, 1, NONE}, {"b3", 2, 0, 1, NONE}, {"b4", 2, 0, 1, 0},
        {"b4a", 3, 0, 1, 0},   {"b4b", 3, 0, 1, 0},   {"b5", 2, 0, 1, 1},    {"b5a", 3, 0, 1, 1},
        {"b5b", 3, 0, 1, 1},   {"b6", 2, 1, 1, NONE}, {"b7", 1, 0, 1, NONE},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        int conditional = 0, jumps = 0, multiplications = 0, random = NONE;
        decode(cm_kernel_find("branch", rows[r].kernel), code);
        for (int i = 0; i < code->count; i++) {
            const instruction *in = &code->instructions[i];
            bool inside = i >= code->loop && i <= code->loop_end;
            if ((is_conditional(in) || is_jump(in)) && (!inside || in->target == i + 1))
                fail_msg("%s: instruction %d is a branch outside of the loop or to the next one", rows[r].kernel, i);
            conditional += is_conditional(in);
            jumps += is_jump(in);
            multiplications += in->decoded.mnemonic == ZYDIS_MNEMONIC_IMUL;
            random = in->decoded.mnemonic == ZYDIS_MNEMONIC_JS ? i : random;
        }
        if (conditional != rows[r].conditional || jumps != rows[r].jumps || multiplications != rows[r].multiplications)
            fail_msg("%s: %d conditional branches, %d jumps, %d multiplications", rows[r].kernel, conditional, jumps,
                     multiplications);
        if ((random == NONE) != (rows[r].wrong == NONE))
            fail_msg("%s: whether it has a random branch is wrong", rows[r].kernel);
        if (random == NONE)
            continue;
        for (int side = 0; side < 2; side++) {
            int fewest, most;
            walk(code, side != 0 ? code->instructions[random].target : random + 1, 32, &fewest, &most);
            if (fewest != rows[r].wrong || most != rows[r].wrong)
                fail_msg("%s: a wrong path executes %d to %d branches", rows[r].kernel, fewest, most);
        }
    }
}

/* ---- instruction sets ---- */

/* By Zydis' name of an instruction set. An unknown one needs all bits. */
static unsigned isa_of(const instruction *in)
{
    static const struct {
        const char *set;
        unsigned isa;
    } rows[] = {
        {"AVX512_FP16_128", CM_ISA_AVX512_FP16 | CM_ISA_AVX512VL},
        {"AVX512_FP16_256", CM_ISA_AVX512_FP16 | CM_ISA_AVX512VL},
        {"AVX512_FP16_512", CM_ISA_AVX512_FP16},
        {"AVX512_FP16_SCALAR", CM_ISA_AVX512_FP16},
        {"AVX512F_128", CM_ISA_AVX512F | CM_ISA_AVX512VL},
        {"AVX512F_256", CM_ISA_AVX512F | CM_ISA_AVX512VL},
        {"AVX512F_512", CM_ISA_AVX512F},
        {"AVX512F_SCALAR", CM_ISA_AVX512F},
        {"AVX512F_KOP", CM_ISA_AVX512F},
        {"AVX512BW_KOP", CM_ISA_AVX512_FP16}, /* which no processor has without AVX512BW */
        {"FMA", CM_ISA_FMA},
        {"AVX2", CM_ISA_AVX2},
        {"AES", CM_ISA_AES},
        {"SSE4", CM_ISA_SSE4_2},
        {"SSE42", CM_ISA_SSE4_2},
        {"AVX", CM_ISA_AVX},
        {"SSE", CM_ISA_SSE2},
        {"SSE2", CM_ISA_SSE2},
        {"SSE_PREFETCH", CM_ISA_SSE2},
        {"PREFETCH_NOP", CM_ISA_SSE2},
        {"LONGMODE", 0},
        {"I86", 0},
        {"I186", 0},
        {"I386", 0},
        {"PPRO", 0},
        {"CMOV", 0},
        {"PAUSE", 0},
        {"I486REAL", 0},
        {"FAT_NOP", 0},
        {"X87", 0},
        {"PENTIUMMMX", 0},
    };
    const char *set = ZydisISASetGetString(in->decoded.meta.isa_set);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(set, rows[i].set) == 0)
            return rows[i].isa;
    return ~0u;
}

/* No instruction needs what the registry does not ask for; what writes wide registers leaves their upper parts clear.
 */
static void bodies_need_what_the_registry_says(void **state)
{
    kernel_code *code = *state;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        if (!is_plain(cm_kernel_get(k)))
            continue;
        decode(cm_kernel_get(k), code);
        unsigned needed = 0;
        bool wide = false;
        for (int i = 0; i < code->count; i++) {
            const instruction *in = &code->instructions[i];
            needed |= isa_of(in);
            if ((isa_of(in) & ~code->kernel->isa) != 0)
                fail_msg("%s: %s is of %s", code->kernel->name, ZydisMnemonicGetString(in->decoded.mnemonic),
                         ZydisISASetGetString(in->decoded.meta.isa_set));
            wide = wide || (in->operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && in->operands[0].size > 128);
        }
        if ((code->kernel->isa & CM_ISA_AVX512_FP16 & ~needed) != 0)
            fail_msg("%s: needs no AVX512-FP16", code->kernel->name);
        if (wide && code->instructions[code->count - 2].decoded.mnemonic != ZYDIS_MNEMONIC_VZEROUPPER)
            fail_msg("%s: leaves upper parts of registers in use", code->kernel->name);
    }
}

static int make_code(void **state)
{
    *state = malloc(sizeof(kernel_code));
    return *state != NULL ? 0 : -1;
}

static int free_code(void **state)
{
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chase_is_a_load_and_an_addition),
        cmocka_unit_test(no_loop_touches_memory_or_calls),
        cmocka_unit_test(flops_loops_are_their_facts),
        cmocka_unit_test(branch_loops_have_their_branches_and_walls),
        cmocka_unit_test(bodies_need_what_the_registry_says),
    };
    return cmocka_run_group_tests_name("kernel_code", tests, make_code, free_code);
}
