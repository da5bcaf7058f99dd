/* JSON documents of commands. NULL stands for memory that is short, and is handed on. */
#ifndef CM_CLI_JSON_H
#define CM_CLI_JSON_H

#include <jansson.h>

#include "cli/command.h"

/* Appends and gives `array`; NULL, with the array gone, where that fails or `array` is NULL already. */
json_t *cli_json_append(json_t *array, json_t *value);
/* A text that need not be UTF-8: one that is not is written as text.h shows it. */
json_t *cli_json_text(const char *text);
/* Writes the document to stdout, and gives it back; says so where it is NULL. */
cli_exit cli_json_print(json_t *document);

#endif
