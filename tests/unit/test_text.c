/* Text from files as it is shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/error.h>

#include "core/base.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

typedef struct shown_text {
    int line;
    const char *text, *shown;
    size_t width;
} shown_text;

static const shown_text texts[] = {
    {__LINE__, "", "", 0},
    {__LINE__, "FP_ARITH:D 1", "FP_ARITH:D 1", 12},
    {__LINE__, "back\\slash \\x1b", "back\\slash \\x1b", 15},
    {__LINE__, "\x1b[31m", "\\x1b[31m", 8},
    {__LINE__, "a\nb\rc\td", "a\\nb\\rc\\td", 10},
    {__LINE__, "\x01\x1f\x7f", "\\x01\\x1f\\x7f", 12},
    {__LINE__, "\u00e4\u20ac\U0001F600~", "\u00e4\u20ac\U0001F600~", 4},
    {__LINE__, "\xc2\x80\xc2\x9b\xc2\x9f\u00a0", "\\u0080\\u009b\\u009f\u00a0", 19},
    {__LINE__, "\u061c\u200d\u200e\u200f\u2010", "\\u061c\u200d\\u200e\\u200f\u2010", 20},
    {__LINE__, "\u2027\u2028\u2029\u202a\u202e\u202f", "\u2027\\u2028\\u2029\\u202a\\u202e\u202f", 26},
    {__LINE__, "\u2065\u2066\u2069\u206a", "\u2065\\u2066\\u2069\u206a", 14},
    {__LINE__, "\xff\xfe", "\\xff\\xfe", 8},
    {__LINE__, "\x9b[1m", "\\x9b[1m", 7},                       /* a control character of Latin-1 */
    {__LINE__, "\xc0\x9b", "\\xc0\\x9b", 8},                    /* one that is too long */
    {__LINE__, "\xed\xa0\x80", "\\xed\\xa0\\x80", 12},          /* half a character of UTF-16 */
    {__LINE__, "a\xe2\x82", "a\\xe2\\x82", 9},                  /* one that is cut off */
    {__LINE__, "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", 16}, /* none of Unicode */
};

static void test_texts(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        const shown_text *row = &texts[i];
        char buffer[128], again[128], *written = NULL;
        size_t size = 0;
        FILE *stream = open_memstream(&written, &size);
        cm_text_write(row->text, stream);
        fclose(stream);
        if (strcmp(cm_text_show(row->text, buffer, sizeof buffer), row->shown) != 0 ||
            strcmp(written, row->shown) != 0 || cm_text_width(row->text) != row->width ||
            cm_text_width(row->shown) != row->width ||
            strcmp(cm_text_show(row->shown, again, sizeof again), row->shown) != 0)
            fail_msg("line %d: '%s', '%s', %zu columns", row->line, buffer, written, cm_text_width(row->text));
        free(written);
    }
}

/* What has no room is cut off before a character, escapes included. */
static void test_room(void **state)
{
    (void)state;
    static const char *const shown[] = {
        "", "a", "a", "a", "a", "a\\x1b", "a\\x1b", "a\\x1b\u00e4", "a\\x1b\u00e4b", "a\\x1b\u00e4b"};
    for (size_t size = 1; size <= COUNT(shown); size++) {
        char buffer[16];
        memset(buffer, '#', sizeof buffer);
        assert_string_equal(cm_text_show("a\x1b\u00e4"
                                         "b",
                                         buffer, size),
                            shown[size - 1]);
        assert_int_equal(buffer[size], '#');
    }
}

static void test_wrap(void **state)
{
    (void)state;
    char *written = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&written, &size);
    cm_text_wrap("one \x1b[1m two\nthree", 2, 4, 12, stream); /* the shown widths count */
    fclose(stream);
    assert_string_equal(written, "one\n    \\x1b[1m\n    two\\nthree");
    free(written);
}

static void test_errors(void **state)
{
    (void)state;
    cm_error error;
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE], name[2 * CM_ERROR_TEXT_SIZE];
    cm_error_set(&error, CM_BAD_INPUT, "f\x1b.csv", 3, 0, "'%s' is no name", "a\nb\x07");
    assert_string_equal(error.text, "'a\\nb\\x07' is no name");
    assert_string_equal(error.file, "f\x1b.csv"); /* it names a file */
    assert_string_equal(cm_error_format(&error, text, sizeof text), "f\\x1b.csv:3: 'a\\nb\\x07' is no name");
    cm_error quoting;
    cm_error_set(&quoting, CM_BAD_INPUT, NULL, 0, 0, "%s", error.text);
    assert_string_equal(quoting.text, error.text);
    /* A text or path that is too long keeps whole characters. */
    for (size_t shift = 0; shift < 3; shift++) {
        memset(name, 'x', shift);
        for (size_t i = shift; i + 3 < sizeof name; i += 3)
            memcpy(name + i, "\u20ac", 4);
        cm_error_set(&error, CM_BAD_INPUT, name, 0, 0, "%s", name);
        assert_null(strchr(error.text, '\\'));
        assert_true(strlen(error.text) > CM_ERROR_TEXT_SIZE - 8);
        assert_null(strchr(cm_error_format(&error, text, sizeof text), '\\'));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
