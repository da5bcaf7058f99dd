/* What the tests of formulas share: formulas from text. */
#ifndef FORMULAS_TEXT_H
#define FORMULAS_TEXT_H

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

#include <catmint/formulas.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline cm_status load_text(const char *text, const char *ending, cm_formulas **set, cm_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/catmint-formulas-XXXXXX%s", ending);
    int descriptor = mkstemps(path, (int)strlen(ending));
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    cm_status status = cm_formulas_load(path, NULL, set, error);
    unlink(path);
    return status;
}

static inline cm_formulas *load(const char *text)
{
    cm_formulas *set = NULL;
    cm_error error = {0};
    if (load_text(text, ".txt", &set, &error) != CM_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.text);
    return set;
}

#endif
