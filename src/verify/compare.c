/* The executed facts of a kernel against its expected ones: the facts that differ. */
#include "verify/verify.h"

/* Counts per iteration are quotients of exact integers; equal ones differ only by rounding. */
static const double rounding = 1e-9;

void cm_verified_compare(cm_verified_kernel *verified, const size_t *facts, size_t count, size_t primitives, char *text,
                         size_t size)
{
    verified->ok = true;
    for (size_t i = 0; i < count; i++) {
        const cm_verified_quantity *found = &verified->quantities[i];
        const double most = found->allowance + rounding * fmax(1.0, fabs(found->expected));
        if (fabs(found->executed - found->expected) <= most || (i >= primitives && !verified->ok))
            continue;
        cm_text_append(text, size, ", ", "%s %.6g instead of %.6g", cm_fact_name(facts[i]), found->executed,
                       found->expected);
        verified->ok = false;
    }
}
