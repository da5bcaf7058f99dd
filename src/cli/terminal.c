#include "cli/command.h"

#include <sys/ioctl.h>

enum { WIDTH_ELSEWHERE = 100, WIDEST = 1000 };

size_t cli_width(FILE *stream)
{
    struct winsize size;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char *columns = getenv("COLUMNS");
    long width = columns != NULL ? strtol(columns, NULL, 10) : 0;
    return width > 0 && width <= WIDEST ? (size_t)width : WIDTH_ELSEWHERE;
}

static cli_colouring chosen; /* like the terminal, one for the process */

void cli_choose_colour(cli_colouring colouring)
{
    chosen = colouring;
}

/* By --color; "auto" colours on a terminal that is not dumb, unless NO_COLOR is set. */
static bool is_coloured(FILE *stream)
{
    if (chosen != CLI_COLOUR_AUTO)
        return chosen == CLI_COLOUR_ALWAYS;
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(fileno(stream)) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

cm_output_style cli_style(cm_output_format format, const char *output, FILE *stream)
{
    const bool plain = output != NULL;
    return (cm_output_style){format, plain ? 0 : cli_width(stream), !plain && is_coloured(stream)};
}

void cli_write_cell(const char *text, size_t width)
{
    size_t taken = cm_text_width(text);
    cm_text_write(text, stdout);
    printf("%*s", taken < width ? (int)(width - taken) : 0, "");
}
