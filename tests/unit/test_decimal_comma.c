/* Numbers are read and written in the same way in every language. Apart from test_number.c, since few machines have the
 * locale. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"

static void a_decimal_comma_changes_nothing(void **state)
{
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char *chosen = NULL;
    for (size_t i = 0; i < sizeof locales / sizeof locales[0] && chosen == NULL; i++)
        chosen = setlocale(LC_ALL, locales[i]);
    if (chosen == NULL) {
        print_message("skipped: no locale with a decimal comma is installed here\n");
        skip();
    }
    char text[CM_NUMBER_TEXT_SIZE];
    double value = 0.0;
    cm_number_write(0.1 + 0.2, text);
    cm_status status = cm_number_parse("0.30000000000000004", &value, NULL);
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "0.30000000000000004");
    assert_int_equal(status, CM_OK);
    assert_true(value == 0.1 + 0.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_decimal_comma_changes_nothing),
    };
    return cmocka_run_group_tests_name("decimal comma", tests, NULL, NULL);
}
