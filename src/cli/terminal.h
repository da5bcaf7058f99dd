/* Properties of the terminal. */
#ifndef CM_CLI_TERMINAL_H
#define CM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Columns: the terminal's, else $COLUMNS, else 100. */
size_t cli_width(FILE *stream);
/* The values of --color. */
typedef enum cli_colouring { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } cli_colouring;
void cli_choose_colour(cli_colouring colouring);
/* Whether to colour: by --color; "auto" colours on a terminal that is not dumb, unless NO_COLOR is set. */
bool cli_colour(FILE *stream);

/* Writes `text`, broken at spaces before the last column; lines after the first are indented by `indent` columns. The
 * first begins in column `at`. */
void cli_wrap(const char *text, size_t at, size_t indent, size_t width);
/* Writes the text to stdout, made harmless as in text.h, and blanks up to `width` columns. */
void cli_put(const char *text, size_t width);

#endif
