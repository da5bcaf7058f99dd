#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/csv.h"
#include "core/base.h"

static char path[] = "/tmp/catmint-csv-XXXXXX";

static int make_file(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Reads all of the file and writes each row as "line:field|field;" into `text`. */
static cm_status read_all(char *text, size_t size, cm_error *error)
{
    text[0] = '\0';
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status != CM_OK)
        return status;
    cm_csv_row row = cm_csv_header(csv);
    bool found = true;
    while (status == CM_OK && found) {
        size_t used = strlen(text);
        used += (size_t)snprintf(text + used, size - used, "%zu:", row.line);
        for (size_t i = 0; i < row.count && used < size; i++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? "|" : "", row.fields[i]);
        if (used < size)
            snprintf(text + used, size - used, ";");
        status = cm_csv_next(csv, &row, &found, error);
    }
    cm_csv_close(csv);
    return status;
}

#define TEXT(text) text, sizeof(text) - 1

static void rows_come_with_their_lines(void **state)
{
    (void)state;
    static const struct {
        const char *content;
        size_t length;
        const char *expected;
    } rows[] = {
        {TEXT("a,b\n1,2\n3,4\n"), "1:a|b;2:1|2;3:3|4;"},
        {TEXT("a,b\n1,2"), "1:a|b;2:1|2;"},
        {TEXT("a,b\r\n1,2\r\n"), "1:a|b;2:1|2;"},
        {TEXT("a,b\r\n1,2\r"), "1:a|b;2:1|2;"},
        {TEXT("\xEF\xBB\xBF"
              "a,b\n1,2\n"),
         "1:a|b;2:1|2;"},
        {TEXT("\xEF\xBB\xBF# note\r\na\n1\n"), "2:a;3:1;"},
        {TEXT("# one\n#two\na,b\n1,2\n"), "3:a|b;4:1|2;"},
        {TEXT("a,b\n\n1,2\n\n  \n3,4\n\n"), "1:a|b;3:1|2;6:3|4;"},
        {TEXT("a,b\n\"x,\"\"y\"\"\nz\",2\n3,4\n"), "1:a|b;2:x,\"y\"\nz|2;4:3|4;"},
        {TEXT("a,b\n 1 , 2\t\n\" 3 \",4\n"), "1:a|b;2:1|2;3: 3 |4;"},
        {TEXT("a,b\n,\n\"\",\n"), "1:a|b;2:|;3:|;"},
        {TEXT("a,b\n#1,2\n"), "1:a|b;2:#1|2;"},
        {TEXT("\xC3\xA4,\xE2\x82\xAC\n\xF0\x9F\x90\xB1,2\n"), "1:\xC3\xA4|\xE2\x82\xAC;2:\xF0\x9F\x90\xB1|2;"},
        {TEXT("a\n"), "1:a;"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        cm_status status = read_all(text, sizeof text, &error);
        if (status != CM_OK || strcmp(text, rows[i].expected) != 0)
            fail_msg("row %zu: %d %s: '%s', expected '%s'", i, (int)status, error.text, text, rows[i].expected);
    }
}

static void faults_name_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *content;
        size_t length;
        size_t line, column;
        const char *message;
    } rows[] = {
        {TEXT(""), 1, 0, "the file is empty"},
        {TEXT("\xEF\xBB\xBF"), 1, 0, "the file is empty"},
        {TEXT("\n\n"), 2, 0, "the file is empty"},
        {TEXT("# only\n# notes\n"), 2, 0, "no header line"},
        {TEXT("a,b\n1,2\n1\n"), 3, 0, "1 fields in this row, expected 2"},
        {TEXT("a,b\n1,2,3\n"), 2, 0, "3 fields in this row, expected 2"},
        {TEXT("a,b\n1,2\n3,\0\n"), 3, 3, "NUL byte"},
        {TEXT("a,b\n\x1b[31m,2\n"), 2, 1, "control character (byte 0x1B)"},
        {TEXT("a,b\n1\r2\n"), 2, 2, "carriage return within a line"},
        {TEXT("a,b\r1,2\r3,4\r"), 1, 4, "carriage return within a line"},
        {TEXT("a,b\n1,\xFF\n"), 2, 3, "not UTF-8 (byte 0xFF)"},
        {TEXT("a,b\n\xC3\xA4\xC0\x80,2\n"), 2, 2, "not UTF-8 (byte 0xC0)"},
        {TEXT("a,b\n\xED\xA0\x80,2\n"), 2, 1, "not UTF-8"},
        {TEXT("a,b\n\xE2\x82\n"), 2, 1, "not UTF-8"},
        {TEXT("\xFF\xFE"
              "a\0,\0b\0\n\0"),
         1, 1, "not UTF-8"},
        {TEXT("a,b\n1,2\n\"3,4\n5,6\n"), 3, 0, "unclosed quote"},
        {TEXT("a,b\n\"1\n\n2,3\n4,\"5\",6\n"), 2, 0, "unclosed quote: the next one, in line 5"},
        {TEXT("a,b\n\"1\"x,2\n"), 2, 4, "stray quote"},
        {TEXT("a,b\n1\"x,2\n"), 2, 2, "stray quote"},
        {TEXT("a,b,a\n"), 1, 0, "column 'a' appears twice"},
        {TEXT("# x\na,,b\n"), 2, 0, "field 2 is empty"},
        {TEXT("a,\"b\nc\"\n"), 1, 0, "field 2 holds a line break"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        cm_error error = {.text = ""};
        put(rows[i].content, rows[i].length);
        cm_status status = read_all(text, sizeof text, &error);
        if (status != CM_BAD_INPUT || strcmp(error.file, path) != 0 || error.line != rows[i].line ||
            error.column != rows[i].column || strstr(error.text, rows[i].message) == NULL)
            fail_msg("row %zu: status %d, %s:%zu:%zu: %s", i, (int)status, error.file, error.line, error.column,
                     error.text);
    }
}

