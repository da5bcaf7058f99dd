/* catmint lint: faults of formulas, found without counting. */
#include "cli/command.h"

/* All readable files. */
typedef struct linted {
    size_t count;
    cm_linted_file *files;
    bool refused; /* a file could not be read */
    size_t gone_count;
    cm_linted_file *gone; /* files below --base that FORMULAS do not have */
} linted;

/* Reads and lints a file as if it had the path `place` in its project's tree. */
static cm_status lint_path(const char *path, const char *place, const cli_options *options, cm_linted_file *file,
                           cm_error *error)
{
    const cm_lint_options lists = {.size = sizeof lists,
                                   .cpu = options->cpus.count > 0 ? options->cpus.items[0] : NULL,
                                   .known_events = options->known_events};
    const cm_formula_columns columns = cli_columns(options);
    cm_status status = columns.metric != NULL ? cm_formulas_load_table(path, &columns, &file->formulas, error)
                                              : cm_formulas_load_for(path, NULL, place, &file->formulas, error);
    CM_THEN(status, cm_lint_create_for(file->formulas, &lists, &file->lint, error));
    if (status == CM_OK)
        return CM_OK;
    cm_formulas_free(file->formulas);
    *file = (cm_linted_file){0};
    return status;
}

/* The path in another directory of a file below this one; `other` itself if it is not below. NULL without memory. */
static char *counterpart(const char *path, const char *directory, const char *other)
{
    size_t length = strlen(directory);
    bool below = strncmp(path, directory, length) == 0 && path[length] != '\0';
    char *found = NULL;
    return asprintf(&found, "%s%s%s", other, below && path[length] != '/' ? "/" : "", below ? path + length : "") < 0
               ? NULL
               : found;
}

/* Lints the files below --base that are not below the operand: they were removed, or have another name now. */
static cli_exit find_gone(const cli_options *options, linted *all)
{
    const char *base = options->base;
    cm_formula_files files = {0};
    cm_error error;
    struct stat found;
    if (base == NULL || !cm_path_is_directory(base))
        return CLI_DONE;
    cm_status status = cm_formula_files_find(&base, 1, &files, &error);
    if (status == CM_BAD_INPUT) /* it holds none */
        status = CM_OK;
    if (status == CM_OK && (all->gone = calloc(files.count + 1, sizeof *all->gone)) == NULL)
        status = CM_NO_MEMORY;
    for (size_t i = 0; i < files.count && status == CM_OK; i++) {
        char *path = counterpart(files.items[i], base, options->operands.items[0]);
        if (path == NULL)
            status = CM_NO_MEMORY;
        else if (stat(path, &found) != 0 &&
                 lint_path(files.items[i], files.items[i], options, &all->gone[all->gone_count], &error) == CM_OK)
            all->gone_count++;
        free(path);
    }
    cm_formula_files_clear(&files);
    return status == CM_OK ? CLI_DONE : cli_end(CLI_IMPOSSIBLE, "out of memory");
}

/* Removes the faults that the file's earlier state has, or, if it had another name, those of files that are gone. A
 * state that could not be understood has none. */
static cm_status drop_known(const char *base, const char *place, const linted *all, const cli_options *options,
                            cm_linted_file *file, cm_error *error)
{
    cm_linted_file earlier = {0};
    struct stat found;
    if (all->gone != NULL && stat(base, &found) != 0) {
        for (size_t i = 0; i < all->gone_count; i++)
            cm_lint_drop_known(file->lint, all->gone[i].lint);
        return CM_OK;
    }
    cm_status status = lint_path(base, place, options, &earlier, error);
    if (status == CM_OK)
        cm_lint_drop_known(file->lint, earlier.lint);
    cm_lint_free(earlier.lint);
    cm_formulas_free(earlier.formulas);
    return status == CM_NO_MEMORY || status == CM_IO ? status : CM_OK;
}

/* Whether --base is a directory if FORMULAS are one; reports it if not. */
static bool takes_base(const cli_options *options)
{
    if (options->base == NULL || !cm_path_is_directory(options->operands.items[0]))
        return true;
    if (cm_path_is_directory(options->base))
        return true;
    cli_write("%s: expected a directory, as FORMULAS is", options->base);
    return false;
}

/* Reads and lints a file, and its earlier state by the same tree: that of the first of both which lies in one. A file
 * that cannot be read is reported, and does not stop the others. */
