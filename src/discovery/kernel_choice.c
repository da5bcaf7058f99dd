#include "discovery/kernel_choice.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "verify/fact_table.h"

static bool is_in_basis(const cm_basis *basis, const char *kernel)
{
    for (size_t i = 0; i < basis->kernel_count; i++)
        if (strcmp(basis->kernels[i], kernel) == 0)
            return true;
    return false;
}

static bool is_control(const cm_fact_table *facts, const char *benchmark, const char *kernel)
{
    const cm_kernel_facts *found = cm_fact_table_find(facts, benchmark, kernel);
    return found != NULL && found->role != CM_KERNEL_BASIS;
}

cm_status cm_kernel_choice_make(const char *benchmark, const cm_measurements *table, const cm_basis *basis,
                                cm_kernel_choice *choice, cm_error *error)
{
    cm_fact_table *facts = NULL; /* read where a kernel asks for it */
    cm_status status = CM_OK;
    *choice = (cm_kernel_choice){0};
    choice->columns = calloc(table->kernel_count + 1, sizeof *choice->columns);
    choice->names = calloc(table->kernel_count + 1, sizeof *choice->names);
    if (choice->columns == NULL || choice->names == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < table->kernel_count; i++) {
        bool chosen = is_in_basis(basis, table->kernels[i]);
        if (!chosen && facts == NULL)
            status = cm_fact_table_load(NULL, &facts, error);
        if (status != CM_OK || (!chosen && is_control(facts, benchmark, table->kernels[i])))
            continue;
        choice->names[choice->count] = table->kernels[i];
        choice->columns[choice->count++] = i;
    }
    cm_fact_table_free(facts);
    return status;
}

void cm_kernel_choice_clear(cm_kernel_choice *choice)
{
    free(choice->columns);
    free(choice->names);
    *choice = (cm_kernel_choice){0};
}
