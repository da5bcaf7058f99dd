#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/matrix.h>

#include "core/base.h"
#include "core/files.h"

static void error_formats_only_what_is_known(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t line, column;
        const char *expected;
    } rows[] = {
        {NULL, 0, 0, "bad"},
        {"a.csv", 0, 0, "a.csv: bad"},
        {"a.csv", 3, 0, "a.csv:3: bad"},
        {"a.csv", 3, 9, "a.csv:3:9: bad"},
        {NULL, 3, 0, "3: bad"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error;
        char text[128];
        assert_int_equal(cm_error_set(&error, CM_BAD_INPUT, rows[i].file, rows[i].line, rows[i].column, "%s", "bad"),
                         CM_BAD_INPUT);
        assert_string_equal(cm_error_format(&error, text, sizeof text), rows[i].expected);
    }
    assert_int_equal(cm_error_set(NULL, CM_IO, NULL, 0, 0, "unheard"), CM_IO);
}

static void error_keeps_the_end_of_a_long_path(void **state)
{
    (void)state;
    char path[CM_ERROR_FILE_SIZE + 100];
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 7, "/x.csv", 7);
    cm_error error;
    cm_error_set(&error, CM_BAD_INPUT, path, 1, 0, "bad");
    assert_int_equal(strlen(error.file), CM_ERROR_FILE_SIZE - 1);
    assert_string_equal(error.file + CM_ERROR_FILE_SIZE - 7, "/x.csv");
}

static void matrix_is_zero_and_refuses_overflow(void **state)
{
    (void)state;
    cm_matrix *matrix = NULL;
    assert_int_equal(cm_matrix_create(3, 2, &matrix, NULL), CM_OK);
    for (size_t i = 0; i < 6; i++)
        assert_true(matrix->values[i] == 0.0);
    *cm_matrix_at(matrix, 2, 1) = 7.0;
    assert_true(cm_matrix_column(matrix, 1)[2] == 7.0);
    cm_matrix_free(matrix);
    cm_matrix_free(NULL);
    assert_int_equal(cm_matrix_create(SIZE_MAX / 2, 3, &matrix, NULL), CM_NO_MEMORY);
}

static void expect_content(const char *path, const char *expected)
{
    char content[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    content[fread(content, 1, sizeof content - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(content, expected);
}

static void output_replaces_only_on_commit(void **state)
{
    (void)state;
    char directory[] = "/tmp/catmint-test-XXXXXX";
    assert_non_null(mkdtemp(directory));
    char path[64];
    snprintf(path, sizeof path, "%s/file", directory);
    static const struct {
        const char *text;
        int commit;
        const char *expected;
    } rows[] = {{"one", 1, "one"}, {"two", 0, "one"}, {"three", 1, "three"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_output *output = NULL;
        assert_int_equal(cm_output_create(path, &output, NULL), CM_OK);
        fputs(rows[i].text, cm_output_stream(output));
        if (rows[i].commit)
            assert_int_equal(cm_output_commit(output, NULL), CM_OK);
        cm_output_free(output);
        expect_content(path, rows[i].expected);
    }
    unlink(path);
    assert_int_equal(rmdir(directory), 0); /* nothing else was left in it */
}

/* Neither a link nor what it leads to is replaced, unless that is no file. */
static void output_refuses_links(void **state)
{
    (void)state;
    char directory[] = "/tmp/catmint-test-XXXXXX", path[64], link[64];
    assert_non_null(mkdtemp(directory));
    snprintf(path, sizeof path, "%s/file", directory);
    snprintf(link, sizeof link, "%s/link", directory);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("theirs", file);
    fclose(file);
    static const struct {
        const char *target;
        cm_status status;
    } rows[] = {{"file", CM_IO},          {"nowhere", CM_IO},         {"link", CM_IO},
                {"/dev/null", CM_OK},     {"/proc/self/fd/1", CM_OK}, {"/dev/fd/1", CM_OK},
                {"/dev/fd/99999", CM_IO}, {"/proc/self/fd/1x", CM_IO}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_output *output = NULL;
        assert_int_equal(symlink(rows[i].target, link), 0);
        if (cm_output_check(link, NULL) != rows[i].status || cm_output_create(link, &output, NULL) != rows[i].status)
            fail_msg("a link to %s", rows[i].target);
        if (output != NULL)
            assert_int_equal(cm_output_commit(output, NULL), CM_OK);
        cm_output_free(output);
        struct stat status;
        assert_int_equal(lstat(link, &status), 0);
        assert_true(S_ISLNK(status.st_mode));
        unlink(link);
    }
    expect_content(path, "theirs");
    unlink(path);
    assert_int_equal(rmdir(directory), 0);
}

/* What a program's output was led into: the descriptor is written to, the file is not replaced. */
static void output_writes_to_descriptors(void **state)
{
    (void)state;
    char path[] = "/tmp/catmint-test-XXXXXX", name[32];
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, "one ", 4), 4);
    snprintf(name, sizeof name, "/dev/fd/%d", file);
    cm_output *output = NULL;
    assert_int_equal(cm_output_create(name, &output, NULL), CM_OK);
    fputs("two", cm_output_stream(output));
    assert_int_equal(cm_output_commit(output, NULL), CM_OK);
    cm_output_free(output);
    close(file);
    expect_content(path, "one two");
    unlink(path);
}

static void output_reports_what_cannot_be_written(void **state)
{
    (void)state;
    cm_output *output = NULL;
    cm_error error;
    assert_int_equal(cm_output_create("/nowhere/file", &output, &error), CM_IO);
    assert_string_equal(error.file, "/nowhere/file");
    assert_int_equal(cm_output_create("/dev/full", &output, &error), CM_OK);
    fputs("lost", cm_output_stream(output));
    assert_int_equal(cm_output_commit(output, &error), CM_IO);
    cm_output_free(output);
    cm_output_free(NULL);
}

static void paths_are_joined(void **state)
{
    (void)state;
    static const struct {
        const char *directory, *name, *suffix, *path;
    } rows[] = {
        {"a", "b", "", "a/b"}, {"/a/b", "c", ".csv", "/a/b/c.csv"}, {"", "b", ".csv", "b.csv"}, {".", "b", "", "./b"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *path = cm_path_join(rows[i].directory, rows[i].name, rows[i].suffix);
        assert_string_equal(path, rows[i].path);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(error_formats_only_what_is_known),
        cmocka_unit_test(error_keeps_the_end_of_a_long_path),
        cmocka_unit_test(matrix_is_zero_and_refuses_overflow),
        cmocka_unit_test(output_replaces_only_on_commit),
        cmocka_unit_test(output_refuses_links),
        cmocka_unit_test(output_writes_to_descriptors),
        cmocka_unit_test(paths_are_joined),
        cmocka_unit_test(output_reports_what_cannot_be_written),
    };
    return cmocka_run_group_tests_name("core", tests, NULL, NULL);
}
