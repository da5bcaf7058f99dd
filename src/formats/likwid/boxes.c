#include "formats/format.h"

#include "formulas/events/events.h"

/* Source: LIKWID 5.5, src/includes/perfmon_{skylakeX,sapphirerapids,zen4}_events.txt, and
 * groups/{skylakeX,SPR,zen4}/MEM.txt, which name up to twelve boxes; boxes that a machine lacks count nothing. */
static const struct {
    const char *event, *name, *box;
} rows[] = {
    {"UNC_M_CAS_COUNT:RD", "CAS_COUNT_RD", "MBOX"},   {"UNC_M_CAS_COUNT:WR", "CAS_COUNT_WR", "MBOX"},
    {"UNC_M_CAS_COUNT:ALL", "CAS_COUNT_ALL", "MBOX"}, {"UMC_CAS_CMD:RD", "CAS_CMD_RD", "UMC"},
    {"UMC_CAS_CMD:WR", "CAS_CMD_WR", "UMC"},          {"UMC_CAS_CMD:ALL", "CAS_CMD_ANY", "UMC"},
};
enum { ROWS = CM_COUNT_OF(rows) };

const char *cm_likwid_box_event(const char *event, char *name, size_t size)
{
    const char *bare = strstr(cm_component_bare(event), "::");
    const size_t row = bare != NULL ? CM_FIND_BY(event, bare + 2, rows, ROWS) : ROWS;
    if (row < ROWS) {
        snprintf(name, size, "%s", rows[row].name);
        return NULL;
    }
    return "it counts for a whole socket, and catmint does not know in which of LIKWID's boxes";
}

const char *cm_likwid_box(const char *name)
{
    const size_t row = CM_FIND_BY(name, name, rows, ROWS);
    return row < ROWS ? rows[row].box : NULL;
}

char *cm_likwid_box_sum(const char *box, size_t counter, char text[CM_LIKWID_SUM_SIZE])
{
    text[0] = '\0';
    for (size_t i = 0; i < CM_LIKWID_BOXES; i++)
        cm_text_append(text, CM_LIKWID_SUM_SIZE, "", "%s%s%zuC%zu", i > 0 ? "+" : "(", box, i, counter);
    cm_text_append(text, CM_LIKWID_SUM_SIZE, "", ")");
    return text;
}
