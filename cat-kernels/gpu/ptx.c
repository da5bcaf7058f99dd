/* PTX from the description, which the driver compiles. Forms with .rn are never contracted, and every result is stored
 * in the end; the loop is not unrolled. */
#include <stdlib.h>
#include <string.h>

#include "cat-kernels/gpu/ptx.h"
#include "core/base.h"

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
    [CM_GPU_TYPE_ME4] = {"me", "f32", "b32", 2, 4},          [CM_GPU_TYPE_ME5] = {"mf", "f32", "b32", 2, 4},
    [CM_GPU_TYPE_WH] = {"wh", "f32", "b32", 2, 8},           [CM_GPU_TYPE_WHH] = {"wg", "b32", "b32", 2, 4},
    [CM_GPU_TYPE_WB] = {"wb", "f32", "b32", 2, 8},           [CM_GPU_TYPE_WT] = {"wt", "f32", "b32", 2, 8},
    [CM_GPU_TYPE_WD] = {"wd", "f64", "f64", 2, 2},           [CM_GPU_TYPE_WI] = {"wi", "b32", "b32", 2, 8},
};

/* Shape and type of matrices that a warp loads and stores together, bytes of a number, and the oldest target. */
static const struct fragment {
    const char *shape, *type;
    unsigned size, target;
} fragments[CM_GPU_TYPES] = {
    [CM_GPU_TYPE_WH] = {"m16n16k16", "f32", 4, 70}, [CM_GPU_TYPE_WHH] = {"m16n16k16", "f16", 2, 70},
    [CM_GPU_TYPE_WB] = {"m16n16k16", "f32", 4, 80}, [CM_GPU_TYPE_WT] = {"m16n16k8", "f32", 4, 80},
    [CM_GPU_TYPE_WD] = {"m8n8k4", "f64", 8, 80},    [CM_GPU_TYPE_WI] = {"m16n16k16", "s32", 4, 80},
};

struct writing {
    FILE *to;
    const cm_gpu_kernel *kernel;
    const cm_gpu_layout *layout;
    unsigned target;
    unsigned turn[CM_GPU_TYPES];       /* pieces of each type so far */
    unsigned accesses[CM_GPU_CLASSES]; /* of each class so far */
    bool converted;                    /* the last conversion was to an integer, of this accumulator */
    unsigned of;
    unsigned labels; /* behind sections */
};

/* ---- around the loop ---- */

static bool is_used(const struct writing *writing, size_t type)
{
    return registers[type].name != NULL && fragments[type].target <= writing->target;
}

static bool has_groups(const cm_gpu_kernel *kernel)
{
    bool has = false;
    for (size_t i = 0; i < kernel->piece_count; i++)
        has = has || cm_gpu_is_of_groups(kernel->pieces[i].class);
    return has;
}

/* The form of PTX that has FP8 or groups of warps; NULL: the kernel needs none. */
static const char *newer_form(const cm_gpu_kernel *kernel)
{
    for (size_t i = 0; i < kernel->piece_count; i++) {
        cm_gpu_class class = kernel->pieces[i].class;
        if (class == CM_GPU_MMA_E4 || class == CM_GPU_MMA_E5 || class == CM_GPU_MMA_SP_E4)
            return "8.4";
    }
    return has_groups(kernel) ? "8.0" : NULL;
}

/* Whether products of groups of warps may be in the family's kernels. */
static bool is_staged(const struct writing *writing)
{
    enum { FIRST = 90 };
    return writing->kernel->family != CM_GPU_FLOPS && writing->target >= FIRST;
}

/* The newest form of PTX that the target's drivers know; it has everything that the kernels need, but for FP8
 * and groups of warps, which no other target has. */
static void put_head(FILE *to, const cm_gpu_kernel *kernel, unsigned target)
{
    static const struct {
        unsigned target;
        const char *version;
    } forms[] = {{90, "7.8"}, {89, "7.8"}, {80, "7.0"}, {70, "6.3"}, {60, "6.0"}, {53, "6.0"}};
    char entry[CM_GPU_ENTRY_SIZE];
    size_t form = 0;
    while (form + 1 < sizeof forms / sizeof forms[0] && forms[form].target > target)
        form++;
    fprintf(to, ".version %s\n.target sm_%u%s\n.address_size 64\n\n",
            newer_form(kernel) != NULL ? newer_form(kernel) : forms[form].version, forms[form].target,
            has_groups(kernel) ? "a" : "");
    cm_gpu_entry(kernel, entry, sizeof entry);
    fprintf(to, ".visible .entry %s(.param .u64 memory, .param .u32 trips)\n{\n", entry);
}

