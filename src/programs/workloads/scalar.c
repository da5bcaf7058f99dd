/* One element after another. */
#define CM_WORKLOADS cm_workloads_scalar
#include "programs/workloads/algorithms.inc"
