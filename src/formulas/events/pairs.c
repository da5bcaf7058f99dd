#include "formulas/events/events.h"

#include <fnmatch.h>

#include "core/csv.h"

/* Adds a row. */
static cm_status add_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_pairs *pairs = data;
    for (size_t i = 0; i < 2; i++)
        if (cm_csv_name(csv, row, i, error) != CM_OK)
            return CM_BAD_INPUT;
    if (!CM_GROW_BY_ONE(pairs->items, pairs->count))
        return cm_error_no_memory(error);
    cm_pair *pair = &pairs->items[pairs->count++];
    *pair = (cm_pair){strdup(row->fields[0]), strdup(row->fields[1])};
    return pair->first != NULL && pair->second != NULL ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_pairs_load(const char *path, const char *const columns[2], cm_pairs **pairs, cm_error *error)
{
    cm_pairs *loaded = calloc(1, sizeof *loaded);
    cm_status status =
        loaded != NULL ? cm_csv_each(path, 2, columns, add_row, loaded, error) : cm_error_no_memory(error);
    CM_HAND_OVER(status, pairs, loaded, cm_pairs_free);
    return status;
}

void cm_pairs_free(cm_pairs *pairs)
{
    if (pairs == NULL)
        return;
    for (size_t i = 0; i < pairs->count; i++) {
        CM_FREE(pairs->items[i].first, pairs->items[i].second);
    }
    CM_FREE(pairs->items, pairs);
}

/* Whether the pattern has the form "section: text", and fits both. */
static bool fits_behind(const char *pattern, const char *section, const char *text)
{
    char *whole = NULL;
    if (section[0] == '\0' || strstr(pattern, ": ") == NULL || asprintf(&whole, "%s: %s", section, text) < 0)
        return false;
    bool fits = fnmatch(pattern, whole, FNM_CASEFOLD) == 0;
    free(whole);
    return fits;
}

const char *cm_pairs_match(const cm_pairs *pairs, const char *section, const char *text)
{
    for (size_t i = 0; pairs != NULL && i < pairs->count; i++)
        if (fnmatch(pairs->items[i].first, text, FNM_CASEFOLD) == 0 ||
            fits_behind(pairs->items[i].first, section, text))
            return pairs->items[i].second;
    return NULL;
}
