#include "cli/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

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

bool cli_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return isatty(fileno(stream)) && (no_colour == NULL || no_colour[0] == '\0') && terminal != NULL &&
           strcmp(terminal, "dumb") != 0;
}

void cli_wrap(const char *text, size_t at, size_t indent, size_t width)
{
    for (bool first = true; *text != '\0'; first = false) {
        size_t length = strcspn(text, " ");
        if (!first && at + 1 + length > width) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)length, text);
        at += length;
        text += length;
        text += strspn(text, " ");
    }
}
