/* Macro-fusion: a comparison and the conditional branch behind it are one operation. */
#include "software_pmu/machine/flow.h"

/* Values of `macro_fusion`. */
enum {
    COMPARES = 1 << 1,  /* comparisons and tests, with any condition: AMD before Zen 3, Arm */
    SANDY = 1 << 2,     /* Intel from Sandy Bridge on */
    ICE = 1 << 3,       /* Intel from Ice Lake on */
    ANY_LOGIC = 1 << 4, /* AMD from Zen 3 on */
    INTEL = SANDY | ICE,
    ALL = COMPARES | INTEL | ANY_LOGIC
};

static const uint8_t rules[CM_FUSION_FIRSTS][CM_FUSION_CONDITIONS] = {
    [CM_FUSES_TEST] = {0, ALL, ALL, ALL},
    [CM_FUSES_COMPARE] = {0, ALL, ALL, COMPARES | ANY_LOGIC},
    [CM_FUSES_AND] = {0, INTEL | ANY_LOGIC, INTEL | ANY_LOGIC, INTEL | ANY_LOGIC},
    [CM_FUSES_ADD] = {0, INTEL | ANY_LOGIC, INTEL | ANY_LOGIC, ANY_LOGIC},
    [CM_FUSES_STEP] = {0, SANDY | ANY_LOGIC, ANY_LOGIC, ANY_LOGIC},
    [CM_FUSES_LOGIC] = {0, ANY_LOGIC, ANY_LOGIC, ANY_LOGIC},
};

unsigned cm_fusion_rules(const cm_fusible *first, const cm_fusible *branch)
{
    const unsigned by = rules[first->first][branch->condition];
    return first->memory ? by & ~(unsigned)ICE : by;
}
