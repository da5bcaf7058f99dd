/* Macros that build the rows of the table of options. */
#ifndef CM_CLI_OPTION_ROW_H
#define CM_CLI_OPTION_ROW_H

#include <float.h>

#include "cli/options.h"

/* Groups of commands with common options. */
enum {
    CLI_SWEEPS = CLI_DISCOVER | CLI_SWEEP,
    CLI_ANALYZES = CLI_DISCOVER | CLI_ANALYZE | CLI_EXPLAIN | CLI_VALIDATE,
    CLI_JUDGES = CLI_ANALYZES | CLI_AUDIT,
    CLI_WRITES = CLI_DISCOVER | CLI_ANALYZE,
    CLI_COUNTS = CLI_SWEEPS | CLI_EVENTS | CLI_VALIDATE,
    CLI_PRINTS = CLI_ANALYZES | CLI_EVENTS | CLI_AUDIT | CLI_LINT | CLI_DOCTOR | CLI_ROOFLINE | CLI_INCORE,
};

/* The values of rows: how an argument is read into a member, which must have that type. */
#define MEMBER(type, name) .member = _Generic(((cli_options *)NULL)->name, type : offsetof(cli_options, name))
#define FLAG(name) .value = {.kind = CLI_KIND_FLAG, MEMBER(bool, name)}
#define TEXT_WITH(name, wanted, listed)                                                                                \
    .value = {.kind = CLI_KIND_TEXT, MEMBER(const char *, name), .expected = (wanted), .word = (listed)}
#define TEXT(name, wanted) TEXT_WITH(name, wanted, NULL)
#define TEXTS(name, wanted) .value = {.kind = CLI_KIND_TEXTS, MEMBER(cli_list, name), .expected = (wanted)}
#define LIST_WITH(name, wanted, listed)                                                                                \
    .value = {.kind = CLI_KIND_LIST, MEMBER(cli_list, name), .expected = (wanted), .word = (listed)}
#define LIST(name, wanted) LIST_WITH(name, wanted, NULL)
#define PATH(name) TEXT(name, "a path")
#define PATHS(name) TEXTS(name, "a path")
#define COLUMN(name) TEXT(name, "the heading of a column, or its number from 1 on")
#define RANGE(low, high, wanted) .least = (low), .most = (double)(high), .expected = (wanted)
#define WHOLE_AS(name, low, high, wanted)                                                                              \
    .value = {.kind = CLI_KIND_WHOLE, MEMBER(size_t, name), RANGE(low, high, wanted)}
#define WHOLE(name, low, high) WHOLE_AS(name, low, high, NULL)
#define NUMBER(name, low, high, wanted)                                                                                \
    .value = {.kind = CLI_KIND_NUMBER, MEMBER(double, name), RANGE(low, high, wanted)}
#define BELOW(number) ((number) * (1.0 - DBL_EPSILON))
#define SHARE(name) NUMBER(name, 0.0, BELOW(1.0), "0 or more and less than 1")
#define SECONDS(name) NUMBER(name, DBL_TRUE_MIN, DBL_MAX, "seconds, more than 0")
#define CHOICE(name, words) .value = {.kind = CLI_KIND_CHOICE, MEMBER(unsigned, name), .choices = (words)}
#define OTHER(reader, words, listed)                                                                                   \
    .value = {.kind = CLI_KIND_OTHER, .set = (reader), .choices = (words), .word = (listed)}

#endif
