/* Folders of files that change together: whose files are touched, and what a kill at each rename leaves. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/folder.h"
#include "core/record.h"
#include "tables/measured.h"

enum { PATH_SIZE = 128, MOST_RENAMES = 20, KILLED = 99 };

static const cm_folder_kind kind = {"manifest.json", ".sweep-", "catmint"};

/* ---- a process that ends before a rename ---- */

static int renames_left = -1; /* negative: no limit */

static void count_rename(void)
{
    if (renames_left == 0)
        _exit(KILLED);
    renames_left -= renames_left > 0;
}

int __real_rename(const char *from, const char *to);
int __real_renameat(int from_folder, const char *from, int to_folder, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to);

int __wrap_rename(const char *from, const char *to)
{
    count_rename();
    return __real_rename(from, to);
}

int __wrap_renameat(int from_folder, const char *from, int to_folder, const char *to)
{
    count_rename();
    return __real_renameat(from_folder, from, to_folder, to);
}

/* ---- files ---- */

static char top[] = "/tmp/catmint-test-XXXXXX";
static char folder_path[PATH_SIZE];

static const char *in(const char *name)
{
    static char paths[4][2 * PATH_SIZE];
    static size_t next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder_path, name);
    return path;
}

static void write_file(const char *path, const char *text)
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

static void expect(const char *name, const char *text)
{
    if (strcmp(read_file(in(name)), text) != 0)
        fail_msg("%s holds \"%s\", expected \"%s\"", name, read_file(in(name)), text);
}

static int make_top(void **state)
{
    (void)state;
    return mkdtemp(top) == NULL;
}

static void remove_all(const char *path)
{
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    assert_int_equal(system(command), 0);
}

static int remove_top(void **state)
{
    (void)state;
    remove_all(top);
    return 0;
}

/* A folder that is not there yet. */
static int choose_folder(void **state)
{
    (void)state;
    static int number;
    snprintf(folder_path, sizeof folder_path, "%s/%d", top, number++);
    return 0;
}

/* Writes the named tables with this text; commits unless told not to. */
static cm_status write_all(const char *const *names, size_t count, const char *text, bool commit, cm_error *error)
{
    cm_folder *folder = NULL;
    cm_status status = cm_folder_open(folder_path, &kind, names, count, &folder, error);
    if (status != CM_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        const char *path = NULL;
        assert_int_equal(cm_folder_file(folder, names[i], &path, NULL), CM_OK);
        write_file(path, text);
    }
    json_t *record = json_pack("{s:s, s:s, s:f}", "schema", "catmint.sweep/1", "text", text, "seconds", 0.1);
    if (commit)
        status = cm_folder_commit(folder, record, error);
    json_decref(record);
    cm_folder_free(folder);
    return status;
}

static const char *const one[] = {"a.csv"}, *const two[] = {"a.csv", "b.csv"}, *const other[] = {"a.csv", "c.csv"};

/* ---- as it should go ---- */

static void a_folder_changes_only_when_complete(void **state)
{
    (void)state;
    assert_int_equal(write_all(two, 2, "lost", false, NULL), CM_OK);
    assert_int_equal(access(folder_path, F_OK), -1); /* made, and gone again */

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
    assert_int_equal(rmdir(folder_path), 0); /* nothing aside was left */
}

static void what_cannot_be_written_is_said(void **state)
{
    (void)state;
    cm_folder *folder = NULL;
    cm_error error;
    write_file(folder_path, "");
    assert_int_equal(cm_folder_open(folder_path, &kind, one, 1, &folder, &error), CM_IO);
    assert_string_equal(error.text, "it is a file, expected a directory");
    assert_int_equal(cm_folder_open("/nowhere/sweep", &kind, one, 1, &folder, &error), CM_IO);
    assert_string_equal(error.file, "/nowhere/sweep");
    cm_folder_free(NULL);
    cm_folder_name_file(NULL, &error);
}

