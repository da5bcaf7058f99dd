#include "tables/tables.h"

cm_status cm_names_create(size_t count, const char *const *names, char ***copy, cm_error *error)
{
    char **copied = calloc(count > 0 ? count : 1, sizeof *copied);
    if (copied == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++) {
        copied[i] = strdup(names[i]);
        if (copied[i] == NULL) {
            cm_free_list(copied, count);
            return cm_error_no_memory(error);
        }
    }
    *copy = copied;
    return CM_OK;
}

cm_status cm_names_index_create(size_t count, char *const *names, cm_name_index **index, cm_error *error)
{
    cm_name_index *created = NULL;
    cm_status status = cm_name_index_create(&created, error);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_name_index_add(created, names[i], i, error);
    CM_HAND_OVER(status, index, created, cm_name_index_free);
    return status;
}

bool cm_name_is_beyond(size_t levels, const char *name)
{
    for (const char *at = name; levels != 0 && *at != '\0'; at++)
        if (*at == 'L' && (at == name || !isalnum((unsigned char)at[-1])) && isdigit((unsigned char)at[1]) &&
            !isalnum((unsigned char)at[2]) && (size_t)(at[1] - '0') > levels)
            return true;
    return false;
}
