/* Directories of files that change together: whose files are touched, and what is read. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "directory_files.h"

/* ---- as it should go ---- */

static void a_directory_changes_only_when_complete(void **state)
{
    (void)state;
    assert_int_equal(write_all(two, 2, "lost", false, NULL), CM_OK);
    assert_int_equal(access(directory_path, F_OK), -1); /* made, and gone again */

    assert_int_equal(write_all(two, 2, "first", true, NULL), CM_OK);
    expect("b.csv", "first");
    write_file(in("notes.csv"), "kept");
    assert_int_equal(write_all(two, 2, "second", false, NULL), CM_OK);
    expect("a.csv", "first");

    assert_int_equal(write_all(other, 2, "third", true, NULL), CM_OK);
    expect("a.csv", "third");
    expect("b.csv", "missing"); /* the earlier record's alone */
    expect("c.csv", "third");
    expect("notes.csv", "kept");
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(unlink(in(other[i])), 0);
    assert_int_equal(unlink(in("notes.csv")), 0);
    assert_int_equal(unlink(in("manifest.json")), 0);
    assert_int_equal(rmdir(directory_path), 0); /* nothing aside was left */
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    cm_directory *directory = NULL;
    cm_error error;
    write_file(directory_path, "");
    assert_int_equal(cm_directory_open(directory_path, &kind, one, 1, &directory, &error), CM_IO);
    assert_string_equal(error.text, "it is a file, expected a directory");
    assert_int_equal(cm_directory_open("/nowhere/sweep", &kind, one, 1, &directory, &error), CM_IO);
    assert_string_equal(error.file, "/nowhere/sweep");
    cm_directory_free(NULL);
    cm_directory_name_file(NULL, &error);
}

static void errors_name_the_file_in_the_directory(void **state)
{
    (void)state;
    cm_directory *directory = NULL;
    const char *path = NULL;
    cm_error error = {0};
    assert_int_equal(cm_directory_open(directory_path, &kind, one, 1, &directory, NULL), CM_OK);
    assert_int_equal(cm_directory_file(directory, "a.csv", &path, NULL), CM_OK);
    snprintf(error.file, sizeof error.file, "%s", path);
    cm_directory_name_file(directory, &error);
    assert_string_equal(error.file, in("a.csv"));
    cm_directory_name_file(directory, NULL);
    cm_directory_free(directory);
}

/* ---- whose files ---- */

static void change(const char *text)
{
    write_file(in("b.csv"), text);
}

static void remove_checksums(const char *text)
{
    (void)text;
    write_file(in("manifest.json"), "{\"schema\": \"catmint.sweep/1\", \"benchmarks\": [{\"file\": \"a.csv\"}]}");
}

static void change_manifest(const char *text)
{
    json_t *manifest = json_load_file(in("manifest.json"), 0, NULL);
    json_object_set_new(manifest, "text", json_string(text));
    assert_int_equal(json_dump_file(manifest, in("manifest.json"), JSON_INDENT(4)), 0);
    json_decref(manifest);
}

static void reformat_manifest(const char *text)
{
    (void)text;
    json_t *manifest = json_load_file(in("manifest.json"), 0, NULL);
    assert_int_equal(json_dump_file(manifest, in("manifest.json"), JSON_SORT_KEYS), 0);
    json_decref(manifest);
}

static void remove_manifest(const char *text)
{
    (void)text;
    unlink(in("manifest.json"));
}

static void replace_manifest(const char *text)
{
    write_file(in("manifest.json"), text);
}

static void add_table(const char *text)
{
    write_file(in("c.csv"), text);
}

static void link_table(const char *text)
{
    write_file(in("target"), read_file(in("a.csv")));
    unlink(in("a.csv"));
    assert_int_equal(symlink(text, in("a.csv")), 0);
}

static void link_manifest(const char *text)
{
    assert_int_equal(rename(in("manifest.json"), in("target")), 0);
    assert_int_equal(symlink(text, in("manifest.json")), 0);
}

static void put_directory(const char *text)
{
    (void)text;
    unlink(in("a.csv"));
    assert_int_equal(mkdir(in("a.csv"), 0777), 0);
}

static void put_pipe(const char *text)
{
    (void)text;
    unlink(in("manifest.json"));
    assert_int_equal(mkfifo(in("manifest.json"), 0666), 0);
}

static void put_commit(const char *text)
{
    assert_int_equal(mkdir(in(".sweep-commit"), 0777), 0);
    write_file(in(".sweep-commit/a.csv"), text);
}

static void link_commit(const char *text)
{
    assert_int_equal(symlink(text, in(".sweep-commit")), 0);
}

static void remove_table(const char *text)
{
    (void)text;
    unlink(in("b.csv"));
}