/* Declares the registers. */
static void declare_registers(const struct writing *writing)
{
    FILE *to = writing->to;
    fputs("\t.reg .b64 %memory, %mine, %offset;\n\t.reg .b32 %trips, %thread, %block, %size, %number, %bits;\n"
          "\t.reg .pred %turn, %out;\n",
          to);
    if (writing->kernel->family != CM_GPU_FLOPS)
        fputs("\t.reg .b32 %stored;\n\t.reg .b64 %first;\n", to);
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        if (!is_used(writing, type))
            continue;
        fprintf(to, "\t.reg .%s %%%s<%u>;\n", of->type, of->name, of->accumulators * of->parts);
        fprintf(to, "\t.reg .%s %%%s_c, %%%s_m;\n", of->constants, of->name, of->name);
    }
    fprintf(to, "\t.reg .s32 %%t<%d>;\n", CM_GPU_CHAINS);
    if (writing->kernel->family >= CM_GPU_MEMORY || is_staged(writing))
        fprintf(to, "\t.shared .align 128 .b8 tile[%d];\n",
                CM_GPU_REGION + (is_staged(writing) ? CM_GPU_GROUP_TYPES * CM_GPU_GROUP_AREA : 0));
}

/* Moves the factors of warp groups into shared memory, before the loop. */
static void stage_groups(const struct writing *writing)
{
    static const cm_gpu_type staged[CM_GPU_GROUP_TYPES] = {CM_GPU_TYPE_MH, CM_GPU_TYPE_MHH, CM_GPU_TYPE_MB,
                                                           CM_GPU_TYPE_MT, CM_GPU_TYPE_MI,  CM_GPU_TYPE_ME4,
                                                           CM_GPU_TYPE_ME5};
    const char *names[CM_GPU_GROUP_TYPES];
    for (size_t i = 0; i < CM_GPU_GROUP_TYPES; i++)
        names[i] = registers[staged[i]].name;
    if (is_staged(writing))
        cm_gpu_ptx_before_groups(writing->to, names);
}

/* Computes the addresses of a thread's input and output. */
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
    if (writing->kernel->family != CM_GPU_FLOPS)
        fprintf(to,
                "\tmov.u32 %%stored, 0x44444444;\n" /* of each four, numbers 0 and 1; of two, the first */
                "\tand.b32 %%bits, %%number, 0xffffffe0;\n\tmul.wide.u32 %%first, %%bits, %zu;\n"
                "\tadd.s64 %%first, %%memory, %%first;\n",
                writing->layout->output);
}

/* Whole matrices in the slots of the warp's threads. */
static void move_fragments(const struct writing *writing, size_t type, bool load)
{
    const struct registers *of = &registers[type];
    FILE *to = writing->to;
    for (unsigned i = 0; i < of->accumulators; i++) {
        size_t rows = (size_t)i * cm_gpu_fragment_of((cm_gpu_type)type).rows;
        size_t at = writing->layout->input + CM_GPU_SLOT(type, 0) + rows * writing->layout->output;
        fprintf(to, "\twmma.%s.sync.aligned.row.%s.global.%s ", load ? "load.c" : "store.d", fragments[type].shape,
                fragments[type].type);
        if (!load)
            fprintf(to, "[%%first+%zu], ", at);
        for (unsigned part = 0; part < of->parts; part++)
            fprintf(to, "%s%%%s%u", part == 0 ? "{" : ", ", of->name, i * of->parts + part);
        fputs("}, ", to);
        if (load)
            fprintf(to, "[%%first+%zu], ", at);
        fprintf(to, "%zu;\n", writing->layout->output / fragments[type].size);
    }
}

/* Loads go past L1, which all of a block's accumulators would fill, but in gpu-flops. */
static void move_accumulators(const struct writing *writing, bool load)
{
    const char *past = writing->kernel->family != CM_GPU_FLOPS ? ".cg" : "";
    FILE *to = writing->to;
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        if (fragments[type].shape != NULL && is_used(writing, type))
            move_fragments(writing, type, load);
        for (unsigned i = 0; fragments[type].shape == NULL && i < of->accumulators * of->parts; i++) {
            size_t at = writing->layout->input + CM_GPU_SLOT(type, i);
            if (load)
                fprintf(to, "\tld.global%s.%s %%%s%u, [%%mine+%zu];\n", past, of->type, of->name, i, at);
            else
                fprintf(to, "\tst.global.%s [%%mine+%zu], %%%s%u;\n", of->type, at, of->name, i);
        }
    }
}

/* Loads the two constants of each type that the kernel uses. */
static void load_ptx_constants(const struct writing *writing)
{
    FILE *to = writing->to;
    for (size_t type = 0; type < writing->layout->types; type++) {
        const struct registers *of = &registers[type];
        if (!is_used(writing, type))
            continue;
        fprintf(to, "\tld.global.%s %%%s_c, [%%memory+%zu];\n", of->constants, of->name, CM_GPU_INPUT_AT(type));
        fprintf(to, "\tld.global.%s %%%s_m, [%%memory+%zu];\n", of->constants, of->name, CM_GPU_INPUT_AT(type) + 8);
    }
    for (int i = 0; i < CM_GPU_CHAINS; i++)
        fprintf(to, "\tmov.s32 %%t%d, 0;\n", i);
}

