#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <catmint/kernels.h>
#include <catmint/tables.h>

#include "cat-kernels/code_chain.h"
#include "cat-kernels/x86_64/isa.h"

/* The first row from `row` on whose kernel this architecture has. */
static size_t row_with_kernel(const cm_basis *basis, const char *benchmark, size_t row)
{
    while (row < basis->kernel_count && cm_kernel_find(benchmark, basis->kernels[row]) == NULL)
        row++;
    return row;
}

/* The kernels of one benchmark from `at` on: those of its basis in its order, and others among them. Where they end. */
static size_t walk_benchmark(const char *benchmark, size_t at)
{
    char path[256];
    cm_basis *basis = NULL;
    snprintf(path, sizeof path, "%s/bases/%s.csv", CM_TEST_SOURCE_DIR, benchmark);
    assert_int_equal(cm_basis_load(path, &basis, NULL), CM_OK);
    size_t first = at, row = row_with_kernel(basis, benchmark, 0);
    for (; at < cm_kernel_count() && strcmp(cm_kernel_get(at)->benchmark, benchmark) == 0; at++) {
        assert_ptr_equal(cm_kernel_find(benchmark, cm_kernel_get(at)->name), cm_kernel_get(at));
        if (row < basis->kernel_count && strcmp(cm_kernel_get(at)->name, basis->kernels[row]) == 0)
            row = row_with_kernel(basis, benchmark, row + 1);
    }
    if (at != first) /* none is of a graphics processor */
        assert_int_equal(row, basis->kernel_count);
    cm_basis_free(basis);
    return at;
}

static void registry_is_in_the_order_of_the_bases(void **state)
{
    (void)state;
    cm_benchmarks *benchmarks = NULL;
    size_t at = 0;
    assert_int_equal(cm_benchmarks_load(CM_TEST_SOURCE_DIR "/bases/benchmarks.csv", &benchmarks, NULL), CM_OK);
    for (size_t b = 0; b < benchmarks->count; b++)
        at = walk_benchmark(benchmarks->items[b].name, at);
    cm_benchmarks_free(benchmarks);
    assert_int_equal(at, cm_kernel_count());
    static const char *const emptied[] = {"cpu-flops", "branch",       "dcache", "dcache-write",
                                          "mem-ops",   "instructions", "icache", "tlb"};
    for (size_t b = 0; b < sizeof emptied / sizeof emptied[0]; b++)
        assert_non_null(cm_kernel_find(emptied[b], "empty"));
    assert_null(cm_kernel_find("branch", "S_ADD_SCAL.24"));
    assert_null(cm_kernel_find("cpu-flops", "S_ADD_SCAL.25"));
    assert_null(cm_kernel_get(cm_kernel_count()));
}

static bool has_suffix(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);
    return length >= end && strcmp(name + length - end, suffix) == 0;
}

static bool ends_as_a_chase(const char *name)
{
    static const char *const ends[] = {"+0",     "+2",        "+3",    "+5",     "+beside", "+same",  "+twice",
                                       "+store", "+straight", "+6",    "+split", "+random", "+known", "+load",
                                       "+hit",   "+run",      "+call", "+fifth", "+rare",   "+wrong"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (has_suffix(name, ends[i]))
            return true;
    return strstr(name, "+mixture") != NULL || strstr(name, "+hint_") != NULL || strstr(name, "+fill_") != NULL;
}

/* <what>.64.<count> of mem-ops, but for prefetches, which are of whole lines and of no register. */
static bool is_wide_access(const cm_kernel *kernel)
{
    return strcmp(kernel->benchmark, "mem-ops") == 0 && strstr(kernel->name, ".64.") != NULL &&
           strncmp(kernel->name, "prefetch", 8) != 0;
}

/* Kernels of branches draw numbers at random; one of them is a control of other benchmarks. */
static bool draws_numbers(const cm_kernel *kernel)
{
    bool mixture = strncmp(kernel->name, "mixture", 7) == 0;
    return (strcmp(kernel->benchmark, "branch") == 0 && strcmp(kernel->name, "empty") != 0 && !mixture) ||
           strcmp(kernel->name, "taken.8") == 0 || strcmp(kernel->name, "mixture+random") == 0 ||
           strcmp(kernel->name, "wrong_miss") == 0;
}

/* In the name after what is in the chain: D and I are of TLBs. */
static unsigned level_in(const char *name)
{
    static const char *const regions[] = {"L1.", "L2.", "L3.", "MEM."};
    if (name[1] != '\0' && name[2] == '.' && strchr("DHI", name[0]) != NULL)
        return (unsigned)(name[1] - '0');
    if (strncmp(name, "lines_", 6) == 0 || strncmp(name, "code_", 5) == 0)
        name = strchr(name, '_') + 1;
    for (unsigned region = 0; region < 4; region++)
        if (strncmp(name, regions[region], strlen(regions[region])) == 0)
            return region + 1;
    return 0;
}

static void kernels_need_what_their_names_say(void **state)
{
    (void)state;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        bool half = strncmp(kernel->name, "H_", 2) == 0;
        if (cm_kernel_is_of_gpu(kernel))
            continue;
        assert_true(((kernel->isa & CM_ISA_AVX512_FP16) != 0) == half);
        bool wide =
            strstr(kernel->name, "_512") != NULL || strstr(kernel->name, "_MASKED_") != NULL || is_wide_access(kernel);
        assert_true(((kernel->isa & CM_ISA_AVX512F) != 0) == (half || wide));
        assert_int_equal(kernel->level, level_in(kernel->name));
        if (kernel->level != 0) {
            assert_int_equal((kernel->chain & CM_CHAIN_PLACE) + 1, atoi(strchr(kernel->name, '.') + 1));
            bool at_random = (has_suffix(kernel->name, "+random") || has_suffix(kernel->name, "+known") ||
                              has_suffix(kernel->name, "+wrong") || strstr(kernel->name, "+mixture") != NULL) &&
                             (kernel->chain & CM_CHAIN_CODE) == 0;
            bool hits_too = has_suffix(kernel->name, "+fifth") || has_suffix(kernel->name, "+rare");
            unsigned turn = hits_too ? 2 : at_random ? 4 : 64; /* accesses */
            assert_int_equal(kernel->iterations % turn + kernel->software_iterations % turn, 0);
            assert_true(ends_as_a_chase(kernel->name));
        }
    }
}

