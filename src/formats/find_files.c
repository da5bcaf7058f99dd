/* Finds files of formulas below directories. */
#include <fts.h>

#include "core/files.h"
#include "formats/format.h"

/* Appends a copy of the path. */
static cm_status append_path(char ***paths, size_t *count, const char *path, cm_error *error)
{
    if (!CM_GROW_BY_ONE(*paths, *count))
        return cm_error_no_memory(error);
    (*paths)[*count] = strdup(path);
    if ((*paths)[*count] == NULL)
        return cm_error_no_memory(error);
    ++*count;
    return CM_OK;
}

/* Whether a file of that name may hold formulas. */
static bool has_ending(const char *path)
{
    static const char *const endings[] = {".txt", ".csv", ".json", ".yaml", ".yml", ".xml", ".py"};
    for (size_t i = 0; i < CM_COUNT_OF(endings); i++) {
        size_t length = strlen(path), ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

static int by_file_name(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* CM_BAD_INPUT if an export of groups was interrupted, since only some of the files are new. */
static cm_status check_exported(const char *directory, cm_error *error)
{
    char *record = cm_path_join(directory, ".export-commit/.catmint-export", "");
    if (record == NULL)
        return cm_error_no_memory(error);
    bool half = access(record, F_OK) == 0;
    free(record);
    return !half ? CM_OK
                 : cm_error_set(error, CM_BAD_INPUT, directory, 0, 0,
                                "an export into this directory was interrupted: repeat the export to finish it");
}

/* Appends a file if it is meant to hold formulas. */
static cm_status append_entry(cm_formula_files *files, const FTSENT *entry, cm_error *error)
{
    if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS)
        return cm_error_set(error, CM_BAD_INPUT, entry->fts_path, 0, 0, "cannot be read: %s",
                            strerror(entry->fts_errno));
    bool meant = false, builds = strcmp(entry->fts_name, "CMakeLists.txt") == 0; /* any word may begin its lines */
    if (entry->fts_info != FTS_F || !has_ending(entry->fts_name))
        return CM_OK;
    cm_status status = builds ? CM_OK : cm_foreign_format_is_meant(entry->fts_path, &meant, error);
    if (status != CM_OK)
        return status;
    return meant ? append_path(&files->items, &files->count, entry->fts_path, error)
                 : append_path(&files->others, &files->other_count, entry->fts_path, error);
}

/* Whether an entry is the directory of perf's own tests, whose metrics are wrong on purpose. */
static bool is_of_tests(const FTSENT *entry)
{
    static const char tests[] = "/pmu-events/arch/test";
    size_t length = strlen(entry->fts_path), less = strlen(tests);
    return entry->fts_info == FTS_D && entry->fts_level > 0 && length >= less &&
           strcmp(entry->fts_path + length - less, tests) == 0;
}

/* Appends all files below a directory; CM_BAD_INPUT if there are none. */
static cm_status append_directory(cm_formula_files *files, const char *directory, cm_error *error)
{
    char *const directories[] = {(char *)directory, NULL};
    size_t before = files->count, others = files->other_count;
    cm_status status = check_exported(directory, error);
    if (status != CM_OK)
        return status;
    FTS *tree = fts_open(directories, FTS_PHYSICAL | FTS_NOCHDIR, by_file_name);
    if (tree == NULL)
        return cm_error_set(error, CM_BAD_INPUT, directory, 0, 0, "cannot be read: %s", strerror(errno));
    for (FTSENT *entry; status == CM_OK && (entry = fts_read(tree)) != NULL;)
        if (is_of_tests(entry))
            fts_set(tree, entry, FTS_SKIP);
        else
            status = append_entry(files, entry, error);
    fts_close(tree);
    if (status == CM_OK && files->count == before)
        status =
            cm_error_set(error, CM_BAD_INPUT, directory, 0, 0, "no files of formulas here%s",
                         files->other_count == others ? ", expected names that end in .txt, .csv, .json or .yaml"
                                                      : ": those that end in .txt, .csv, .json or .yaml hold none");
    return status;
}

cm_status cm_formula_files_find(const char *const *paths, size_t count, cm_formula_files *files, cm_error *error)
{
    cm_status status = CM_OK;
    *files = (cm_formula_files){0};
    for (size_t i = 0; i < count && status == CM_OK; i++) {
        bool directory = cm_path_is_directory(paths[i]);
        status = directory ? append_directory(files, paths[i], error)
                           : append_path(&files->items, &files->count, paths[i], error);
    }
    return status;
}

void cm_formula_files_clear(cm_formula_files *files)
{
    cm_free_list(files->items, files->count);
    cm_free_list(files->others, files->other_count);
    *files = (cm_formula_files){0};
}
