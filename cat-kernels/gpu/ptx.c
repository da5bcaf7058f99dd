/* PTX from the description, which the driver compiles. Forms with .rn are never contracted, and every result is stored
 * in the end; the loop is not unrolled. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cat-kernels/gpu/gpu.h"
#include "core/base.h"

/* $a accumulator, $x and $y the integers after it, $c and $m constants, $d and $C accumulators of a matrix, $t the
 * result of a conversion for the next one. */
static const struct instruction {
    unsigned target; /* the oldest target that has it */
    const char *text, *second;
} instructions[CM_GPU_COMPUTING] = {
    [CM_GPU_H_ADD] = {53, "add.rn.f16 $a, $a, $c", NULL},
    [CM_GPU_S_ADD] = {20, "add.rn.f32 $a, $a, $c", NULL},
    [CM_GPU_D_ADD] = {20, "add.rn.f64 $a, $a, $c", NULL},
    [CM_GPU_H_SUB] = {53, "sub.rn.f16 $a, $a, $c", NULL},
    [CM_GPU_S_SUB] = {20, "sub.rn.f32 $a, $a, $c", NULL},
    [CM_GPU_D_SUB] = {20, "sub.rn.f64 $a, $a, $c", NULL},
    [CM_GPU_H_MUL] = {53, "mul.rn.f16 $a, $a, $m", NULL},
    [CM_GPU_S_MUL] = {20, "mul.rn.f32 $a, $a, $m", NULL},
    [CM_GPU_D_MUL] = {20, "mul.rn.f64 $a, $a, $m", NULL},
    [CM_GPU_S_SQRT] = {20, "sqrt.approx.ftz.f32 $a, $a", NULL},
    [CM_GPU_H_FMA] = {53, "fma.rn.f16 $a, $a, $m, $c", NULL},
    [CM_GPU_S_FMA] = {20, "fma.rn.f32 $a, $a, $m, $c", NULL},
    [CM_GPU_D_FMA] = {20, "fma.rn.f64 $a, $a, $m, $c", NULL},
    [CM_GPU_H2_ADD] = {53, "add.rn.f16x2 $a, $a, $c", NULL},
    [CM_GPU_H2_SUB] = {53, "sub.rn.f16x2 $a, $a, $c", NULL},
    [CM_GPU_H2_MUL] = {53, "mul.rn.f16x2 $a, $a, $m", NULL},
    [CM_GPU_H2_FMA] = {53, "fma.rn.f16x2 $a, $a, $m, $c", NULL},
    [CM_GPU_B_ADD] = {90, "add.rn.bf16 $a, $a, $c", NULL},
    [CM_GPU_B_SUB] = {90, "sub.rn.bf16 $a, $a, $c", NULL},
    [CM_GPU_B_MUL] = {90, "mul.rn.bf16 $a, $a, $m", NULL},
    [CM_GPU_B_FMA] = {80, "fma.rn.bf16 $a, $a, $m, $c", NULL},
    [CM_GPU_B2_ADD] = {90, "add.rn.bf16x2 $a, $a, $c", NULL},
    [CM_GPU_B2_MUL] = {90, "mul.rn.bf16x2 $a, $a, $m", NULL},
    [CM_GPU_B2_FMA] = {80, "fma.rn.bf16x2 $a, $a, $m, $c", NULL},
    [CM_GPU_MATRIX_H] = {80,
                         "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {$a0, $a1, $a2, $a3}, {$c, $c, $c, $c}, "
                         "{$m, $m}, {$a0, $a1, $a2, $a3}",
                         NULL},
    [CM_GPU_MATRIX_B] = {80,
                         "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {$a0, $a1, $a2, $a3}, {$c, $c, $c, $c}, "
                         "{$m, $m}, {$a0, $a1, $a2, $a3}",
                         NULL},
    [CM_GPU_MATRIX_D] = {80, "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {$a0, $a1}, {$c}, {$m}, {$a0, $a1}",
                         NULL},
#define SUMS "{$a0, $a1, $a2, $a3}"
#define MMA(shape, types, a, b) "mma.sync.aligned." shape ".row.col." types " " SUMS ", " a ", " b ", " SUMS
    [CM_GPU_MMA_H_K8] = {80, MMA("m16n8k8", "f32.f16.f16.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_HH] = {80,
                       "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {$a0, $a1}, {$c, $c, $c, $c}, {$m, $m}, "
                       "{$a0, $a1}",
                       NULL},
    [CM_GPU_MMA_HH_K8] = {80, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$a0, $a1}, {$c, $c}, {$m}, {$a0, $a1}",
                          NULL},
    [CM_GPU_MMA_B_K8] = {80, MMA("m16n8k8", "f32.bf16.bf16.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_T_K4] = {80, MMA("m16n8k4", "f32.tf32.tf32.f32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_T_K8] = {80, MMA("m16n8k8", "f32.tf32.tf32.f32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_D_K4] = {90, MMA("m16n8k4", "f64.f64.f64.f64", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_D_K8] = {90, MMA("m16n8k8", "f64.f64.f64.f64", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_D_K16] = {90,
                          MMA("m16n8k16", "f64.f64.f64.f64", "{$c, $c, $c, $c, $c, $c, $c, $c}", "{$m, $m, $m, $m}"),
                          NULL},
    [CM_GPU_MMA_I_M8] = {80, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$a0, $a1}, {$c}, {$m}, {$a0, $a1}", NULL},
    [CM_GPU_MMA_I_K16] = {80, MMA("m16n8k16", "s32.s8.s8.s32", "{$c, $c}", "{$m}"), NULL},
    [CM_GPU_MMA_I_K32] = {80, MMA("m16n8k32", "s32.s8.s8.s32", "{$c, $c, $c, $c}", "{$m, $m}"), NULL},
    [CM_GPU_MMA_SPARSE] = {90,
                           "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " SUMS
                           ", {$c, $c, $c, $c}, {$m, $m, $m, $m}, " SUMS ", %stored, 0x0",
                           NULL},
    [CM_GPU_INT_ADD] = {20, "add.s32 $a, $a, $x", NULL},
    [CM_GPU_INT_MUL] = {20, "mul.lo.s32 $a, $a, $x", NULL},
    [CM_GPU_INT_LOGIC] = {50, "lop3.b32 $a, $a, $x, $y, 0x6a", NULL},
    [CM_GPU_INT_SHIFT] = {32, "shf.r.wrap.b32 $a, $a, $x, $y", NULL},
    [CM_GPU_CONVERT] = {20, "cvt.rzi.s32.f32 $t, $a", "cvt.rn.f32.s32 $a, $t"},
    [CM_GPU_SPECIAL] = {20, "rcp.approx.ftz.f32 $a, $a", NULL},
};

/* The names of a type's registers, and how they are loaded. `parts`: registers of an accumulator. */
static const struct registers {
    const char *name, *type, *constants;
    unsigned accumulators, parts;
} registers[CM_GPU_TYPES] = {
    [CM_GPU_TYPE_H] = {"h", "b16", "b16", CM_GPU_CHAINS, 1}, [CM_GPU_TYPE_S] = {"s", "f32", "f32", CM_GPU_CHAINS, 1},
    [CM_GPU_TYPE_D] = {"d", "f64", "f64", CM_GPU_CHAINS, 1}, [CM_GPU_TYPE_H2] = {"hh", "b32", "b32", CM_GPU_CHAINS, 1},
    [CM_GPU_TYPE_B] = {"b", "b16", "b16", CM_GPU_CHAINS, 1}, [CM_GPU_TYPE_B2] = {"bb", "b32", "b32", CM_GPU_CHAINS, 1},
    [CM_GPU_TYPE_MH] = {"mh", "f32", "b32", 2, 4},           [CM_GPU_TYPE_MB] = {"mb", "f32", "b32", 2, 4},
    [CM_GPU_TYPE_MD] = {"md", "f64", "f64", 2, 2},           [CM_GPU_TYPE_I] = {"i", "b32", "b32", CM_GPU_INTEGERS, 1},
    [CM_GPU_TYPE_MHH] = {"mg", "b32", "b32", 2, 2},          [CM_GPU_TYPE_MT] = {"mt", "f32", "b32", 2, 4},
    [CM_GPU_TYPE_MDW] = {"mw", "f64", "f64", 2, 4},          [CM_GPU_TYPE_MI] = {"mi", "b32", "b32", 2, 4},
};

struct writing {
    FILE *to;
    const cm_gpu_kernel *kernel;
    const cm_gpu_layout *layout;
    unsigned turn[CM_GPU_TYPES];       /* pieces of each type so far */
    unsigned accesses[CM_GPU_CLASSES]; /* of each class so far */
    bool converted;                    /* the last conversion was to an integer, of this accumulator */
    unsigned of;
    unsigned labels; /* behind sections */
};

/* ---- around the loop ---- */

/* The newest form of PTX that the target's drivers know; it has everything that the kernels need. */
static void put_head(FILE *to, const cm_gpu_kernel *kernel, unsigned target)
{
    static const struct {
        unsigned target;
        const char *version;
    } forms[] = {{90, "7.8"}, {80, "7.0"}, {70, "6.3"}, {60, "6.0"}, {53, "6.0"}};
    char entry[CM_GPU_ENTRY_SIZE];
    size_t form = 0;
    while (form + 1 < sizeof forms / sizeof forms[0] && forms[form].target > target)
        form++;
    fprintf(to, ".version %s\n.target sm_%u\n.address_size 64\n\n", forms[form].version, forms[form].target);
    cm_gpu_entry(kernel, entry, sizeof entry);
    fprintf(to, ".visible .entry %s(.param .u64 memory, .param .u32 trips)\n{\n", entry);
}

/* Declares the registers. */
static void declare(const struct writing *writing)
{
    FILE *to = writing->to;
    fputs("\t.reg .b64 %memory, %mine, %offset;\n\t.reg .b32 %trips, %thread, %block, %size, %number, %bits;\n"
          "\t.reg .pred %turn, %out;\n",
          to);
    if (writing->kernel->family == CM_GPU_MATRIX)
        fputs("\t.reg .b32 %stored;\n", to);
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        if (of->name == NULL)
            continue;
        fprintf(to, "\t.reg .%s %%%s<%u>;\n", of->type, of->name, of->accumulators * of->parts);
        fprintf(to, "\t.reg .%s %%%s_c, %%%s_m;\n", of->constants, of->name, of->name);
    }
    fprintf(to, "\t.reg .s32 %%t<%d>;\n", CM_GPU_CHAINS);
}

static void find_memory(const struct writing *writing)
{
    FILE *to = writing->to;
    fprintf(to,
            "\tld.param.u64 %%memory, [memory];\n\tld.param.u32 %%trips, [trips];\n"
            "\tcvta.to.global.u64 %%memory, %%memory;\n"
            "\tmov.u32 %%thread, %%tid.x;\n\tmov.u32 %%block, %%ctaid.x;\n\tmov.u32 %%size, %%ntid.x;\n"
            "\tmad.lo.s32 %%number, %%block, %%size, %%thread;\n"
            "\tmul.wide.u32 %%offset, %%number, %zu;\n\tadd.s64 %%mine, %%memory, %%offset;\n",
            writing->layout->output);
    if (writing->kernel->family == CM_GPU_MATRIX)
        fputs("\tmov.u32 %stored, 0x44444444;\n", to); /* of each four, numbers 0 and 1 */
}

static void move_accumulators(const struct writing *writing, bool load)
{
    FILE *to = writing->to;
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        for (unsigned i = 0; i < of->accumulators * of->parts; i++) {
            size_t at = writing->layout->input + CM_GPU_SLOT(type, i);
            if (load)
                fprintf(to, "\tld.global.%s %%%s%u, [%%mine+%zu];\n", of->type, of->name, i, at);
            else
                fprintf(to, "\tst.global.%s [%%mine+%zu], %%%s%u;\n", of->type, at, of->name, i);
        }
    }
}

