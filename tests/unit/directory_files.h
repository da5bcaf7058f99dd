/* What the tests of directories share: a directory of their own, files in it, and ways to write and to read them. */
#ifndef DIRECTORY_FILES_H
#define DIRECTORY_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/files.h"
#include "tables/tables.h"

enum { PATH_SIZE = 128 };

static const cm_directory_kind kind = {"manifest.json", ".sweep-", "catmint"};

static char top[] = "/tmp/catmint-test-XXXXXX";
static char directory_path[PATH_SIZE];

static const char *in(const char *name)
{
    static char paths[4][2 * PATH_SIZE];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory_path, name);
    return path;
}

static inline void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *read_file(const char *path)
{
    static char text[256];
    FILE *file = fopen(path, "r");
    if (file == NULL)
        return "missing";
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static inline void expect(const char *name, const char *text)
{
    if (strcmp(read_file(in(name)), text) != 0)
        fail_msg("%s holds \"%s\", expected \"%s\"", name, read_file(in(name)), text);
}

static inline int make_top(void **state)
{
    (void)state;
    return mkdtemp(top) == NULL;
}

static inline void remove_all(const char *path)
{
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static inline int remove_top(void **state)
{
    (void)state;
    remove_all(top);
    return 0;
}

/* A directory that is not there yet. */
static inline int choose_directory(void **state)
{
    (void)state;
    static int number;
    snprintf(directory_path, sizeof directory_path, "%s/%d", top, number++);
    return 0;
}

/* Writes the named tables with this text; commits unless told not to. */
static inline cm_status write_all(const char *const *names, size_t count, const char *text, bool commit,
                                  cm_error *error)
{
    cm_directory *directory = NULL;
    cm_status status = cm_directory_open(directory_path, &kind, names, count, &directory, error);
    if (status != CM_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        const char *path = NULL;
        assert_int_equal(cm_directory_file(directory, names[i], &path, NULL), CM_OK);
        write_file(path, text);
    }
    json_t *record = json_pack("{s:s, s:s, s:f}", "schema", "catmint.sweep/1", "text", text, "seconds", 0.1);
    if (commit)
        status = cm_directory_commit(directory, record, error);
    json_decref(record);
    cm_directory_free(directory);
    return status;
}

static const char *const one[] = {"a.csv"}, *const two[] = {"a.csv", "b.csv"}, *const other[] = {"a.csv", "c.csv"};

static inline void clean(void)
{
    cm_directory *directory = NULL;
    assert_int_equal(cm_directory_open(directory_path, &kind, one, 1, &directory, NULL), CM_OK);
    cm_directory_clean(directory);
    cm_directory_free(directory);
}

static const char *find(const char *name)
{
    static char text[256];
    cm_measured *measured = NULL;
    char *path = NULL;
    bool foreign;
    cm_error error = {0};
    cm_status status = cm_measured_open(directory_path, &measured, &error);
    if (status == CM_OK)
        status = cm_measured_find(measured, name, &path, &foreign, &error);
    if (status != CM_OK)
        snprintf(text, sizeof text, "refused");
    else
        snprintf(text, sizeof text, "%s", path != NULL ? read_file(path) : "none");
    free(path);
    cm_measured_free(measured);
    return text;
}

#endif
