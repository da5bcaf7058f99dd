/* Validation programs: what they are said to do is what they do, for many seeds. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "programs/programs.h"
#include "software_pmu/x86_64/step.h"
#include "stepping.h"
#include "sweep/run/run.h"

enum { ITERATIONS = 64, SEEDS = 40, EACH = 3, LONG_SEEDS = 16, OF_ALL_CLASSES = 24 };

/* What comes with a run: the facts of a run of nothing but the call. */
static void step(cm_software_pmu *pmu, const cm_kernel *kernel, double *facts)
{
    cm_error error;
    uint64_t *before = malloc(cm_fact_count() * sizeof *before);
    cm_kernel_data data = {0};
    cm_kernel_call call = {kernel->body, kernel->software_iterations, &data};
    assert_non_null(before);
    memcpy(before, cm_software_pmu_facts(pmu), cm_fact_count() * sizeof *before);
    if (cm_software_pmu_run(pmu, cm_kernel_call_run, &call, &error) != CM_OK)
        fail_msg("%s: %s", kernel->name, error.text);
    for (size_t i = 0; i < cm_fact_count(); i++)
        facts[i] = (double)(cm_software_pmu_facts(pmu)[i] - before[i]);
    free(before);
}

/* Facts that construction tells, of a program less those of the empty one: how many are otherwise than stepping found.
 */
static size_t count_differences(cm_software_pmu *pmu, const cm_programs *programs, size_t kernel, uint64_t seed,
                                bool say)
{
    size_t count = cm_fact_count(), differences = 0;
    double *room = calloc(6 * count, sizeof *room);
    double *run = room, *empty = run + count, *values = empty + count, *ranges = values + count;
    double *empty_values = ranges + count, *ignored = empty_values + count;
    assert_non_null(room);
    step(pmu, cm_programs_kernel(programs, 0), empty);
    step(pmu, cm_programs_kernel(programs, kernel), run);
    cm_programs_facts(programs, kernel, values, ranges);
    cm_programs_facts(programs, 0, empty_values, ignored);
    for (size_t i = 0; i < count; i++) {
        double expected = values[i] - empty_values[i], found = run[i] - empty[i];
        if (isinf(ranges[i]) || i == CM_FACT_MISPREDICTED_COND || expected == found)
            continue;
        differences++;
        if (say)
            print_error("seed %llu, %s: %s is %g, expected %g\n", (unsigned long long)seed,
                        cm_programs_kernel(programs, kernel)->name, cm_fact_name(i), found, expected);
    }
    free(room);
    return differences;
}

/* With as many entries in a second TLB. */
static cm_software_pmu *open_pmu_of(unsigned entries)
{
    cm_error error;
    cm_software_pmu *pmu = NULL;
    const cm_pmu_machine machine = {.line_size = 64,
                                    .page_size = 4096,
                                    .l1d_size = 32768,
                                    .l1d_ways = 8,
                                    .l1i_size = 32768,
                                    .l1i_ways = 8,
                                    .dtlb_entries = 64,
                                    .itlb_entries = 64,
                                    .stlb_entries = entries,
                                    .stlb_ways = 16,
                                    .predictor = "tage",
                                    .wrong_path_window = 64};
    if (cm_software_pmu_create(&machine, &pmu, &error) != CM_OK)
        fail_msg("%s", error.text);
    return pmu;
}

static cm_software_pmu *open_pmu(void)
{
    return open_pmu_of(2048);
}

static cm_programs *create_long(uint64_t seed, size_t count, uint64_t iterations)
{
    cm_error error;
    cm_programs *programs = NULL;
    if (cm_programs_create(seed, count, iterations, &programs, &error) != CM_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, error.text);
    return programs;
}

static cm_programs *create(uint64_t seed, size_t count)
{
    return create_long(seed, count, ITERATIONS);
}

static void facts_by_construction_are_those_of_execution(void **state)
{
    (void)state;
    cm_software_pmu *pmu = open_pmu();
    size_t differences = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        cm_programs *programs = create(seed, EACH);
        for (size_t i = 1; i <= EACH; i++)
            differences += count_differences(pmu, programs, i, seed, true);
        cm_programs_free(programs);
    }
    cm_software_pmu_free(pmu);
    assert_int_equal(differences, 0);
}

/* One instruction of an iteration becomes another one of the same length: that shows. */
static void a_planted_error_is_found(void **state)
{
    (void)state;
    static const unsigned char step_on[] = {0x48, 0xff, 0xc6}, nop[] = {0x0f, 0x1f, 0xc0}; /* inc rsi */
    cm_software_pmu *pmu = open_pmu();
    cm_programs *programs = create(3, 1);
    unsigned char *code = NULL, *page = NULL;
    memcpy(&code, &cm_programs_kernel(programs, 1)->body, sizeof code);
    while (memcmp(code, step_on, sizeof step_on) != 0)
        code++;
    page = code - (uintptr_t)code % 4096;
    assert_int_equal(mprotect(page, 32768, PROT_READ | PROT_WRITE | PROT_EXEC), 0);
    assert_int_equal(count_differences(pmu, programs, 1, 3, true), 0);
    memcpy(code, nop, sizeof nop);
    cm_software_pmu_free(pmu);
    pmu = open_pmu();
    assert_int_not_equal(count_differences(pmu, programs, 1, 3, false), 0);
    cm_programs_free(programs);
    cm_software_pmu_free(pmu);
}

