/* Code for vectors that only some x86-64 processors have. */
#ifndef CM_PROGRAMS_WORKLOADS_X86_64_WIDE_H
#define CM_PROGRAMS_WORKLOADS_X86_64_WIDE_H

#include "programs/workloads/workloads.h"

extern cm_workload_body *const cm_workloads_256[CM_ALGORITHMS];
extern cm_workload_body *const cm_workloads_512[CM_ALGORITHMS];

#endif
