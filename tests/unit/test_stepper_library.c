/* Stepping the C library: what a function computes with its help when it is stepped equals what it computes by itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "stepping.h"

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void library(work *w)
{
    for (unsigned i = 0; i < 64; i++)
        w->words[i] = i * UINT64_C(0x9E3779B97F4A7C15) >> 40;
    qsort(w->words, 64, sizeof w->words[0], by_number);
    snprintf(w->text, sizeof w->text, "%d %s %.17g %Lf %#llx", -42, "text", 1.0 / 3, 2.5L, 0xfeedULL);
    w->doubles[0] = strtod("1.2345678901234567e-300", NULL);
    w->doubles[1] = sin(1.0) + exp(2.0) + pow(1.5, 2.5) + log(7.0);
    w->doubles[2] = (double)sinl(0.25L);
    char *copy = strdup(w->text);
    w->words[0] = strlen(copy) + (strchr(copy, '3') != NULL) + (uint64_t)memcmp(copy, w->text, 5);
    free(copy);
    void *block = calloc(1000, 100);
    memset(block, 3, 100000);
    w->words[1] = ((unsigned char *)block)[99999];
    memcpy(w->text + 100, block, 100);
    free(block);
}

static void system_calls(work *w)
{
    int ends[2];
    char text[8] = "";
    w->words[0] = (uint64_t)getpid();
    if (pipe(ends) == 0) {
        w->words[1] = (uint64_t)write(ends[1], "through", 7);
        w->words[2] = (uint64_t)read(ends[0], text, 7);
        close(ends[0]);
        close(ends[1]);
    }
    memcpy(w->text, text, sizeof text);
    errno = 0;
    w->words[3] = (uint64_t)close(-1);
    w->words[4] = (uint64_t)errno;
    struct timespec now;
    w->words[5] = (uint64_t)clock_gettime(CLOCK_MONOTONIC, &now); /* in the vdso */
}

/* Whatever the stepper asks of the system between two steps stays between them. */
static void error_number(work *w)
{
    errno = 1234;
    w->words[0] = (uint64_t)labs(-3);
    w->doubles[0] = atan2(w->doubles[1], 2.0);
    w->words[1] = (uint64_t)atoi("17");
    w->words[2] = (uint64_t)errno;
}

/* The stepped code stands within malloc while the stepper needs memory for instructions it meets there. */
static void allocations(work *w)
{
    void *blocks[200];
    for (unsigned i = 0; i < 200; i++)
        blocks[i] = malloc(i * i * 3 + 1);
    for (unsigned i = 0; i < 200; i += 2)
        free(blocks[i]);
    for (unsigned i = 0; i < 200; i += 2)
        blocks[i] = realloc(blocks[i + 1], i * 50 + 1), blocks[i + 1] = calloc(i + 1, 7);
    for (unsigned i = 0; i < 200; i++) {
        w->words[i % 64] += blocks[i] != NULL;
        free(blocks[i]);
    }
}

static void long_jumps(work *w)
{
    jmp_buf place;
    volatile int count = 0;
    int value = setjmp(place);
    w->words[value] = (uint64_t)count;
    count = count + 1;
    if (count < 5)
        longjmp(place, count);
}

static void the_library_computes_what_it_computes(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        void (*body)(work *w);
    } rows[] = {
        {"allocations", allocations},   {"library", library},       {"error number", error_number},
        {"system calls", system_calls}, {"long jumps", long_jumps},
    };
    cm_software_pmu *pmu = create_stepper();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        expect_the_same(pmu, rows[i].name, rows[i].body);
    cm_software_pmu_free(pmu);
}

int main(void)
{
    if (is_under_valgrind())
        return CM_TEST_SKIPPED;
#if defined(__SANITIZE_ADDRESS__)
    printf("skipped: AddressSanitizer's interceptors would be stepped in the library's stead\n");
    return CM_TEST_SKIPPED;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_computes_what_it_computes),
    };
    return cmocka_run_group_tests_name("stepper_library", tests, NULL, NULL);
}
