/* AMDGPU assembly of GPU kernels, for LLVM: gfx90a (MI200) and gfx942 (MI300), whose wavefronts have 64 lanes. */
#include "cat-kernels/gpu/amdgpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base.h"

/* Scalar registers: set by the dispatch, and copies of these. */
#define DISPATCH "s[0:1]"
#define PARAMETERS "s[2:3]"
#define BLOCK "s4"
#define TURNS "s8"
#define ALL_LANES "s[10:11]" /* the wavefront's lanes */
#define INSIDE "s[16:17]"    /* the lanes in the loop */
#define COUNT "s36"          /* a sum of scalar additions */
#define LOADED "s37"
enum { WAVEFRONT = 64, CONSTANTS = 12, PARTS = 30 };

/* The registers of a type: `accumulators` of `parts` each, one slot of the memory a part, of `words` registers; then
 * the constants c and m (matrices A and B) of `constant_width`, whose registers beyond `words` are copies. */
typedef struct type_registers {
    unsigned first, accumulators, parts, words, constant, constant_width;
} type_registers;

static const type_registers of_type[CM_GPU_TYPES] = {
    [CM_GPU_TYPE_H] = {4, CM_GPU_CHAINS, 1, 1, 8, 1},
    [CM_GPU_TYPE_S] = {10, CM_GPU_CHAINS, 1, 1, 14, 1},
    [CM_GPU_TYPE_D] = {16, CM_GPU_CHAINS, 1, 2, 24, 2},
    [CM_GPU_TYPE_H2] = {28, CM_GPU_CHAINS, 1, 1, 32, 1},
    [CM_GPU_TYPE_S2] = {34, CM_GPU_CHAINS, 1, 2, 42, 2},
    [CM_GPU_TYPE_I] = {46, CM_GPU_INTEGERS, 1, 1, 0, 0},
    [CM_GPU_TYPE_MH] = {52, 2, 4, 1, 60, 2},
    [CM_GPU_TYPE_MB] = {64, 2, 4, 1, 72, 2},
    [CM_GPU_TYPE_MS] = {76, 2, 4, 1, 84, 1},
    [CM_GPU_TYPE_MD] = {86, 2, 4, 2, 102, 2},
    [CM_GPU_TYPE_MT] = {112, 2, 4, 1, 120, 2},
    [CM_GPU_TYPE_MI] = {124, 2, 4, 1, 132, 1},
    [CM_GPU_TYPE_MI2] = {134, 2, 4, 1, 142, 2},
    [CM_GPU_TYPE_MD4] = {146, 2, 1, 2, 150, 2},
    [CM_GPU_TYPE_MF8] = {172, 2, 4, 1, 180, 2}, /* behind the registers of accesses */
    [CM_GPU_TYPE_MG8] = {184, 2, 4, 1, 192, 2},
    [CM_GPU_TYPE_MSI] = {198, 2, 4, 1, 206, 2},
};
/* Results of conversions, for the next ones; which two of each four numbers a sparse matrix stores: 0 and 1. */
enum { CONVERTED = 106, STORED = 196 };

/* An instruction. Its operands: a is the accumulator; c and m are the constants; A and B are both matrices' registers;
 * b is a sparse product's B, which has twice as many numbers as A, and i the places of A's numbers; x, y and z are the
 * integers i, i+1 and i+2; t is the result of a conversion for the next one. The logic operation is one that these GPUs
 * have: (x & y) | (~x & z). */
typedef struct instruction {
    const char *opcode, *operands; /* NULL: it has none */
    const char *on_gfx942;         /* the opcode's name there; NULL: the same; "": it has none */
} instruction;

