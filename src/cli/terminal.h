/* What the terminal is like, if it is one. */
#ifndef CM_CLI_TERMINAL_H
#define CM_CLI_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Columns: the terminal's, else $COLUMNS, else 100. */
size_t cli_width(FILE *stream);
/* What --color says. */
typedef enum cli_colouring { CLI_COLOUR_AUTO, CLI_COLOUR_ALWAYS, CLI_COLOUR_NEVER } cli_colouring;
void cli_choose_colour(cli_colouring colouring);
/* As --color says; else where it is a terminal that is not dumb, and NO_COLOR is not set. */
bool cli_colour(FILE *stream);

/* Writes `text` broken at spaces before the last column, every further line `indent` columns in; `at` is where the
 * first begins. */
void cli_wrap(const char *text, size_t at, size_t indent, size_t width);
/* On stdout: the text as text.h shows it, and blanks up to `width` columns. */
void cli_put(const char *text, size_t width);

#endif
