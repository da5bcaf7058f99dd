/* Temporary directories, where another process takes each for one that was left and removes it: before it is opened, or
 * before it is locked. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/files.h"

int __real_mkdir(const char *path, mode_t mode);
int __wrap_mkdir(const char *path, mode_t mode);
int __real_flock(int descriptor, int operation);
int __wrap_flock(int descriptor, int operation);

static int removed_before_opening, removed_before_locking; /* so many more of them */
static char made[CM_TEMPORARY_SIZE];

int __wrap_mkdir(const char *path, mode_t mode)
{
    assert_int_equal(__real_mkdir(path, mode), 0);
    memcpy(made, path, strlen(path) + 1);
    if (removed_before_opening > 0 && removed_before_opening-- > 0)
        assert_int_equal(rmdir(path), 0);
    return 0;
}

int __wrap_flock(int descriptor, int operation)
{
    if (removed_before_locking > 0 && removed_before_locking-- > 0)
        assert_int_equal(rmdir(made), 0);
    return __real_flock(descriptor, operation);
}

static void expect_a_directory(int before_opening, int before_locking)
{
    char path[CM_TEMPORARY_SIZE], parent[] = "/tmp/catmint-test-XXXXXX";
    struct stat status;
    assert_non_null(mkdtemp(parent));
    assert_int_equal(setenv("TMPDIR", parent, 1), 0);
    removed_before_opening = before_opening, removed_before_locking = before_locking;
    int descriptor = cm_temporary_directory(path);
    assert_true(descriptor >= 0);
    assert_int_equal(removed_before_opening + removed_before_locking, 0);
    assert_int_equal(stat(path, &status), 0);
    close(descriptor);
    assert_int_equal(cm_temporary_remove(parent), 0);
}

static void test_another_takes_its_place(void **state)
{
    (void)state;
    expect_a_directory(0, 0);
    expect_a_directory(2, 0);
    expect_a_directory(0, 2);
    expect_a_directory(2, 2);
}

/* What a killed run left goes; what only looks like it stays. */
static void test_nobody_elses_names_are_taken(void **state)
{
    (void)state;
    static const char *const theirs[] = {"backup", "papers", "notes1", "ABC123", "XXXXXX", "aaaaaa"};
    char parent[] = "/tmp/catmint-test-XXXXXX", left[CM_TEMPORARY_SIZE], path[CM_TEMPORARY_SIZE];
    assert_non_null(mkdtemp(parent));
    assert_int_equal(setenv("TMPDIR", parent, 1), 0);
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        snprintf(path, sizeof path, "%s/catmint-run-%s", parent, theirs[i]);
        assert_int_equal(__real_mkdir(path, 0700), 0);
    }
    close(cm_temporary_directory(left));
    close(cm_temporary_directory(path));
    assert_int_equal(access(left, F_OK), -1);
    for (size_t i = 0; i < sizeof theirs / sizeof theirs[0]; i++) {
        snprintf(path, sizeof path, "%s/catmint-run-%s", parent, theirs[i]);
        assert_int_equal(access(path, F_OK), 0);
    }
    assert_int_equal(cm_temporary_remove(parent), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_another_takes_its_place),
                                       cmocka_unit_test(test_nobody_elses_names_are_taken)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
