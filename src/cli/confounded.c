#include "cli/command.h"

cli_exit cli_list_confounded(void)
{
    cm_error error;
    cm_confounded_facts *found = NULL;
    if (cm_confounded_facts_create(NULL, &found, &error) != CM_OK)
        return cli_fail(&error);
    const cm_output_style style = {.format = CM_FORMAT_TABLE, .width = cli_width(stdout)};
    size_t failures = found->failures;
    cli_exit code = cli_finish_writing(cm_confounded_facts_write(found, &style, stdout, &error), &error);
    cm_confounded_facts_free(found);
    if (code != CLI_DONE || failures == 0)
        return code;
    cli_write("facts that must be separate and are not: %zu", failures);
    return CLI_PARTLY;
}
