/* Chooses the columns of a table that are fitted, and those that are controls. */
#include "law/evidence.h"

static bool is_in_basis(const cm_basis *basis, const char *kernel)
{
    return CM_HAS(kernel, basis->kernels, basis->kernel_count);
}

static cm_status allocate_choice(const cm_measurements *table, cm_kernel_choice *choice, cm_error *error)
{
    *choice = (cm_kernel_choice){.empty = CM_NO_COLUMN};
    choice->columns = calloc(table->kernel_count + 1, sizeof *choice->columns);
    choice->names = calloc(table->kernel_count + 1, sizeof *choice->names);
    choice->quiet = calloc(table->kernel_count + 1, sizeof *choice->quiet);
    bool made = choice->columns != NULL && choice->names != NULL && choice->quiet != NULL;
    return made ? CM_OK : cm_error_no_memory(error);
}

/* Whether the column is the quiet one of this kernel. */
static bool is_quiet_of(const char *column, const char *kernel)
{
    size_t length = strlen(CM_QUIET_MARK);
    return strncmp(column, CM_QUIET_MARK, length) == 0 && strcmp(column + length, kernel) == 0;
}

static ptrdiff_t find_quiet(const cm_measurements *table, const char *kernel)
{
    for (size_t i = 0; i < table->kernel_count; i++)
        if (is_quiet_of(table->kernels[i], kernel))
            return (ptrdiff_t)i;
    return CM_NO_COLUMN;
}

/* Whether the column is the quiet one of any kernel. */
static bool is_quiet_column(const cm_measurements *table, size_t column)
{
    for (size_t i = 0; i < table->kernel_count; i++)
        if (is_quiet_of(table->kernels[column], table->kernels[i]))
            return true;
    return false;
}

static void choose_kernel(const cm_measurements *table, size_t column, cm_kernel_choice *choice)
{
    choice->names[choice->count] = table->kernels[column];
    choice->quiet[choice->count] = find_quiet(table, table->kernels[column]);
    choice->columns[choice->count++] = column;
}

static void note_unknown(const cm_benchmark_request *request, const cm_basis *basis, const char *kernel)
{
    char text[512];
    snprintf(text, sizeof text, "%.200s is left out: neither %.200s nor controls have it", kernel, basis->file);
    if (request->note != NULL)
        request->note(text, request->note_data);
}

static bool has_kernel_of(const cm_basis *basis, const cm_measurements *table)
{
    for (size_t i = 0; i < table->kernel_count; i++)
        if (is_in_basis(basis, table->kernels[i]))
            return true;
    return false;
}

/* Says that controls were given, but are not in the table. */
static void note_uncounted(const cm_benchmark_request *request, const cm_measurements *table)
{
    char text[512];
    const cm_basis *own = request->own_controls;
    if (own == NULL || request->note == NULL || has_kernel_of(own, table))
        return;
    snprintf(text, sizeof text, "the table has none of the %zu control kernels of %.200s", own->kernel_count,
             own->file);
    request->note(text, request->note_data);
}

cm_status cm_take_facts(const cm_benchmark_request *request, cm_fact_table **facts, cm_error *error)
{
    cm_fact_table **shared = request->facts != NULL ? request->facts : facts;
    cm_status status = *shared == NULL ? cm_fact_table_load(NULL, request->architecture, shared, error) : CM_OK;
    *facts = *shared;
    if (status == CM_OK)
        (*facts)->sharers += shared != facts;
    return status;
}

