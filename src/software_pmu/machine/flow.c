/* Cycles of instructions that wait for operands, in a window. */
#include "software_pmu/machine/flow.h"

/* The latency in single precision: the smallest share of double's among processors with known figures, Neoverse V2's 10
 * of 15 cycles for divisions and 9 of 16 for roots (Arm's Software Optimization Guide, by LLVM 19). */
static unsigned of_short(unsigned latency, unsigned part, unsigned of)
{
    return latency * part / of;
}

void cm_flows_init(cm_flows *flows, const cm_pmu_machine *machine)
{
    const unsigned divide = cm_figure_or(machine->latency_divide, 7),
                   root = cm_figure_or(machine->latency_square_root, 9);
    *flows = (cm_flows){
        .latencies = {[CM_FLOW_MOVE] = 0,
                      [CM_FLOW_SIMPLE] = 1,
                      [CM_FLOW_INT_MULTIPLY] = 3,
                      [CM_FLOW_ADD] = cm_figure_or(machine->latency_add, 2),
                      [CM_FLOW_MULTIPLY] = cm_figure_or(machine->latency_multiply, 3),
                      [CM_FLOW_MULTIPLY_ADD] = cm_figure_or(machine->latency_multiply_add, 4),
                      [CM_FLOW_DIVIDE] = divide,
                      [CM_FLOW_SQUARE_ROOT] = root,
                      [CM_FLOW_SHORT_DIVIDE] = of_short(divide, 10, 15),
                      [CM_FLOW_SHORT_SQUARE_ROOT] = of_short(root, 9, 16)},
        .load = cm_figure_or(machine->latency_load, 3),
        .width = machine->dispatch_width,
        .window = cm_figure_or(machine->reorder_window, CM_FLOW_WINDOW),
    };
}

/* The cycle in which the next instruction enters the window. */
static uint64_t enter_window(cm_flows *flows, bool fused)
{
    if (fused)
        return flows->entry;
    const uint64_t leaves = flows->left[flows->next];
    if (leaves > flows->entry)
        flows->entry = leaves, flows->entered = 0;
    if (flows->width != 0 && flows->entered == flows->width)
        flows->entry++, flows->entered = 0;
    flows->entered++;
    return flows->entry;
}

/* Adds one instruction: it begins when its operands are ready, and is done a latency later. */
static void add_instruction(cm_flows *flows, const cm_flow *flow)
{
    uint64_t begun = enter_window(flows, flow->fused);
    for (unsigned i = 0; i < flow->address_count; i++)
        begun = cm_later(begun, flows->ready[flow->reads[i]]);
    if (flow->loads)
        begun += flows->load;
    for (unsigned i = flow->address_count; i < flow->read_count; i++)
        begun = cm_later(begun, flows->ready[flow->reads[i]]);
    const uint64_t done = begun + flows->latencies[flow->kind];
    for (unsigned i = 0; i < flow->write_count; i++)
        flows->ready[flow->writes[i]] = done;
    flows->done = cm_later(flows->done, done);
    if (flow->fused) /* it leaves with the instruction before it */
        return;
    flows->left[flows->next] = flows->done;
    flows->next = flows->next + 1 == flows->window ? 0 : flows->next + 1;
}

uint64_t cm_flows_add(cm_flows *flows, const cm_flow *flow, size_t count)
{
    const uint64_t before = flows->done;
    for (size_t i = 0; i < count; i++)
        add_instruction(flows, &flow[i]);
    return flows->done - before;
}