static void load_constants(const struct writing *writing)
{
    FILE *to = writing->to;
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        if (of->name == NULL)
            continue;
        fprintf(to, "\tld.global.%s %%%s_c, [%%memory+%zu];\n", of->constants, of->name, CM_GPU_INPUT_AT(type));
        fprintf(to, "\tld.global.%s %%%s_m, [%%memory+%zu];\n", of->constants, of->name, CM_GPU_INPUT_AT(type) + 8);
    }
    for (int i = 0; i < CM_GPU_CHAINS; i++)
        fprintf(to, "\tmov.s32 %%t%d, 0;\n", i);
}

/* Every kernel has the branch, even if no thread takes it. A kernel that nobody enters has no loop, and another branch
 * that is not taken, as the others have in their last turn: so what is around loops cancels. */
static void pass_by(FILE *to, unsigned mask)
{
    bool nobody = mask == CM_GPU_NOBODY;
    fprintf(to, "\tand.b32 %%bits, %%thread, %u;\n\tsetp.ne.s32 %%out, %%bits, 0;\n", nobody ? 0 : mask);
    fputs(nobody ? "\t@%out bra done;\n\t@%out bra done;\ndone:\n" : "\t@%out bra done;\n", to);
}

/* Predicates of sections, of bits that no compiler knows. */
static void declare_sections(FILE *to)
{
    fputs("\t.reg .b32 %spot;\n\t.reg .pred %always, %never, %tested, %skip1, %skip3, %skip16;\n"
          "\tand.b32 %bits, %trips, 2147483648;\n\tsetp.eq.u32 %always, %bits, 0;\n\tsetp.ne.s32 %never, %bits, 0;\n",
          to);
    static const unsigned masks[] = {1, 3, 16};
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        fprintf(to, "\tand.b32 %%spot, %%thread, %u;\n\tsetp.ne.s32 %%skip%u, %%spot, 0;\n", masks[i], masks[i]);
}

