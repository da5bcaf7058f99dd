/* Lines of emitted kernels in a console's log: "catmint", the line's number in its run, words, "*", a checksum. */
#include "core/files.h"
#include "formats/console/console.h"

static const char mark[] = "catmint ";

cm_status cm_console_log_open(const char *path, cm_console_log *log, cm_error *error)
{
    size_t size = 0;
    *log = (cm_console_log){.path = path};
    cm_status status = cm_file_text_read(path, &log->text, &size, error);
    for (size_t i = 0; status == CM_OK && i < size; i++) /* noise on the wire, in lines that are others' or garbled */
        log->text[i] = log->text[i] != '\0' ? log->text[i] : '?';
    log->next = log->text;
    return status;
}

bool cm_console_number(const char *word, uint32_t *value)
{
    char *end = NULL;
    size_t length = strspn(word, "0123456789abcdef");
    *value = (uint32_t)strtoul(word, &end, 16);
    return length > 0 && length <= 8 && word[length] == '\0';
}

/* The next line of the file, without its end; NULL: none is left. */
static char *cut_next_line(cm_console_log *log)
{
    char *line = log->next;
    if (*line == '\0')
        return NULL;
    char *end = line + strcspn(line, "\n");
    log->next = *end != '\0' ? end + 1 : end;
    *end = '\0';
    while (end > line && end[-1] == '\r')
        *--end = '\0';
    log->line++;
    return line;
}

static cm_status refuse_log_line(const cm_console_log *log, const char *why, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, log->path, log->line, 0, "%s", why);
}

/* Cuts off the checksum and compares it. */
static cm_status check_sum(const cm_console_log *log, char *text, cm_error *error)
{
    uint32_t sum = 0, said = 0;
    char *star = strstr(text, " * ");
    if (star == NULL)
        return refuse_log_line(log, "the line is cut: it has no checksum", error);
    for (const char *at = text; at < star; at++)
        sum = (sum * 31 + (unsigned char)*at) & 0xffff;
    if (!cm_console_number(star + 3, &said) || said != sum)
        return refuse_log_line(log, "the line is garbled: its checksum does not fit", error);
    *star = '\0';
    return CM_OK;
}

/* Splits the words behind the line's number. */
static cm_status split_line(const cm_console_log *log, char *text, uint32_t *number, cm_console_line *line,
                            cm_error *error)
{
    *line = (cm_console_line){.number = log->line};
    char *rest = text + strspn(text, " "), *word = strsep(&rest, " ");
    bool good = cm_console_number(word, number);
    while (good && rest != NULL && line->count < CM_CONSOLE_WORDS)
        line->words[line->count++] = strsep(&rest, " ");
    if (!good || rest != NULL || line->count == 0)
        return refuse_log_line(log, "emitted kernels print no such line", error);
    return CM_OK;
}

/* Whether the line is the next one of its run. */
static cm_status check_order(cm_console_log *log, uint32_t number, const char *word, cm_error *error)
{
    bool begins = strcmp(word, "begin") == 0;
    if (begins && log->open)
        return refuse_log_line(log, "another run begins here, and the one before it has no line 'end'", error);
    if (!begins && !log->open)
        return refuse_log_line(log, "the run's line 'begin' is missing before this line", error);
    log->going = begins ? 0 : log->going;
    if (number != log->going)
        return cm_error_set(error, CM_BAD_INPUT, log->path, log->line, 0, "%s: it has the number %x, expected %x",
                            number < log->going ? "a line of the run stands here again"
                                                : "lines of the run are missing before this one",
                            (unsigned)number, (unsigned)log->going);
    log->going++;
    log->open = strcmp(word, "end") != 0;
    return CM_OK;
}

cm_status cm_console_log_next(cm_console_log *log, cm_console_line *line, bool *found, cm_error *error)
{
    uint32_t number = 0;
    char *text = cut_next_line(log);
    while (text != NULL && strncmp(text, mark, strlen(mark)) != 0)
        text = cut_next_line(log);
    *found = text != NULL;
    if (text == NULL && log->open)
        return refuse_log_line(log, "the run is cut: its line 'end' is missing", error);
    if (text == NULL && log->going == 0)
        return cm_error_set(error, CM_BAD_INPUT, log->path, 0, 0,
                            "it has no line of emitted kernels, which begin with 'catmint 0 begin'");
    if (text == NULL)
        return CM_OK;
    text += strlen(mark) - 1; /* the checksum is of the blank, too */
    cm_status status = check_sum(log, text, error);
    CM_THEN(status, split_line(log, text, &number, line, error));
    return status == CM_OK ? check_order(log, number, line->words[0], error) : status;
}
