/* Vectors of 256 bits, with multiply-adds. */
#include "programs/workloads/x86_64/wide.h"

#define CM_WORKLOADS cm_workloads_256
#include "programs/workloads/algorithms.inc"
