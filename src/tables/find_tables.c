#include "tables/tables.h"

enum { KERNELS_FROM = 3 }; /* columns of a measurement table before its kernels */

static cm_status find_file(const char *directory, const char *benchmark, char **path, cm_error *error)
{
    char *name = cm_path_join(directory, benchmark, ".csv");
    cm_status status = name != NULL ? cm_data_path(name, path, error) : cm_error_no_memory(error);
    free(name);
    return status;
}

/* Whether all kernels are rows of the basis. */
static bool are_rows(const cm_basis *basis, size_t count, const char *const *kernels)
{
    bool all = count > 0;
    for (size_t i = 0; i < count && all; i++)
        all = CM_HAS(kernels[i], basis->kernels, basis->kernel_count);
    return all;
}

/* Whether rows of the basis are among the kernels: for each symbol all rows that have it, or none. */
static bool have_rows(const cm_basis *basis, size_t count, const char *const *kernels)
{
    bool any = false, whole = true;
    for (size_t symbol = 0; symbol < basis->symbol_count; symbol++) {
        size_t there = 0, missing = 0;
        for (size_t i = 0; i < basis->kernel_count; i++)
            if (*cm_matrix_at(basis->expectations, i, symbol) != 0.0)
                *(CM_HAS(basis->kernels[i], kernels, count) ? &there : &missing) += 1;
        any |= there > 0;
        whole &= there == 0 || missing == 0;
    }
    return any && whole;
}

/* *found: the kernels need the paper's basis. */
static cm_status is_papers(const char *benchmark, size_t kernel_count, const char *const *kernels, bool by_paper,
                           bool *found, cm_error *error)
{
    char *path = NULL;
    cm_basis *basis = NULL;
    *found = false;
    cm_status status = find_file("bases/paper", benchmark, &path, error);
    if (status == CM_IO)
        return CM_OK; /* then the paper has no basis of it */
    CM_THEN(status, cm_basis_load(path, &basis, error));
    free(path);
    if (status != CM_OK)
        return status;
    *found = are_rows(basis, kernel_count, kernels) || (by_paper && have_rows(basis, kernel_count, kernels));
    cm_basis_free(basis);
    return CM_OK;
}

/* Whether columns are quiet kernels, which count an idle machine, as sweeps of a whole socket do. */
static bool has_quiet(size_t kernel_count, const char *const *kernels)
{
    for (size_t i = 0; i < kernel_count; i++)
        if (strncmp(kernels[i], CM_QUIET_MARK, strlen(CM_QUIET_MARK)) == 0)
            return true;
    return false;
}

cm_status cm_find_tables(const char *benchmark, size_t kernel_count, const char *const *kernels, bool by_paper,
                         char **basis, char **signatures, cm_error *error)
{
    bool papers = false;
    cm_status status = is_papers(benchmark, kernel_count, kernels, by_paper, &papers, error);
    if (status == CM_OK && basis != NULL)
        status = find_file(papers ? "bases/paper" : "bases", benchmark, basis, error);
    const char *directory = papers                             ? "signatures/paper"
                            : has_quiet(kernel_count, kernels) ? "signatures/socket"
                                                               : "signatures";
    if (status == CM_OK && signatures != NULL)
        status = find_file(directory, benchmark, signatures, error);
    return status;
}

bool cm_has_socket_metrics(const char *benchmark)
{
    char *path = NULL;
    bool found = find_file("signatures/socket", benchmark, &path, NULL) == CM_OK;
    free(path);
    return found;
}

cm_status cm_find_tables_of(const char *benchmark, const char *measurements, bool by_paper, char **basis,
                            char **signatures, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_csv_row header = {0};
    cm_status status = cm_csv_open(measurements, &csv, NULL);
    if (status == CM_NO_MEMORY)
        return cm_error_no_memory(error);
    if (status == CM_OK)
        header = cm_csv_header(csv);
    bool any = header.count > KERNELS_FROM;
    status = cm_find_tables(benchmark, any ? header.count - KERNELS_FROM : 0,
                            any ? (const char *const *)header.fields + KERNELS_FROM : NULL, by_paper, basis, signatures,
                            error);
    cm_csv_close(csv);
    return status;
}
