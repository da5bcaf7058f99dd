/* Bases: kernels x symbols. */
#include "tables/tables.h"
#include "analysis/numerics.h"

/* The share of a column that must be independent of the others; bases hold small rational numbers. */
static const double own_part = 1e-8;

/* Visits the columns from the last to the first, without `omitted`; marks combinations of the ones visited before as
 * dependent (may be NULL), and returns the number of the others. `work`: a buffer as large as the matrix. */
static size_t rank_without(const cm_matrix *columns, size_t omitted, bool *dependent, double *work)
{
    size_t rows = columns->rows, rank = 0;
    for (size_t j = columns->columns; j-- > 0;) {
        double *part = work + rank * rows;
        if (j == omitted)
            continue;
        memcpy(part, cm_matrix_column(columns, j), rows * sizeof *part);
        double whole = sqrt(cm_vector_dot(part, part, rows));
        for (int pass = 0; pass < 2; pass++) {
            for (size_t k = 0; k < rank; k++) {
                const double *direction = work + k * rows;
                double along = cm_vector_dot(direction, part, rows);
                for (size_t i = 0; i < rows; i++)
                    part[i] -= along * direction[i];
            }
        }
        double left = sqrt(cm_vector_dot(part, part, rows));
        bool independent = left > own_part * whole;
        if (dependent != NULL)
            dependent[j] = !independent;
        if (!independent)
            continue;
        for (size_t i = 0; i < rows; i++)
            part[i] /= left;
        rank++;
    }
    return rank;
}

/* `confounded`, `surplus`: one a column. A confounded column takes part in a linear dependency; surplus are the first
 * ones of these, as many as must be removed to leave the rest independent. */
static cm_status find_dependencies(const cm_matrix *columns, bool *confounded, bool *surplus, cm_error *error)
{
    double *work = malloc((columns->rows * columns->columns + 1) * sizeof *work);
    if (work == NULL)
        return cm_error_no_memory(error);
    size_t rank = rank_without(columns, columns->columns, surplus, work);
    for (size_t j = 0; j < columns->columns; j++)
        confounded[j] = rank < columns->columns && rank_without(columns, j, NULL, work) == rank;
    free(work);
    return CM_OK;
}

enum { BASIS_COLUMNS = 1 };
static const char *const basis_columns[BASIS_COLUMNS] = {"kernel"};

static bool column_is_zero(const cm_matrix *matrix, size_t column)
{
    const double *values = cm_matrix_column(matrix, column);
    for (size_t i = 0; i < matrix->rows; i++)
        if (values[i] != 0.0)
            return false;
    return true;
}

/* Takes the names and transposes the rows. */
static cm_status fill_basis(cm_basis *basis, const cm_table *table, cm_error *error)
{
    basis->file = strdup(table->file);
    if (basis->file == NULL)
        return cm_error_no_memory(error);
    basis->header_line = table->header_line;
    cm_status status =
        cm_names_create(table->value_columns, (const char *const *)table->value_names, &basis->symbols, error);
    if (status != CM_OK)
        return status;
    basis->symbol_count = table->value_columns;
    if (!CM_ALLOCATE(basis->kernels, table->row_count))
        return cm_error_no_memory(error);
    basis->kernel_count = table->row_count;
    status = cm_matrix_create(basis->kernel_count, basis->symbol_count, &basis->expectations, error);
    if (status != CM_OK)
        return status;
    for (size_t i = 0; i < table->row_count; i++) {
        basis->kernels[i] = strdup(cm_table_text(table, i, 0));
        if (basis->kernels[i] == NULL)
            return cm_error_no_memory(error);
        for (size_t j = 0; j < table->value_columns; j++)
            *cm_matrix_at(basis->expectations, i, j) = cm_table_values(table, i)[j];
    }
    return CM_OK;
}

static cm_status check_columns(const cm_basis *basis, cm_error *error)
{
    for (size_t j = 0; j < basis->symbol_count; j++)
        if (column_is_zero(basis->expectations, j))
            return cm_error_set(error, CM_BAD_INPUT, basis->file, basis->header_line, 0,
                                "symbol '%s' is zero for every kernel", basis->symbols[j]);
    return CM_OK;
}

