/* Facts of decoded instructions, added by the rows of tables. */
#include "software_pmu/qemu/decoded.h"

bool cm_decoded_find(uint32_t word, const cm_decoded_row *rows, size_t count, cm_decoded *decoded)
{
    for (size_t i = 0; i < count; i++)
        if ((word & rows[i].mask) == rows[i].value) {
            cm_decoded_add(decoded, rows[i].fact);
            return true;
        }
    return false;
}

static cm_decoded_access *the_access(cm_decoded *decoded, unsigned bytes)
{
    decoded->access_count = 1;
    decoded->accesses[0].bytes = (uint16_t)bytes;
    return &decoded->accesses[0];
}

void cm_decoded_load(cm_decoded *decoded, unsigned bytes)
{
    if (bytes != 0)
        the_access(decoded, bytes)->load = true;
}

void cm_decoded_store(cm_decoded *decoded, unsigned bytes)
{
    if (bytes != 0)
        the_access(decoded, bytes)->store = true;
}

void cm_decoded_unplace(cm_decoded *decoded, bool store, unsigned count, unsigned bytes)
{
    if (bytes != 0)
        decoded->unplaced = (cm_decoded_unplaced){(uint16_t)count, (uint16_t)bytes, store};
}

cm_fp_width cm_scalable_width(unsigned bits)
{
    return bits > 512 ? CM_FP_LONGER : bits == 512 ? CM_FP_V512 : bits == 256 ? CM_FP_V256 : CM_FP_V128;
}

void cm_decoded_lanes(cm_decoded *decoded, cm_decoded_operation operation, cm_fp_precision precision, unsigned lanes)
{
    decoded->lanes_fact = (uint16_t)cm_fact_lanes(precision, operation == CM_DECODED_FMA);
    if (lanes == CM_LANES_UNKNOWN)
        cm_decoded_add(decoded, CM_FACT_FP_LANES_UNKNOWN);
    else
        decoded->lanes = (uint16_t)lanes;
}

static const uint16_t branch_facts[] = {
    [CM_DECODED_CONDITIONAL] = CM_FACT_BRANCHES_COND,
    [CM_DECODED_JUMP] = CM_FACT_BRANCHES_UNCOND,
    [CM_DECODED_JUMP_INDIRECT] = CM_FACT_BRANCHES_INDIRECT,
    [CM_DECODED_CALL] = CM_FACT_CALLS,
    [CM_DECODED_CALL_INDIRECT] = CM_FACT_CALLS,
    [CM_DECODED_RETURN] = CM_FACT_RETURNS,
};

void cm_decoded_branch(cm_decoded *decoded, cm_decoded_kind kind)
{
    decoded->kind = kind;
    if (kind == CM_DECODED_WALL || kind == CM_DECODED_PLAIN)
        return;
    cm_decoded_add(decoded, branch_facts[kind]);
    if (kind == CM_DECODED_CONDITIONAL)
        cm_decoded_add(decoded, CM_FACT_COND_EXECUTED);
    if (kind == CM_DECODED_JUMP)
        cm_decoded_add(decoded, CM_FACT_UNCOND_EXECUTED);
    if (kind == CM_DECODED_CALL_INDIRECT)
        cm_decoded_add(decoded, CM_FACT_CALLS_INDIRECT);
}

static void add_arithmetic(cm_decoded *decoded, cm_fp_operation operation, cm_fp_precision precision, cm_fp_width width)
{
    if (width == CM_FP_LONGER) {
        cm_decoded_add(decoded, cm_fact_longer(precision, operation == CM_FP_FMA));
        return;
    }
    cm_decoded_add(decoded, cm_fact_fp(precision, width, operation));
    if (operation != CM_FP_FMA)
        cm_decoded_add(decoded, cm_fact_fp(precision, width, CM_FP_ANY));
}

void cm_decoded_fp(cm_decoded *decoded, cm_decoded_operation operation, cm_fp_precision precision, cm_fp_width width)
{
    switch (operation) {
    case CM_DECODED_COMPARE: cm_decoded_add(decoded, CM_FACT_FP_COMPARES); return;
    case CM_DECODED_CONVERT: cm_decoded_add(decoded, CM_FACT_FP_CONVERSIONS); return;
    case CM_DECODED_MINMAX: cm_decoded_add(decoded, CM_FACT_FP_MIN_MAX); break;
    case CM_DECODED_ESTIMATE: cm_decoded_add(decoded, CM_FACT_FP_RECIPROCALS); break;
    default: break;
    }
    bool other = operation == CM_DECODED_MINMAX || operation == CM_DECODED_ESTIMATE;
    add_arithmetic(decoded, other ? CM_FP_OTHER : (cm_fp_operation)operation, precision, width);
}
