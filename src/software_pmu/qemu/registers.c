#include "software_pmu/qemu/registers.h"

static bool is_known(const cm_registers *registers, uint8_t number)
{
    return number == CM_EFFECT_NONE || (registers->known >> number & 1) != 0;
}

static uint64_t value_of(const cm_registers *registers, uint8_t number)
{
    return number != CM_EFFECT_NONE ? registers->values[number] : 0;
}

/* False: one of its registers is unknown. */
static bool add_up(const cm_registers *registers, const cm_effect_sum *sum, uint64_t *value)
{
    *value =
        value_of(registers, sum->base) + value_of(registers, sum->index) * sum->scale + (uint64_t)sum->displacement;
    return is_known(registers, sum->base) && is_known(registers, sum->index);
}

static void set(cm_registers *registers, uint8_t number, uint64_t value)
{
    registers->values[number] = value;
    registers->known |= UINT32_C(1) << number;
}

void cm_registers_start(cm_registers *registers, uint64_t stack)
{
    *registers = (cm_registers){0};
    set(registers, CM_EFFECT_STACK, stack);
}

/* Applies the effects up to that place. */
static void run(cm_registers *registers, size_t end)
{
    for (; registers->effects != NULL && registers->at < end; registers->at++) {
        const cm_effect *effect = &registers->effects[registers->at];
        uint64_t value = 0;
        const bool known = effect->sets != CM_EFFECT_NONE && add_up(registers, &effect->value, &value);
        registers->known &= ~effect->forgets;
        if (known)
            set(registers, effect->sets, value & effect->mask);
    }
}

void cm_registers_begin(cm_registers *registers, const cm_effect *effects, size_t count)
{
    run(registers, registers->count);
    registers->effects = effects;
    registers->at = 0;
    registers->count = count;
    if (effects == NULL)
        registers->known = 0;
}

void cm_registers_learn(cm_registers *registers, size_t place, uint64_t address)
{
    run(registers, place);
    if (registers->effects == NULL || !registers->effects[place].has_address)
        return;
    const cm_effect_sum *sum = &registers->effects[place].address;
    const uint64_t rest = address - (uint64_t)sum->displacement;
    if (!is_known(registers, sum->base) && is_known(registers, sum->index))
        set(registers, sum->base, rest - value_of(registers, sum->index) * sum->scale);
    else if (is_known(registers, sum->base) && !is_known(registers, sum->index) && sum->scale == 1)
        set(registers, sum->index, rest - value_of(registers, sum->base));
}

bool cm_registers_address(cm_registers *registers, size_t place, uint64_t *address)
{
    run(registers, place);
    return registers->effects != NULL && add_up(registers, &registers->effects[place].address, address);
}