/* ---- the loop ---- */

static void put_register(const struct writing *writing, cm_gpu_type type, unsigned at, char form, char part)
{
    const struct registers *of = &registers[type];
    FILE *to = writing->to;
    unsigned count = of->accumulators;
    switch (form) {
    case 'x': fprintf(to, "%%%s%u", of->name, (at + 1) % count); break;
    case 'y': fprintf(to, "%%%s%u", of->name, (at + 2) % count); break;
    case 't': fprintf(to, "%%t%u", at); break;
    case 'a': fprintf(to, "%%%s%u", of->name, at * of->parts + (of->parts > 1 ? (unsigned)(part - '0') : 0)); break;
    default: fprintf(to, "%%%s_%c", of->name, form);
    }
}

static void put_instruction(struct writing *writing, const char *text, cm_gpu_type type, unsigned at)
{
    for (const char *from = text; *from != '\0'; from++) {
        if (*from != '$') {
            fputc(*from, writing->to);
            continue;
        }
        from++;
        put_register(writing, type, at, *from, from[1]);
        from += *from == 'a' && registers[type].parts > 1;
    }
    fputs(";\n", writing->to);
}

static void put_one(struct writing *writing, cm_gpu_class class);

/* Writes additions of integers with what decides which threads execute them. */
static void put_section(struct writing *writing, const cm_gpu_section *section)
{
    FILE *to = writing->to;
    unsigned label = writing->labels, additions = section->way == CM_GPU_WAY_PART ? CM_GPU_INSIDE : 1;
    switch (section->way) {
    case CM_GPU_WAY_TESTED: fprintf(to, "\tsetp.eq.u32 %%tested, %%trips, 0;\n\t@%%tested bra past%u;\n", label); break;
    case CM_GPU_WAY_PART: fprintf(to, "\t@%%skip%u bra past%u;\n", section->mask, label); break;
    default: fprintf(to, "\t@%%%s bra past%u;\n", section->way == CM_GPU_WAY_TAKEN ? "always" : "never", label);
    }
    for (unsigned i = 0; i < additions; i++)
        put_one(writing, CM_GPU_INT_ADD);
    fprintf(to, "past%u:\n", label);
    writing->labels++;
}

