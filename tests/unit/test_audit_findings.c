/* Findings of an audit: in numbers, and in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/report.h>

#include "audit/claims.h"

/* What was found, in numbers: what is missed first, then what is counted too little. */
static void test_findings(void **state)
{
    (void)state;
    static const char *const missed[] = {"D_256", "D_512", "D_FMA_256", "D_FMA_512"};
    static const char *const symbols[] = {"D_SCAL",     "D_128",     "D_256",     "D_512",
                                          "D_FMA_SCAL", "D_FMA_128", "D_FMA_256", "D_FMA_512"};
    static const double signature[] = {1, 2, 4, 8, 2, 4, 8, 16}, representation[] = {1, 1, 0, 0, 2, 2, 0, 0};
    static const double tolerance[sizeof symbols / sizeof symbols[0]] = {0};
    cm_symbol_parts *parts = NULL;
    assert_int_equal(cm_symbol_parts_load(CM_TEST_SOURCE_DIR "/bases/symbol-parts.csv", "cpu-flops",
                                          sizeof symbols / sizeof symbols[0], symbols, &parts, NULL),
                     CM_OK);
    const cm_deviation deviation = {parts, representation, signature, tolerance, 0, NULL};
    cm_arena arena = {0};
    cm_finding_list found = {.arena = &arena};
    assert_int_equal(cm_deviation_explain(&deviation, &found, NULL), CM_OK);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[0].kind, CM_FINDING_MISSED);
    assert_int_equal(found.items[0].name_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(found.items[0].names[i], missed[i]);
    assert_int_equal(found.items[0].group_count, 2);
    assert_int_equal(found.items[0].groups[0].kind, CM_SYMBOLS_WITH);
    assert_string_equal(found.items[0].groups[0].parts[0], "256-bit");
    assert_string_equal(found.items[0].groups[1].parts[0], "512-bit");
    assert_int_equal(found.items[1].kind, CM_FINDING_TIMES);
    assert_true(found.items[1].value == 0.5); /* halves of small integers are exact */
    assert_int_equal(found.items[1].name_count, 2);
    cm_arena_clear(&arena);
    cm_symbol_parts_free(parts);
}

/* Every kind has a sentence, and each of its placeholders is known. */
static void test_sentences(void **state)
{
    (void)state;
    static const char *const texts[] = {"P", "Q"};
    static const cm_symbol_group groups[] = {{CM_SYMBOLS_ALL_BUT, 1, texts}, {CM_SYMBOLS_WITHOUT, 2, texts}};
    static const struct {
        cm_audit_finding_kind kind;
        const char *text;
    } some[] = {{CM_FINDING_MISSED, "misses all but P and P without Q"},
                {CM_FINDING_OTHER_MULTIPLE, "measures -0.5x S"},
                {CM_FINDING_AMBIGUOUS_EVENT, "S is ambiguous: it may be P or Q or others"},
                {CM_FINDING_NO_RATIO, "not a ratio of two sums of events"}};
    char *text = NULL;
    cm_audit_finding all[CM_FINDING_COUNT];
    for (size_t i = 0; i < CM_FINDING_COUNT; i++) {
        all[i] = (cm_audit_finding){(cm_audit_finding_kind)i, "S", "O", -0.5, 0.1, 2, 3, 2, texts, 2, groups};
        assert_int_equal(cm_findings_text(&all[i], 1, &text, NULL), CM_OK);
        if (text[0] == '\0' || strpbrk(text, "{}") != NULL || strstr(text, "  ") != NULL)
            fail_msg("kind %zu: \"%s\"", i, text);
        for (size_t k = 0; k < sizeof some / sizeof some[0]; k++)
            if (all[i].kind == some[k].kind)
                assert_string_equal(text, some[k].text);
        free(text);
    }
    assert_int_equal(cm_findings_text(all, 0, &text, NULL), CM_OK);
    assert_string_equal(text, "");
    free(text);
    const cm_audit_finding two[] = {all[CM_FINDING_NOTHING], all[CM_FINDING_CONSTANT]};
    assert_int_equal(cm_findings_text(two, 2, &text, NULL), CM_OK);
    assert_string_equal(text, "counts nothing on these kernels; adds a constant -0.5");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_findings), cmocka_unit_test(test_sentences)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
