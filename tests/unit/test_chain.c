#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <catmint/kernels.h>

#include "cat-kernels/chain.h"
#include "cat-kernels/code_chain.h"

static uint64_t follow(const char *buffer, uint64_t offset)
{
    uint64_t next;
    memcpy(&next, buffer + offset, sizeof next);
    return next;
}

static void *build(const cm_chain_shape *shape)
{
    void *buffer = malloc(shape->extent);
    uint32_t *order = malloc(shape->block / shape->stride * sizeof *order);
    assert_non_null(buffer);
    assert_non_null(order);
    cm_chain_build(buffer, shape, order);
    free(order);
    return buffer;
}

static void chain_is_one_cycle_through_every_element(void **state)
{
    (void)state;
    static const cm_chain_shape rows[] = {
        {64, 64, 4096, 1, false},          /* one element that leads to itself */
        {128, 64, 64, 1, false},           /* blocks of one element: in order of memory */
        {4096, 64, 4096, 7, false},        /* one block */
        {16384 + 192, 64, 4096, 2, false}, /* a last block that is not full */
        {1 << 20, 64, 65536, 3, false},    {1 << 20, 128, 65536, 3, false}, {3 << 20, 128, 32768, UINT64_MAX, false},
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        char *buffer = build(&rows[row]);
        size_t length = cm_chain_length(&rows[row]);
        unsigned char *seen = calloc(length, 1);
        assert_non_null(seen);
        uint64_t offset = 0;
        for (size_t i = 0; i < length; i++) {
            assert_true(offset < rows[row].extent && offset % rows[row].stride == 0);
            assert_int_equal(seen[offset / rows[row].stride]++, 0);
            offset = follow(buffer, offset);
        }
        assert_int_equal(offset, 0);
        free(seen);
        free(buffer);
    }
}

static void chain_stays_in_a_block_until_it_is_done(void **state)
{
    (void)state;
    const cm_chain_shape shape = {1 << 18, 64, 32768, 5, false};
    char *buffer = build(&shape);
    size_t changes = 0;
    uint64_t offset = 0;
    for (size_t i = 0; i + 1 < cm_chain_length(&shape); i++) {
        uint64_t next = follow(buffer, offset);
        changes += next / shape.block != offset / shape.block;
        offset = next;
    }
    assert_int_equal(changes, shape.extent / shape.block - 1);
    free(buffer);
}

/* By a step of one line, or two steps alike in a page. */
static void chain_sets_no_prefetcher_going(void **state)
{
    (void)state;
    enum { LINES = 64 };
    const cm_chain_shape shape = {1 << 20, 64, 65536, 9, false};
    char *buffer = build(&shape);
    uint64_t offset = 0, alike = 0;
    struct {
        uint64_t line, step, seen;
    } pages[(1 << 20) / 4096] = {0};
    for (size_t i = 0; i < cm_chain_length(&shape); i++) {
        const uint64_t line = offset / 64, page = line / LINES, step = line - pages[page].line;
        alike += pages[page].seen > 0 &&
                 (step == 1 || step == UINT64_MAX || (pages[page].seen > 1 && step == pages[page].step));
        pages[page].line = line;
        pages[page].step = step;
        pages[page].seen++;
        offset = follow(buffer, offset);
    }
    assert_in_range(alike, 0, 16); /* at the ends of blocks there may be none to change places with */
    free(buffer);
}

/* As code must that jumps a limited way. */
static void chain_steps_no_farther_than_told(void **state)
{
    (void)state;
    static const struct {
        cm_chain_shape shape;
        size_t reach, block;
    } rows[] = {
        {{260 * 4160, 4160, 260 * 4160, 1, false}, 1 << 20, 126 * 4160}, /* one block, too long */
        {{1 << 20, 64, 1 << 16, 2, false}, 1 << 20, 1 << 16},            /* short enough */
        {{1 << 20, 64, 1 << 20, 3, false}, 0, 1 << 20},                  /* any step may be */
        {{1 << 14, 128, 1 << 14, 4, false}, 128, 128},                   /* from one element to the next */
    };
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        cm_chain_shape shape = rows[row].shape;
        cm_chain_keep_within(&shape, rows[row].reach);
        assert_int_equal(shape.block, rows[row].block);
        char *buffer = build(&shape);
        uint64_t offset = 0;
        for (size_t i = 0; i + 1 < cm_chain_length(&shape); i++) {
            uint64_t next = follow(buffer, offset);
            assert_true(rows[row].reach == 0 || (next > offset ? next - offset : offset - next) <= rows[row].reach);
            offset = next;
        }
        free(buffer);
    }
}

