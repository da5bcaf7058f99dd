/* The rows of the table of options. */
#include <limits.h>

#include "cli/option_row.h"

static const cli_choice formats[] = {{"table", CM_FORMAT_TABLE}, {"json", CM_FORMAT_JSON}, {0}};
static const cli_choice diagram_formats[] = {
    {"table", CM_FORMAT_TABLE}, {"json", CM_FORMAT_JSON}, {"svg", CM_FORMAT_SVG}, {0}};
static const cli_choice fault_formats[] = {{"table", CM_FORMAT_TABLE},
                                           {"json", CM_FORMAT_JSON},
                                           {"github", CM_FORMAT_GITHUB},
                                           {"sarif", CM_FORMAT_SARIF},
                                           {0}};
static const cli_choice table_formats[] = {
    {"table", CM_FORMAT_TABLE}, {"csv", CM_FORMAT_CSV}, {"json", CM_FORMAT_JSON}, {0}};
static const cli_choice drawn_formats[] = {
    {"table", CM_FORMAT_TABLE}, {"csv", CM_FORMAT_CSV}, {"json", CM_FORMAT_JSON}, {"svg", CM_FORMAT_SVG}, {0}};
static const cli_choice details[] = {
    {"selected", CM_EVENTS_SELECTED}, {"kept", CM_EVENTS_KEPT}, {"all", CM_EVENTS_ALL}, {0}};
static const cli_choice methods[] = {{"catmint", CM_METHOD_CATMINT}, {"paper", CM_METHOD_PAPER}, {0}};
static const cli_choice colours[] = {
    {"auto", CLI_COLOUR_AUTO}, {"always", CLI_COLOUR_ALWAYS}, {"never", CLI_COLOUR_NEVER}, {0}};
static const cli_choice profilers[] = {{"ncu", CLI_PLAN_NCU}, {"rocprofv3", CLI_PLAN_ROCPROFV3}, {0}};
static const cli_choice targets[] = {{"freestanding", CLI_FREESTANDING}, {0}};
static const cli_choice selections[] = {
    {"index", CM_SELECT_INDEX}, {"one-hot", CM_SELECT_ONE_HOT}, {"mask", CM_SELECT_MASK}, {0}};
static const cli_choice noises[] = {{"auto", 0}, {"inf", 0}, {0}};
static const cli_choice roundings[] = {{"auto", 0}, {0}};

const cli_option cli_option_rows[] = {
#define ROW(name, commands, argument, help, value) {name, commands, argument, help, value},
#define SAME(value) value
#include "cli/option_rows.h"
#undef SAME
#undef ROW
};
const size_t cli_option_count = CM_COUNT_OF(cli_option_rows);
