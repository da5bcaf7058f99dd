/* The members of cli_options that options are read into, as their rows declare them: false, NULL, none or 0 if an
 * option is not given, unless cli_options_parse sets another value first. */
#define ROW(name, commands, argument, help, value) value
#define SAME(value)
#define OTHER(reader, words, listed)
#define FLAG(name) bool name;
#define TEXT(name, wanted) const char *name;
#define TEXT_WITH(name, wanted, listed) const char *name;
#define TEXTS(name, wanted) cli_list name;
#define LIST(name, wanted) cli_list name;
#define LIST_WITH(name, wanted, listed) cli_list name;
#define PATH(name) const char *name;
#define PATHS(name) cli_list name;
#define COLUMN(name) const char *name;
#define WHOLE(name, low, high) size_t name;
#define WHOLE_AS(name, low, high, wanted) size_t name;
#define NUMBER(name, low, high, wanted) double name;
#define SHARE(name) double name;
#define SECONDS(name) double name;
#define CHOICE(name, words) unsigned name;

#include "cli/option_rows.h"

#undef ROW
#undef SAME
#undef OTHER
#undef FLAG
#undef TEXT
#undef TEXT_WITH
#undef TEXTS
#undef LIST
#undef LIST_WITH
#undef PATH
#undef PATHS
#undef COLUMN
#undef WHOLE
#undef WHOLE_AS
#undef NUMBER
#undef SHARE
#undef SECONDS
#undef CHOICE
