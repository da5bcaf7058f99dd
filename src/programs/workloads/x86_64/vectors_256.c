/* Vectors of 256 bits, with multiply-adds. */
#include "programs/workloads/workloads.h"

#define CM_WORKLOADS cm_workloads_256
#include "programs/workloads/algorithms.inc"