static void errors_name_the_file_in_the_folder(void **state)
{
    (void)state;
    cm_folder *folder = NULL;
    const char *path = NULL;
    cm_error error = {0};
    assert_int_equal(cm_folder_open(folder_path, &kind, one, 1, &folder, NULL), CM_OK);
    assert_int_equal(cm_folder_file(folder, "a.csv", &path, NULL), CM_OK);
    snprintf(error.file, sizeof error.file, "%s", path);
    cm_folder_name_file(folder, &error);
    assert_string_equal(error.file, in("a.csv"));
    cm_folder_name_file(folder, NULL);
    cm_folder_free(folder);
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
    assert_int_equal(__real_rename(in("manifest.json"), in("target")), 0);
    assert_int_equal(symlink(text, in("manifest.json")), 0);
}

static void put_folder(const char *text)
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

/* After a folder was written, something happens to it. */
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
        {put_folder, "", "a.csv", "it is a directory, expected a file"},
        {put_pipe, "", "manifest.json", "it is not a regular file"},
        {put_commit, "mine", ".sweep-commit", "catmint did not write it"},
        {link_commit, "nowhere", ".sweep-commit", "is in the way"},
        {remove_table, "", NULL, NULL},
    };
    static const char *const all[] = {"a.csv", "c.csv"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        choose_folder(state);
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
    cm_folder *folder = NULL;
    cm_error error;
    const char *path = NULL;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    assert_int_equal(cm_folder_open(folder_path, &kind, two, 2, &folder, NULL), CM_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(cm_folder_file(folder, two[i], &path, NULL), CM_OK);
        write_file(path, "second");
    }
    write_file(in("b.csv"), "mine");
    json_t *record = json_pack("{s:s}", "schema", "catmint.sweep/1");
    assert_int_equal(cm_folder_commit(folder, record, &error), CM_IO);
    assert_string_equal(error.file, in("b.csv"));
    json_decref(record);
    cm_folder_free(folder);
    expect("a.csv", "first");
    expect("b.csv", "mine");
}

/* ---- folders that were left ---- */

static void clean(void)
{
    cm_folder *folder = NULL;
    assert_int_equal(cm_folder_open(folder_path, &kind, one, 1, &folder, NULL), CM_OK);
    cm_folder_clean(folder);
    cm_folder_free(folder);
}

static void only_folders_of_killed_processes_are_removed(void **state)
{
    (void)state;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    static const struct {
        const char *folder;
        bool marked, filled, locked, gone;
    } rows[] = {
        {".sweep-aaaaaa", true, true, false, true},     {".sweep-bbbbbb", true, true, true, false},
        {".sweep-cccccc", false, true, false, false},   {".sweep-dddddd", false, false, false, true},
        {".sweep-long-name", true, true, false, false}, {".sweep-ee-eee", true, true, false, false},
        {".export-aaaaaa", true, true, false, false},
    };
    int locked = -1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char marker[64], table[64];
        assert_int_equal(mkdir(in(rows[i].folder), 0700), 0);
        snprintf(marker, sizeof marker, "%s/.catmint", rows[i].folder);
        snprintf(table, sizeof table, "%s/a.csv", rows[i].folder);
        if (rows[i].marked)
            write_file(in(marker), "");
        if (rows[i].filled)
            write_file(in(table), "text");
        if (rows[i].locked) {
            locked = open(in(marker), O_RDWR | O_CLOEXEC);
            assert_int_equal(flock(locked, LOCK_EX), 0);
        }
    }
    clean();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((access(in(rows[i].folder), F_OK) != 0) != rows[i].gone)
            fail_msg("%s %s", rows[i].folder, rows[i].gone ? "is still there" : "is gone");
    close(locked);
}

