/* Vectors that every processor of the architecture has. */
#define CM_WORKLOADS cm_workloads_128
#include "programs/workloads/algorithms.inc"
