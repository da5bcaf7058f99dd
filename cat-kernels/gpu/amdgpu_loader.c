/* The data beside the code for AMD's GPUs: for the loader of code objects, and for the software GPU. */
#include "cat-kernels/gpu/amdgpu.h"

/* The number of vector registers. */
static unsigned vectors(cm_gpu_family family)
{
    enum { FLOPS = 112, OTHERS = 212 };
    return family == CM_GPU_FLOPS ? FLOPS : OTHERS;
}

enum { SCALARS = 18, SECTION_SCALARS = 38 };

static unsigned scalars(cm_gpu_family family)
{
    if (family == CM_GPU_INSTRUCTIONS)
        return SECTION_SCALARS;
    return family == CM_GPU_MEMORY ? CM_GPU_AMDGPU_ACCESS_SCALARS : SCALARS;
}

/* Bytes of shared memory of a block. */
static unsigned shared(cm_gpu_family family)
{
    return family >= CM_GPU_MEMORY ? CM_GPU_REGION : 0;
}

static void put_descriptor(const cm_gpu_kernel *kernel, const char *entry, FILE *stream)
{
    fprintf(stream,
            "    .section .rodata,\"a\",@progbits\n    .p2align 6\n    .amdhsa_kernel %s\n"
            "        .amdhsa_user_sgpr_dispatch_ptr 1\n        .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
            "        .amdhsa_kernarg_size 16\n        .amdhsa_next_free_vgpr %u\n        .amdhsa_accum_offset %u\n"
            "        .amdhsa_next_free_sgpr %u\n        .amdhsa_group_segment_fixed_size %u\n    .end_amdhsa_kernel\n",
            entry, vectors(kernel->family), vectors(kernel->family), scalars(kernel->family), shared(kernel->family));
}

/* Written behind the code: the software GPU, which cannot execute the code, reads the kernel's description here. */
static void put_description(const cm_gpu_kernel *kernel, const char *entry, FILE *stream)
{
    fprintf(stream, "    .section .catmint,\"\",@progbits\n    .ascii \"" CM_GPU_DESCRIPTION "%s %u", entry,
            kernel->mask);
    if (kernel->family != CM_GPU_FLOPS)
        fprintf(stream, "@%d", (int)kernel->family);
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &kernel->pieces[i];
        fprintf(stream, " %s:%u", cm_gpu_class_table[piece->class].name, piece->count);
    }
    fputs(" ;\"\n    .text\n", stream);
}

void cm_gpu_amdgpu_descriptor(const cm_gpu_kernel *kernel, const char *entry, FILE *stream)
{
    put_descriptor(kernel, entry, stream);
    put_description(kernel, entry, stream);
}

void cm_gpu_amdgpu_metadata(const cm_gpu_kernel *kernels, size_t count, FILE *stream)
{
    char entry[CM_GPU_ENTRY_SIZE];
    fputs("    .amdgpu_metadata\n---\namdhsa.version: [ 1, 1 ]\namdhsa.kernels:\n", stream);
    for (size_t i = 0; i < count; i++) {
        cm_gpu_entry(&kernels[i], entry, sizeof entry);
        fprintf(stream,
                "  - .name: %s\n    .symbol: %s.kd\n    .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n"
                "    .group_segment_fixed_size: %u\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n"
                "    .sgpr_count: %u\n    .vgpr_count: %u\n    .max_flat_workgroup_size: 1024\n    .args:\n"
                "      - { .address_space: global, .offset: 0, .size: 8, .value_kind: global_buffer }\n"
                "      - { .offset: 8, .size: 4, .value_kind: by_value }\n",
                entry, entry, shared(kernels[i].family), scalars(kernels[i].family), vectors(kernels[i].family));
    }
    fputs("...\n    .end_amdgpu_metadata\n", stream);
}
