/* Directories of files that change together, left by processes that were killed: what a kill at each rename leaves, and
 * what the next process cleans away. */
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "directory_files.h"

enum { MOST_RENAMES = 20, KILLED = 99 };

/* ---- a process that ends before a rename ---- */

static int renames_left = -1; /* negative: no limit */

static void count_rename(void)
{
    if (renames_left == 0)
        _exit(KILLED);
    renames_left -= renames_left > 0;
}

int __real_rename(const char *from, const char *to);
int __real_renameat(int from_directory, const char *from, int to_directory, const char *to);
int __wrap_rename(const char *from, const char *to);
int __wrap_renameat(int from_directory, const char *from, int to_directory, const char *to);

int __wrap_rename(const char *from, const char *to)
{
    count_rename();
    return __real_rename(from, to);
}

int __wrap_renameat(int from_directory, const char *from, int to_directory, const char *to)
{
    count_rename();
    return __real_renameat(from_directory, from, to_directory, to);
}

/* ---- directories that were left ---- */

static void only_directories_of_killed_processes_are_removed(void **state)
{
    (void)state;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    static const struct {
        const char *directory;
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
        assert_int_equal(mkdir(in(rows[i].directory), 0700), 0);
        snprintf(marker, sizeof marker, "%s/.catmint", rows[i].directory);
        snprintf(table, sizeof table, "%s/a.csv", rows[i].directory);
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
        if ((access(in(rows[i].directory), F_OK) != 0) != rows[i].gone)
            fail_msg("%s %s", rows[i].directory, rows[i].gone ? "is still there" : "is gone");
    close(locked);
}

/* Another process decides its commit, and is killed, between the look for one and the cleaning. */
static void a_decided_commit_is_not_cleaned_away(void **state)
{
    (void)state;
    cm_directory *directory = NULL;
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    assert_int_equal(cm_directory_open(directory_path, &kind, one, 1, &directory, NULL), CM_OK);
    assert_int_equal(mkdir(in(".sweep-commit"), 0700), 0);
    write_file(in(".sweep-commit/.catmint"), "");
    write_file(in(".sweep-commit/a.csv"), "second");
    cm_directory_clean(directory);
    cm_directory_free(directory);
    expect(".sweep-commit/a.csv", "second");
}

/* A link where catmint's directory would be, or in it, leads to somebody's. */
static void links_are_not_followed_when_cleaning(void **state)
{
    (void)state;
    char theirs[PATH_SIZE + 16], file[PATH_SIZE + 32];
    assert_int_equal(write_all(one, 1, "first", true, NULL), CM_OK);
    snprintf(theirs, sizeof theirs, "%s-theirs", directory_path);
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
    assert_int_equal(mkdir(in(".sweep-dddddd/directory"), 0777), 0);
    clean();
    assert_string_equal(read_file(file), "theirs");
    struct stat status;
    static const char *const kept[] = {".sweep-aaaaaa", ".sweep-bbbbbb/a.csv", ".sweep-bbbbbb/b", ".sweep-cccccc",
                                       ".sweep-dddddd/directory"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (lstat(in(kept[i]), &status) != 0)
            fail_msg("%s is gone", kept[i]);
}

/* ---- kills ---- */

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
        choose_directory(state);
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
        assert_int_equal(rmdir(directory_path), 0); /* nothing aside was left */
    }
    assert_false(killed);
    assert_true(olds > 1 && news > 3);
}

/* A commit that is finished by one that is killed, too. */
static void a_kill_while_a_commit_is_finished(void **state)
{
    bool killed = true;
    for (int n = 0; killed && n < MOST_RENAMES; n++) {
        choose_directory(state);
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
                {".sweep-commit/a.csv", "the files were changed since"},
                {".sweep-commit/manifest.json", "catmint did not write its files"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        cm_error error = {0};
        choose_directory(state);
        assert_int_equal(write_all(two, 2, "old", true, NULL), CM_OK);
        assert_true(is_killed(other, 2, "new", 2));
        assert_int_equal(access(in(".sweep-commit/manifest.json"), F_OK), 0);
        write_file(in(rows[i].file), "mine");
        if (write_all(one, 1, "newer", true, &error) != CM_IO || strstr(error.text, rows[i].said) == NULL)
            fail_msg("%s: %s: %s", rows[i].file, error.file, error.text);
        expect(rows[i].file, "mine");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(only_directories_of_killed_processes_are_removed, choose_directory),
        cmocka_unit_test_setup(a_decided_commit_is_not_cleaned_away, choose_directory),
        cmocka_unit_test_setup(links_are_not_followed_when_cleaning, choose_directory),
        cmocka_unit_test_setup(a_kill_at_each_rename_leaves_old_or_new, choose_directory),
        cmocka_unit_test_setup(a_kill_while_a_commit_is_finished, choose_directory),
        cmocka_unit_test_setup(what_was_changed_after_a_kill_is_kept, choose_directory),
    };
    return cmocka_run_group_tests_name("directory_killed", tests, make_top, remove_top);
}
