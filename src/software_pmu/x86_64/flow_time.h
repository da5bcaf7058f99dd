/* The facts about an instruction that the model of time needs, besides its registers. */
#ifndef CM_SOFTWARE_PMU_X86_64_FLOW_TIME_H
#define CM_SOFTWARE_PMU_X86_64_FLOW_TIME_H

#include "software_pmu/machine/flow.h"
#include "software_pmu/x86_64/step.h"

/* The number of the flags among the registers of a flow: general ones are before it, others behind it. */
enum { CM_FLOW_FLAGS = 16 };

/* Completes a flow whose other fields are known. */
void cm_decode_time(const ZydisDecodedInstruction *instruction, const cm_step *step, cm_flow *flow);

#endif
