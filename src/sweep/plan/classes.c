#include "sweep/plan/plan.h"

/* PLAIN_BITS: the event and the unit mask, the lowest bits of a code on every processor. */
enum { FIRST_SLOTS = 1024, PLAIN_BITS = 16 };

static unsigned bits(uint64_t word)
{
    return (unsigned)__builtin_popcountll(word);
}

static unsigned extra_bits(const cm_raw_code *code)
{
    return bits(code->words[0] >> PLAIN_BITS) + bits(code->words[1]) + bits(code->words[2]);
}

/* Whether a code is simpler than another: only event and unit mask, fewer bits set, then the smaller number. */
static bool is_simpler(const cm_raw_code *code, const cm_raw_code *other)
{
    if (extra_bits(code) != extra_bits(other))
        return extra_bits(code) < extra_bits(other);
    if (bits(code->words[0]) != bits(other->words[0]))
        return bits(code->words[0]) < bits(other->words[0]);
    return memcmp(code->words, other->words, sizeof code->words) != 0 && code->words[0] < other->words[0];
}

/* The slot of the class, or the free one for it. */
static size_t *find_slot(const cm_code_classes *classes, const uint64_t sums[2])
{
    size_t at = (size_t)sums[0] & (classes->slot_count - 1);
    while (classes->slots[at] != 0 &&
           memcmp(classes->classes[classes->slots[at] - 1].sums, sums, 2 * sizeof *sums) != 0)
        at = (at + 1) & (classes->slot_count - 1);
    return &classes->slots[at];
}

/* Doubles the slots if half of them are used. */
static cm_status make_room(cm_code_classes *classes, cm_error *error)
{
    if (2 * (classes->count + 1) <= classes->slot_count)
        return CM_OK;
    size_t wanted = classes->slot_count != 0 ? 2 * classes->slot_count : FIRST_SLOTS;
    size_t *slots = calloc(wanted, sizeof *slots);
    if (slots == NULL)
        return cm_error_no_memory(error);
    free(classes->slots);
    classes->slots = slots;
    classes->slot_count = wanted;
    for (size_t i = 0; i < classes->count; i++)
        *find_slot(classes, classes->classes[i].sums) = i + 1;
    return CM_OK;
}

/* Adds a code to the class; the simplest one stays first. */
static cm_status append_code(cm_code_class *class, const cm_raw_code *code, cm_error *error)
{
    if (!CM_GROW(class->codes, class->count + 1, &class->capacity))
        return cm_error_no_memory(error);
    class->codes[class->count++] = *code;
    if (is_simpler(code, &class->codes[0])) {
        class->codes[class->count - 1] = class->codes[0];
        class->codes[0] = *code;
    }
    return CM_OK;
}

cm_status cm_code_classes_add(cm_code_classes *classes, const uint64_t sums[2], const cm_raw_code *code,
                              cm_error *error)
{
    cm_status status = make_room(classes, error);
    size_t *slot = status == CM_OK ? find_slot(classes, sums) : NULL;
    if (slot == NULL)
        return status;
    if (*slot != 0)
        return append_code(&classes->classes[*slot - 1], code, error);
    if (!CM_GROW(classes->classes, classes->count + 1, &classes->capacity))
        return cm_error_no_memory(error);
    classes->classes[classes->count] = (cm_code_class){.sums = {sums[0], sums[1]}};
    *slot = ++classes->count;
    return append_code(&classes->classes[*slot - 1], code, error);
}

void cm_code_classes_clear(cm_code_classes *classes)
{
    for (size_t i = 0; i < classes->count; i++)
        free(classes->classes[i].codes);
    CM_FREE(classes->classes, classes->slots);
    *classes = (cm_code_classes){0};
}
