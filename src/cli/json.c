#include "cli/json.h"

#include <stdio.h>
#include <string.h>

#include <catmint/text.h>

enum { SHOWN_SIZE = 8192 };

json_t *cli_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) == 0)
        return array;
    json_decref(array);
    return NULL;
}

/* Where jansson refuses both, it is for lack of memory. */
json_t *cli_json_text(const char *text)
{
    char shown[SHOWN_SIZE];
    json_t *json = json_string(text);
    return json != NULL ? json : json_string(cm_text_show(text, shown, sizeof shown));
}

cli_exit cli_json_print(json_t *document)
{
    bool whole = document != NULL && (json_dumpf(document, stdout, JSON_INDENT(2)) == 0 || ferror(stdout));
    json_decref(document);
    if (whole) {
        putchar('\n');
        return CLI_DONE;
    }
    cli_say("out of memory");
    return CLI_IMPOSSIBLE;
}