static void long_rows_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        size_t filling;
        char with;
        cm_status status;
        size_t line;
        const char *message;
    } rows[] = {
        {"a,b\n1,", CM_CSV_ROW_LIMIT - 3, 'x', CM_OK, 0, ""},
        {"a,b\n1,", CM_CSV_ROW_LIMIT - 2, 'x', CM_BAD_INPUT, 2, "the line is longer than 1048576 bytes"},
        {"a,b\n1,", 10000000, 'x', CM_BAD_INPUT, 2, "the line is longer than"},
        {"a,b\n1,\"", 10000000, '\n', CM_BAD_INPUT, 2, "unclosed quote: more than 1048576 bytes"},
        {"", 10000000, 'x', CM_BAD_INPUT, 1, "the line is longer than"},
        {"#", 10000000, 'x', CM_BAD_INPUT, 1, "the line is longer than"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fputs(rows[i].head, file);
        for (size_t k = 0; k < rows[i].filling; k++)
            fputc(rows[i].with, file);
        fputc('\n', file);
        assert_int_equal(fclose(file), 0);
        char text[64];
        cm_error error = {.text = ""};
        cm_status status = read_all(text, sizeof text, &error);
        if (status != rows[i].status || error.line != rows[i].line || strstr(error.text, rows[i].message) == NULL)
            fail_msg("row %zu: status %d, line %zu: %s", i, (int)status, error.line, error.text);
    }
}

static void ten_thousand_columns_are_read(void **state)
{
    (void)state;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < 10000; i++)
            fprintf(file, "%s%d%c", row == 0 ? "S_FMA_SCAL." : "", i, i < 9999 ? ',' : '\n');
    assert_int_equal(fclose(file), 0);
    cm_csv *csv = NULL;
    assert_int_equal(cm_csv_open(path, &csv, NULL), CM_OK);
    cm_csv_row row;
    bool found = false;
    assert_int_equal(cm_csv_next(csv, &row, &found, NULL), CM_OK);
    assert_true(found && row.count == 10000);
    assert_string_equal(row.fields[9999], "9999");
    assert_string_equal(cm_csv_header(csv).fields[9999], "S_FMA_SCAL.9999");
    cm_csv_close(csv);
}

static void provenance_and_columns(void **state)
{
    (void)state;
    static const char content[] = "# one\r\n#\n#two \na,b,c\n1,nan,\n";
    put(content, sizeof content - 1);
    cm_csv *csv = NULL;
    assert_int_equal(cm_csv_open(path, &csv, NULL), CM_OK);
    assert_string_equal(cm_csv_provenance(csv), "one\n\ntwo ");
    assert_string_equal(cm_csv_path(csv), path);
    static const struct {
        const char *columns[4];
        size_t count;
        bool more;
        const char *message; /* NULL: accepted */
    } rows[] = {
        {{"a", "b", "c"}, 3, false, NULL},
        {{"a", "b"}, 2, true, NULL},
        {{"a", "b"}, 2, false, "unknown column 'c' after 'b'"},
        {{"a", "x"}, 2, true, "column 2 is 'b', expected 'x'"},
        {{"a", "b", "c", "d"}, 4, true, "column 4 is '(missing)', expected 'd'"},
    };
    cm_error error;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_status status = cm_csv_expect(csv, rows[i].count, rows[i].columns, rows[i].more, &error);
        assert_int_equal(status, rows[i].message == NULL ? CM_OK : CM_BAD_INPUT);
        if (rows[i].message != NULL) {
            assert_string_equal(error.text, rows[i].message);
            assert_int_equal(error.line, 4);
        }
    }
    cm_csv_row row;
    bool found;
    double value;
    size_t size;
    assert_int_equal(cm_csv_next(csv, &row, &found, NULL), CM_OK);
    assert_int_equal(cm_csv_number(csv, &row, 0, &value, NULL), CM_OK);
    assert_int_equal(cm_csv_size(csv, &row, 0, &size, NULL), CM_OK);
    assert_true(value == 1.0 && size == 1);
    assert_int_equal(cm_csv_number(csv, &row, 1, &value, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "column 'b': 'nan' is not finite");
    assert_int_equal(error.line, 5);
    assert_int_equal(cm_csv_size(csv, &row, 2, &size, &error), CM_BAD_INPUT);
    assert_string_equal(error.text, "column 'c': empty, expected a whole number from 0");
    assert_int_equal(cm_csv_name(csv, &row, 2, &error), CM_BAD_INPUT);
    cm_csv_close(csv);
    cm_csv_close(NULL);
}