/* Another process decides its commit, and is killed, between the look for one and the cleaning. */
static void a_decided_commit_is_not_cleaned_away(void **state)
{
    (void)state;
    cm_folder *folder = NULL;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    assert_int_equal(cm_folder_open(folder_path, &kind, one, 1, &folder, NULL), CM_OK);
    assert_int_equal(mkdir(in(".sweep-commit"), 0700), 0);
    write_file(in(".sweep-commit/.catmint"), "");
    write_file(in(".sweep-commit/a.csv"), "second");
    cm_folder_clean(folder);
    cm_folder_free(folder);
    expect(".sweep-commit/a.csv", "second");
}

/* A link where catmint's folder would be, or in it, leads to somebody's. */
static void links_are_not_followed_when_cleaning(void **state)
{
    (void)state;
    char theirs[PATH_SIZE + 16], file[PATH_SIZE + 32];
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    snprintf(theirs, sizeof theirs, "%s-theirs", folder_path);
    assert_int_equal(mkdir(theirs, 0777), 0);
    snprintf(file, sizeof file, "%s/.catmint", theirs);
    write_file(file, "");
    snprintf(file, sizeof file, "%s/a.csv", theirs);
    write_file(file, "theirs");
    assert_int_equal(symlink(theirs, in(".sweep-aaaaaa")), 0);
    assert_int_equal(mkdir(in(".sweep-bbbbbb"), 0777), 0);
    write_file(in(".sweep-bbbbbb/.catmint"), "");
    assert_int_equal(symlink(file, in(".sweep-bbbbbb/a.csv")), 0);
    assert_int_equal(symlink(theirs, in(".sweep-bbbbbb/b")), 0);
    assert_int_equal(mkdir(in(".sweep-cccccc"), 0777), 0);
    assert_int_equal(symlink(file, in(".sweep-cccccc/.catmint")), 0);
    assert_int_equal(mkdir(in(".sweep-dddddd"), 0777), 0);
    write_file(in(".sweep-dddddd/.catmint"), "");
    assert_int_equal(mkdir(in(".sweep-dddddd/folder"), 0777), 0);
    clean();
    assert_string_equal(read_file(file), "theirs");
    struct stat status;
    static const char *const kept[] = {".sweep-aaaaaa", ".sweep-bbbbbb/a.csv", ".sweep-bbbbbb/b", ".sweep-cccccc",
                                       ".sweep-dddddd/folder"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (lstat(in(kept[i]), &status) != 0)
            fail_msg("%s is gone", kept[i]);
}

/* ---- kills ---- */

static const char *find(const char *name)
{
    static char text[256];
    cm_measured *measured = NULL;
    char *path = NULL;
    bool foreign;
    cm_error error = {0};
    cm_status status = cm_measured_open(folder_path, &measured, &error);
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

/* Writes in another process, which ends before that rename; returns whether it did. */
static bool is_killed(const char *const *names, size_t count, const char *text, int renames)
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        renames_left = renames;
        _exit(write_all(names, count, text, true, NULL) == CM_OK ? 0 : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == KILLED));
    return WEXITSTATUS(status) == KILLED;
}

static void a_kill_at_each_rename_leaves_old_or_new(void **state)
{
    bool killed = true;
    int olds = 0, news = 0;
    for (int n = 0; killed && n < MOST_RENAMES; n++) {
        choose_folder(state);
        assert_int_equal(write_all(two, 2, "old", true, NULL), CM_OK);
        killed = is_killed(other, 2, "new", n);
        const bool is_new = strcmp(find("a.csv"), "new") == 0;
        olds += !is_new;
        news += is_new;
        const char *const expected[] = {is_new ? "new" : "old", is_new ? "none" : "old", is_new ? "new" : "none"};
        static const char *const names[] = {"a.csv", "b.csv", "c.csv"};
        for (size_t i = 0; i < 3; i++)
            if (strcmp(find(names[i]), expected[i]) != 0)
                fail_msg("kill at rename %d: %s is \"%s\", expected \"%s\"", n, names[i], find(names[i]), expected[i]);
        /* The next one finishes what was decided, and writes over it. */
        cm_error error = {0};
        if (write_all(two, 2, "newer", true, &error) != CM_OK)
            fail_msg("kill at rename %d: %s: %s", n, error.file, error.text);
        clean();
        expect("a.csv", "newer");
        expect("b.csv", "newer");
        expect("c.csv", "missing");
        for (size_t i = 0; i < 2; i++)
            unlink(in(two[i]));
        unlink(in("manifest.json"));
        assert_int_equal(rmdir(folder_path), 0); /* nothing aside was left */
    }
    assert_false(killed);
    assert_true(olds > 1 && news > 3);
}

