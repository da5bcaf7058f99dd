/* Names that the import of ncu's and rocprofv3's counts reports in one line. */
#include "formats/ncu/ncu.h"

enum { LISTED = 5 };

cm_status cm_ncu_names_add(cm_ncu_names *names, const char *name, cm_error *error)
{
    size_t at = 0;
    cm_status status = names->index == NULL ? cm_name_index_create(&names->index, error) : CM_OK;
    if (status != CM_OK || cm_name_index_find(names->index, name, &at))
        return status;
    if (names->stream == NULL && (names->stream = cm_memory_stream(&names->list, &names->size)) == NULL)
        return cm_error_no_memory(error);
    if (names->count < LISTED)
        fprintf(names->stream, "%s%.100s", names->count > 0 ? ", " : "", name);
    return cm_name_index_add(names->index, name, names->count++, error);
}

cm_status cm_ncu_names_note(const cm_ncu_import_options *options, cm_ncu_names *names, const char *one,
                            const char *many, cm_error *error)
{
    char text[800];
    if (names->stream == NULL)
        return CM_OK;
    bool whole = fclose(names->stream) == 0;
    names->stream = NULL;
    if (!whole)
        return cm_error_no_memory(error);
    snprintf(text, sizeof text, "%zu %s: %s%s", names->count, cm_plural(names->count, one, many), names->list,
             names->count > LISTED ? " ..." : "");
    if (options->note != NULL)
        options->note(text, options->note_data);
    return CM_OK;
}

void cm_ncu_names_clear(cm_ncu_names *names)
{
    if (names->stream != NULL)
        fclose(names->stream);
    cm_name_index_free(names->index);
    free(names->list);
}
