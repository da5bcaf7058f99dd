/* Messages on stderr; commands in them are spelled as this user started the program. */
#include "cli/command.h"

enum { MESSAGE_SIZE = 16384 };

static char program[CLI_QUOTED_SIZE] = "catmint"; /* as a shell runs it here; set once */

void cli_name_program(const char *name)
{
    char here[CLI_PATH_SIZE];
    if (name == NULL || strchr(name, '/') == NULL)
        return; /* the shell found it in PATH */
    const size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    const bool below = length > 1 && strncmp(name, here, length) == 0 && name[length] == '/';
    cli_quote(below ? name + length + 1 : name, program);
}

/* Whether these are the words behind "catmint " of a command line, and not of a text that is quoted. */
static bool begins_command(const char *text)
{
    char word[32];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " '"), text);
    return word[0] == '-' || strcmp(word, "COMMAND") == 0 || cli_command_find(word) != NULL;
}

char *cli_name_commands(const char *text, char *named, size_t size)
{
    static const char command[] = "'catmint ";
    named[0] = '\0';
    for (const char *next; (next = strstr(text, command)) != NULL; text = next + strlen(command))
        cm_text_append(named, size, "", "%.*s'%s ", (int)(next - text), text,
                       begins_command(next + strlen(command)) ? program : "catmint");
    cm_text_append(named, size, "", "%s", text);
    return named;
}

/* Writes the message at once, so that messages of processes at one terminal do not mix. Its buffers are there even if
 * no memory is left, not even for the stack. */
cli_exit cli_end(cli_exit code, const char *format, ...)
{
    static char text[MESSAGE_SIZE], named[MESSAGE_SIZE], shown[2 * MESSAGE_SIZE];
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    fprintf(stderr, "catmint: %s\n", cm_text_show(cli_name_commands(text, named, sizeof named), shown, sizeof shown));
    return code;
}

const char *cli_quote(const char *word, char quoted[CLI_QUOTED_SIZE])
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";
    size_t length = 0;
    if (word[0] == '-') /* not an option */
        length = (size_t)snprintf(quoted, CLI_QUOTED_SIZE, "./");
    if (word[0] == '\0')
        snprintf(quoted, CLI_QUOTED_SIZE, "\"\"");
    for (const char *c = word; *c != '\0' && length < CLI_QUOTED_SIZE - 4; c++) {
        const bool as_is = ((unsigned char)*c & 0x80) != 0 || strchr(plain, *c) != NULL;
        length += (size_t)snprintf(quoted + length, CLI_QUOTED_SIZE - length,
                                   *c == '\n' ? "\"%c\""
                                   : as_is    ? "%c"
                                              : "\\%c",
                                   *c);
    }
    return quoted;
}

void cli_write_note(const char *text, void *data)
{
    (void)data;
    cli_write("%s", text);
}

/* A temporary directory, and its name in messages. */
static struct {
    const char *directory, *name;
    bool whole; /* `name` stands for any file in it */
} hidden;

void cli_hide_temporary(const char *directory, const char *name, bool whole)
{
    hidden.directory = directory;
    hidden.name = name;
    hidden.whole = whole;
}

/* An error of writing concerns the directory itself. */
static void write_error(const cm_error *error)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE + 64];
    cm_error shown = *error;
    size_t length = hidden.directory != NULL ? strlen(hidden.directory) : 0;
    if (length != 0 && error->status == CM_BAD_INPUT && strncmp(error->file, hidden.directory, length) == 0)
        snprintf(shown.file, sizeof shown.file, "%s%s", hidden.name, hidden.whole ? "" : error->file + length);
    cli_write("%s", cm_error_format(&shown, text, sizeof text));
}

cli_exit cli_fail(const cm_error *error)
{
    write_error(error);
    switch (error->status) {
    case CM_OK: return CLI_DONE;
    case CM_BAD_ARGUMENT: return CLI_USAGE;
    case CM_BAD_INPUT:
    case CM_IO: return CLI_BAD_INPUT;
    case CM_INTERRUPTED: return CLI_INTERRUPTED;
    case CM_UNSUPPORTED:
    case CM_NO_MEMORY: break;
    }
    return CLI_IMPOSSIBLE;
}

cli_exit cli_find_nothing(const cli_list *files, const char *format, ...)
{
    char text[1024], others[32] = "";
    CM_PRINT_ARGUMENTS(vsnprintf, text, format);
    if (files->count > 1)
        snprintf(others, sizeof others, " and %zu more", files->count - 1);
    return cli_end(CLI_BAD_INPUT, "%s%s: %s", files->items[0], others, text);
}

cli_exit cli_fail_writing(const cm_error *error)
{
    cli_exit code = cli_fail(error);
    return error->status == CM_IO ? CLI_IMPOSSIBLE : code;
}

void cli_note_not_comparable(const char *path, const char *why)
{
    if (why != NULL)
        cli_write("%s: these results are not comparable: %s", path, why);
}

cli_exit cli_finish_writing(cm_status status, const cm_error *error)
{
    if (status == CM_OK)
        return CLI_DONE;
    clearerr(stdout); /* the error is reported below */
    return cli_fail_writing(error);
}

cli_exit cli_finish_stdout(cli_exit code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    return cli_end(CLI_IMPOSSIBLE, "stdout cannot be written: %s", strerror(errno != 0 ? errno : EIO));
}