/* Writes the instruction of a class; the second of two conversions converts back. */
static void put_one(struct writing *writing, cm_gpu_class class)
{
    const cm_gpu_access *access = cm_gpu_access_of(class);
    if (access != NULL) {
        cm_gpu_ptx_access(writing->to, access, writing->accesses[class]++);
        return;
    }
    if (cm_gpu_section_of(class) != NULL) {
        put_section(writing, cm_gpu_section_of(class));
        return;
    }
    cm_gpu_type type = cm_gpu_class_table[class].type;
    const char *text = instructions[class].text;
    unsigned at = writing->of;
    if (class == CM_GPU_CONVERT && writing->converted) {
        text = instructions[class].second;
        writing->converted = false;
    } else {
        at = writing->turn[type]++ % registers[type].accumulators;
        writing->converted |= class == CM_GPU_CONVERT;
        writing->of = class == CM_GPU_CONVERT ? at : writing->of;
    }
    fputc('\t', writing->to);
    put_instruction(writing, text, type, at);
}

static void put_loop(struct writing *writing)
{
    fputs("loop:\n\t.pragma \"nounroll\";\n", writing->to);
    for (size_t i = 0; i < writing->kernel->piece_count; i++)
        for (unsigned n = 0; n < writing->kernel->pieces[i].count; n++)
            put_one(writing, writing->kernel->pieces[i].class);
    fputs("\tadd.s32 %trips, %trips, -1;\n\tsetp.ne.s32 %turn, %trips, 0;\n\t@%turn bra loop;\n\tbra done;\ndone:\n",
          writing->to);
}