static const instruction convert_back = {"v_cvt_f32_i32", "a, t", NULL};
static const instruction of_class[CM_GPU_COMPUTING] = {
    [CM_GPU_H_ADD] = {"v_add_f16", "a, a, c", NULL},
    [CM_GPU_S_ADD] = {"v_add_f32", "a, a, c", NULL},
    [CM_GPU_D_ADD] = {"v_add_f64", "a, a, c", NULL},
    [CM_GPU_H_SUB] = {"v_sub_f16", "a, a, c", NULL},
    [CM_GPU_S_SUB] = {"v_sub_f32", "a, a, c", NULL},
    [CM_GPU_D_SUB] = {"v_add_f64", "a, a, -c", NULL},
    [CM_GPU_H_MUL] = {"v_mul_f16", "a, a, m", NULL},
    [CM_GPU_S_MUL] = {"v_mul_f32", "a, a, m", NULL},
    [CM_GPU_D_MUL] = {"v_mul_f64", "a, a, m", NULL},
    [CM_GPU_H_SQRT] = {"v_sqrt_f16", "a, a", NULL},
    [CM_GPU_S_SQRT] = {"v_sqrt_f32", "a, a", NULL},
    [CM_GPU_D_SQRT] = {"v_sqrt_f64", "a, a", NULL},
    [CM_GPU_H_FMA] = {"v_fma_f16", "a, a, m, c", NULL},
    [CM_GPU_S_FMA] = {"v_fma_f32", "a, a, m, c", NULL},
    [CM_GPU_D_FMA] = {"v_fma_f64", "a, a, m, c", NULL},
    [CM_GPU_H2_ADD] = {"v_pk_add_f16", "a, a, c", NULL},
    [CM_GPU_H2_MUL] = {"v_pk_mul_f16", "a, a, m", NULL},
    [CM_GPU_H2_FMA] = {"v_pk_fma_f16", "a, a, m, c", NULL},
    [CM_GPU_S2_ADD] = {"v_pk_add_f32", "a, a, c", NULL},
    [CM_GPU_S2_MUL] = {"v_pk_mul_f32", "a, a, m", NULL},
    [CM_GPU_S2_FMA] = {"v_pk_fma_f32", "a, a, m, c", NULL},
    [CM_GPU_MATRIX_H] = {"v_mfma_f32_16x16x16f16", "a, c, m, a", "v_mfma_f32_16x16x16_f16"},
    [CM_GPU_MATRIX_B] = {"v_mfma_f32_16x16x16bf16_1k", "a, c, m, a", "v_mfma_f32_16x16x16_bf16"},
    [CM_GPU_MATRIX_S] = {"v_mfma_f32_16x16x4f32", "a, c, m, a", "v_mfma_f32_16x16x4_f32"},
    [CM_GPU_MATRIX_D] = {"v_mfma_f64_16x16x4f64", "a, c, m, a", "v_mfma_f64_16x16x4_f64"},
    [CM_GPU_MFMA_H_4] = {"v_mfma_f32_4x4x4f16", "a, c, m, a", "v_mfma_f32_4x4x4_16b_f16"},
    [CM_GPU_MFMA_B_4] = {"v_mfma_f32_4x4x4bf16_1k", "a, c, m, a", "v_mfma_f32_4x4x4_16b_bf16"},
    [CM_GPU_MFMA_S_4] = {"v_mfma_f32_4x4x1f32", "a, c, m, a", "v_mfma_f32_4x4x1_16b_f32"},
    [CM_GPU_MFMA_D_4] = {"v_mfma_f64_4x4x4f64", "a, c, m, a", "v_mfma_f64_4x4x4_4b_f64"},
    [CM_GPU_MFMA_I] = {"v_mfma_i32_16x16x16i8", "a, c, m, a", ""},
    [CM_GPU_MFMA_I_4] = {"v_mfma_i32_4x4x4i8", "a, c, m, a", "v_mfma_i32_4x4x4_16b_i8"},
    [CM_GPU_MFMA_I_K32] = {NULL, "a, c, m, a", "v_mfma_i32_16x16x32_i8"},
    [CM_GPU_MFMA_T] = {NULL, "a, c, m, a", "v_mfma_f32_16x16x8_xf32"},
    [CM_GPU_MFMA_F8] = {NULL, "a, c, m, a", "v_mfma_f32_16x16x32_fp8_fp8"},
    [CM_GPU_MFMA_BF8] = {NULL, "a, c, m, a", "v_mfma_f32_16x16x32_bf8_bf8"},
    [CM_GPU_SMFMAC_H] = {NULL, "a, c, b, i", "v_smfmac_f32_16x16x32_f16"},
    [CM_GPU_SMFMAC_B] = {NULL, "a, c, b, i", "v_smfmac_f32_16x16x32_bf16"},
    [CM_GPU_SMFMAC_F8] = {NULL, "a, c, b, i", "v_smfmac_f32_16x16x64_fp8_fp8"},
    [CM_GPU_SMFMAC_I] = {NULL, "a, c, b, i", "v_smfmac_i32_16x16x64_i8"},
    [CM_GPU_INT_ADD] = {"v_add_u32", "x, x, y", NULL},
    [CM_GPU_INT_MUL] = {"v_mul_lo_u32", "x, x, y", NULL},
    [CM_GPU_INT_LOGIC] = {"v_bfi_b32", "x, x, y, z", NULL},
    [CM_GPU_INT_SHIFT] = {"v_alignbit_b32", "x, y, x, z", NULL},
    [CM_GPU_CONVERT] = {"v_cvt_i32_f32", "t, a", NULL},
    [CM_GPU_SPECIAL] = {"v_rcp_f32", "a, a", NULL},
};

