/* One table in a directory of its own, and faults to be found in it. */
#ifndef TABLE_FILES_H
#define TABLE_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/tables.h>

static char directory[] = "/tmp/catmint-tables-XXXXXX";
static char path[64];

static inline int make_directory(void **state)
{
    (void)state;
    if (mkdtemp(directory) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/table.csv", directory);
    return 0;
}

/* Fails where a test left anything but the table. */
static inline int remove_directory(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(directory);
}

static inline void put(const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

#define TEXT(text) text, sizeof(text) - 1

typedef struct bad_row {
    const char *content;
    size_t length;
    size_t line;
    const char *message;
} bad_row;

static inline void expect_fault(size_t row, const bad_row *expected, cm_status status, const cm_error *error)
{
    if (status != CM_BAD_INPUT || strcmp(error->file, path) != 0 || error->line != expected->line ||
        strstr(error->text, expected->message) == NULL)
        fail_msg("row %zu: status %d, %s:%zu: %s; expected line %zu: %s", row, (int)status, error->file, error->line,
                 error->text, expected->line, expected->message);
}

#endif
