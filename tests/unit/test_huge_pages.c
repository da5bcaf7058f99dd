/* Huge pages: what is said to be huge is what the system says is, and where it gives small ones, that is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "core/system.h"

enum { PAGES = 4, KIB = 1024 };

/* Kilobytes of huge pages in the mapping that has the address, by /proc/self/smaps. */
static size_t huge_by_smaps(const char *address)
{
    FILE *file = fopen("/proc/self/smaps", "r");
    assert_non_null(file);
    char line[512];
    uintptr_t begin, end;
    bool here = false;
    size_t kilobytes = 0, found = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
            here = (uintptr_t)address >= begin && (uintptr_t)address < end;
        else if (here && sscanf(line, "AnonHugePages: %zu kB", &kilobytes) == 1)
            found = kilobytes;
    }
    fclose(file);
    return found;
}

static void what_is_called_huge_is_huge(void **state)
{
    (void)state;
    cm_huge_pages pages;
    cm_error error = {0};
    size_t page = cm_huge_page_size();
    cm_status status = cm_huge_pages_map(&pages, PAGES * page - KIB, true, &error);
    if (status == CM_OK) {
        assert_int_equal(pages.size, PAGES * page);
        assert_int_equal((uintptr_t)pages.start % page, 0);
        assert_int_equal(huge_by_smaps(pages.start), PAGES * page / KIB);
    } else {
        assert_int_equal(status, CM_UNSUPPORTED);
        assert_non_null(strstr(error.text, page == 0 ? "no huge pages" : "the system"));
    }
    cm_huge_pages_unmap(&pages);
    assert_null(pages.start);
}

/* Some systems give pages of one's own for those that are only read. */
static void zeros_are_read_and_are_said_to_take_memory(void **state)
{
    (void)state;
    cm_huge_pages pages;
    cm_status status = cm_huge_pages_map(&pages, PAGES * cm_huge_page_size(), false, NULL);
    if (status == CM_OK) {
        for (size_t at = 0; at < pages.size; at += KIB)
            assert_int_equal(pages.start[at], 0);
        /* The page of zeros that is shared is nobody's. */
        assert_int_equal(huge_by_smaps(pages.start), cm_huge_zeros_are_shared() ? 0 : pages.size / KIB);
    } else {
        assert_int_equal(status, CM_UNSUPPORTED);
    }
    cm_huge_pages_unmap(&pages);
}

static void small_pages_pass_for_none(void **state)
{
    (void)state;
    cm_error error = {0};
    assert_int_equal(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0), 0);
    for (int written = 0; written <= 1; written++) {
        cm_huge_pages pages;
        assert_int_equal(cm_huge_pages_map(&pages, 1, written, &error), CM_UNSUPPORTED);
        assert_non_null(strstr(error.text, "the system "));
        cm_huge_pages_unmap(&pages);
    }
    assert_int_equal(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_called_huge_is_huge),
        cmocka_unit_test(zeros_are_read_and_are_said_to_take_memory),
        cmocka_unit_test(small_pages_pass_for_none),
    };
    return cmocka_run_group_tests_name("huge_pages", tests, NULL, NULL);
}