static void isa_has_names(void **state)
{
    (void)state;
    char names[64], cut[8];
    assert_string_equal(cm_isa_names(CM_ISA_SSE2 | CM_ISA_AVX512_FP16, names, sizeof names), "SSE2 AVX512-FP16");
    assert_string_equal(cm_isa_names(0, names, sizeof names), "");
    assert_string_equal(cm_isa_names(CM_ISA_AVX | CM_ISA_AVX512F, cut, sizeof cut), "AVX AVX");
    assert_true((cm_isa_available() & CM_ISA_SSE2) != 0);
}

static void instruction_sets_can_be_left_out(void **state)
{
    (void)state;
    const char *variable = "CATMINT_WITHOUT_ISA", *before = getenv(variable);
    char kept[256];
    snprintf(kept, sizeof kept, "%s", before != NULL ? before : "");
    unsetenv(variable);
    const unsigned all = cm_isa_available(), avx512 = CM_ISA_AVX512F | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16;
    const unsigned avx = CM_ISA_AVX | CM_ISA_FMA | CM_ISA_AVX2 | avx512;
    const struct {
        const char *value;
        unsigned gone;
        const char *unknown; /* "": all names are known */
    } rows[] = {
        {"", 0, ""},
        {" , ", 0, ""},
        {"AVX512-FP16", CM_ISA_AVX512_FP16, ""},
        {"AVX512VL", CM_ISA_AVX512VL | CM_ISA_AVX512_FP16, ""},
        {"AVX512F", avx512, ""},
        {"FMA", CM_ISA_FMA | avx512, ""},
        {"AVX2", CM_ISA_AVX2 | avx512, ""},
        {"AES", CM_ISA_AES, ""},
        {"SSE4.2", CM_ISA_SSE4_2 | avx, ""},
        {"AVX", avx, ""},
        {"SSE2", ~0u, ""},
        {"AVX512-FP16, AVX512F", avx512, ""},
        {"AVX9,AVX512F MMX", avx512, "AVX9"},
        {"avx", 0, "avx"},
        {"AVX512", 0, "AVX512"},
        {"A_NAME_THAT_IS_LONGER", 0, "A_NAME_THAT_IS_"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char unknown[16];
        setenv(variable, rows[i].value, 1);
        if (cm_isa_available() != (all & ~rows[i].gone))
            fail_msg("%s: %x is left of %x", rows[i].value, cm_isa_available(), all);
        bool found = cm_isa_unknown(unknown, sizeof unknown);
        if (found != (rows[i].unknown[0] != '\0') || strcmp(unknown, rows[i].unknown) != 0)
            fail_msg("%s: '%s' is said to be unknown", rows[i].value, unknown);
    }
    setenv(variable, "AVX", 1);
    assert_false(cm_kernel_available(cm_kernel_find("cpu-flops", "D_ADD_256.24")));
    assert_true(cm_kernel_available(cm_kernel_find("cpu-flops", "D_ADD_128.24")));
    before != NULL ? setenv(variable, kept, 1) : unsetenv(variable);
}

/* What kernel_caller.S saw after a body: the registers that belong to the caller, the stack, flags and MXCSR, whose
 * exception bits would tell of slow or meaningless values. */
typedef struct registers {
    uint64_t rbx, rbp, r12, r13, r14, stack, flags;
    uint32_t mxcsr;
} registers;

void call_kernel(void (*body)(uint64_t iterations, cm_kernel_data *data), uint64_t iterations, cm_kernel_data *data,
                 registers *after);

enum { LINE = 64, PAGE = 4096 };

/* A chain of two elements, a line each, of what the kernel follows. */
static void build_chain(const cm_kernel *kernel, unsigned char *page)
{
    static const cm_chain_shape shape = {2 * LINE, LINE, 2 * LINE, 1, false};
    uint32_t order[2];
    assert_int_equal(mprotect(page, PAGE, PROT_READ | PROT_WRITE), 0);
    memset(page, 0, PAGE); /* some store in lines beside */
    if ((kernel->chain & CM_CHAIN_ZEROS) != 0) {
        memcpy(page, &(uint64_t[]){(uintptr_t)page + PAGE / 2, LINE, 2 * LINE}, 3 * sizeof(uint64_t));
        return;
    }
    cm_chain_build(page, &shape, order);
    if ((kernel->chain & CM_CHAIN_CODE) == 0)
        return;
    cm_code_chain_build(page, &shape, kernel->chain);
    assert_int_equal(mprotect(page, PAGE, PROT_READ | PROT_EXEC), 0);
}

static void bodies_keep_the_calling_convention(void **state)
{
    (void)state;
    static const uint64_t iterations[] = {1, 2, 3, 1000};
    static const registers kept = {11, 12, 13, 14, 15, 0, 0, 0x1f80};
    enum { DIRECTION_FLAG = 1 << 10 };
    unsigned char *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        for (size_t i = 0; i < 4 && cm_kernel_available(kernel) && !cm_kernel_is_of_gpu(kernel); i++) {
            bool chases = kernel->level != 0;
            cm_kernel_data data = {chases ? 0 : 7, page};
            build_chain(kernel, page);
            registers after;
            call_kernel(kernel->body, iterations[i], &data, &after);
            if (after.mxcsr != kept.mxcsr)
                fail_msg("%s leaves MXCSR %x", kernel->name, after.mxcsr);
            if (memcmp(&after, &kept, offsetof(registers, flags)) != 0 || (after.flags & DIRECTION_FLAG) != 0)
                fail_msg("%s changes a register that belongs to its caller", kernel->name);
            if (chases) /* where it goes on */
                assert_int_equal(data.generator, iterations[i] % 2 * LINE);
            else
                assert_true((data.generator != 7) == draws_numbers(kernel));
            assert_ptr_equal(data.buffer, page);
        }
    }
    munmap(page, PAGE);
}