/* The same seed makes the same programs, another one others; one more program leaves those before it as they are. */
static void seeds_make_programs(void **state)
{
    (void)state;
    const struct {
        uint64_t seed;
        size_t count;
        bool same;
    } rows[] = {{7, 2, true}, {7, 3, true}, {8, 2, false}};
    cm_programs *first = create(7, 2);
    char text[256], other[256];
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_programs *programs = create(rows[r].seed, rows[r].count);
        for (size_t i = 1; i <= 2; i++) {
            cm_programs_describe(first, i, text, sizeof text);
            cm_programs_describe(programs, i, other, sizeof other);
            if ((strcmp(text, other) == 0) != rows[r].same)
                fail_msg("row %zu, program %zu: %s, %s", r, i, text, other);
        }
        cm_programs_free(programs);
    }
    cm_programs_free(first);
}

/* Nothing invalid, denormal, infinite or divided by zero, which would be slow or trap: inexact results alone. Programs
 * of all classes run as long as they may. */
static void no_operand_is_special(void **state)
{
    (void)state;
    static const unsigned status_bits = 0x3f, inexact = 0x20;
    cm_error error;
    for (uint64_t seed = 0; seed < LONG_SEEDS; seed++) {
        cm_programs *programs = NULL;
        if (cm_programs_create(seed, OF_ALL_CLASSES, CM_PROGRAM_ITERATIONS, &programs, &error) != CM_OK)
            fail_msg("%s", error.text);
        for (size_t i = 0; i <= OF_ALL_CLASSES; i++) {
            cm_kernel_data data = {0};
            unsigned csr = 0, cleared = __builtin_ia32_stmxcsr() & ~status_bits;
            __builtin_ia32_ldmxcsr(cleared);
            cm_programs_kernel(programs, i)->body(CM_PROGRAM_ITERATIONS, &data);
            csr = __builtin_ia32_stmxcsr() & status_bits & ~inexact;
            if (csr != 0)
                fail_msg("seed %llu, program %zu: MXCSR has %#x", (unsigned long long)seed, i, csr);
        }
        cm_programs_free(programs);
    }
}

/* Every piece of work appears, so that none is left to chance. */
static void every_class_appears(void **state)
{
    (void)state;
    double *sums = calloc(cm_fact_count(), sizeof *sums), *values = calloc(2 * cm_fact_count(), sizeof *values);
    assert_true(sums != NULL && values != NULL);
    cm_programs *programs = create(1, 32);
    for (size_t i = 1; i <= 32; i++) {
        cm_programs_facts(programs, i, values, values + cm_fact_count());
        for (size_t f = 0; f < cm_fact_count(); f++)
            sums[f] += values[f];
    }
    /* Those of vector registers only where there are such. */
    static const char *const facts[] = {"branches_uncond",
                                        "calls",
                                        "calls_indirect",
                                        "returns",
                                        "loads",
                                        "stores",
                                        "branches_indirect",
                                        "branches_cond",
                                        "nops",
                                        "updates",
                                        "locked_loads",
                                        "nt_stores",
                                        "split_loads",
                                        "split_stores",
                                        "stores_1",
                                        "int_scalar_div",
                                        "int_scalar_compare",
                                        "int_scalar_address",
                                        "string_instructions",
                                        "load_fences",
                                        "pauses",
                                        "load_bytes",
                                        "fp_s_scalar_add",
                                        "fp_d_scalar_sub",
                                        "fp_s_128_mul",
                                        "fp_d_128_div",
                                        "fp_d_128_sqrt",
                                        "simd_instructions",
                                        "int_128_sub",
                                        "int_128_mul",
                                        "int_128_shuffle",
                                        "int_128_logic"};
    enum { PLAIN = 22 };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (!(sums[cm_fact_find(facts[i])] > 0.0) && (i < PLAIN || cm_isa_available() != 0))
            fail_msg("no program has %s", facts[i]);
    cm_programs_free(programs);
    free(sums);
    free(values);
}

/* Also in runs after the first, with a second TLB that holds more than other programs use: data and code walk. */
static void pages_are_walked(void **state)
{
    (void)state;
    enum { LONG = 512, COUNT = 18, RUNS = 2 };
    static const cm_fact walks[] = {CM_FACT_LOAD_WALKS, CM_FACT_STORE_WALKS, CM_FACT_FETCH_WALKS};
    double sums[3] = {0}, *facts = calloc(cm_fact_count(), sizeof *facts);
    cm_software_pmu *pmu = open_pmu_of(3072);
    cm_programs *programs = create_long(1, COUNT, LONG);
    assert_non_null(facts);
    for (size_t i = 1; i <= COUNT; i++)
        for (size_t run = 0; run < RUNS; run++) {
            step(pmu, cm_programs_kernel(programs, i), facts);
            for (size_t w = 0; run != 0 && w < 3; w++)
                sums[w] += facts[walks[w]] >= 2 * LONG;
        }
    for (size_t w = 0; w < 3; w++)
        if (sums[w] < 1.0)
            fail_msg("no program has %s", cm_fact_name(walks[w]));
    cm_software_pmu_free(pmu);
    cm_programs_free(programs);
    free(facts);
}

