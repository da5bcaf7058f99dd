/* The kernels on which a formula is off: those first that do little else. */
#include "audit/values.h"

typedef struct shown_kernel {
    cm_audit_kernel kernel;
    size_t things, place; /* how many symbols or facts it has; its place among the rows */
} shown_kernel;

/* How many different things the kernel does. */
static size_t things_of(const cm_sample *sample)
{
    const cm_row_group *group = sample->group;
    const double *does = group->does[sample->row];
    const cm_kernel_facts *facts = group->facts[sample->row];
    size_t count = 0, limit = does != NULL ? group->symbol_count : facts != NULL ? cm_fact_count() : 0;
    for (size_t i = 0; i < limit; i++)
        count += (does != NULL ? does : facts->values)[i] != 0.0;
    return count;
}

static int by_things(const void *left, const void *right)
{
    const shown_kernel *a = left, *b = right;
    if (a->things != b->things)
        return a->things > b->things ? 1 : -1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Gives the kernels to the entry, those that execute fewest things first. */
static cm_status keep_kernels(cm_audit *audit, const cm_value_deviation *found, size_t count, cm_audit_entry *entry,
                              cm_error *error)
{
    cm_audit_kernel *kernels = cm_arena_allocate(&audit->arena, (count + 1) * sizeof *kernels);
    shown_kernel *shown = calloc(count + 1, sizeof *shown);
    cm_status status = kernels != NULL && shown != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        const cm_row_group *group = found[i].sample->group;
        shown[i] = (shown_kernel){
            {group->name, group->rows[found[i].sample->row], found[i].value, found[i].expected},
            things_of(found[i].sample),
            i,
        };
    }
    if (status == CM_OK) {
        qsort(shown, count, sizeof *shown, by_things);
        for (size_t i = 0; i < count; i++)
            kernels[i] = shown[i].kernel;
        entry->kernels = kernels;
        entry->kernel_count = count;
    }
    free(shown);
    return status;
}

cm_status cm_audit_find_kernels(cm_audit *audit, const cm_formulas *formulas, size_t formula,
                                const cm_claimed_quantity *claim, cm_claimed_factor factor, cm_audit_entry *entry,
                                cm_error *error)
{
    cm_samples samples = {0};
    size_t count = 0;
    cm_status status = cm_samples_gather(audit, formulas, formula, claim, audit->kernels, audit->context_count, false,
                                         &samples, error);
    cm_value_deviation *found = calloc(samples.row_count + 1, sizeof *found);
    if (status == CM_OK && found == NULL)
        status = cm_error_no_memory(error);
    CM_THEN(status, cm_find_deviations(formulas, formula, &samples, claim->denominator.name != NULL, factor, found,
                                       &count, error));
    CM_THEN(status, keep_kernels(audit, found, count, entry, error));
    free(found);
    cm_samples_clear(&samples);
    return status;
}