/* x -> x * 6364136223846793005 + 1442695040888963407 modulo 2^k, once an iteration, kept in the top k bits; 2^k is the
 * largest power of two that the iterations hold. Each run goes on where the last one was. */
static void the_generator_goes_on(void **state)
{
    (void)state;
    for (size_t k = 0; k < cm_kernel_count(); k++) {
        const cm_kernel *kernel = cm_kernel_get(k);
        if (strcmp(kernel->benchmark, "branch") != 0 || !draws_numbers(kernel) || kernel->name[0] == 'm')
            continue;
        cm_kernel_data data = {UINT64_C(0x123456789abcdef0), NULL};
        uint64_t expected = data.generator;
        for (uint64_t iterations = 1; iterations <= 9; iterations++) {
            unsigned shift = iterations < 4 ? 63 : iterations < 8 ? 62 : 61;
            kernel->body(iterations, &data);
            expected = expected >> shift << shift;
            for (uint64_t i = 0; i < iterations; i++)
                expected = expected * UINT64_C(6364136223846793005) + (UINT64_C(1442695040888963407) << shift);
            if (data.generator != expected)
                fail_msg("%s, %llu iterations", kernel->name, (unsigned long long)iterations);
        }
    }
}

/* Over a power of two of iterations the generator is back where it was, and its top bits were set as often as not. */
static void random_branches_have_their_share(void **state)
{
    (void)state;
    enum { ITERATIONS = 1 << 12 };
    const cm_kernel *kernel = cm_kernel_find("branch", "b4");
    assert_int_equal(kernel->iterations & (kernel->iterations - 1), 0);
    assert_int_equal(kernel->software_iterations & (kernel->software_iterations - 1), 0);
    uint64_t x = UINT64_C(77) << 52, halves = 0, quarters = 0;
    for (int i = 0; i < ITERATIONS; i++) {
        x = x * UINT64_C(6364136223846793005) + (UINT64_C(1442695040888963407) << 52);
        halves += x >> 63;
        quarters += x >> 62 == 3;
    }
    assert_int_equal(halves, ITERATIONS / 2);
    assert_int_equal(quarters, ITERATIONS / 4);
    cm_kernel_data data = {UINT64_C(77) << 52, NULL};
    kernel->body(ITERATIONS, &data);
    assert_true(x == UINT64_C(77) << 52 && data.generator == x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registry_is_in_the_order_of_the_bases),
        cmocka_unit_test(kernels_need_what_their_names_say),
        cmocka_unit_test(isa_has_names),
        cmocka_unit_test(instruction_sets_can_be_left_out),
        cmocka_unit_test(bodies_keep_the_calling_convention),
        cmocka_unit_test(the_generator_goes_on),
        cmocka_unit_test(random_branches_have_their_share),
    };
    return cmocka_run_group_tests_name("kernels", tests, NULL, NULL);
}