/* Every kernel has the branch, even if no thread takes it. A kernel that nobody enters has no loop, and another branch
 * that is not taken, as the others have in their last turn: so the instructions around loops cancel. */
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

/* Writes the register that a letter of an instruction's text stands for. */
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

/* Writes an instruction, with registers in place of its letters. */
static void put_ptx_instruction(struct writing *writing, const char *text, cm_gpu_type type, unsigned at)
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

/* Writes additions of integers, and the branch or mask that chooses the threads which execute them. */
static void put_ptx_section(struct writing *writing, const cm_gpu_section *section)
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
        put_ptx_section(writing, cm_gpu_section_of(class));
        return;
    }
    cm_gpu_type type = cm_gpu_class_table[class].type;
    const char *text = cm_gpu_ptx_instructions[class].text;
    unsigned at = writing->of;
    if (class == CM_GPU_CONVERT && writing->converted) {
        text = cm_gpu_ptx_instructions[class].second;
        writing->converted = false;
    } else {
        at = cm_gpu_is_wide(class) ? 0 : writing->turn[type] % registers[type].accumulators;
        writing->turn[type]++;
        writing->converted |= class == CM_GPU_CONVERT;
        writing->of = class == CM_GPU_CONVERT ? at : writing->of;
    }
    fputc('\t', writing->to);
    put_ptx_instruction(writing, text, type, at);
}

/* Writes the loop, a piece after the other. */
static void put_ptx_loop(struct writing *writing)
{
    fputs("loop:\n\t.pragma \"nounroll\";\n", writing->to);
    for (size_t i = 0; i < writing->kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &writing->kernel->pieces[i];
        if (cm_gpu_is_of_groups(piece->class))
            cm_gpu_ptx_begin_group(writing->to);
        for (unsigned n = 0; n < piece->count; n++)
            put_one(writing, piece->class);
        if (cm_gpu_is_of_groups(piece->class))
            cm_gpu_ptx_end_group(writing->to);
    }
    fputs("\tadd.s32 %trips, %trips, -1;\n\tsetp.ne.s32 %turn, %trips, 0;\n\t@%turn bra loop;\n\tbra done;\ndone:\n",
          writing->to);
}

/* ---- all ---- */

/* CM_UNSUPPORTED if the kernel is not for NVIDIA's GPUs, or the target lacks an instruction. */
static cm_status check_ptx_kernel(const cm_gpu_kernel *kernel, unsigned target, cm_error *error)
{
    if (kernel->vendors != 0 && (kernel->vendors & CM_GPU_NVIDIA) == 0)
        return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "%s is no kernel for NVIDIA's GPUs", kernel->name);
    for (size_t i = 0; i < kernel->piece_count; i++) {
        cm_gpu_class class = kernel->pieces[i].class;
        if (class >= CM_GPU_COMPUTING && (cm_gpu_class_table[class].vendors & CM_GPU_NVIDIA) != 0)
            continue;
        if (class >= CM_GPU_COMPUTING || cm_gpu_ptx_instructions[class].text == NULL)
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "NVIDIA's GPUs have no instruction for %s",
                                cm_gpu_class_table[class].words);
        if (!cm_gpu_ptx_has(class, target))
            return cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "sm_%u has no instruction for %s", target,
                                cm_gpu_class_table[class].words);
    }
    return CM_OK;
}

cm_status cm_gpu_ptx(const cm_gpu_kernel *kernel, unsigned target, char **text, cm_error *error)
{
    size_t size = 0;
    char *written = NULL;
    cm_status status = check_ptx_kernel(kernel, target, error);
    if (status != CM_OK)
        return status;
    struct writing writing = {.to = cm_memory_stream(&written, &size),
                              .kernel = kernel,
                              .layout = cm_gpu_layout_of(kernel->family),
                              .target = target};
    if (writing.to == NULL)
        return cm_error_no_memory(error);
    put_head(writing.to, kernel, target);
    declare_registers(&writing);
    find_memory(&writing);
    load_ptx_constants(&writing);
    stage_groups(&writing);
    move_accumulators(&writing, true);
    if (kernel->family >= CM_GPU_MEMORY)
        cm_gpu_ptx_before_accesses(writing.to);
    if (kernel->family == CM_GPU_INSTRUCTIONS)
        declare_sections(writing.to);
    pass_by(writing.to, kernel->mask);
    if (kernel->mask != CM_GPU_NOBODY)
        put_ptx_loop(&writing);
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