typedef struct writer {
    const cm_gpu_kernel *kernel;
    const cm_gpu_layout *layout;
    const char *target;
    char entry[CM_GPU_ENTRY_SIZE];
    unsigned turns[CM_GPU_TYPES];      /* accumulators of each type used so far */
    unsigned accesses[CM_GPU_CLASSES]; /* of each class so far */
    unsigned labels;                   /* behind sections */
    bool converting;                   /* the last conversion was to an integer, */
    unsigned of;                       /* of this accumulator */
    FILE *stream;
} writer;

static void put_vector(unsigned first, unsigned width, FILE *stream)
{
    if (width == 1)
        fprintf(stream, "v%u", first);
    else
        fprintf(stream, "v[%u:%u]", first, first + width - 1);
}

/* The registers of a part, or of a whole accumulator. */
static unsigned first_of(size_t type, unsigned accumulator, unsigned part)
{
    const type_registers *of = &of_type[type];
    return of->first + (accumulator * of->parts + part) * of->words;
}

/* ---- around the loop ---- */

/* Loads or stores the accumulators of one type. */
static void move_type(const writer *one, size_t type, bool load)
{
    const type_registers *of = &of_type[type];
    FILE *stream = one->stream;
    const char *size = of->words == 2 ? "x2" : "";
    for (unsigned i = 0; i < of->accumulators * of->parts; i++) {
        fprintf(stream, load ? "    global_load_dword%s " : "    global_store_dword%s v1, ", size);
        put_vector(of->first + i * of->words, of->words, stream);
        fprintf(stream,
                load ? ", v1, " CM_GPU_AMDGPU_MEMORY " offset:%zu\n" : ", " CM_GPU_AMDGPU_MEMORY " offset:%zu\n",
                one->layout->input + CM_GPU_SLOT(type, i));
    }
}

/* Loads the two constants of a type into vector registers. */
static void load_amd_constants(size_t type, FILE *stream)
{
    const type_registers *of = &of_type[type];
    if (of->constant_width == 0)
        return;
    fprintf(stream, "    s_load_dwordx4 s[%u:%u], " CM_GPU_AMDGPU_MEMORY ", 0x%zx\n    s_waitcnt lgkmcnt(0)\n",
            CONSTANTS, CONSTANTS + 3, CM_GPU_INPUT_AT(type));
    for (unsigned i = 0; i < 2 * of->constant_width; i++) {
        unsigned word = i % of->constant_width % of->words;
        fprintf(stream, "    v_mov_b32 v%u, s%u\n", of->constant + i, CONSTANTS + 2 * (i / of->constant_width) + word);
    }
}

