#include "cli/formula_files.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool append(cli_files *files, const char *path)
{
    char **grown = realloc(files->items, (files->count + 1) * sizeof *grown);
    char *copy = strdup(path);
    if (grown != NULL)
        files->items = grown;
    if (grown == NULL || copy == NULL) {
        free(copy);
        cli_say("out of memory");
        return false;
    }
    files->items[files->count++] = copy;
    return true;
}

static bool has_ending(const char *path)
{
    static const char *const endings[] = {".txt", ".csv", ".json"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        size_t length = strlen(path), ending = strlen(endings[i]);
        if (length > ending && strcmp(path + length - ending, endings[i]) == 0)
            return true;
    }
    return false;
}

static int compare(const FTSENT **left, const FTSENT **right)
{
    return strcmp((*left)->fts_name, (*right)->fts_name);
}

/* Where an export of groups was interrupted, some files are of it and some of the one before. */
static bool is_half_exported(const char *folder)
{
    char *record = NULL;
    bool found = asprintf(&record, "%s/.export-commit/.catmint-export", folder) >= 0 && access(record, F_OK) == 0;
    free(record);
    if (found)
        cli_say("%s: an export into this directory was interrupted: repeat the export to finish it", folder);
    return found;
}

static cli_exit append_folder(cli_files *files, const char *folder)
{
    char *const folders[] = {(char *)folder, NULL};
    size_t before = files->count;
    cli_exit code = CLI_DONE;
    if (is_half_exported(folder))
        return CLI_BAD_INPUT;
    FTS *tree = fts_open(folders, FTS_PHYSICAL | FTS_NOCHDIR, compare);
    if (tree == NULL) {
        cli_say("%s: cannot be read: %s", folder, strerror(errno));
        return CLI_BAD_INPUT;
    }
    for (FTSENT *entry; code == CLI_DONE && (entry = fts_read(tree)) != NULL;) {
        if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) {
            cli_say("%s: cannot be read: %s", entry->fts_path, strerror(entry->fts_errno));
            code = CLI_BAD_INPUT;
        } else if (entry->fts_info == FTS_F && has_ending(entry->fts_name) && !append(files, entry->fts_path)) {
            code = CLI_IMPOSSIBLE;
        }
    }
    fts_close(tree);
    if (code == CLI_DONE && files->count == before) {
        cli_say("%s: no files of formulas here, expected names that end in .txt, .csv or .json", folder);
        code = CLI_BAD_INPUT;
    }
    return code;
}

cli_exit cli_formula_files(const cli_list *operands, cli_files *files)
{
    cli_exit code = CLI_DONE;
    for (size_t i = 0; i < operands->count && code == CLI_DONE; i++) {
        struct stat status;
        if (stat(operands->items[i], &status) == 0 && S_ISDIR(status.st_mode))
            code = append_folder(files, operands->items[i]);
        else if (!append(files, operands->items[i]))
            code = CLI_IMPOSSIBLE;
    }
    return code;
}

void cli_files_free(cli_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->items[i]);
    free(files->items);
}
