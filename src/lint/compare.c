/* Compares faults with those of an earlier state of the file. */
#include <string.h>

#include "lint/lint.h"

/* Whether both texts are the same but for numbers of lines. */
static bool are_same_text(const char *one, const char *other)
{
    static const char word[] = "line ";
    size_t length = strlen(word);
    for (;;) {
        if (strncmp(one, word, length) == 0 && strncmp(other, word, length) == 0) {
            one += length + strspn(one + length, "0123456789");
            other += length + strspn(other + length, "0123456789");
        }
        if (*one != *other || *one == '\0')
            return *one == *other;
        one++;
        other++;
    }
}

static bool are_same(const cm_formula_fault *one, const cm_formula_fault *other)
{
    return one->kind == other->kind && strcmp(one->metric, other->metric) == 0 && are_same_text(one->text, other->text);
}

/* How many of the first `count` faults are the same as this one. */
static size_t count_same(const cm_formula_fault *faults, size_t count, const cm_formula_fault *fault)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += are_same(&faults[i], fault);
    return found;
}

void cm_lint_drop_known(cm_lint *lint, const cm_lint *base)
{
    for (size_t i = lint->count; i-- > 0;) {
        const cm_formula_fault *fault = &lint->faults[i];
        if (count_same(lint->faults, i + 1, fault) > count_same(base->faults, base->count, fault))
            continue;
        memmove(&lint->faults[i], &lint->faults[i + 1], (lint->count - i - 1) * sizeof *lint->faults);
        lint->count--;
    }
}
