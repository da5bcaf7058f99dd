/* The variants of workloads by the vectors of x86-64 processors. */
#include "cat-kernels/x86_64/isa.h"
#include "programs/workloads/workloads.h"

static const cm_workload_variant variants[] = {
    {"scalar", CM_ISA_SSE2, cm_workloads_scalar},
    {"128", CM_ISA_SSE2, cm_workloads_128},
    {"256", CM_ISA_FMA, cm_workloads_256},
    {"512", CM_ISA_AVX512F, cm_workloads_512},
};

const cm_workload_variant *const cm_workload_variants = variants;
const size_t cm_workload_variant_count = sizeof variants / sizeof variants[0];