/* Scalar registers of sections: the lanes of a part, by its mask; operands of scalar additions and loads. */
static unsigned part_of(unsigned mask)
{
    return mask == 1 ? PARTS : mask == 3 ? PARTS + 2 : PARTS + 4;
}

/* Finds the lanes that each mask leaves active. */
static void find_parts(FILE *stream)
{
    static const unsigned masks[] = {1, 3, 16};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++) {
        unsigned first = part_of(masks[i]);
        fprintf(
            stream,
            "    v_and_b32 v2, 0x%x, v0\n    v_cmp_eq_u32 s[%u:%u], 0, v2\n    s_and_b64 s[%u:%u], s[%u:%u], " INSIDE
            "\n",
            masks[i], first, first + 1, first, first + 1, first, first + 1);
    }
    fputs("    s_mov_b32 " COUNT ", 0\n", stream);
}

/* Computes the thread's part of the memory from its number in the launch; the dispatch gives the block's size. */
static void put_begin(const writer *one)
{
    FILE *stream = one->stream;
    fputs("    s_load_dword s9, " DISPATCH ", 0x4\n"
          "    s_load_dwordx2 " CM_GPU_AMDGPU_MEMORY ", " PARAMETERS ", 0x0\n"
          "    s_load_dword " TURNS ", " PARAMETERS ", 0x8\n"
          "    s_waitcnt lgkmcnt(0)\n"
          "    s_and_b32 s9, s9, 0xffff\n"
          "    s_mul_i32 s9, s9, " BLOCK "\n"
          "    v_add_u32 v1, s9, v0\n",
          stream);
    if (one->kernel->family >= CM_GPU_MEMORY)
        cm_gpu_amdgpu_find_regions(stream);
    fprintf(stream, "    v_mul_u32_u24 v1, 0x%zx, v1\n    s_mov_b64 " ALL_LANES ", exec\n", one->layout->output);
    bool nobody = one->kernel->mask == CM_GPU_NOBODY;
    fprintf(stream, "    v_and_b32 v2, 0x%x, v0\n    v_cmp_%s_u32 " INSIDE ", 0, v2\n", nobody ? 0 : one->kernel->mask,
            nobody ? "ne" : "eq");
    for (size_t type = 0; type < one->layout->types; type++) {
        move_type(one, type, true);
        load_amd_constants(type, stream);
    }
    for (unsigned i = 0; i < CM_GPU_CHAINS; i++)
        fprintf(stream, "    v_mov_b32 v%u, 0\n", CONVERTED + i);
    if (one->kernel->family != CM_GPU_FLOPS)
        fprintf(stream, "    v_mov_b32 v%u, 0x44444444\n", STORED);
    if (one->kernel->family >= CM_GPU_MEMORY)
        cm_gpu_amdgpu_before_accesses(one->target, stream);
    if (one->kernel->family == CM_GPU_INSTRUCTIONS)
        find_parts(stream);
    fputs("    s_waitcnt vmcnt(0)\n    s_mov_b64 exec, " INSIDE "\n", stream);
    fprintf(stream, "    s_cbranch_execz %s_done\n", one->entry);
}

/* Waits first: matrix instructions may still be writing the results, for 18 cycles at most. */
static void put_end(const writer *one)
{
    fprintf(one->stream, "%s_done:\n", one->entry);
    fputs("    s_mov_b64 exec, " ALL_LANES "\n    s_nop 7\n    s_nop 7\n    s_nop 7\n", one->stream);
    for (size_t type = 0; type < one->layout->types; type++)
        move_type(one, type, false);
    if (one->kernel->family >= CM_GPU_MEMORY)
        cm_gpu_amdgpu_after_accesses(one->stream);
    fputs("    s_endpgm\n", one->stream);
}

/* ---- the loop ---- */

