/* The executed facts of a kernel against its expected ones: the facts that differ. */
#include "verify/verify.h"

/* Counts per iteration are quotients of exact integers; equal ones differ only by rounding. */
static const double rounding = 1e-9;

static bool differs_from_fact(const cm_verified_quantity *quantity)
{
    double most = quantity->allowance + rounding * fmax(1.0, fabs(quantity->expected));
    return !(fabs(quantity->executed - quantity->expected) <= most);
}

void cm_verified_compare(cm_verified_kernel *verified, const size_t *facts, size_t count, size_t primitives, char *text,
                         size_t size)
{
    verified->ok = true;
    for (size_t i = 0; i < count; i++) {
        const cm_verified_quantity *found = &verified->quantities[i];
        if (!differs_from_fact(found) || (i >= primitives && !verified->ok))
            continue;
        cm_text_append(text, size, ", ", "%s %.6g instead of %.6g", cm_fact_name(facts[i]), found->executed,
                       found->expected);
        verified->ok = false;
    }
}
