/* JSON as text: where lines break, what is escaped, and that every allocation may fail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/json.h"
#include "failing_memory.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TEN "1234567890"
#define FIFTY TEN TEN TEN TEN TEN

static char *written(const json_t *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    assert_true(cm_json_write(value, stream));
    assert_int_equal(fclose(stream), 0);
    return text;
}

/* Each document as it is written: parsed, written again, it is the same. */
static void lines_break_where_they_are_full(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
    } rows[] = {
        {"scalar", "7\n"},
        {"empty object", "{}\n"},
        {"empty array", "[]\n"},
        {"the outermost is broken", "{\n  \"a\": 1\n}\n"},
        {"outermost array", "[\n  1, 2\n]\n"},
        {"short ones stay on a line", "{\n  \"a\": {\"b\": [1, 2.5, \"c\"], \"d\": {}, \"e\": []}\n}\n"},
        {"objects in an array begin lines",
         "{\n  \"a\": [\n    {\"b\": \"" FIFTY "\"},\n    {\"b\": \"" FIFTY "\"}\n  ]\n}\n"},
        {"texts fill lines", "{\n  \"a\": [\n    \"" FIFTY "\", \"" FIFTY "\",\n    \"" FIFTY "\", \"" FIFTY
                             "\",\n    \"" FIFTY "\"\n  ]\n}\n"},
        {"what does not fit breaks from the outside in",
         "{\n  \"a\": {\n    \"b\": {\n      \"c\": \"" FIFTY "\",\n      \"d\": \"" FIFTY
         "\",\n      \"e\": [1, 2]\n    },\n    \"f\": {\"g\": null}\n  }\n}\n"},
        {"too long for any line", "{\n  \"a\": {\n    \"b\": \"" FIFTY FIFTY FIFTY "\"\n  }\n}\n"},
        {"an empty one at the end of a full line", "{\n  \"a\": {\n    \"" FIFTY FIFTY FIFTY "\": {}\n  }\n}\n"},
        {"escapes", "{\n  \"\\\"\\\\\": \"\\b\\f\\n\\r\\t\\u0001\\u007F\xc3\xa9/\"\n}\n"},
        {"words", "[\n  null, true, false, -5, 0.1, 1e-300, -2.0\n]\n"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        json_t *value = json_loads(rows[i].text, JSON_DECODE_ANY, NULL);
        assert_non_null(value);
        char *text = written(value);
        if (strcmp(text, rows[i].text) != 0)
            fail_msg("%s:\n%sexpected:\n%s", rows[i].name, text, rows[i].text);
        free(text);
        json_decref(value);
    }
}

static bool write_values(FILE *stream, const char *name)
{
    static const double numbers[] = {0.1, -0.0, INFINITY, NAN, 3.0};
    cm_json_writer *writer = cm_json_writer_create(stream);
    cm_json_begin_object(writer);
    cm_json_key(writer, "name");
    cm_json_write_text(writer, name);
    cm_json_key(writer, "numbers");
    cm_json_write_reals(writer, numbers, COUNT(numbers));
    cm_json_key(writer, "nothing");
    cm_json_write_reals(writer, NULL, 0);
    cm_json_key(writer, "nobody");
    cm_json_write_text(writer, NULL);
    json_t *made = json_pack("[i, i, {s:s}]", 1, 2, "long", FIFTY FIFTY FIFTY);
    cm_json_key(writer, "made");
    cm_json_write_value(writer, made);
    json_decref(made);
    cm_json_end(writer);
    return cm_json_writer_finish(writer);
}

static void values_are_written_as_they_come(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_true(write_values(stream, "a"));
    fclose(stream);
    assert_string_equal(text,
                        "{\n  \"name\": \"a\",\n  \"numbers\": [0.1, 0.0, null, null, 3.0],\n  \"nothing\": null,\n"
                        "  \"nobody\": null,\n  \"made\": [\n    1, 2,\n    {\n      \"long\": \"" FIFTY FIFTY FIFTY
                        "\"\n    }\n  ]\n}\n");
    free(text);
}

static void what_is_not_for_a_terminal_is_escaped(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"\x1b[", "\\u001B["},
                                          {"\x7f", "\\u007F"},
                                          {"\xc2\x9b"
                                           "1m",
                                           "\\u009B1m"},
                                          {"\xe2\x80\xae", "\\u202E"},
                                          {"\xc2\xa0\xc3\xa4", "\xc2\xa0\xc3\xa4"},
                                          {"\xf0\x9f\x8d\x83", "\xf0\x9f\x8d\x83"}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char space[4096] = "";
        FILE *stream = fmemopen(space, sizeof space, "w");
        assert_true(write_values(stream, rows[i][0]));
        fclose(stream);
        char expected[64];
        snprintf(expected, sizeof expected, "\"name\": \"%s\",", rows[i][1]);
        if (strstr(space, expected) == NULL)
            fail_msg("row %zu: %s", i, space);
        json_t *read = json_loads(space, 0, NULL);
        assert_string_equal(json_string_value(json_object_get(read, "name")), rows[i][0]);
        json_decref(read);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    (void)state;
    char space[4096];
    static const char *const rows[] = {"\xff", "a\xc3", "\xed\xa0\x80"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        FILE *stream = fmemopen(space, sizeof space, "w");
        if (write_values(stream, rows[i]))
            fail_msg("row %zu was written", i);
        fclose(stream);
    }
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char space[4096];
    char *expected = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&expected, &size);
    assert_true(write_values(stream, FIFTY));
    fclose(stream);
    long allowed = 0;
    for (;; allowed++) {
        memset(space, 0, sizeof space);
        stream = fmemopen(space, sizeof space, "w");
        allocations_left = allowed;
        bool done = write_values(stream, FIFTY);
        allocations_left = -1;
        fclose(stream);
        if (done)
            break;
    }
    assert_string_equal(space, expected);
    assert_true(allowed > 5); /* else the linker did not lead them here */
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_break_where_they_are_full),
        cmocka_unit_test(values_are_written_as_they_come),
        cmocka_unit_test(what_is_not_for_a_terminal_is_escaped),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
