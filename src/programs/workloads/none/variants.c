/* The variants of workloads that every processor can execute. */
#include "programs/workloads/workloads.h"

static const cm_workload_variant variants[] = {
    {"scalar", 0, cm_workloads_scalar},
    {"128", 0, cm_workloads_128},
};

const cm_workload_variant *const cm_workload_variants = variants;
const size_t cm_workload_variant_count = sizeof variants / sizeof variants[0];