/* Two pieces of code farther apart than a jump of aarch64, ppc64le and riscv64 reaches. */
static void code_goes_as_far_as_its_chain(void **state)
{
    (void)state;
    enum { STRIDE = (130 << 20) + 64, SIZE = 2 * STRIDE, ROUNDS = 1000 };
    static const unsigned kinds[] = {0, CM_CHAIN_LONG};
    const cm_kernel *kernel = cm_kernel_find("icache", "L1.3+0");
    assert_non_null(kernel);
    char *buffer = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_true(buffer != MAP_FAILED);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        const cm_chain_shape shape = {SIZE, STRIDE, SIZE, 1, false};
        uint32_t order[2];
        assert_int_equal(mprotect(buffer, SIZE, PROT_READ | PROT_WRITE), 0);
        cm_chain_build(buffer, &shape, order);
        cm_code_chain_build(buffer, &shape, kinds[i]);
        __builtin___clear_cache(buffer, buffer + SIZE);
        assert_int_equal(mprotect(buffer, SIZE, PROT_READ | PROT_EXEC), 0);
        cm_kernel_data data = {.buffer = buffer};
        kernel->body(ROUNDS, &data);
        assert_int_equal(data.generator, 0);
        kernel->body(1, &data);
        assert_int_equal(data.generator, STRIDE);
        kernel->body(ROUNDS, &data);
        assert_int_equal(data.generator, STRIDE);
    }
    munmap(buffer, SIZE);
}

/* A stride prefetcher learns what repeats: no distance between neighbours in the chain may be frequent. */
static void chain_order_has_no_frequent_distance(void **state)
{
    (void)state;
    const cm_chain_shape shape = {1 << 20, 64, 1 << 16, 11, false};
    char *buffer = build(&shape);
    enum { DISTANCES = 2 * (1 << 16) / 64 };
    size_t count[DISTANCES] = {0}, most = 0;
    uint64_t offset = 0;
    for (size_t i = 0; i + 1 < cm_chain_length(&shape); i++) {
        uint64_t next = follow(buffer, offset);
        int64_t distance = ((int64_t)next - (int64_t)offset) / 64;
        if (distance > -DISTANCES / 2 && distance < DISTANCES / 2 && ++count[distance + DISTANCES / 2] > most)
            most = count[distance + DISTANCES / 2];
        offset = next;
    }
    assert_true(most < cm_chain_length(&shape) / 200);
    free(buffer);
}

static void chain_depends_on_its_seed_alone(void **state)
{
    (void)state;
    const cm_chain_shape one = {1 << 16, 64, 1 << 14, 1, false}, two = {1 << 16, 64, 1 << 14, 2, false};
    char *first = build(&one), *again = build(&one), *other = build(&two);
    size_t differing = 0;
    for (size_t offset = 0; offset < one.extent; offset += one.stride) {
        assert_true(follow(first, offset) == follow(again, offset));
        differing += follow(first, offset) != follow(other, offset);
    }
    assert_true(differing > cm_chain_length(&one) / 2);
    free(first);
    free(again);
    free(other);
}

/* Runs of three; what follows one is asked for long before and long after. */
static void runs_are_far_from_what_follows_them(void **state)
{
    (void)state;
    enum { STRIDE = 128, ELEMENTS = 1 << 14 };
    const cm_chain_shape shape = {(ELEMENTS + 5) * STRIDE, STRIDE, (ELEMENTS + 5) * STRIDE, 9, true};
    char *buffer = build(&shape);
    const size_t length = cm_chain_length(&shape);
    static size_t places[ELEMENTS + 5];
    assert_int_equal(length, ELEMENTS / 4 * 3);
    uint64_t offset = 0;
    for (size_t i = 0; i < length; i++) {
        assert_int_equal(places[offset / STRIDE], 0);
        places[offset / STRIDE] = i + 1;
        uint64_t next = follow(buffer, offset);
        assert_true(i % 3 == 2 || next == offset + STRIDE);
        offset = next;
    }
    assert_int_equal(offset, 0);
    for (size_t i = 0; i + 4 < ELEMENTS; i += 4) {
        assert_int_equal(places[i + 3], 0);
        size_t apart = (places[i + 4] - places[i] + length) % length;
        assert_true(apart >= length / 4 && length - apart >= length / 4);
    }
    free(buffer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chain_is_one_cycle_through_every_element),
        cmocka_unit_test(chain_stays_in_a_block_until_it_is_done),
        cmocka_unit_test(chain_sets_no_prefetcher_going),
        cmocka_unit_test(chain_steps_no_farther_than_told),
        cmocka_unit_test(code_goes_as_far_as_its_chain),
        cmocka_unit_test(chain_order_has_no_frequent_distance),
        cmocka_unit_test(chain_depends_on_its_seed_alone),
        cmocka_unit_test(runs_are_far_from_what_follows_them),
    };
    return cmocka_run_group_tests_name("chain", tests, NULL, NULL);
}
