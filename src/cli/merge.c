/* catmint merge: sweeps joined, those of each type of cores by itself. */
#include <glob.h>

#include "cli/options.h"

/* Appends a copy of the path to the list. */
static cli_exit append_path(cli_list *list, const char *path)
{
    char *copy = strdup(path);
    if (copy == NULL || !CM_GROW_BY_ONE(list->items, list->count)) {
        free(copy);
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    }
    list->items[list->count++] = copy;
    return CLI_DONE;
}

/* Finds the shards in `directory`, whose name may contain wildcards. Free `found` in any case. */
static cli_exit find_shards(const char *directory, glob_t *found)
{
    char here[CLI_PATH_SIZE];
    *found = (glob_t){0};
    if (getcwd(here, sizeof here) == NULL || chdir(directory) != 0)
        return CLI_DONE; /* the reader will report the error */
    int failed = glob("shard-*-of-*", GLOB_NOSORT, NULL, found);
    if (chdir(here) != 0)
        return cli_end(CLI_IMPOSSIBLE, "%s: cannot return to this directory: %s", here, strerror(errno));
    if (failed == GLOB_NOSPACE)
        cli_write("out of memory");
    return failed == GLOB_NOSPACE ? CLI_IMPOSSIBLE : CLI_DONE;
}

/* Appends the shards in the directory, or the directory itself if it has none. */
static cli_exit append_shards(cli_list *list, const char *directory)
{
    char path[CLI_PATH_SIZE];
    size_t before = list->count;
    glob_t found;
    cli_exit code = find_shards(directory, &found);
    for (size_t i = 0; code == CLI_DONE && i < found.gl_pathc; i++) {
        int length = snprintf(path, sizeof path, "%s/%s", directory, found.gl_pathv[i]);
        if (length > 0 && (size_t)length < sizeof path)
            code = append_path(list, path);
    }
    globfree(&found);
    return code == CLI_DONE && list->count == before ? append_path(list, directory) : code;
}

/* Appends a whole sweep; refuses one with shards beside it, which would not be read. */
static cli_exit append_whole(cli_list *list, const char *directory)
{
    glob_t found;
    cli_exit code = find_shards(directory, &found);
    if (code == CLI_DONE && found.gl_pathc != 0)
        cli_write("%s: ignoring the shards here: this directory also holds a whole sweep", directory);
    globfree(&found);
    return code == CLI_DONE ? append_path(list, directory) : code;
}

cli_exit cli_find_directories(const cli_list *named, cli_list *directories)
{
    cli_exit code = CLI_DONE;
    *directories = (cli_list){0};
    for (size_t i = 0; code == CLI_DONE && i < named->count; i++) {
        bool whole = cm_has_manifest(named->items[i]) || cm_sweep_has_cores(named->items[i]);
        code = whole ? append_whole(directories, named->items[i]) : append_shards(directories, named->items[i]);
    }
    return code;
}

void cli_directories_free(cli_list *directories)
{
    cm_free_list(directories->items, directories->count);
    *directories = (cli_list){0};
}

void cli_note_unfinished(const char *directory)
{
    if (cm_is_incomplete_sweep(directory))
        cli_write("%s: the sweep here is incomplete: finish it with 'catmint sweep --resume' and its options",
                  directory);
    else if (cm_is_unfinished_sweep(directory))
        cli_write("%s: ignoring the unfinished sweep here: finish it with 'catmint sweep --resume' and its options",
                  directory);
}

/* Checks that no directory is joined into itself. */
static cli_exit check_named_once(const cli_list *directories, const char *out)
{
    for (size_t i = 0; i < directories->count; i++) {
        if (cli_is_same_file(directories->items[i], out))
            return cli_end(CLI_USAGE, "%s is joined, and cannot hold the result: name another --out", out);
        for (size_t j = 0; j < i; j++)
            if (cli_is_same_file(directories->items[j], directories->items[i]))
                return cli_end(CLI_USAGE, "%s is named twice", directories->items[i]);
    }
    return CLI_DONE;
}

