/* Loops in assembly, and what llvm-mca prints. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machines/roofline.h"
#include "machines/timed.h"

static const char assembly[] =
    "other:\n.L1:\n\tdecq\t%rax\n\tjne\t.L1\n\t.size\tother, .-other\n"
    "kernel:\n\ttestq\t%rdi, %rdi\n\tjle\t.L9\n"
    ".L2:\n\txorl\t%ecx, %ecx\n"
    "\t.p2align 4\n"
    ".L3:                    # =>an inner loop\n\taddq\t$1, %rcx\n\tcmpq\t%rcx, %rdi\n\tjne\t.L3\n"
    "\tdecq\t%rsi\n\tjne\t.L2\n"
    ".L4:\n\tincq\t%rdx\n\tjb\t.L4 # back\n"
    ".L9:\n\tret\n\t.size\tkernel, .-kernel\n"
    "body:\n.L5:\n\tjmp\t.L5\n\t.size\tbody, .-body\n";

/* Of one loop, or with `loop` SIZE_MAX the whole, counted. */
static void put(size_t loop, const cm_loops *loops, char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);
    assert_non_null(stream);
    if (loop == SIZE_MAX)
        cm_loops_write_counted(assembly, loops, stream);
    else
        cm_loops_write(assembly, &loops->loops[loop], stream);
    assert_int_equal(fclose(stream), 0);
}

static void test_innermost(void **state)
{
    (void)state;
    cm_loops loops;
    cm_error error;
    assert_int_equal(cm_loops_find(assembly, "kernel", &loops, &error), CM_OK);
    assert_int_equal(loops.count, 2);
    char *first = NULL, *second = NULL;
    size_t size = 0;
    put(0, &loops, &first, &size);
    put(1, &loops, &second, &size);
    assert_string_equal(first, "\taddq\t$1, %rcx\n\tcmpq\t%rcx, %rdi\n\tjne\t.L3\n");
    assert_string_equal(second, "\tincq\t%rdx\n\tjb\t.L4 # back\n");
    assert_int_equal(cm_loop_instructions(assembly, &loops.loops[0]), 3);
    free(first);
    free(second);
    assert_int_equal(cm_loops_find(assembly, "kern", &loops, &error), CM_BAD_INPUT);
    assert_int_equal(cm_loops_find(assembly, "nothing", &loops, &error), CM_BAD_INPUT);
}

/* Each label has its count behind it, and nothing else has changed. */
static void test_counted(void **state)
{
    (void)state;
    cm_loops loops;
    assert_int_equal(cm_loops_find(assembly, "kernel", &loops, NULL), CM_OK);
    char *text = NULL;
    size_t size = 0;
    put(SIZE_MAX, &loops, &text, &size);
    const char *inner = strstr(text, ".L3:"), *outer = strstr(text, ".L2:\n\txorl");
    assert_non_null(outer); /* not counted */
    assert_non_null(strstr(inner, "leaq 1(%rax), %rax\n\tmovq %rax, catmint_loops+0(%rip)"));
    assert_non_null(strstr(strstr(text, ".L4:"), "catmint_loops+8(%rip)"));
    assert_non_null(strstr(text, "catmint_counts:\n"));
    assert_null(strstr(text, "catmint_loops+16"));
    free(text);
}

static void test_predictions(void **state)
{
    (void)state;
    assert_true(cm_mca_cycles("Iterations:        100\nInstructions:      300\nTotal Cycles:      163\n") == 1.63);
    assert_true(isnan(cm_mca_cycles("error: unsupported")));
}

/* An llvm-mca older than the processor takes it for another. */
static void test_which_llvm_mca_knows(void **state)
{
    (void)state;
    static const struct {
        const char *printed, *identity, *host;
        bool knows;
    } rows[] = {
        {"LLVM\n  Default target: x\n  Host CPU: znver4\n\n", "AuthenticAMD-25-11-1", "znver4", true},
        {"  Host CPU: znver3\n", "AuthenticAMD-25-11-1", "znver3", false},
        {"  Host CPU: znver3\n", "AuthenticAMD-25-1-1", "znver3", true},
        {"  Host CPU: raptorlake", "GenuineIntel-6-B7-1", "raptorlake", true},
        {"  Host CPU: cascadelake\n", "GenuineIntel-6-55-7", "cascadelake", true},
        {"  Host CPU: cascadelake\n", "GenuineIntel-6-55-4", "cascadelake", false},
        {"  Host CPU: generic\n", "GenuineIntel-6-8F-8", "generic", false},
        {"  Host CPU: sapphirerapids\n", "Unknown-0-0-0", "sapphirerapids", false},
        {"no such line\n", "AuthenticAMD-25-11-1", "", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char host[CM_MCA_NAME];
        bool knows = !rows[i].knows;
        cm_error error;
        assert_int_equal(cm_mca_knows(rows[i].printed, rows[i].identity, host, &knows, &error), CM_OK);
        assert_string_equal(host, rows[i].host);
        assert_int_equal(knows, rows[i].knows);
    }
    cm_compiled_kernel faster = {.predicted = 1.0, .measured = {4.0, 4.0, 4.0}};
    cm_compiled_kernel slower = {.predicted = 8.0, .measured = {4.0, 4.0, 4.0}};
    assert_true(cm_prediction_error(&faster, faster.predicted) == 0.75);
    assert_true(cm_prediction_error(&slower, slower.predicted) == -1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_innermost),
        cmocka_unit_test(test_counted),
        cmocka_unit_test(test_predictions),
        cmocka_unit_test(test_which_llvm_mca_knows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
