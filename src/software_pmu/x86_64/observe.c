#include "software_pmu/x86_64/pmu.h"

enum { DIRECTION_FLAG = 1 << 10 };

static void count_access(cm_stepper *pmu, const cm_access *access, uint64_t address)
{
    if (access->load)
        cm_modelled_load(&pmu->modelled, address, access->bytes, access->locked);
    if (access->non_temporal)
        cm_modelled_nt_store(&pmu->modelled, address, access->bytes);
    else if (access->store)
        cm_modelled_store(&pmu->modelled, address, access->bytes);
    pmu->modelled.facts[CM_FACT_UPDATES] += access->load && access->store;
}

/* The address with its segment's base, in 32 bits if the instruction computes so. */
static uint64_t add_segment(const cm_stepper *pmu, const cm_access *access, uint64_t address)
{
    if (access->address_32)
        address = (uint32_t)address;
    switch ((cm_segment)access->segment) {
    case CM_SEGMENT_FS: return address + pmu->fs_base;
    case CM_SEGMENT_GS: return address + pmu->gs_base;
    case CM_SEGMENT_NONE: break;
    }
    return address;
}

/* bt and variants reach beyond their operand: the register is a signed number of bits. */
static int64_t bit_offset(const cm_stepper *pmu, const cm_access *access)
{
    uint64_t value = pmu->context.gpr[access->bit_register];
    int64_t bit = access->bytes == 8 ? (int64_t)value : access->bytes == 4 ? (int32_t)value : (int16_t)value;
    int64_t bits = (int64_t)access->bytes * 8;
    int64_t operand = bit >= 0 ? bit / bits : -((-(bit + 1)) / bits) - 1;
    return operand * (int64_t)access->bytes;
}

static uint64_t base_address(const cm_stepper *pmu, const cm_access *access)
{
    uint64_t address = (uint64_t)access->displacement;
    if (access->base != CM_NO_REGISTER)
        address += pmu->context.gpr[access->base];
    return address;
}

uint64_t cm_access_address(const cm_stepper *pmu, const cm_access *access)
{
    uint64_t address = base_address(pmu, access);
    if (access->index != CM_NO_REGISTER)
        address += pmu->context.gpr[access->index] * access->scale;
    if (access->bit_register != CM_NO_REGISTER)
        address += (uint64_t)bit_offset(pmu, access);
    return add_segment(pmu, access, address);
}

static bool is_enabled(const cm_stepper *pmu, const cm_access *access, unsigned element)
{
    const cm_vector_layout *layout = &pmu->vector_layout;
    const unsigned char *area = pmu->context.vector;
    if (!access->mask_is_vector)
        return (cm_vector_state_mask(layout, area, access->mask) >> element & 1) != 0;
    size_t last_byte = (size_t)(element + 1) * access->bytes - 1;
    return (cm_vector_state_element(layout, area, access->mask, last_byte, 1) & 0x80) != 0;
}

/* Counts the enabled elements of a gather or scatter, each as an access. */
static void count_elements(cm_stepper *pmu, const cm_access *access)
{
    for (unsigned element = 0; element < access->elements; element++) {
        if (!is_enabled(pmu, access, element))
            continue;
        uint64_t index = cm_vector_state_element(&pmu->vector_layout, pmu->context.vector, access->index,
                                                 (size_t)element * access->index_bytes, access->index_bytes);
        if (access->index_bytes == 4)
            index = (uint64_t)(int64_t)(int32_t)index;
        count_access(pmu, access, add_segment(pmu, access, base_address(pmu, access) + index * access->scale));
    }
}

void cm_observe_accesses(cm_stepper *pmu, const cm_step *step)
{
    pmu->modelled.instruction = step->address;
    if (step->hint != CM_NO_HINT)
        cm_modelled_hint(&pmu->modelled, (cm_hint)step->hint, cm_access_address(pmu, &step->accesses[0]));
    if (step->lanes != 0) {
        const uint64_t mask = cm_vector_state_mask(&pmu->vector_layout, pmu->context.vector, step->masked);
        const uint64_t all = UINT64_MAX >> (64 - step->lanes);
        pmu->modelled.facts[step->masked_fact] += (uint64_t)__builtin_popcountll(~mask & all);
    }
    for (size_t i = 0; i < step->access_count; i++) {
        const cm_access *access = &step->accesses[i];
        if (access->elements != 0)
            count_elements(pmu, access);
        else
            count_access(pmu, access, cm_access_address(pmu, access));
    }
}

void cm_observe_string(cm_stepper *pmu, const cm_step *step, const uint64_t *before)
{
    const uint64_t *after = pmu->context.gpr;
    pmu->modelled.instruction = step->address;
    uint64_t repetitions = before[CM_RCX] - after[CM_RCX];
    if (step->counter_32)
        repetitions = (uint32_t)repetitions;
    cm_modelled_repeat(&pmu->modelled, repetitions * step->access_count);
    bool backwards = (pmu->context.flags & DIRECTION_FLAG) != 0;
    for (uint64_t done = 0; done < repetitions; done++)
        for (size_t i = 0; i < step->access_count; i++) {
            const cm_access *access = &step->accesses[i];
            uint64_t distance = done * access->bytes;
            uint64_t address = before[access->base] + (backwards ? 0 - distance : distance);
            count_access(pmu, access, add_segment(pmu, access, address));
        }
}
