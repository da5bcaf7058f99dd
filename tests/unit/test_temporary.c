/* Temporary folders, where another process takes each for one that was left and removes it: before it is opened, or
 * before it is locked. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/temporary.h"

char *__real_mkdtemp(char *path);
char *__wrap_mkdtemp(char *path);
int __real_flock(int descriptor, int operation);
int __wrap_flock(int descriptor, int operation);

static int removed_before_opening, removed_before_locking; /* so many more of them */
static char made[CM_TEMPORARY_SIZE];

char *__wrap_mkdtemp(char *path)
{
    char *folder = __real_mkdtemp(path);
    assert_non_null(folder);
    memcpy(made, folder, strlen(folder) + 1);
    if (removed_before_opening > 0 && removed_before_opening-- > 0)
        assert_int_equal(rmdir(folder), 0);
    return folder;
}

int __wrap_flock(int descriptor, int operation)
{
    if (removed_before_locking > 0 && removed_before_locking-- > 0)
        assert_int_equal(rmdir(made), 0);
    return __real_flock(descriptor, operation);
}

static void expect_a_folder(int before_opening, int before_locking)
{
    char path[CM_TEMPORARY_SIZE], parent[] = "/tmp/catmint-test-XXXXXX";
    struct stat status;
    assert_non_null(__real_mkdtemp(parent));
    assert_int_equal(setenv("TMPDIR", parent, 1), 0);
    removed_before_opening = before_opening, removed_before_locking = before_locking;
    int descriptor = cm_temporary_folder(path);
    assert_true(descriptor >= 0);
    assert_int_equal(removed_before_opening + removed_before_locking, 0);
    assert_int_equal(stat(path, &status), 0);
    close(descriptor);
    assert_int_equal(cm_temporary_remove(parent), 0);
}

static void test_another_takes_its_place(void **state)
{
    (void)state;
    expect_a_folder(0, 0);
    expect_a_folder(2, 0);
    expect_a_folder(0, 2);
    expect_a_folder(2, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_another_takes_its_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