/* Writes the registers of one operand. */
static void put_operand(char operand, size_t type, unsigned at, FILE *stream)
{
    const type_registers *of = &of_type[type];
    switch (operand) {
    case 'a': put_vector(first_of(type, at, 0), of->parts * of->words, stream); break;
    case 'c': put_vector(of->constant, of->constant_width, stream); break;
    case 'm': put_vector(of->constant + of->constant_width, of->constant_width, stream); break;
    case 'b': put_vector(of->constant, 2 * of->constant_width, stream); break;
    case 'i': put_vector(STORED, 1, stream); break;
    case 't': put_vector(CONVERTED + at, 1, stream); break;
    case 'x':
    case 'y':
    case 'z': put_vector(of->first + (at + (unsigned)(operand - 'x')) % of->accumulators, 1, stream); break;
    default: fputc(operand, stream); break;
    }
}

/* "" or NULL: the target has none. */
static const char *opcode_on(const char *target, const instruction *code)
{
    return strcmp(target, "gfx942") == 0 && code->on_gfx942 != NULL ? code->on_gfx942 : code->opcode;
}

static void put_amd_instruction(const writer *one, const instruction *code, size_t type, unsigned at)
{
    fprintf(one->stream, "    %s ", opcode_on(one->target, code));
    for (const char *operand = code->operands; *operand != '\0'; operand++)
        put_operand(*operand, type, at, one->stream);
    fputc('\n', one->stream);
}

static void put_next(writer *one, cm_gpu_class class);

/* Writes additions of integers past a branch, or by some of the lanes; or a scalar instruction. */
static void put_amd_section(writer *one, const cm_gpu_section *section)
{
    static const char *const branches[] = {/* some lane is always on, and some turn left */
                                           [CM_GPU_WAY_TAKEN] = "execnz",
                                           [CM_GPU_WAY_NOT_TAKEN] = "execz",
                                           [CM_GPU_WAY_TESTED] = "scc1"};
    FILE *stream = one->stream;
    unsigned part = part_of(section->mask), label = one->labels;
    switch (section->way) {
    case CM_GPU_WAY_SCALAR: fputs("    s_add_i32 " COUNT ", " COUNT ", 1\n", stream); return;
    case CM_GPU_WAY_SCALAR_LOAD: fputs("    s_load_dword " LOADED ", " CM_GPU_AMDGPU_MEMORY ", 0x0\n", stream); return;
    case CM_GPU_WAY_PART:
        fprintf(stream, "    s_mov_b64 exec, s[%u:%u]\n", part, part + 1);
        for (unsigned i = 0; i < CM_GPU_INSIDE; i++)
            put_next(one, CM_GPU_INT_ADD);
        fputs("    s_mov_b64 exec, " INSIDE "\n", stream);
        return;
    case CM_GPU_WAY_TESTED: fputs("    s_cmp_eq_u32 " TURNS ", 0\n", stream); break;
    default: break;
    }
    fprintf(stream, "    s_cbranch_%s .L%s_past%u\n", branches[section->way], one->entry, label);
    put_next(one, CM_GPU_INT_ADD);
    fprintf(stream, ".L%s_past%u:\n", one->entry, label);
    one->labels++;
}

/* Writes the next instruction of a class; the second of two conversions converts back. */
static void put_next(writer *one, cm_gpu_class class)
{
    if (cm_gpu_section_of(class) != NULL) {
        put_amd_section(one, cm_gpu_section_of(class));
        return;
    }
    const cm_gpu_access *access = cm_gpu_access_of(class);
    if (access != NULL) {
        cm_gpu_amdgpu_access(access, one->accesses[class]++, one->target, one->stream);
        return;
    }
    size_t type = cm_gpu_class_table[class].type;
    bool convert = class == CM_GPU_CONVERT, back = convert && one->converting;
    unsigned at = back ? one->of : one->turns[type]++ % of_type[type].accumulators;
    put_amd_instruction(one, back ? &convert_back : &of_class[class], type, at);
    if (convert) {
        one->converting = !back;
        one->of = at;
    }
}

