/* What happens when translated code runs. */
#include <stdlib.h>

#include "software_pmu/qemu/plugin.h"

cm_counter cm_counted;

static bool is_counted(unsigned vcpu)
{
    return cm_counted.modelled != NULL && vcpu == cm_counted.vcpu;
}

/* ---- straight-line code ---- */

static void sum_up(cm_block *block)
{
    uint16_t by[CM_FACT_COUNT] = {[CM_FACT_INSTRUCTIONS] = (uint16_t)block->length};
    cm_decoded decoded = {.address = block->address};
    block->vectors_before = block->vectors_behind = cm_counted.vectors;
    for (size_t i = 0; i < block->length; i++) {
        cm_decode(decoded.address + decoded.length, block->codes[i], block->vectors_behind, &decoded);
        for (size_t k = 0; k < decoded.fact_count; k++)
            by[decoded.facts[k]]++;
        if (decoded.vectors != 0)
            block->vectors_behind = decoded.vectors;
    }
    free(block->sums);
    block->sum_count = 0;
    block->sums = calloc(CM_FACT_COUNT, sizeof *block->sums);
    for (uint16_t fact = 0; block->sums != NULL && fact < CM_FACT_COUNT; fact++)
        if (by[fact] != 0)
            block->sums[block->sum_count++] = (struct cm_sum){fact, by[fact]};
}

void cm_on_block(unsigned vcpu, void *data)
{
    cm_block *block = data;
    if (!is_counted(vcpu))
        return;
    cm_branch_led_to(block->address);
    if (block->sums == NULL || block->vectors_before != cm_counted.vectors)
        sum_up(block);
    cm_counted.vectors = block->vectors_behind;
    for (size_t i = 0; i < block->sum_count; i++)
        cm_counted.modelled->facts[block->sums[i].fact] += block->sums[i].by;
}

/* ---- branches ---- */

static cm_path_kind kind_of(const cm_decoded *decoded)
{
    switch (decoded->kind) {
    case CM_DECODED_CONDITIONAL: return CM_PATH_CONDITIONAL;
    case CM_DECODED_JUMP: return CM_PATH_JUMP;
    case CM_DECODED_CALL: return CM_PATH_CALL;
    default: return CM_PATH_END;
    }
}

static bool decode_at(uint64_t address)
{
    if (!cm_is_code(address))
        return false;
    cm_decode(address, cm_host_address(address), cm_counted.vectors, &cm_counted.walked);
    return true;
}

static bool follow(void *engine, cm_path_step *step, bool taken, unsigned *left)
{
    const cm_decoded *branch = step->known;
    bool found = decode_at(taken ? branch->target : branch->address + branch->length);
    (void)engine;
    for (; found && cm_counted.walked.kind == CM_DECODED_PLAIN && *left > 0; --*left)
        found = decode_at(cm_counted.walked.address + cm_counted.walked.length);
    if (!found || *left == 0)
        return false;
    *step = (cm_path_step){kind_of(&cm_counted.walked), cm_counted.walked.address, &cm_counted.walked};
    return true;
}

static void resolve_conditional(const cm_decoded *branch, uint64_t led_to)
{
    const cm_path path = {NULL, follow};
    const cm_path_step step = {CM_PATH_CONDITIONAL, branch->address, (void *)(uintptr_t)branch};
    bool taken = branch->target != 0 ? led_to == branch->target : led_to != branch->address + branch->length;
    cm_modelled_conditional(cm_counted.modelled, &path, &step, taken);
}

void cm_branch_led_to(uint64_t address)
{
    if (cm_counted.branch == NULL)
        return;
    const cm_decoded *branch = &cm_counted.branch->decoded;
    cm_modelled *modelled = cm_counted.modelled;
    cm_counted.branch = NULL;
    if (branch->kind == CM_DECODED_CONDITIONAL)
        resolve_conditional(branch, address);
    if (branch->kind == CM_DECODED_RETURN)
        cm_modelled_return(modelled, address);
    if (branch->kind == CM_DECODED_JUMP_INDIRECT || branch->kind == CM_DECODED_CALL_INDIRECT)
        cm_modelled_indirect(modelled, branch->address, address);
    if (branch->kind == CM_DECODED_CALL || branch->kind == CM_DECODED_CALL_INDIRECT)
        cm_predictor_call(modelled->predictor, branch->address + branch->length);
}

void cm_on_branch(unsigned vcpu, void *site)
{
    if (is_counted(vcpu))
        cm_counted.branch = site;
}

/* ---- memory ---- */

void cm_on_access_begin(unsigned vcpu, void *data)
{
    cm_site *site = data;
    if (is_counted(vcpu))
        site->seen = false;
}

void cm_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    cm_site *site = data;
    if (!is_counted(vcpu) || site->seen)
        return;
    const cm_decoded *decoded = &site->decoded;
    (void)info; /* a store-exclusive is an exchange to QEMU: what an instruction does, the decoder knows */
    site->seen = true;
    if (decoded->load_bytes != 0)
        cm_modelled_load(cm_counted.modelled, address, decoded->load_bytes, decoded->locked);
    if (decoded->store_bytes != 0)
        cm_modelled_store(cm_counted.modelled, address, decoded->store_bytes);
}
