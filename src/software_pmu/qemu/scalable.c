/* Scalable vectors, whose active lanes and addresses QEMU does not report: they are counted if the code that ran tells
 * them (registers.h). The facts of a block have the bytes of all lanes, and count arithmetic whose lanes a predicate
 * decides as unknown. */
#include "software_pmu/qemu/plugin.h"

static void count_contiguous(const cm_decoded *decoded, const cm_effect_scalable *scalable, unsigned lanes)
{
    const unsigned each = (unsigned)scalable->bytes * scalable->vectors, bytes = lanes * each;
    uint64_t address = 0;
    cm_counted.modelled->facts[scalable->stores ? CM_FACT_STORE_BYTES : CM_FACT_LOAD_BYTES] -=
        (uint64_t)(scalable->all - lanes) * each;
    if (bytes != 0 && cm_registers_address(&cm_counted.registers, decoded->place, &address))
        cm_count_unreported(decoded, bytes, scalable->stores, address);
}

/* Takes inactive lanes back, and shows the others to the caches. */
static void count_gathered(const cm_decoded *decoded, const cm_effect_scalable *scalable, unsigned lanes)
{
    uint64_t *facts = cm_counted.modelled->facts;
    const bool stores = scalable->stores;
    const unsigned inactive = scalable->all - lanes, width = (unsigned)__builtin_ctz(scalable->bytes);
    uint64_t address = 0;
    facts[stores ? CM_FACT_STORES : CM_FACT_LOADS] -= inactive;
    facts[stores ? CM_FACT_STORE_BYTES : CM_FACT_LOAD_BYTES] -= (uint64_t)inactive * scalable->bytes;
    facts[(stores ? CM_FACT_STORES_1 : CM_FACT_LOADS_1) + width] -= inactive;
    for (unsigned lane = 0; lane < lanes; lane++)
        if (cm_registers_element(&cm_counted.registers, decoded->place, lane, cm_host_address(0), &address))
            cm_count_unreported(decoded, scalable->bytes, stores, address);
}

void cm_on_scalable(unsigned vcpu, void *data)
{
    const cm_decoded *decoded = data;
    unsigned lanes = 0;
    (void)vcpu;
    if (cm_counted.modelled == NULL || cm_counted.registers.effects == NULL)
        return;
    const cm_effect_scalable *scalable = &cm_counted.registers.effects[decoded->place].scalable;
    const bool known = cm_registers_lanes(&cm_counted.registers, decoded->place, &lanes);
    if (scalable->kind == CM_SCALABLE_CONTIGUOUS) {
        count_contiguous(decoded, scalable, known ? lanes : scalable->all);
    } else if (known && scalable->kind == CM_SCALABLE_ARITHMETIC) {
        cm_counted.modelled->facts[CM_FACT_FP_LANES_UNKNOWN]--;
        cm_counted.modelled->facts[scalable->fact] += lanes;
    } else if (known) {
        count_gathered(decoded, scalable, lanes);
    }
}