static void put_amd_loop(writer *one)
{
    fprintf(one->stream, "%s_loop:\n", one->entry);
    for (size_t i = 0; i < one->kernel->piece_count; i++)
        for (unsigned k = 0; k < one->kernel->pieces[i].count; k++)
            put_next(one, one->kernel->pieces[i].class);
    fprintf(one->stream,
            "    s_add_i32 " TURNS ", " TURNS ", -1\n    s_cmp_lg_u32 " TURNS ", 0\n    s_cbranch_scc1 %s_loop\n",
            one->entry);
}

bool cm_gpu_amdgpu_has(cm_gpu_class class, const char *target)
{
    if (class >= CM_GPU_COMPUTING)
        return (cm_gpu_class_table[class].vendors & CM_GPU_AMD) != 0;
    const char *opcode = opcode_on(target, &of_class[class]);
    return opcode != NULL && opcode[0] != '\0';
}

/* Refuses a kernel that the GPU cannot execute. */
static cm_status check_amd_kernel(const cm_gpu_kernel *kernel, const char *target, cm_error *error)
{
    if (strcmp(target, "gfx90a") != 0 && strcmp(target, "gfx942") != 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0,
                            "catmint has no kernels for the GPU '%.40s', expected gfx90a or gfx942", target);
    if ((cm_gpu_kernel_vendors(kernel) & CM_GPU_AMD) == 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "kernel '%.100s' is for NVIDIA's GPUs alone",
                            kernel->name);
    for (size_t i = 0; i < kernel->piece_count; i++)
        if (!cm_gpu_amdgpu_has(kernel->pieces[i].class, target))
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s has no instruction for %s", target,
                                cm_gpu_class_table[kernel->pieces[i].class].words);
    if (kernel->mask >= WAVEFRONT && kernel->mask != CM_GPU_NOBODY) /* it could remove all lanes of a wavefront */
        return cm_error_set(error, CM_BAD_ARGUMENT, NULL, 0, 0, "kernel '%.100s' has a mask of lanes that is none",
                            kernel->name);
    return CM_OK;
}

/* Writes the code, the descriptor and the description of one kernel. */
static cm_status put_kernel(const cm_gpu_kernel *kernel, const char *target, FILE *stream, cm_error *error)
{
    writer one = {.kernel = kernel, .layout = cm_gpu_layout_of(kernel->family), .target = target, .stream = stream};
    cm_status status = check_amd_kernel(kernel, target, error);
    if (status != CM_OK)
        return status;
    cm_gpu_entry(kernel, one.entry, sizeof one.entry);
    fprintf(stream, "    .text\n    .globl %s\n    .p2align 8\n    .type %s,@function\n%s:\n", one.entry, one.entry,
            one.entry);
    put_begin(&one);
    put_amd_loop(&one);
    put_end(&one);
    fprintf(stream, "    .size %s, . - %s\n", one.entry, one.entry);
    cm_gpu_amdgpu_descriptor(kernel, one.entry, stream);
    return CM_OK;
}

cm_status cm_gpu_amdgpu_write(const cm_gpu_kernel *kernels, size_t count, const char *target, FILE *stream,
                              cm_error *error)
{
    cm_status status = CM_OK;
    fprintf(stream, "    .amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n    .amdhsa_code_object_version 4\n", target);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = put_kernel(&kernels[i], target, stream, error);
    cm_gpu_amdgpu_metadata(kernels, count, stream);
    return status;
}

cm_status cm_gpu_amdgpu(const cm_gpu_kernel *kernel, const char *target, char **text, cm_error *error)
{
    size_t size = 0;
    char *written = NULL;
    FILE *stream = cm_memory_stream(&written, &size);
    if (stream == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_gpu_amdgpu_write(kernel, 1, target, stream, error);
    if (fclose(stream) != 0 && status == CM_OK)
        status = cm_error_no_memory(error);
    if (status == CM_OK)
        *text = written;
    else
        free(written);
    return status;
}
