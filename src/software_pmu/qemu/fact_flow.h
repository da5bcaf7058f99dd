/* The work of an instruction that its facts tell, for flows. */
#ifndef CM_SOFTWARE_PMU_QEMU_FACT_FLOW_H
#define CM_SOFTWARE_PMU_QEMU_FACT_FLOW_H

#include <stddef.h>

#include "software_pmu/machine/flow.h"

/* The latency of a fact; CM_FLOW_MOVE: it gives none. */
cm_flow_kind cm_fact_flow_kind(size_t fact);
/* Takes the unit of a fact, and how long it keeps the divider; changes nothing for other facts. */
void cm_fact_flow_take(size_t fact, cm_flow *flow);

#endif