/* After a directory was written, something happens to it. */
static void only_what_catmint_wrote_is_replaced(void **state)
{
    static const struct {
        void (*happen)(const char *text);
        const char *text;
        const char *file, *said; /* NULL: it is written */
    } rows[] = {
        {change, "mine", "b.csv", "it was changed since catmint wrote it"},
        {change, "fivsf", "b.csv", "it was changed since catmint wrote it"}, /* of the same length */
        {add_table, "mine", "c.csv", "catmint did not write it here"},
        {remove_checksums, "", "manifest.json", "an older catmint wrote it"},
        {change_manifest, "mine", "manifest.json", "it was changed since catmint wrote it"},
        {reformat_manifest, "", NULL, NULL},
        {remove_manifest, "", "a.csv", "catmint did not write it here"},
        {replace_manifest, "{\"name\": \"my web page\"}", "manifest.json", "catmint did not write it"},
        {replace_manifest, "no JSON", "manifest.json", "catmint did not write it"},
        {link_table, "target", "a.csv", "it is a symbolic link"},
        {link_table, "nowhere", "a.csv", "it is a symbolic link"},
        {link_manifest, "target", "manifest.json", "it is a symbolic link"},
        {put_directory, "", "a.csv", "it is a directory, expected a file"},
        {put_pipe, "", "manifest.json", "it is not a regular file"},
        {put_commit, "mine", ".sweep-commit", "catmint did not write it"},
        {link_commit, "nowhere", ".sweep-commit", "it is a symbolic link, or not a directory: move it away"},
        {remove_table, "", NULL, NULL},
    };
    static const char *const all[] = {"a.csv", "c.csv"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        choose_directory(state);
        assert_int_equal(write_all(two, 2, "first", true, NULL), CM_OK);
        rows[i].happen(rows[i].text);
        char before[256];
        snprintf(before, sizeof before, "%s", read_file(in("b.csv")));
        cm_status status = write_all(all, 2, "second", true, &error);
        if (rows[i].file == NULL) {
            assert_int_equal(status, CM_OK);
            expect("a.csv", "second");
            expect("b.csv", "missing");
            continue;
        }
        if (status != CM_IO || strcmp(error.file, in(rows[i].file)) != 0 || strstr(error.text, rows[i].said) == NULL)
            fail_msg("row %zu: status %d, %s: %s", i, (int)status, error.file, error.text);
        expect("b.csv", before);
    }
}

/* Somebody's file appears while catmint is at work. */
static void what_appears_meanwhile_is_kept(void **state)
{
    (void)state;
    cm_directory *directory = NULL;
    cm_error error;
    const char *path = NULL;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    assert_int_equal(cm_directory_open(directory_path, &kind, two, 2, &directory, NULL), CM_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(cm_directory_file(directory, two[i], &path, NULL), CM_OK);
        write_file(path, "second");
    }
    write_file(in("b.csv"), "mine");
    json_t *record = json_pack("{s:s}", "schema", "catmint.sweep/1");
    assert_int_equal(cm_directory_commit(directory, record, &error), CM_IO);
    assert_string_equal(error.file, in("b.csv"));
    json_decref(record);
    cm_directory_free(directory);
    expect("a.csv", "first");
    expect("b.csv", "mine");
}

/* ---- reading ---- */

static void a_mixture_is_refused(void **state)
{
    static const struct {
        void (*happen)(const char *text);
        const char *text, *name, *found;
    } rows[] = {
        {change, "mine", "b.csv", "refused"},
        {change, "mine", "a.csv", "first"},
        {change, "first ", "b.csv", "refused"},
        {remove_table, "", "b.csv", "refused"},
        {add_table, "mine", "c.csv", "none"},
        {remove_manifest, "", "b.csv", "first"},
        {remove_checksums, "", "b.csv", "first"},
        {change_manifest, "mine", "b.csv", "first"},
        {replace_manifest, "{\"files\": 7}", "b.csv", "refused"},
        {replace_manifest, "{\"files\": [{\"name\": \"b.csv\"}]}", "b.csv", "refused"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        choose_directory(state);
        assert_int_equal(write_all(two, 2, "first", true, NULL), CM_OK);
        rows[i].happen(rows[i].text);
        if (strcmp(find(rows[i].name), rows[i].found) != 0)
            fail_msg("row %zu: %s, expected %s", i, find(rows[i].name), rows[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_directory_changes_only_when_complete, choose_directory),
        cmocka_unit_test_setup(what_cannot_be_written_is_said, choose_directory),
        cmocka_unit_test_setup(errors_name_the_file_in_the_directory, choose_directory),
        cmocka_unit_test_setup(only_what_catmint_wrote_is_replaced, choose_directory),
        cmocka_unit_test_setup(what_appears_meanwhile_is_kept, choose_directory),
        cmocka_unit_test_setup(a_mixture_is_refused, choose_directory),
    };
    return cmocka_run_group_tests_name("directory", tests, make_top, remove_top);
}
