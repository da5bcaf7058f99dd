/* catmint evaluate: values of formulas for tables of counts. */
#include "cli/command.h"

/* Writes the values to --output or stdout. */
static cli_exit write_values(const cm_evaluation *evaluation, const cli_options *options)
{
    cm_error error;
    return cli_finish_writing(CLI_WRITE(cm_evaluation, evaluation, options->values, options, stdout, &error), &error);
}

void cli_write_faults(const cm_evaluation *evaluation)
{
    char text[512];
    for (size_t i = 0; i < cm_evaluation_fault_count(evaluation); i++)
        cli_write("%s", cm_evaluation_fault(evaluation, i, text, sizeof text));
}

/* Splits "32=FILE" into name and path, unless a file has that name. The text is the list's own, and is changed. */
static cm_counts_file read_file(const char *text)
{
    char *item = (char *)(uintptr_t)text;
    char *equals = strchr(item, '='), *slash = strchr(item, '/');
    if (equals == NULL || equals == item || (slash != NULL && slash < equals) || access(item, F_OK) == 0)
        return (cm_counts_file){.path = text};
    *equals = '\0';
    return (cm_counts_file){.name = item, .path = equals + 1};
}

/* Evaluates the formulas; CLI_PARTLY if any is faulty. */
static cli_exit evaluate_formulas(const cli_options *options, const cm_evaluate_options *wanted)
{
    cm_evaluation *evaluation = NULL;
    cm_error error;
    if (cm_evaluation_create(wanted, &evaluation, &error) != CM_OK)
        return cli_fail(&error);
    cli_exit code = cm_evaluation_metric_count(evaluation) > 0
                        ? write_values(evaluation, options)
                        : cli_find_nothing(&options->operands, "no formulas here, expected one at least");
    if (code == CLI_DONE) {
        cli_write_faults(evaluation);
        code = cm_evaluation_fault_count(evaluation) == 0 ? CLI_DONE : CLI_PARTLY;
        code = options->output == NULL ? cli_finish_stdout(code) : code;
    }
    cm_evaluation_free(evaluation);
    return code;
}

cli_exit cli_evaluate(const cli_options *options)
{
    const size_t behind = options->operands.count - 1; /* tables behind the formulas */
    const size_t count = options->counts.count + behind;
    if (count == 0 && options->values != CM_FORMAT_SVG)
        return cli_end(CLI_USAGE, "evaluate needs --counts FILE, the table of counts; see 'catmint evaluate --help'");
    cli_exit code = cli_check_output(options);
    cm_counts_file *files = code == CLI_DONE ? calloc(count + 1, sizeof *files) : NULL;
    if (code == CLI_DONE && files == NULL)
        return cli_end(CLI_IMPOSSIBLE, "out of memory");
    if (code != CLI_DONE)
        return code;
    for (size_t i = 0; i < count; i++)
        files[i] = read_file(i < behind ? options->operands.items[1 + i] : options->counts.items[i - behind]);
    bool alone = count == 1 && files[0].name == NULL && !options->sum; /* the only file's columns keep their names */
    const cm_evaluate_options wanted = {.size = sizeof wanted,
                                        .formulas = options->operands.items[0],
                                        .counts = alone ? files[0].path : NULL,
                                        .tolerance = options->tolerance,
                                        .file_count = alone ? 0 : count,
                                        .files = files,
                                        .hierarchy = count == 0,
                                        .sum = options->sum};
    code = evaluate_formulas(options, &wanted);
    free(files);
    return code;
}