/* Joins one type of cores: its directory of each hybrid sweep. */
static cli_exit merge_core(const cli_list *directories, const cm_core_type *core, const char *out)
{
    cli_list of_core = {0};
    cm_merge_summary summary;
    cm_error error;
    char path[CLI_PATH_SIZE];
    cli_exit code = CLI_DONE;
    for (size_t i = 0; i < directories->count && code == CLI_DONE; i++)
        if ((code = cli_core_directory(directories->items[i], core, path)) == CLI_DONE)
            code = append_path(&of_core, path);
    CM_THEN(code, cli_core_directory(out, core, path));
    if (code == CLI_DONE && cm_merge_sweeps(of_core.items, of_core.count, path, &summary, &error) != CM_OK)
        code = cli_fail_writing(&error);
    if (code == CLI_DONE)
        cli_write("%zu %s of %s %s in %s, %zu of them counted", summary.events,
                  cm_plural(summary.events, "event", "events"), core->name, cm_plural(summary.events, "is", "are"),
                  path, summary.counted);
    cli_directories_free(&of_core);
    return code;
}

static bool are_same(const cm_core_type *first, size_t count, const cm_core_type *second, size_t other_count)
{
    bool same = count == other_count;
    for (size_t i = 0; i < count && same; i++)
        same = strcmp(first[i].name, second[i].name) == 0;
    return same;
}

/* Finds the types of cores, which all sweeps must share; *count is 0 if all processors have only one type. */
static cli_exit find_common_cores(const cli_list *directories, cm_core_type types[CM_CORE_TYPES], size_t *count)
{
    cm_core_type others[CM_CORE_TYPES];
    size_t other_count = 0;
    cm_error error;
    for (size_t i = 0; i < directories->count; i++) {
        cm_core_type *into = i == 0 ? types : others;
        if (cm_sweep_cores_read(directories->items[i], into, i == 0 ? count : &other_count, &error) != CM_OK)
            return cli_fail(&error);
        if (i == 0 || are_same(types, *count, others, other_count))
            continue;
        return cli_end(CLI_BAD_INPUT, "%s and %s are sweeps of other types of cores and cannot be joined",
                       directories->items[0], directories->items[i]);
    }
    return CLI_DONE;
}

cli_exit cli_merge_cores(const cli_list *directories, const char *out, bool *hybrid)
{
    cm_core_type types[CM_CORE_TYPES];
    size_t count = 0;
    cm_error error;
    cli_exit code = find_common_cores(directories, types, &count);
    *hybrid = code == CLI_DONE && count != 0;
    if (!*hybrid)
        return code;
    if (mkdir(out, 0777) != 0 && errno != EEXIST)
        return cli_end(CLI_IMPOSSIBLE, "%s: the directory cannot be made: %s", out, strerror(errno));
    for (size_t i = 0; i < count && code == CLI_DONE; i++)
        code = merge_core(directories, &types[i], out);
    if (code == CLI_DONE && cm_sweep_cores_write(out, types, count, &error) != CM_OK)
        code = cli_fail_writing(&error);
    return code;
}

cli_exit cli_merge(const cli_options *options)
{
    bool hybrid = false;
    if (options->out == NULL)
        return cli_end(CLI_USAGE,
                       "merge needs --out DIR, a directory for the joined sweep; see 'catmint merge --help'");
    cli_list directories;
    cm_merge_summary summary;
    cm_error error;
    cli_exit code = cli_find_directories(&options->operands, &directories);
    CM_THEN(code, check_named_once(&directories, options->out));
    CM_THEN(code, cli_merge_cores(&directories, options->out, &hybrid));
    if (code == CLI_DONE && !hybrid &&
        cm_merge_sweeps(directories.items, directories.count, options->out, &summary, &error) != CM_OK)
        code = cli_fail_writing(&error);
    for (size_t i = 0; code == CLI_DONE && i < directories.count; i++)
        cli_note_unfinished(directories.items[i]);
    if (code == CLI_DONE && !hybrid)
        cli_write("%zu %s of %zu sweep%s %s in %s, %zu of them counted", summary.events,
                  cm_plural(summary.events, "event", "events"), directories.count, directories.count == 1 ? "" : "s",
                  cm_plural(summary.events, "is", "are"), options->out, summary.counted);
    cli_directories_free(&directories);
    return code;
}
