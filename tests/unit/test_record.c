/* The record of a directory: checksums, names, and whether a record was changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/files.h"

static void checksums_are_fnv_1a(void **state)
{
    (void)state;
    /* From the reference of its authors, draft-eastlake-fnv. */
    assert_true(cm_checksum(CM_CHECKSUM_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(cm_checksum(CM_CHECKSUM_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(cm_checksum(CM_CHECKSUM_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(cm_checksum(cm_checksum(CM_CHECKSUM_START, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8));
}

static void names_are_bare(void **state)
{
    (void)state;
    static const char *const good[] = {"a.csv", ".hidden", "...", "a b"}, *const bad[] = {"",  ".",   "..",
                                                                                          "/", "a/b", "../a"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        assert_true(cm_is_bare_name(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(cm_is_bare_name(bad[i]));
}

static void a_record_says_whether_it_was_changed(void **state)
{
    (void)state;
    const cm_file_mark mark = {5, 7};
    json_t *record =
        json_pack("{s:s, s:f, s:{s:i}}", "schema", "catmint.sweep/1", "seconds", 0.1, "machine", "cores", 2);
    assert_false(cm_record_is_sealed(record));
    assert_int_equal(cm_record_add(record, "a.csv", &mark, NULL), CM_OK);
    assert_int_equal(cm_record_seal(record, NULL), CM_OK);
    assert_true(cm_record_is_sealed(record));
    static const struct {
        const char *key, *value;
    } rows[] = {{"seconds", "0.2"},
                {"machine", "{}"},
                {"new", "1"},
                {"checksum", "\"fnv1a64:0\""},
                {"files", "[]"},
                {"files", "[{\"name\": \"../a.csv\", \"bytes\": 5, \"checksum\": \"fnv1a64:0000000000000007\"}]"},
                {"files", "[{\"name\": \"a.csv\", \"bytes\": -5, \"checksum\": \"fnv1a64:0000000000000007\"}]"},
                {"files", "[{\"name\": \"a.csv\", \"bytes\": 5, \"checksum\": \"7\"}]"},
                {"files", "{}"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        json_t *changed = json_deep_copy(record);
        json_object_set_new(changed, rows[i].key, json_loads(rows[i].value, JSON_DECODE_ANY, NULL));
        if (cm_record_is_sealed(changed))
            fail_msg("row %zu is taken for unchanged", i);
        if (strcmp(rows[i].key, "files") == 0 && i > 4) /* not even with its checksum right */
            assert_int_equal(cm_record_seal(changed, NULL), CM_OK);
        if (i > 4 && cm_record_is_sealed(changed))
            fail_msg("row %zu is taken for a list of files", i);
        json_decref(changed);
    }
    json_decref(record);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_are_fnv_1a),
        cmocka_unit_test(names_are_bare),
        cmocka_unit_test(a_record_says_whether_it_was_changed),
    };
    return cmocka_run_group_tests_name("record", tests, NULL, NULL);
}
