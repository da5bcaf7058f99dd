#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"

/* All readable files. */
typedef struct linted {
    size_t count;
    cm_linted_file *files;
    bool refused; /* a file could not be read */
} linted;

/* Reads and lints a file. A file that cannot be read is reported, and does not stop the others. */
static cli_exit lint_file(const char *path, linted *all)
{
    cm_linted_file *file = &all->files[all->count];
    cm_error error;
    cm_status status = cm_formulas_load(path, NULL, &file->formulas, &error);
    if (status == CM_OK)
        status = cm_lint_create(file->formulas, &file->lint, &error);
    if (status == CM_OK) {
        all->count++;
        return CLI_DONE;
    }
    cm_formulas_free(file->formulas);
    *file = (cm_linted_file){0};
    cli_exit code = cli_fail(&error);
    all->refused |= code == CLI_BAD_INPUT;
    return code == CLI_BAD_INPUT ? CLI_DONE : code;
}

/* Writes the findings of all files, and returns the exit code. */
static cli_exit finish(const linted *all, const cli_options *options)
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
        cm_lint_write(all->files, all->count, &(cm_style){.format = options->format}, stdout, &error), &error);
    if (code != CLI_DONE)
        return code;
    if (faults > 0)
        cli_say("%zu fault%s in %zu of %zu file%s, which define %zu metrics", faults, faults == 1 ? "" : "s", faulty,
                all->count, all->count == 1 ? "" : "s", definitions);
    return all->refused ? CLI_BAD_INPUT : faults > 0 ? CLI_PARTLY : CLI_DONE;
}

cm_status cli_find_formulas(const cli_options *options, cm_formula_files *files, cm_error *error)
{
    cm_status status = cm_formula_files_find(options->operands.items, options->operands.count, files, error);
    if (status == CM_OK && files->other_count > 0)
        cli_say("%zu other file%s hold%s no formulas", files->other_count, files->other_count == 1 ? "" : "s",
                files->other_count == 1 ? "s" : "");
    return status;
}

cli_exit cli_lint(const cli_options *options)
{
    cm_formula_files files = {0};
    linted all = {0};
    cm_error error;
    cli_exit code = CLI_DONE;
    if (cli_find_formulas(options, &files, &error) != CM_OK)
        code = cli_fail(&error);
    if (code == CLI_DONE && (all.files = calloc(files.count + 1, sizeof *all.files)) == NULL) {
        cli_say("out of memory");
        code = CLI_IMPOSSIBLE;
    }
    for (size_t i = 0; i < files.count && code == CLI_DONE; i++)
        code = lint_file(files.items[i], &all);
    if (code == CLI_DONE)
        code = finish(&all, options);
    for (size_t i = 0; i < all.count; i++) {
        cm_lint_free(all.files[i].lint);
        cm_formulas_free(all.files[i].formulas);
    }
    free(all.files);
    cm_formula_files_clear(&files);
    return code;
}