static cli_exit lint_file(const char *path, const cli_options *options, linted *all)
{
    cm_linted_file *file = &all->files[all->count];
    char *base = options->base != NULL ? counterpart(path, options->operands.items[0], options->base) : NULL;
    const char *place = base != NULL ? cm_formulas_place(path, base) : path;
    cm_error error = {.status = CM_NO_MEMORY, .text = "out of memory"};
    cm_status status = options->base == NULL || base != NULL ? CM_OK : CM_NO_MEMORY;
    if (status == CM_OK && (status = lint_path(path, place, options, file, &error)) == CM_OK)
        all->count++;
    if (status == CM_OK && base != NULL)
        status = drop_known(base, place, all, options, file, &error);
    free(base);
    if (status == CM_OK)
        return CLI_DONE;
    cli_exit code = cli_fail(&error);
    all->refused |= code == CLI_BAD_INPUT;
    return code == CLI_BAD_INPUT ? CLI_DONE : code;
}

static void clear_files(cm_linted_file *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cm_lint_free(files[i].lint);
        cm_formulas_free(files[i].formulas);
    }
    free(files);
}

/* Writes the findings of all files, and returns the exit code. */
static cli_exit finish_findings(const linted *all, const cli_options *options)
{
    size_t faulty = 0, faults = 0, definitions = 0;
    cm_error error;
    for (size_t i = 0; i < all->count; i++) {
        size_t found = cm_lint_count(all->files[i].lint);
        faulty += found > 0;
        faults += found;
        definitions += cm_formulas_count(all->files[i].formulas);
    }
    if (definitions + faults == 0 && !all->refused)
        return cli_find_nothing(&options->operands, "no formulas here, expected one at least");
    cli_exit code = cli_finish_writing(
        cm_lint_write(all->files, all->count, &(cm_output_style){.format = options->format}, stdout, &error), &error);
    if (code != CLI_DONE)
        return code;
    if (faults > 0)
        cli_write("%zu fault%s in %zu of %zu file%s, which define%s %zu metric%s", faults, faults == 1 ? "" : "s",
                  faulty, all->count, all->count == 1 ? "" : "s", all->count == 1 ? "s" : "", definitions,
                  definitions == 1 ? "" : "s");
    return all->refused ? CLI_BAD_INPUT : faults > 0 ? CLI_PARTLY : CLI_DONE;
}

cm_formula_columns cli_columns(const cli_options *options)
{
    return (cm_formula_columns){.size = sizeof(cm_formula_columns),
                                .metric = options->metric_column,
                                .formula = options->formula_column,
                                .unit = options->unit_column};
}

bool cli_columns_go_together(const cli_options *options)
{
    bool metric = options->metric_column != NULL, formula = options->formula_column != NULL;
    if (metric == formula && (metric || options->unit_column == NULL))
        return true;
    cli_write("%s needs %s",
              metric    ? "--metric-column"
              : formula ? "--formula-column"
                        : "--unit-column",
              metric    ? "--formula-column"
              : formula ? "--metric-column"
                        : "--metric-column and --formula-column");
    return false;
}

cm_status cli_find_formulas(const cli_options *options, cm_formula_files *files, cm_error *error)
{
    cm_status status = cm_formula_files_find(options->operands.items, options->operands.count, files, error);
    for (size_t i = 0; status == CM_OK && options->verbose && i < files->other_count; i++)
        cli_write("%s: no formulas", files->others[i]);
    if (status == CM_OK && files->other_count > 0 && !options->verbose)
        cli_write("%zu other file%s hold%s no formulas", files->other_count, files->other_count == 1 ? "" : "s",
                  files->other_count == 1 ? "s" : "");
    return status;
}

cli_exit cli_lint(const cli_options *options)
{
    cm_formula_files files = {0};
    linted all = {0};
    cm_error error;
    cli_exit code = CLI_DONE;
    if (options->base != NULL && options->operands.count > 1)
        return cli_end(CLI_USAGE, "--base: expected one file or directory of formulas, found %zu",
                       options->operands.count);
    if (!cli_columns_go_together(options))
        return CLI_USAGE;
    if (options->cpus.count > 1)
        return cli_end(CLI_USAGE, "--cpu: expected one name, found %zu", options->cpus.count);
    if (!takes_base(options))
        return CLI_BAD_INPUT;
    if (cli_find_formulas(options, &files, &error) != CM_OK)
        code = cli_fail(&error);
    if (code == CLI_DONE && (all.files = calloc(files.count + 1, sizeof *all.files)) == NULL) {
        cli_write("out of memory");
        code = CLI_IMPOSSIBLE;
    }
    CM_THEN(code, find_gone(options, &all));
    for (size_t i = 0; i < files.count && code == CLI_DONE; i++)
        code = lint_file(files.items[i], options, &all);
    CM_THEN(code, finish_findings(&all, options));
    clear_files(all.files, all.count);
    clear_files(all.gone, all.gone_count);
    cm_formula_files_clear(&files);
    return code;
}
