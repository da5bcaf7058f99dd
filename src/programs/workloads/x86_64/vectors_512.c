/* Vectors of 512 bits, with multiply-adds. */
#include "programs/workloads/x86_64/wide.h"

#define CM_WORKLOADS cm_workloads_512
#include "programs/workloads/algorithms.inc"
