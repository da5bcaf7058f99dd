/* Stepping changes nothing: what a function computes when it is stepped equals what it computes by itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <fenv.h>
#include <immintrin.h>
#include <sys/mman.h>

#include <catmint/software_pmu.h>

#include "software_pmu/machine/facts.h"
#include "stepping.h"

static __thread int thread_local_counter;
static int global_counter;

static void integers(work *w)
{
    uint64_t x = 0x123456789abcdef1;
    for (unsigned i = 0; i < 64; i++) {
        unsigned __int128 product = (unsigned __int128)x * (i + 3);
        x = (uint64_t)(product >> 7) ^ (uint64_t)product;
        x = x << (i % 13) | x >> (64 - i % 13 - 1);
        w->words[i] = x / (i + 1) + x % (i + 7) + (uint64_t)__builtin_popcountll(x) + (uint64_t)__builtin_clzll(x | 1) +
                      (uint64_t)((int64_t)x >> 5) + ((int32_t)x < 0 ? 3 : 5);
    }
}

static uint64_t fibonacci(uint64_t n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void recursion(work *w)
{
    w->words[0] = fibonacci(12);
}

static uint64_t chosen(unsigned n)
{
    switch (n) {
    case 0: return 17;
    case 1: return fibonacci(3);
    case 2: return 99;
    case 3: return (uint64_t)thread_local_counter;
    case 4: return 1234;
    case 5: return (uint64_t)global_counter;
    case 6: return 7;
    default: return n;
    }
}

static uint64_t twice(uint64_t x)
{
    return 2 * x;
}

static uint64_t plus_one(uint64_t x)
{
    return x + 1;
}

static void jumps_and_pointers(work *w)
{
    uint64_t (*volatile functions[])(uint64_t) = {twice, plus_one, fibonacci};
    thread_local_counter = 5;
    global_counter = 6;
    for (unsigned i = 0; i < 9; i++)
        w->words[i] = functions[i % 3](chosen(i) % 11);
}

static uint64_t sum_of(unsigned count, ...)
{
    va_list arguments;
    uint64_t sum = 0;
    va_start(arguments, count);
    for (unsigned i = 0; i < count; i++)
        sum += i % 2 == 0 ? va_arg(arguments, uint64_t) : (uint64_t)va_arg(arguments, double);
    va_end(arguments);
    return sum;
}

static void variable_arguments(work *w)
{
    w->words[0] = sum_of(12, UINT64_C(1), 2.0, UINT64_C(3), 4.0, UINT64_C(5), 6.0, UINT64_C(7), 8.0, UINT64_C(9), 10.0,
                         UINT64_C(11), 12.0);
}

static void large_frames(work *w)
{
    volatile unsigned char frame[100000];
    for (size_t i = 0; i < sizeof frame; i += 1000)
        frame[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof frame; i += 1000)
        w->words[i / 1000 % 64] += frame[i];
}

static void sse(work *w)
{
    __m128d a = _mm_set_pd(1.5, -2.25), b = _mm_set1_pd(3.0);
    __m128i k = _mm_set_epi32(1, 2, 3, 4);
    for (unsigned i = 0; i < 16; i++) {
        a = _mm_add_pd(_mm_mul_pd(a, b), _mm_set1_pd(1.0 / (i + 1)));
        a = _mm_div_pd(_mm_shuffle_pd(a, a, 1), _mm_sqrt_pd(_mm_mul_pd(a, a)));
        k = _mm_add_epi32(_mm_slli_epi32(k, 1), _mm_cvttpd_epi32(_mm_mul_pd(a, b)));
        _mm_store_pd(w->doubles + 2 * i, a);
        _mm_storeu_si128((__m128i *)(void *)(w->words + 2 * i), k);
    }
}

__attribute__((target("avx2,fma"))) static void avx(work *w)
{
    __m256d a = _mm256_set_pd(1, 2, 3, 4), b = _mm256_set1_pd(1.0000001);
    __m256i k = _mm256_set_epi64x(1, 2, 3, 4);
    for (unsigned i = 0; i < 8; i++) {
        a = _mm256_fmadd_pd(a, b, _mm256_permute4x64_pd(a, 0x1b));
        k = _mm256_add_epi64(k, _mm256_sllv_epi64(k, _mm256_set1_epi64x(i)));
        _mm256_storeu_pd(w->doubles + 4 * i, a);
        _mm256_maskstore_pd(w->doubles + 32 + 4 * i, _mm256_set_epi64x(-1, 0, -1, -1), a);
        _mm256_storeu_si256((__m256i *)(void *)(w->words + 4 * i), k);
    }
    w->doubles[1] += _mm256_cvtsd_f64(_mm256_i64gather_pd(w->doubles, _mm256_set_epi64x(0, 3, 6, 9), 8));
}

__attribute__((target("avx512f,avx512vl,avx512dq,avx512bw"))) static void avx512(work *w)
{
    __m512d a = _mm512_set_pd(1, 2, 3, 4, 5, 6, 7, 8);
    __m512i index = _mm512_set_epi64(8, 9, 1, 3, 5, 7, 0, 2);
    register __m512d high __asm__("zmm29") = _mm512_set1_pd(0.5);
    for (unsigned i = 0; i < 6; i++) {
        __mmask8 mask = _mm512_cmp_pd_mask(a, _mm512_set1_pd(4.0), _CMP_GT_OQ);
        __asm__("vaddpd %1, %0, %0" : "+v"(high) : "v"(a));
        a = _mm512_mask_fmadd_pd(a, (__mmask8)(mask | 1u << i), high, _mm512_set1_pd(-0.25));
        a = _mm512_add_pd(a, _mm512_i64gather_pd(index, w->doubles, 8));
        _mm512_storeu_pd(w->doubles + 8 + 8 * i, a);
        _mm512_mask_i64scatter_pd(w->words, mask, index, a, 8);
        w->words[20 + i] = mask;
    }
}

static void x87(work *w)
{
    volatile long double x = 0.5L;
    for (unsigned i = 0; i < 10; i++) {
        x = x * 1.25L + 1.0L / (i + 1.0L);
        long double y;
        __asm__("fldt %1; fsin; fld1; faddp; fstpt %0" : "=m"(y) : "m"(x));
        w->doubles[i] = (double)y;
    }
    /* a value kept on the stack over other instructions */
    uint64_t spoilt = 3;
    __asm__("fldpi; imul %1, %1; add $9, %1; fstpl %0" : "=m"(w->doubles[20]), "+r"(spoilt));
    w->words[0] = spoilt;
}

