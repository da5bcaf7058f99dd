/* Accesses that wrong paths are expected to make, by instruction. */
#include "software_pmu/machine/modelled.h"

enum { TRIES = 8 };

static uint64_t name_of(uint64_t instruction, bool store)
{
    return instruction << 1 | (store ? 1 : 0);
}

/* The access of that name, else the first free place of those that it may have, else the first of all. */
static cm_expected_access *find_access(cm_expected *expected, uint64_t name)
{
    const size_t home = (size_t)(name * UINT64_C(0x9E3779B97F4A7C15) >> 32);
    for (size_t i = 0; i < TRIES; i++) {
        cm_expected_access *place = &expected->places[(home + i) % CM_EXPECTED_PLACES];
        if (place->instruction == name || place->instruction == 0)
            return place;
    }
    return &expected->places[home % CM_EXPECTED_PLACES];
}

void cm_expected_note(cm_expected *expected, uint64_t instruction, bool store, uint64_t address, size_t bytes)
{
    const uint64_t name = name_of(instruction, store);
    cm_expected_access *found = find_access(expected, name);
    const int64_t step = found->instruction == name ? (int64_t)(address - found->address) : 0;
    *found = (cm_expected_access){.instruction = name, .address = address, .step = step, .bytes = (uint16_t)bytes};
}

const cm_expected_access *cm_expected_next(cm_expected *expected, uint64_t instruction, bool store)
{
    const uint64_t name = name_of(instruction, store);
    cm_expected_access *found = find_access(expected, name);
    if (found->instruction != name)
        return NULL;
    if (found->path != expected->path)
        found->ahead = 0;
    found->path = expected->path;
    found->ahead++;
    return found;
}