cm_status cm_kernel_choice_make(const char *benchmark, const cm_benchmark_request *request,
                                const cm_measurements *table, const cm_basis *basis, cm_kernel_choice *choice,
                                cm_error *error)
{
    const bool leave_unknown = request->leave_unknown && has_kernel_of(basis, table);
    cm_status status = allocate_choice(table, choice, error);
    note_uncounted(request, table);
    for (size_t i = 0; status == CM_OK && i < table->kernel_count; i++) {
        const char *kernel = table->kernels[i];
        bool chosen = is_in_basis(basis, kernel);
        if (!chosen && (is_quiet_column(table, i) ||
                        (request->own_controls != NULL && is_in_basis(request->own_controls, kernel))))
            continue;
        if (!chosen && choice->facts == NULL) /* read if a kernel asks for it */
            status = cm_take_facts(request, &choice->facts, error);
        if (status != CM_OK || (!chosen && cm_fact_table_find(choice->facts, benchmark, kernel) != NULL))
            continue;
        if (chosen || !leave_unknown)
            choose_kernel(table, i, choice);
        else
            note_unknown(request, basis, kernel);
    }
    return status;
}

static bool does_nothing(const cm_kernel_facts *kernel)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        if (kernel->values[i] != 0.0)
            return false;
    return true;
}

void cm_kernel_choice_find_empty(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                 cm_kernel_choice *choice)
{
    for (size_t i = 0; i < table->kernel_count && table->iterations != NULL; i++) {
        const cm_kernel_facts *kernel = cm_fact_table_find(facts, benchmark, table->kernels[i]);
        if (kernel != NULL && does_nothing(kernel))
            choice->empty = (ptrdiff_t)i;
    }
}

/* Chooses the kernels with known facts that are free, or those that are not, less the rows of the basis. */
static cm_status choose_by_role(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                const cm_basis *basis, bool are_free, cm_kernel_choice *choice, cm_error *error)
{
    cm_status status = allocate_choice(table, choice, error);
    for (size_t i = 0; status == CM_OK && i < table->kernel_count; i++) {
        const cm_kernel_facts *kernel = cm_fact_table_find(facts, benchmark, table->kernels[i]);
        bool fits = kernel != NULL && (kernel->role == CM_KERNEL_FREE) == are_free && !does_nothing(kernel);
        if (fits && (basis == NULL || !is_in_basis(basis, table->kernels[i])))
            choose_kernel(table, i, choice);
    }
    if (status == CM_OK)
        cm_kernel_choice_find_empty(facts, benchmark, table, choice);
    return status;
}

cm_status cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                    const cm_basis *basis, cm_kernel_choice *choice, cm_error *error)
{
    return choose_by_role(facts, benchmark, table, basis, false, choice, error);
}

void cm_kernel_choice_add_own(const cm_basis *controls, const cm_measurements *table, const cm_basis *basis,
                              cm_kernel_choice *choice)
{
    for (size_t i = 0; i < table->kernel_count; i++) {
        bool there = is_in_basis(basis, table->kernels[i]) || !is_in_basis(controls, table->kernels[i]);
        for (size_t k = 0; k < choice->count && !there; k++)
            there = choice->columns[k] == i;
        if (!there)
            choose_kernel(table, i, choice);
    }
}

void cm_kernel_choice_leave_traps_out(const cm_fact_table *facts, const char *benchmark, cm_kernel_choice *choice)
{
    size_t kept = 0;
    for (size_t i = 0; i < choice->count; i++) {
        const cm_kernel_facts *kernel = cm_fact_table_find(facts, benchmark, choice->names[i]);
        if (kernel != NULL && kernel->values[CM_FACT_ENVIRONMENT_CALLS] + kernel->values[CM_FACT_BREAKPOINTS] > 0.0)
            continue;
        choice->names[kept] = choice->names[i];
        choice->quiet[kept] = choice->quiet[i];
        choice->columns[kept++] = choice->columns[i];
    }
    choice->count = kept;
}

cm_status cm_kernel_choice_free(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                cm_kernel_choice *choice, cm_error *error)
{
    return choose_by_role(facts, benchmark, table, NULL, true, choice, error);
}

void cm_kernel_choice_clear(cm_kernel_choice *choice)
{
    free(choice->columns);
    free(choice->names);
    free(choice->quiet);
    cm_fact_table_free(choice->facts);
    *choice = (cm_kernel_choice){.empty = CM_NO_COLUMN};
}
