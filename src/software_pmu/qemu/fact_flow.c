/* Unit and latency of an instruction, by its facts. */
#include "software_pmu/qemu/plugin.h"

cm_flow_kind cm_fact_flow_kind(size_t fact)
{
    static const uint8_t kinds[CM_FP_OPERATIONS] = {
        [CM_FP_ANY] = CM_FLOW_SIMPLE,       [CM_FP_ADD] = CM_FLOW_ADD,     [CM_FP_SUB] = CM_FLOW_ADD,
        [CM_FP_MUL] = CM_FLOW_MULTIPLY,     [CM_FP_DIV] = CM_FLOW_DIVIDE,  [CM_FP_SQRT] = CM_FLOW_SQUARE_ROOT,
        [CM_FP_FMA] = CM_FLOW_MULTIPLY_ADD, [CM_FP_OTHER] = CM_FLOW_SIMPLE};
    if (fact < CM_FACT_FP || fact > CM_FACT_FP_END)
        return fact == CM_FACT_INT_SCALAR_MUL ? CM_FLOW_INT_MULTIPLY : CM_FLOW_MOVE;
    const cm_flow_kind kind = (cm_flow_kind)kinds[(fact - CM_FACT_FP) % CM_FP_OPERATIONS];
    const bool is_short = fact < cm_fact_fp(CM_FP_DOUBLE, CM_FP_SCALAR, CM_FP_ANY);
    if (is_short && kind == CM_FLOW_DIVIDE)
        return CM_FLOW_SHORT_DIVIDE;
    return is_short && kind == CM_FLOW_SQUARE_ROOT ? CM_FLOW_SHORT_SQUARE_ROOT : kind;
}

void cm_fact_flow_take(size_t fact, cm_flow *flow)
{
    if (fact == CM_FACT_FP_COMPARES || fact == CM_FACT_FP_CONVERSIONS)
        flow->unit = CM_FLOW_MULTIPLIER;
    if (fact == CM_FACT_INT_SCALAR_DIV) {
        flow->divides = true;
        flow->busy = 3;
    }
    if (fact >= CM_FACT_INT_VECTOR && fact <= CM_FACT_INT_VECTOR_END &&
        (fact - CM_FACT_INT_VECTOR) % CM_INT_OPERATIONS == CM_INT_MUL)
        flow->multiplies = true;
    if (fact < CM_FACT_FP || fact > CM_FACT_FP_END)
        return;
    const size_t operation = (fact - CM_FACT_FP) % CM_FP_OPERATIONS;
    const size_t width = (fact - CM_FACT_FP) / CM_FP_OPERATIONS % CM_FP_WIDTHS;
    if (operation == CM_FP_ADD || operation == CM_FP_SUB)
        flow->unit = CM_FLOW_ADDER;
    else if (operation != CM_FP_ANY)
        flow->unit = CM_FLOW_MULTIPLIER;
    if (operation == CM_FP_DIV || operation == CM_FP_SQRT)
        flow->busy = width == CM_FP_512 ? 8 : width == CM_FP_256 ? 4 : 2;
}

void cm_fact_flow_begin(const cm_decoded *decoded, cm_flow *flow)
{
    *flow = (cm_flow){.kind = CM_FLOW_SIMPLE};
    for (size_t i = 0; i < decoded->fact_count; i++) {
        const cm_flow_kind kind = cm_fact_flow_kind(decoded->facts[i]);
        flow->kind = (uint8_t)(kind > (cm_flow_kind)flow->kind ? kind : (cm_flow_kind)flow->kind);
        flow->fused = flow->fused || decoded->facts[i] == CM_FACT_NOPS;
    }
}

void cm_fact_flow_end(const cm_decoded *decoded, cm_flow_unit unit, cm_flow *flow)
{
    if (flow->kind != CM_FLOW_MOVE)
        flow->unit = (uint8_t)unit;
    for (size_t i = 0; i < decoded->fact_count; i++)
        cm_fact_flow_take(decoded->facts[i], flow);
    flow->branches = decoded->kind != CM_DECODED_PLAIN && decoded->kind != CM_DECODED_WALL;
    flow->fused = flow->fused || decoded->kind == CM_DECODED_CONDITIONAL; /* with a comparison, on some processors */
}
