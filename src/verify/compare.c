/* The executed facts of a kernel against its expected ones: the facts that differ. */
#include "verify/verify.h"

/* Counts per iteration are quotients of exact integers; equal ones differ only by rounding. */
static const double rounding = 1e-9;

static bool differs_from_fact(const cm_verified_quantity *quantity)
{
    double most = quantity->allowance + rounding * fmax(1.0, fabs(quantity->expected));
    return !(fabs(quantity->executed - quantity->expected) <= most);
}

/* Appends "fp_d_256_add 24 instead of 0" to the text. */
static void describe_difference(char *text, size_t size, const char *name, const cm_verified_quantity *quantity)
{
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s %.6g instead of %.6g", used != 0 ? ", " : "", name, quantity->executed,
             quantity->expected);
}

void cm_verified_compare(cm_verified_kernel *verified, const size_t *facts, size_t count, size_t primitives, char *text,
                         size_t size)
{
    verified->ok = true;
    for (size_t i = 0; i < count; i++) {
        const cm_verified_quantity *found = &verified->quantities[i];
        if (!differs_from_fact(found) || (i >= primitives && !verified->ok))
            continue;
        describe_difference(text, size, cm_fact_name(facts[i]), found);
        verified->ok = false;
    }
}
