/* Compares faults with those of an earlier state of the file. */
#include "formulas/lint/lint.h"

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

typedef bool (*likeness)(const cm_lint_fault *one, const cm_lint_fault *other);

static bool are_same(const cm_lint_fault *one, const cm_lint_fault *other)
{
    return one->fault.kind == other->fault.kind && strcmp(one->fault.metric, other->fault.metric) == 0 &&
           are_same_text(one->fault.text, other->fault.text);
}

/* Whether both are the same, whichever processors of the section they name. */
static bool are_same_elsewhere(const cm_lint_fault *one, const cm_lint_fault *other)
{
    return one->fault.kind == other->fault.kind && strcmp(one->fault.metric, other->fault.metric) == 0 &&
           are_same_text(one->bare, other->bare);
}

/* How many of `count` faults are like this one. */
static size_t count_like(const cm_lint_fault *faults, size_t count, const cm_lint_fault *fault, likeness alike)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += alike(&faults[i], fault);
    return found;
}

/* Moves the faults that the base has, too, behind the others. Of the base's, `gone` stand there already. */
static void move_known_behind(cm_lint *lint, size_t gone, const cm_lint *base, likeness alike)
{
    const cm_lint_fault *dropped = lint->faults + lint->count;
    for (size_t i = lint->count; i-- > 0;) {
        const cm_lint_fault fault = lint->faults[i];
        size_t known = count_like(base->faults, base->count, &fault, alike);
        if (count_like(lint->faults, i + 1, &fault, alike) + count_like(dropped, gone, &fault, alike) > known)
            continue;
        memmove(&lint->faults[i], &lint->faults[i + 1], (lint->count - i - 1) * sizeof *lint->faults);
        lint->faults[--lint->count] = fault;
    }
}

/* Takes a fault like this one out of the base; false if it has none. */
static bool take_like(cm_lint *base, const cm_lint_fault *fault, likeness alike)
{
    for (size_t i = 0; i < base->count; i++)
        if (alike(&base->faults[i], fault)) {
            base->faults[i] = base->faults[--base->count];
            return true;
        }
    return false;
}

void cm_lint_drop_known(cm_lint *lint, cm_lint *base)
{
    size_t all = lint->count;
    move_known_behind(lint, 0, base, are_same);
    move_known_behind(lint, all - lint->count, base, are_same_elsewhere);
    for (size_t i = lint->count; i < all; i++)
        if (!take_like(base, &lint->faults[i], are_same))
            take_like(base, &lint->faults[i], are_same_elsewhere);
}