/* Reads a basis and checks its values. */
static cm_status load_basis(const char *path, cm_basis **basis, cm_error *error)
{
    cm_table *table = NULL;
    cm_basis *loaded = NULL;
    cm_status status = cm_table_load(path, BASIS_COLUMNS, basis_columns, NULL, &table, error);
    if (status != CM_OK)
        return status;
    loaded = calloc(1, sizeof *loaded);
    status = loaded != NULL ? fill_basis(loaded, table, error) : cm_error_no_memory(error);
    cm_table_free(table);
    CM_HAND_OVER(status, basis, loaded, cm_basis_free);
    return status;
}

cm_status cm_basis_load(const char *path, cm_basis **basis, cm_error *error)
{
    cm_basis *loaded = NULL;
    cm_status status = load_basis(path, &loaded, error);
    CM_THEN(status, check_columns(loaded, error));
    CM_HAND_OVER(status, basis, loaded, cm_basis_free);
    return status;
}

cm_status cm_basis_load_controls(const char *path, const cm_basis *basis, cm_basis **controls, cm_error *error)
{
    cm_basis *loaded = NULL;
    cm_status status = load_basis(path, &loaded, error);
    for (size_t j = 0; status == CM_OK && j < loaded->symbol_count; j++)
        if (CM_FIND(loaded->symbols[j], basis->symbols, basis->symbol_count) == basis->symbol_count)
            status = cm_error_set(error, CM_BAD_INPUT, path, loaded->header_line, 0,
                                  "the symbol '%s' is none of the basis", loaded->symbols[j]);
    CM_HAND_OVER(status, controls, loaded, cm_basis_free);
    return status;
}

void cm_basis_free(cm_basis *basis)
{
    if (basis == NULL)
        return;
    cm_free_list(basis->kernels, basis->kernel_count);
    cm_free_list(basis->symbols, basis->symbol_count);
    cm_free_list(basis->confounded, basis->confounded_count);
    cm_matrix_free(basis->expectations);
    CM_FREE(basis->file, basis);
}

/* Finds the rows of the named kernels; `file` and `line` locate the names for errors. */
static cm_status find_rows(const cm_basis *basis, size_t kernel_count, const char *const *kernels, const char *file,
                           size_t line, size_t *rows, cm_error *error)
{
    cm_name_index *index = NULL;
    bool *taken = calloc(basis->kernel_count + 1, sizeof *taken);
    cm_status status = taken != NULL ? cm_names_index_create(basis->kernel_count, basis->kernels, &index, error)
                                     : cm_error_no_memory(error);
    for (size_t i = 0; i < kernel_count && status == CM_OK; i++) {
        if (!cm_name_index_find(index, kernels[i], &rows[i]))
            status = cm_error_set(error, CM_BAD_INPUT, file, line, 0, "kernel '%s' is not in the basis %s", kernels[i],
                                  basis->file);
        else if (taken[rows[i]])
            status = cm_error_set(error, CM_BAD_INPUT, file, line, 0, "kernel '%s' is named twice", kernels[i]);
        else
            taken[rows[i]] = true;
    }
    cm_name_index_free(index);
    free(taken);
    return status;
}

/* Removes the marked symbols. */
static void drop_symbols(cm_basis *basis, const bool *dropped)
{
    size_t kept = 0;
    for (size_t j = 0; j < basis->symbol_count; j++) {
        if (dropped[j]) {
            free(basis->symbols[j]);
            continue;
        }
        basis->symbols[kept] = basis->symbols[j];
        memmove(cm_matrix_column(basis->expectations, kept), cm_matrix_column(basis->expectations, j),
                basis->kernel_count * sizeof(double));
        kept++;
    }
    basis->symbol_count = kept;
    basis->expectations->columns = kept;
}

/* Removes symbols that the remaining kernels cannot distinguish. If the whole basis has such symbols, that is its
 * author's error, and all stay. */