/* ---- all ---- */

/* CM_UNSUPPORTED if the kernel is not for NVIDIA's GPUs, or the target lacks an instruction. */
static cm_status check(const cm_gpu_kernel *kernel, unsigned target, cm_error *error)
{
    if (kernel->vendors != 0 && (kernel->vendors & CM_GPU_NVIDIA) == 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s is no kernel for NVIDIA's GPUs", kernel->name);
    for (size_t i = 0; i < kernel->piece_count; i++) {
        cm_gpu_class class = kernel->pieces[i].class;
        if (class >= CM_GPU_COMPUTING && (cm_gpu_class_table[class].vendors & CM_GPU_NVIDIA) != 0)
            continue;
        if (class >= CM_GPU_COMPUTING || instructions[class].text == NULL)
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "NVIDIA's GPUs have no instruction for %s",
                                cm_gpu_class_table[class].words);
        if (instructions[class].target > target)
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "sm_%u has no instruction for %s", target,
                                cm_gpu_class_table[class].words);
    }
    return CM_OK;
}

unsigned cm_gpu_ptx_target(cm_gpu_class class)
{
    if (class >= CM_GPU_COMPUTING)
        return (cm_gpu_class_table[class].vendors & CM_GPU_NVIDIA) != 0 ? 0 : UINT_MAX;
    return instructions[class].text != NULL ? instructions[class].target : UINT_MAX;
}

cm_status cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error)
{
    size_t size = 0;
    char *written = NULL;
    cm_status status = check(kernel, target, error);
    if (status != CM_OK)
        return status;
    struct writing writing = {
        .to = cm_memory_stream(&written, &size), .kernel = kernel, .layout = cm_gpu_layout_of(kernel->family)};
    if (writing.to == NULL)
        return cm_error_no_memory(error);
    put_head(writing.to, kernel, target);
    declare(&writing);
    find_memory(&writing);
    load_constants(&writing);
    move_accumulators(&writing, true);
    if (kernel->family >= CM_GPU_MEMORY)
        cm_gpu_ptx_before_accesses(writing.to);
    if (kernel->family == CM_GPU_INSTRUCTIONS)
        declare_sections(writing.to);
    pass_by(writing.to, kernel->mask);
    if (kernel->mask != CM_GPU_NOBODY)
        put_loop(&writing);
    move_accumulators(&writing, false);
    if (kernel->family >= CM_GPU_MEMORY)
        cm_gpu_ptx_after_accesses(writing.to);
    fputs("\tret;\n}\n", writing.to);
    if (fclose(writing.to) != 0) {
        free(written);
        return cm_error_no_memory(error);
    }
    *text = written;
    return CM_OK;
}
