/* Vectors of 512 bits, with multiply-adds. */
#include "programs/workloads/workloads.h"

#define CM_WORKLOADS cm_workloads_512
#include "programs/workloads/algorithms.inc"
