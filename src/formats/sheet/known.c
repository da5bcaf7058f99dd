/* Kernels that catmint knows, which help to understand foreign tables. */
#include "formats/sheet/sheet.h"
#include "tables/tables.h"

cm_status cm_known_kernels(const char *benchmark, cm_basis **basis, cm_error *error)
{
    char *name = NULL, *path = NULL;
    *basis = NULL;
    if (benchmark[0] == '\0' || benchmark[strcspn(benchmark, "/. ")] != '\0')
        return CM_OK;
    if (asprintf(&name, "bases/%s.csv", benchmark) < 0)
        return cm_error_no_memory(error);
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, access(path, R_OK) == 0 ? cm_basis_load(path, basis, error) : CM_OK);
    CM_FREE(name, path);
    return status == CM_NO_MEMORY ? status : CM_OK; /* another benchmark is not catmint's */
}

cm_status cm_analysed_kernels(const char *benchmark, size_t count, const char *const *kernels, cm_basis **basis,
                              cm_error *error)
{
    char *path = NULL;
    *basis = NULL;
    cm_status status = cm_find_tables(benchmark, count, kernels, false, &path, NULL, NULL);
    CM_THEN(status, cm_basis_load(path, basis, NULL));
    free(path);
    return status == CM_NO_MEMORY ? cm_error_no_memory(error) : CM_OK; /* as above */
}

/* Whether both are the same but for case, blanks, _ and -. */
static bool is_same_name(const char *left, const char *right)
{
    static const char ignored[] = " _-";
    for (;; left++, right++) {
        left += strspn(left, ignored);
        right += strspn(right, ignored);
        if (tolower((unsigned char)*left) != tolower((unsigned char)*right))
            return false;
        if (*left == '\0')
            return true;
    }
}

const char *cm_known_kernel(const cm_basis *basis, const char *name)
{
    const char *found = NULL;
    for (size_t i = 0; basis != NULL && i < basis->kernel_count; i++) {
        if (strcmp(basis->kernels[i], name) == 0)
            return basis->kernels[i];
        if (found == NULL && is_same_name(basis->kernels[i], name))
            found = basis->kernels[i];
    }
    return found;
}
