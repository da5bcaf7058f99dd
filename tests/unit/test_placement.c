#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sweep/plan/benchmark.h"

enum { KIB = 1024, MIB = 1024 * 1024, COUNT = 8, NO_LIMIT = 1 << 30 };

static const cm_geometry server = {.line = 64, .page = 4096, .caches = {48 * KIB, 2 * MIB, 32 * MIB}, .sharers = 2};
static const cm_geometry model = {.line = 64, .page = 4096, .caches = {4 * KIB, 32 * KIB, 256 * KIB}, .sharers = 1};
static const cm_geometry no_l3 = {.line = 64, .page = 4096, .caches = {32 * KIB, 1 * MIB, 0}, .sharers = 4};

static void chains_keep_clear_of_the_borders(void **state)
{
    (void)state;
    static const struct {
        const cm_geometry *geometry;
        size_t level, from, to;
    } rows[] = {
        {&server, 0, 6 * KIB, 30 * KIB},  {&server, 1, 96 * KIB, 1280 * KIB},
        {&server, 2, 4 * MIB, 10 * MIB},  {&server, 3, 64 * MIB, 128 * MIB},
        {&model, 0, 512, 2560},           {&model, 1, 8 * KIB, 20 * KIB},
        {&model, 2, 64 * KIB, 160 * KIB}, {&model, 3, 512 * KIB, 1 * MIB},
        {&no_l3, 1, 64 * KIB, 160 * KIB}, {&no_l3, 3, 2 * MIB, 4 * MIB},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        size_t previous = 0;
        for (size_t i = 0; i < COUNT; i++) {
            cm_placement placement;
            cm_error error;
            if (cm_place_chain(rows[r].geometry, rows[r].level, i, COUNT, NO_LIMIT, &placement, &error) != CM_OK)
                fail_msg("row %zu, chain %zu: %s", r, i, error.text);
            assert_int_equal(placement.stride, i < COUNT / 2 ? 64 : 128);
            if (placement.extent < rows[r].from || placement.extent > rows[r].to ||
                placement.extent % placement.stride != 0)
                fail_msg("row %zu, chain %zu: %zu bytes", r, i, placement.extent);
            assert_true(i % (COUNT / 2) == 0 || placement.extent > previous);
            assert_true(placement.block % placement.stride == 0 && placement.block > 0);
            previous = placement.extent;
        }
    }
}