static void mmx(work *w)
{
    w->words[1] = 0x0102030405060708;
    __asm__("movq %1, %%mm3; paddb %%mm3, %%mm3; nop; movq %%mm3, %0; emms"
            : "=m"(w->words[0])
            : "m"(w->words[1])
            : "mm3");
}

static void string_instructions(work *w)
{
    const char *from = "a text that is moved and searched";
    char *to = w->text;
    size_t count = 34;
    __asm__("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
    w->words[0] = (uint64_t)(to - w->text);
    const char *at = w->text;
    count = 34;
    __asm__("repne scasb" : "+D"(at), "+c"(count) : "a"('m') : "memory");
    w->words[1] = (uint64_t)(at - w->text), w->words[2] = count;
    to = w->text + 200;
    count = 20;
    __asm__("std; rep stosb; cld" : "+D"(to), "+c"(count) : "a"('x') : "memory");
    w->words[3] = (uint64_t)(to - w->text);
}

static void odd_instructions(work *w)
{
    uint64_t a = 5, b = 0x8000000000000001, c = 40, flags;
    __asm__("stc; adc %1, %0; lahf; movzbl %%ah, %%eax; mov %%rax, %2" : "+r"(a), "+r"(b), "=m"(w->words[0]) : : "rax");
    __asm__("1: lea 3(%0), %0; loop 1b" : "+r"(a), "+c"(c));
    __asm__("bsf %1, %0; cmovz %2, %0; rol $7, %0; bswap %0" : "+&r"(a) : "r"(b), "r"(c));
    __asm__("push %1; push $-3; pop %0; add %0, (%%rsp); pop %0" : "=&r"(b) : "r"(a));
    __asm__("movl $-7, %%eax; cltd; movl $2, %%ecx; idivl %%ecx; movl %%edx, %0"
            : "=m"(w->words[5])
            :
            : "eax", "ecx", "edx");
    __asm__("xor %%eax, %%eax; cmp $1, %%eax; pushfq; pop %0" : "=r"(flags) : : "rax");
    __asm__("enter $64, $0; movq %%rdi, -8(%%rbp); movq -8(%%rbp), %0; leave" : "=a"(w->words[6]) : "D"(a));
    __asm__("xlatb" : "=a"(w->words[7]) : "a"(UINT64_C(3)), "b"("abcdef"));
    w->words[1] = a, w->words[2] = b, w->words[3] = c, w->words[4] = flags;
}

static void compare_and_swap(work *w)
{
    __int128 pair __attribute__((aligned(16))) = 5;
    uint64_t low = 5, high = 0;
    __asm__("lock cmpxchg16b %0" : "+m"(pair), "+a"(low), "+d"(high) : "b"(UINT64_C(77)), "c"(UINT64_C(88)) : "cc");
    memcpy(w->words, &pair, sizeof pair);
    __atomic_fetch_add(&w->words[3], 7, __ATOMIC_SEQ_CST);
}

static void rounding(work *w)
{
    volatile double one = 1.0, three = 3.0;
    volatile long double ten = 10.0L;
    fesetround(FE_UPWARD);
    w->doubles[0] = one / three;
    w->doubles[1] = (double)(1.0L / ten);
    fesetround(FE_TONEAREST);
    w->doubles[2] = one / three;
    feclearexcept(FE_ALL_EXCEPT);
    w->doubles[3] = one / (one - one);
    w->words[0] = fetestexcept(FE_DIVBYZERO) != 0;
}

static void stepped_functions_compute_what_they_compute(void **state)
{
    (void)state;
    bool has_avx = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    bool has_avx512 =
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
    const struct {
        const char *name;
        void (*body)(work *w);
        bool possible;
    } rows[] = {
        {"integers", integers, true},
        {"recursion", recursion, true},
        {"jumps and pointers", jumps_and_pointers, true},
        {"variable arguments", variable_arguments, true},
        {"large frames", large_frames, true},
        {"sse", sse, true},
        {"avx", avx, has_avx},
        {"avx512", avx512, has_avx512},
        {"x87", x87, true},
        {"mmx", mmx, true},
        {"string instructions", string_instructions, true},
        {"odd instructions", odd_instructions, true},
        {"compare and swap", compare_and_swap, true},
        {"rounding", rounding, true},
    };
    cm_software_pmu *pmu = create_stepper();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].possible)
            expect_the_same(pmu, rows[i].name, rows[i].body);
        else
            print_message("left out, this processor lacks it: %s\n", rows[i].name);
    }
    cm_software_pmu_free(pmu);
}

