/* Lines that stores write whole, which then need not be read. */
#include "software_pmu/machine/memory.h"

static size_t find_line(const cm_evasion *evasion, uint64_t line)
{
    size_t at = 0;
    while (at < evasion->count && evasion->lines[at].line != line)
        at++;
    return at;
}

static void take_out(cm_evasion *evasion, size_t at)
{
    evasion->count--;
    memmove(evasion->lines + at, evasion->lines + at + 1, (evasion->count - at) * sizeof *evasion->lines);
}

static void read_line(cm_evasion *evasion, size_t at, uint64_t *facts)
{
    for (size_t fact = evasion->reads; fact <= CM_FACT_L3_STORE_MISS; fact += 4)
        facts[fact]++;
    take_out(evasion, at);
}

void cm_evasion_store(cm_evasion *evasion, uint64_t begin, uint64_t end, bool missed, uint64_t *facts)
{
    uint64_t line = begin >> evasion->line_shift, size = UINT64_C(1) << evasion->line_shift;
    size_t at = find_line(evasion, line);
    if (at == evasion->count && !missed)
        return;
    if (at == evasion->count) {
        if (evasion->count == CM_EVASION_LINES)
            read_line(evasion, 0, facts);
        at = evasion->count++;
        evasion->lines[at] = (cm_evasion_line){line, begin, end};
    }
    cm_evasion_line *written = &evasion->lines[at];
    if (begin > written->end || end < written->begin) {
        read_line(evasion, at, facts);
        return;
    }
    written->begin = begin < written->begin ? begin : written->begin;
    written->end = end > written->end ? end : written->end;
    if (written->end - written->begin == size)
        take_out(evasion, at);
}

void cm_evasion_give_up(cm_evasion *evasion, uint64_t line, uint64_t *facts)
{
    size_t at = find_line(evasion, line);
    if (at < evasion->count)
        read_line(evasion, at, facts);
}

void cm_evasion_give_up_all(cm_evasion *evasion, uint64_t *facts)
{
    while (evasion->count != 0)
        read_line(evasion, 0, facts);
}