static cm_status drop_confounded(const cm_basis *whole, cm_basis *basis, bool *confounded, bool *surplus,
                                 cm_error *error)
{
    cm_status status = find_dependencies(whole->expectations, confounded, surplus, error);
    for (size_t j = 0; j < whole->symbol_count && status == CM_OK; j++)
        if (confounded[j])
            return CM_OK;
    CM_THEN(status, find_dependencies(basis->expectations, confounded, surplus, error));
    if (status != CM_OK)
        return status;
    if (!CM_ALLOCATE(basis->confounded, basis->symbol_count + 1))
        return cm_error_no_memory(error);
    for (size_t j = 0; j < basis->symbol_count; j++) {
        if (!confounded[j])
            continue;
        char *symbol = strdup(basis->symbols[j]);
        if (symbol == NULL)
            return cm_error_no_memory(error);
        basis->confounded[basis->confounded_count++] = symbol;
    }
    drop_symbols(basis, surplus);
    return CM_OK;
}

/* Removes symbols without counts, of cache levels that the machine lacks, and those that kernels confound. */
static cm_status drop_unknowable(const cm_basis *whole, cm_basis *basis, cm_error *error)
{
    bool *first = calloc(whole->symbol_count + 1, sizeof *first);
    bool *second = calloc(whole->symbol_count + 1, sizeof *second);
    cm_status status = first != NULL && second != NULL ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK) {
        for (size_t j = 0; j < basis->symbol_count; j++)
            first[j] =
                column_is_zero(basis->expectations, j) || cm_name_is_beyond(whole->cache_levels, basis->symbols[j]);
        drop_symbols(basis, first);
        if (basis->kernel_count < whole->kernel_count)
            status = drop_confounded(whole, basis, first, second, error);
    }
    CM_FREE(first, second);
    return status;
}

/* Fills the restricted basis with these rows. */
static cm_status take_rows(const cm_basis *basis, size_t kernel_count, const char *const *kernels, const size_t *rows,
                           cm_basis *restricted, cm_error *error)
{
    restricted->file = strdup(basis->file);
    if (restricted->file == NULL)
        return cm_error_no_memory(error);
    restricted->header_line = basis->header_line;
    restricted->cache_levels = basis->cache_levels;
    cm_status status = cm_names_create(kernel_count, kernels, &restricted->kernels, error);
    if (status != CM_OK)
        return status;
    restricted->kernel_count = kernel_count;
    status = cm_names_create(basis->symbol_count, (const char *const *)basis->symbols, &restricted->symbols, error);
    if (status != CM_OK)
        return status;
    restricted->symbol_count = basis->symbol_count;
    status = cm_matrix_create(kernel_count, basis->symbol_count, &restricted->expectations, error);
    if (status != CM_OK)
        return status;
    for (size_t j = 0; j < basis->symbol_count; j++)
        for (size_t i = 0; i < kernel_count; i++)
            *cm_matrix_at(restricted->expectations, i, j) = *cm_matrix_at(basis->expectations, rows[i], j);
    return drop_unknowable(basis, restricted, error);
}

/* Makes a basis of the named kernels. */
static cm_status restrict_basis(const cm_basis *basis, size_t kernel_count, const char *const *kernels,
                                const char *file, size_t line, cm_basis **restricted, cm_error *error)
{
    size_t *rows = calloc(kernel_count + 1, sizeof *rows);
    cm_basis *created = calloc(1, sizeof *created);
    cm_status status = rows != NULL && created != NULL
                           ? find_rows(basis, kernel_count, kernels, file, line, rows, error)
                           : cm_error_no_memory(error);
    CM_THEN(status, take_rows(basis, kernel_count, kernels, rows, created, error));
    free(rows);
    CM_HAND_OVER(status, restricted, created, cm_basis_free);
    return status;
}

cm_status cm_basis_restrict_create(const cm_basis *basis, size_t kernel_count, const char *const *kernels,
                                   cm_basis **restricted, cm_error *error)
{
    return restrict_basis(basis, kernel_count, kernels, NULL, 0, restricted, error);
}

cm_status cm_basis_restrict_to_create(const cm_basis *basis, const cm_measurements *measurements, cm_basis **restricted,
                                      cm_error *error)
{
    return restrict_basis(basis, measurements->kernel_count, (const char *const *)measurements->kernels,
                          measurements->file, measurements->header_line, restricted, error);
}