/* How many instructions in the code are the floating-point operation. */
static size_t count_operations(const unsigned char *code, size_t size, const cm_work *piece)
{
    ZydisDecoder decoder;
    ZydisDecodedInstruction instruction;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    size_t count = 0;
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    for (size_t at = 0; at < size; at += instruction.length) {
        uint16_t facts[8];
        assert_true(ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code + at, size - at, &instruction, operands)));
        for (size_t i = cm_fp_classify(&instruction, facts); i-- > 0;)
            count += facts[i] == cm_fact_fp(piece->precision, piece->width, piece->operation);
    }
    return count;
}

/* Instructions that this processor may lack: they are written, not executed. */
static void all_work_can_be_written(void **state)
{
    (void)state;
    static unsigned char code[4096 + CM_PROGRAM_FAR_BYTES];
    static const cm_program_memory memory = {.strides = {64, 64, 64}, .sizes = {4096, 4096, 4096}};
    double *facts = calloc((2 + CM_WORK_PLANES) * cm_fact_count(), sizeof *facts);
    assert_non_null(facts);
    for (size_t r = 0; r < cm_work_table_size; r++) {
        cm_work piece = cm_work_table[r];
        cm_composition composition = {.count = 1, .works = &piece};
        cm_program_emission emission = {.composition = &composition,
                                        .memory = &memory,
                                        .code = code,
                                        .size = sizeof code - CM_PROGRAM_FAR_BYTES,
                                        .once = facts,
                                        .each = facts + cm_fact_count(),
                                        .skipped = facts + 2 * cm_fact_count()};
        cm_error error;
        char text[96];
        cm_work_describe(&piece, text, sizeof text);
        if (!cm_emit_available(&piece, ~0u)) {
            assert_true(piece.kind == CM_WORK_VECTOR_INTEGER && piece.width == CM_FP_256);
            continue;
        }
        if (cm_emit(&emission, ~0u, &error) != CM_OK)
            fail_msg("%s: %s", text, error.text);
        size_t wanted = piece.kind == CM_WORK_FP, size = emission.used - emission.entry;
        if (count_operations(code + emission.entry, size, &piece) != wanted)
            fail_msg("%s: not what was written", text);
    }
    free(facts);
}

/* Two of three programs are of the classes of natural programs in turn, so that as many as `discover` runs have all. */
static void natural_programs_are_of_each_class(void **state)
{
    (void)state;
    enum { COUNT = 27, CLASSES = 16 };
    cm_programs *programs = create(1, COUNT);
    const char *classes[COUNT];
    size_t natural = 0;
    for (size_t i = 1; i <= COUNT; i++) {
        const char *class = cm_programs_class(programs, i);
        assert_int_equal(class[0] == '\0', i % 3 == 1);
        if (class[0] == '\0')
            continue;
        for (size_t k = 0; k < natural; k++)
            assert_int_equal(strcmp(classes[k], class) == 0, k + CLASSES == natural);
        classes[natural++] = class;
    }
    cm_programs_free(programs);
}

/* Code that has no room is refused, whatever there is room for. */
static void code_without_room_is_refused(void **state)
{
    (void)state;
    static unsigned char code[512 + CM_PROGRAM_FAR_BYTES];
    static const cm_program_memory memory = {.strides = {64, 64, 64}, .sizes = {4096, 4096, 4096}};
    double *facts = calloc(2 * cm_fact_count(), sizeof *facts);
    assert_non_null(facts);
    for (size_t size = 0; size < 128; size++) {
        cm_work piece = {.kind = CM_WORK_NOP};
        cm_composition composition = {.count = 1, .works = &piece};
        cm_program_emission emission = {.composition = &composition,
                                        .memory = &memory,
                                        .code = code,
                                        .size = size,
                                        .once = facts,
                                        .each = facts + cm_fact_count()};
        cm_error error;
        assert_int_equal(cm_emit(&emission, 0, &error), CM_UNSUPPORTED);
        assert_non_null(strstr(error.text, "too long"));
    }
    free(facts);
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_by_construction_are_those_of_execution),
        cmocka_unit_test(a_planted_error_is_found),
        cmocka_unit_test(seeds_make_programs),
        cmocka_unit_test(no_operand_is_special),
        cmocka_unit_test(every_class_appears),
        cmocka_unit_test(pages_are_walked),
        cmocka_unit_test(all_work_can_be_written),
        cmocka_unit_test(natural_programs_are_of_each_class),
        cmocka_unit_test(code_without_room_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
