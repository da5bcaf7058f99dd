/* Installs presets for PAPI and checks them with papi_avail. */
#include "cli/command.h"

#include <limits.h>
#include <sys/wait.h>

#define VARIABLE "PAPI_CSV_EVENT_FILE"

enum { MOST_PRESETS = 128, NAME_SIZE = 64 };

typedef struct presets {
    size_t count;
    char names[MOST_PRESETS][NAME_SIZE];
    bool taken[MOST_PRESETS];   /* PAPI reads the preset from this table */
    bool counted[MOST_PRESETS]; /* and can add it to an event set */
} presets;

/* The path of the file: from --output or the variable; if that is a directory, a file in it. */
static cli_exit find_place(const cli_options *options, char path[PATH_MAX])
{
    const char *named = options->output != NULL ? options->output : getenv(VARIABLE);
    if (named == NULL || named[0] == '\0')
        return cli_end(CLI_USAGE, "export --install needs --output, a file or a directory, or " VARIABLE
                                  ", which names the file that PAPI reads; see 'catmint export --help'");
    bool directory = cm_path_is_directory(named);
    if (snprintf(path, PATH_MAX, "%s%s", named, directory ? "/papi_events.csv" : "") < PATH_MAX)
        return CLI_DONE;
    return cli_end(CLI_USAGE, "the path of the file to install is longer than %d bytes", PATH_MAX - 1);
}

/* ---- output of papi_avail ---- */

/* Reads the names of the presets from the table that was written. */
static bool read_presets(const char *path, presets *table)
{
    FILE *stream = cm_input_stream(path);
    char *line = NULL;
    size_t size = 0;
    if (stream == NULL)
        return false;
    while (table->count < MOST_PRESETS && getline(&line, &size, stream) > 0)
        table->count += sscanf(line, "PRESET,%63[^,]", table->names[table->count]) == 1;
    free(line);
    fclose(stream);
    return true;
}

/* Marks the presets that a line names: "PAPI_BR_CN   0x8000002b  Yes   No   Conditional branch instructions (catmint:
 * ...)", or without "Yes" if only available presets are listed. */
static void read_line(const char *line, const presets *table, bool listed, bool *marked)
{
    char name[NAME_SIZE], available[NAME_SIZE];
    if (sscanf(line, "%63s 0x%*x %63s", name, available) != 2 || (!listed && strcmp(available, "Yes") != 0) ||
        strstr(line, "(catmint: ") == NULL)
        return;
    for (size_t i = 0; i < table->count; i++)
        marked[i] = marked[i] || strcmp(name, table->names[i]) == 0;
}

/* Whether papi_avail exists and succeeded. `listed`: it tries each event, and lists those that can be counted. */
static bool ask_papi_avail(const presets *table, bool listed, bool *marked)
{
    char *line = NULL;
    size_t size = 0;
    fflush(NULL);
    FILE *stream = popen(listed ? "papi_avail -c 2>/dev/null" : "papi_avail 2>/dev/null", "re");
    if (stream == NULL)
        return false;
    while (getline(&line, &size, stream) > 0)
        read_line(line, table, listed, marked);
    free(line);
    int status = pclose(stream);
    return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Reports the presets that PAPI does not read or cannot count; CLI_PARTLY if there are any. */
static cli_exit write_found(const presets *table)
{
    size_t taken = 0, counted = 0;
    for (size_t i = 0; i < table->count; i++) {
        taken += table->taken[i];
        counted += table->counted[i];
    }
    for (size_t i = 0; i < table->count; i++) {
        if (!table->taken[i] && taken > 0)
            cli_write("%s: PAPI does not take it", table->names[i]);
        else if (!table->counted[i] && counted > 0)
            cli_write("%s: PAPI takes it, and cannot count it here", table->names[i]);
    }
    cli_write("papi_avail: PAPI takes %zu of %zu %s here, and can count %zu%s", taken, table->count,
              cm_plural(table->count, "preset", "presets"), counted, counted == 0 ? "; 'catmint doctor' says why" : "");
    return counted == table->count ? CLI_DONE : CLI_PARTLY;
}

/* Runs papi_avail on the table and reports the result. */
static cli_exit verify_table(const char *path)
{
    presets table = {0};
    if (!read_presets(path, &table))
        return cli_end(CLI_PARTLY, "%s cannot be read back: %s", path, strerror(errno));
    if (setenv(VARIABLE, path, 1) != 0 || !ask_papi_avail(&table, false, table.taken) ||
        !ask_papi_avail(&table, true, table.counted))
        return cli_end(CLI_DONE, "papi_avail is missing or does not run: not checked whether PAPI takes the presets");
    return write_found(&table);
}

/* PAPI reads only the file that the variable names. */
static void write_next_step(const char *path, size_t count)
{
    char *whole = realpath(path, NULL), quoted[CLI_QUOTED_SIZE];
    const char *now = getenv(VARIABLE), *shown = whole != NULL ? whole : path;
    if (now == NULL || (strcmp(now, path) != 0 && strcmp(now, shown) != 0))
        cli_write("PAPI reads it with: export " VARIABLE "=%s", cli_quote(shown, quoted));
    cli_write(
        "PAPI then has these %zu presets and none of its own; 'catmint export --patch' writes them into its own table",
        count);
    free(whole);
}

cli_exit cli_install_presets(const cm_definitions *definitions, const cli_options *options,
                             const cm_export_options *export, cm_export_summary *summary)
{
    char path[PATH_MAX];
    cm_error error;
    cli_exit code = find_place(options, path);
    if (code != CLI_DONE)
        return code;
    cm_status status = cm_export_install(definitions, export, path, options->replace, summary, &error);
    if (status != CM_OK) {
        code = status == CM_BAD_INPUT ? cli_fail(&error) : cli_fail_writing(&error);
        if (status == CM_UNSUPPORTED)
            cli_write("--replace overwrites it");
        return code;
    }
    cli_write("%zu %s in %s", summary->written, cm_plural(summary->written, "preset is", "presets are"), path);
    write_next_step(path, summary->written);
    return verify_table(path);
}