static void what_cannot_be_opened_is_an_io_error(void **state)
{
    (void)state;
    static const char *const paths[] = {"/nowhere/x.csv", "/tmp", ""};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        cm_csv *csv = NULL;
        cm_error error;
        assert_int_equal(cm_csv_open(paths[i], &csv, &error), CM_IO);
        assert_string_equal(error.file, paths[i]);
        assert_null(csv);
    }
}

static void written_fields_read_back(void **state)
{
    (void)state;
    static const char *const texts[] = {"plain", "a,b",     "say \"x\"", " blank", "tab\t", "#note",
                                        "",      "two\nli", "\xC3\xA4",  "\"",     "A:B=1"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int row = 0; row < 2; row++)
        for (size_t i = 0; i < COUNT; i++) {
            if (row == 0)
                fprintf(file, "c%zu", i);
            else
                cm_csv_write_field(file, texts[i]);
            fputc(i + 1 < COUNT ? ',' : '\n', file);
        }
    assert_int_equal(fclose(file), 0);
    cm_csv *csv = NULL;
    cm_csv_row row;
    bool found = false;
    assert_int_equal(cm_csv_open(path, &csv, NULL), CM_OK);
    assert_int_equal(cm_csv_next(csv, &row, &found, NULL), CM_OK);
    assert_true(found);
    for (size_t i = 0; i < COUNT; i++)
        assert_string_equal(row.fields[i], texts[i]);
    cm_csv_close(csv);
}

/* Whatever the bytes, reading ends with rows or with a fault that names file and line. */
static void random_bytes_do_no_harm(void **state)
{
    (void)state;
    static const char alphabet[] = "a,1\"\n\r# \xC3\xA4\t,\n\0";
    uint64_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        char content[64];
        size_t length = 0;
        for (seed = seed * 6364136223846793005u + 1442695040888963407u; length < (seed >> 60) * 4; length++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            content[length] = alphabet[(seed >> 33) % (sizeof alphabet - 1)];
        }
        put(content, length);
        char text[512];
        cm_error error = {.text = ""};
        cm_status status = read_all(text, sizeof text, &error);
        if (status != CM_OK &&
            (status != CM_BAD_INPUT || error.line == 0 || error.text[0] == '\0' || strcmp(error.file, path) != 0))
            fail_msg("round %d: status %d, line %zu: %s", round, (int)status, error.line, error.text);
    }
}

static void names_are_found(void **state)
{
    (void)state;
    enum { COUNT = 5000 };
    static char names[COUNT][16];
    cm_name_index *index = NULL;
    assert_int_equal(cm_name_index_create(&index, NULL), CM_OK);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "EVENT_%zu", i);
        size_t place;
        assert_false(cm_name_index_find(index, names[i], &place));
        assert_int_equal(cm_name_index_add(index, names[i], i, NULL), CM_OK);
    }
    for (size_t i = 0; i < COUNT; i++) {
        size_t place = COUNT;
        assert_true(cm_name_index_find(index, names[i], &place) && place == i);
    }
    cm_name_index_free(index);
    cm_name_index_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_with_their_lines),
        cmocka_unit_test(faults_name_their_line),
        cmocka_unit_test(long_rows_are_refused),
        cmocka_unit_test(ten_thousand_columns_are_read),
        cmocka_unit_test(provenance_and_columns),
        cmocka_unit_test(what_cannot_be_opened_is_an_io_error),
        cmocka_unit_test(written_fields_read_back),
        cmocka_unit_test(random_bytes_do_no_harm),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests_name("csv", tests, make_file, remove_file);
}