/* Code that is generated, and generated anew in the same place. */
static void changed_code_is_seen(void **state)
{
    (void)state;
    static const struct {
        unsigned char code[8];
        unsigned char stored;
        uint64_t instructions;
    } rows[] = {
        {{0xC6, 0x07, 0x05, 0xC3}, 5, 2},             /* movb $5, (%rdi); ret */
        {{0xC6, 0x07, 0x06, 0xC3}, 6, 2},             /* another number */
        {{0x90, 0xC6, 0x07, 0x07, 0x90, 0xC3}, 7, 4}, /* other lengths */
        {{0xC6, 0x07, 0x05, 0xC3}, 5, 2},
    };
    cm_software_pmu *pmu = create_stepper();
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(code != MAP_FAILED);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        unsigned char byte = 0;
        void (*function)(void *);
        assert_int_equal(mprotect(code, 4096, PROT_READ | PROT_WRITE), 0);
        memcpy(code, rows[i].code, sizeof rows[i].code);
        assert_int_equal(mprotect(code, 4096, PROT_READ | PROT_EXEC), 0);
        memcpy(&function, &code, sizeof function);
        uint64_t before = cm_software_pmu_facts(pmu)[CM_FACT_INSTRUCTIONS];
        assert_int_equal(cm_software_pmu_run(pmu, function, &byte, NULL), CM_OK);
        assert_int_equal(byte, rows[i].stored);
        assert_int_equal(cm_software_pmu_facts(pmu)[CM_FACT_INSTRUCTIONS] - before, rows[i].instructions);
    }
    munmap(code, 4096);
    cm_software_pmu_free(pmu);
}

static void set_upward(work *w)
{
    (void)w;
    fesetround(FE_UPWARD);
}

static void floating_point_modes_go_in_and_come_out(void **state)
{
    (void)state;
    cm_software_pmu *pmu = create_stepper();
    static work native, stepped;
    task up = {set_upward, &stepped}, round = {rounding, &stepped};
    assert_int_equal(cm_software_pmu_run(pmu, perform, &up, NULL), CM_OK);
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(cm_software_pmu_run(pmu, perform, &round, NULL), CM_OK);
    assert_int_equal(fegetround(), FE_TONEAREST);
    rounding(&native);
    assert_memory_equal(&native, &stepped, sizeof native);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stepped_functions_compute_what_they_compute),
        cmocka_unit_test(changed_code_is_seen),
        cmocka_unit_test(floating_point_modes_go_in_and_come_out),
    };
    return cmocka_run_group_tests_name("stepper_state", tests, NULL, NULL);
}