/* A commit that is finished by one that is killed, too. */
static void a_kill_while_a_commit_is_finished(void **state)
{
    bool killed = true;
    for (int n = 0; killed && n < MOST_RENAMES; n++) {
        choose_folder(state);
        assert_int_equal(write_all(two, 2, "old", true, NULL), CM_OK);
        assert_true(is_killed(other, 2, "new", 3)); /* all but the one rename is left */
        killed = is_killed(two, 2, "newer", n);
        const char *text = find("a.csv");
        if (strcmp(text, "new") != 0 && strcmp(text, "newer") != 0)
            fail_msg("kill at rename %d: a.csv is \"%s\"", n, text);
        assert_string_equal(find("c.csv"), strcmp(text, "new") == 0 ? "new" : "none");
    }
    assert_false(killed);
}

static void what_was_changed_after_a_kill_is_kept(void **state)
{
    static const struct {
        const char *file;
        const char *said;
    } rows[] = {{"c.csv", "catmint did not write it here"},
                {"a.csv", "it was changed since catmint wrote it"},
                {".sweep-commit/a.csv", "its files were changed since"},
                {".sweep-commit/manifest.json", "catmint did not write what is in it"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        choose_folder(state);
        assert_int_equal(write_all(two, 2, "old", true, NULL), CM_OK);
        assert_true(is_killed(other, 2, "new", 2));
        assert_int_equal(access(in(".sweep-commit/manifest.json"), F_OK), 0);
        write_file(in(rows[i].file), "mine");
        if (write_all(one, 1, "newer", true, &error) != CM_IO || strstr(error.text, rows[i].said) == NULL)
            fail_msg("%s: %s: %s", rows[i].file, error.file, error.text);
        expect(rows[i].file, "mine");
    }
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
        choose_folder(state);
        assert_int_equal(write_all(two, 2, "first", true, NULL), CM_OK);
        rows[i].happen(rows[i].text);
        if (strcmp(find(rows[i].name), rows[i].found) != 0)
            fail_msg("row %zu: %s, expected %s", i, find(rows[i].name), rows[i].found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_folder_changes_only_when_complete, choose_folder),
        cmocka_unit_test_setup(what_cannot_be_written_is_said, choose_folder),
        cmocka_unit_test_setup(errors_name_the_file_in_the_folder, choose_folder),
        cmocka_unit_test_setup(only_what_catmint_wrote_is_replaced, choose_folder),
        cmocka_unit_test_setup(what_appears_meanwhile_is_kept, choose_folder),
        cmocka_unit_test_setup(only_folders_of_killed_processes_are_removed, choose_folder),
        cmocka_unit_test_setup(a_decided_commit_is_not_cleaned_away, choose_folder),
        cmocka_unit_test_setup(links_are_not_followed_when_cleaning, choose_folder),
        cmocka_unit_test_setup(a_kill_at_each_rename_leaves_old_or_new, choose_folder),
        cmocka_unit_test_setup(a_kill_while_a_commit_is_finished, choose_folder),
        cmocka_unit_test_setup(what_was_changed_after_a_kill_is_kept, choose_folder),
        cmocka_unit_test_setup(a_mixture_is_refused, choose_folder),
    };
    return cmocka_run_group_tests_name("folder", tests, make_top, remove_top);
}