static void what_has_no_room_is_refused_with_the_reason(void **state)
{
    (void)state;
    static const cm_geometry
        absurd = {.line = 64, .page = 4096, .caches = {48 * KIB, 2 * MIB, (size_t)480 * MIB}, .sharers = 2},
        crowded = {.line = 64, .page = 4096, .caches = {48 * KIB, 2 * MIB, 32 * MIB}, .sharers = 16},
        unknown = {.line = 64, .page = 4096, .sharers = 1};
    static const struct {
        const cm_geometry *geometry;
        size_t level, limit;
        const char *reason;
    } rows[] = {
        {&no_l3, 2, NO_LIMIT, "no L3"},
        {&absurd, 3, 512 * MIB, "needs a buffer of 983040 KiB, the limit is 524288 KiB"},
        {&crowded, 2, NO_LIMIT, "no buffer fits"},
        {&unknown, 3, NO_LIMIT, "not known"},
        {&unknown, 0, NO_LIMIT, "no L1"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_placement placement;
        cm_error error;
        assert_int_equal(cm_place_chain(rows[r].geometry, rows[r].level, 0, COUNT, rows[r].limit, &placement, &error),
                         CM_UNSUPPORTED);
        if (strstr(error.text, rows[r].reason) == NULL)
            fail_msg("row %zu: %s", r, error.text);
    }
}

/* Of code, and by pages: how many elements, and how far from one to the next. */
static void chains_of_code_and_pages(void **state)
{
    (void)state;
    static const cm_geometry whole = {.line = 64,
                                      .page = 4096,
                                      .caches = {48 * KIB, 256 * KIB, 1 * MIB},
                                      .sharers = 1,
                                      .code_cache = 32 * KIB,
                                      .data_tlb = 96,
                                      .code_tlb = 256,
                                      .second_data_tlb = 2048,
                                      .second_code_tlb = 512,
                                      .huge_page = 2 * MIB,
                                      .data_tlb_huge = 32,
                                      .second_data_tlb_huge = 128};
    static const struct {
        unsigned level, chain;
        size_t elements, stride; /* elements 0: refused */
        const char *reason;
    } rows[] = {
        {2, CM_CHAIN_CODE, 1024, 64, NULL},
        {2, 0, 1536, 64, NULL},
        {3, CM_CHAIN_CODE | CM_CHAIN_WIDE, 1024, 512, NULL},
        {1, CM_CHAIN_PAGES, 48, 4160, NULL},
        {2, CM_CHAIN_PAGES, 192, 4160, NULL},
        {3, CM_CHAIN_PAGES, 4096, 4160, NULL},
        {3, CM_CHAIN_PAGES | CM_CHAIN_SPLIT, 4096, 4224, NULL},
        {2, CM_CHAIN_PAGES | CM_CHAIN_CODE, 0, 0, "a second TLB of 512 entries behind the instruction TLB of 256"},
        {3, CM_CHAIN_PAGES | CM_CHAIN_CODE, 1024, 4160, NULL},
        {1, CM_CHAIN_PAGES | CM_CHAIN_HUGE, 16, 2 * MIB + 64, NULL},
        {2, CM_CHAIN_PAGES | CM_CHAIN_HUGE, 64, 2 * MIB + 64, NULL},
        {3, CM_CHAIN_PAGES | CM_CHAIN_HUGE, 0, 0, "a buffer of 3145824 KiB"}, /* to leave the first-level cache */
        {3, CM_CHAIN_PAGES | CM_CHAIN_HUGE | CM_CHAIN_ZEROS, 1536, 2 * MIB + 64, NULL},
        /* lines in L2, and in L3 */
        {2, CM_CHAIN_PAGES | CM_CHAIN_CODE | 1, 0, 0, "a second TLB of 512 entries behind the instruction TLB of 256"},
        {3, CM_CHAIN_PAGES | CM_CHAIN_CODE | 1, 1024, 4160, NULL},
        {3, CM_CHAIN_PAGES | 1, 0, 0, "the lines of 4096 pages are more than 0.625 of L2"},
        {3, CM_CHAIN_PAGES | 2, 4096, 4224, NULL},
        {3, CM_CHAIN_PAGES | CM_CHAIN_CODE | 2, 1024, 4608, NULL},
        {3, CM_CHAIN_PAGES | CM_CHAIN_HUGE | CM_CHAIN_ZEROS | 1, 1536, 2 * MIB + 64, NULL},
        {3, CM_CHAIN_PAGES | CM_CHAIN_HUGE | CM_CHAIN_ZEROS | CM_CHAIN_SPLIT | 2, 4096, 2 * MIB + 128, NULL},
    };
    cm_geometry single = whole;
    single.second_data_tlb = 0; /* what misses the first takes a walk */
    cm_geometry unknown = {.line = 64, .page = 4096, .caches = {48 * KIB, 256 * KIB, 0}, .sharers = 1};
    cm_placement placement;
    cm_error error;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        cm_kernel kernel = {.level = rows[r].level, .chain = rows[r].chain};
        cm_status status = cm_place_kernel(&whole, &kernel, NO_LIMIT, &placement, &error);
        assert_int_equal(status == CM_OK, rows[r].elements != 0);
        if (status == CM_OK) {
            assert_int_equal(placement.extent / placement.stride, rows[r].elements);
            assert_int_equal(placement.stride, rows[r].stride);
            assert_int_equal(placement.kind, rows[r].chain);
        } else {
            assert_non_null(strstr(error.text, rows[r].reason));
        }
        bool known = (rows[r].chain & (CM_CHAIN_CODE | CM_CHAIN_PAGES)) == 0;
        assert_int_equal(cm_place_kernel(&unknown, &kernel, NO_LIMIT, &placement, &error) == CM_OK, known);
    }
    cm_geometry lines = whole;
    const cm_kernel straight = {.level = 1, .chain = CM_CHAIN_CODE | CM_CHAIN_STRAIGHT},
                    jumping = {.level = 1, .chain = CM_CHAIN_CODE};
    assert_int_equal(cm_place_kernel(&lines, &straight, NO_LIMIT, &placement, &error), CM_OK);
    lines.line = 128;
    assert_int_equal(cm_place_kernel(&lines, &jumping, NO_LIMIT, &placement, &error), CM_OK);
    assert_int_equal(cm_place_kernel(&lines, &straight, NO_LIMIT, &placement, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "its code fills lines of 64 bytes, and this machine's have 128");
    lines.line = 32;
    assert_int_equal(cm_place_kernel(&lines, &jumping, NO_LIMIT, &placement, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "chains are for lines of 64 to 256 bytes, and this machine's have 32");
    const cm_kernel pages = {.level = 3, .chain = CM_CHAIN_PAGES};
    assert_int_equal(cm_place_kernel(&single, &pages, NO_LIMIT, &placement, &error), CM_OK);
    assert_int_equal(placement.extent / placement.stride, 2 * 48 * KIB / 64); /* and leaves the first-level cache */
    cm_kernel huge = {.level = 3, .chain = CM_CHAIN_PAGES | CM_CHAIN_HUGE};
    assert_int_equal(cm_place_kernel(&whole, &huge, 256 * MIB, &placement, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a chain in huge pages needs a buffer of 3145824 KiB"));
    huge.chain |= CM_CHAIN_ZEROS; /* which take no memory */
    assert_int_equal(cm_place_kernel(&whole, &huge, 256 * MIB, &placement, &error), CM_OK);
    assert_int_equal(cm_place_kernel(&unknown, &huge, NO_LIMIT, &placement, &error), CM_UNSUPPORTED);
    assert_string_equal(error.text, "this machine has no huge pages");
    assert_int_equal(cm_place_kernel(&whole, &pages, MIB, &placement, &error), CM_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a chain in pages needs a buffer of 16640 KiB, the limit is 1024 KiB"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_keep_clear_of_the_borders),
        cmocka_unit_test(what_has_no_room_is_refused_with_the_reason),
        cmocka_unit_test(chains_of_code_and_pages),
    };
    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
