/* The plugin's decoder of x86-64: the stepper's. */
#include "software_pmu/qemu/decoded.h"
#include "software_pmu/x86_64/step.h"

static const cm_decoded_kind kinds[] = {
    [CM_STEP_PLAIN] = CM_DECODED_PLAIN,
    [CM_STEP_STRING] = CM_DECODED_PLAIN,
    [CM_STEP_SYSCALL] = CM_DECODED_WALL,
    [CM_STEP_JCC] = CM_DECODED_CONDITIONAL,
    [CM_STEP_JCX] = CM_DECODED_CONDITIONAL,
    [CM_STEP_LOOP] = CM_DECODED_CONDITIONAL,
    [CM_STEP_LOOPE] = CM_DECODED_CONDITIONAL,
    [CM_STEP_LOOPNE] = CM_DECODED_CONDITIONAL,
    [CM_STEP_JUMP] = CM_DECODED_JUMP,
    [CM_STEP_JUMP_INDIRECT] = CM_DECODED_JUMP_INDIRECT,
    [CM_STEP_CALL] = CM_DECODED_CALL,
    [CM_STEP_CALL_INDIRECT] = CM_DECODED_CALL_INDIRECT,
    [CM_STEP_RETURN] = CM_DECODED_RETURN,
    [CM_STEP_REFUSED] = CM_DECODED_WALL, /* the stepper refuses it; here it counts as an instruction */
};

static cm_decoded_access access_of(const cm_access *access)
{
    return (cm_decoded_access){.bytes = (uint16_t)access->bytes,
                               .load = access->load,
                               .store = access->store,
                               .locked = access->locked,
                               .non_temporal = access->non_temporal,
                               .scattered = access->elements != 0};
}

void cm_decode(uint64_t address, const void *code, const cm_vectors *vectors, cm_decoded *decoded)
{
    cm_step step;
    (void)vectors;
    /* QEMU judges the instruction sets of its processor, so all are accepted. */
    cm_decoder decoder;
    ZydisDecoderInit(&decoder.zydis, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    memset(&decoder.features, 0xFF, sizeof decoder.features);
    cm_step_decode(&decoder, address, code, CM_INSTRUCTION_SIZE, &step);
    *decoded = (cm_decoded){.kind = step.serializing ? CM_DECODED_WALL : kinds[step.kind],
                            .address = address,
                            .target = step.target,
                            .fusible = step.fusible,
                            .operations = step.operations,
                            .fact_count = step.fact_count,
                            .access_count = step.access_count,
                            .length = step.length,
                            .repeated = step.kind == CM_STEP_STRING};
    memcpy(decoded->facts, step.facts, step.fact_count * sizeof step.facts[0]);
    for (size_t i = 0; i < step.access_count; i++)
        decoded->accesses[i] = access_of(&step.accesses[i]);
}
