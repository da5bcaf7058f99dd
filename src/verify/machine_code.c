/* The kinds are those of the list of instructions in NVIDIA's "CUDA Binary Utilities". The compiler chooses the code of
 * a kernel's integers and of its loop's own counting, which is not compared. */
#include "verify/verify.h"

enum { DIFFERENCES_SIZE = 512, MOST_SPELLINGS = 3 };

enum kind { FADD, FMUL, FFMA, DADD, DMUL, DFMA, HADD2, HMUL2, HFMA2, HMMA, DMMA, SQRT, RCP, CONVERSION, KINDS };

const char *const cm_machine_kinds[KINDS] = {"FADD",  "FMUL",  "FFMA", "DADD", "DMUL",      "DFMA",     "HADD2",
                                             "HMUL2", "HFMA2", "HMMA", "DMMA", "MUFU.SQRT", "MUFU.RCP", "F2I_I2F"};
const size_t cm_machine_kind_count = KINDS;

/* Kinds with other spellings than their name here. */
static const char *const conversions[MOST_SPELLINGS] = {"F2I", "I2F", "I2FP"};

/* The kind of each instruction of gpu-flops' PTX in machine code. Halves and bfloat16 use those for pairs. */
static const enum kind kinds[CM_GPU_BRANCH + 1] = {
    [CM_GPU_H_ADD] = HADD2,        [CM_GPU_H_SUB] = HADD2,   [CM_GPU_H2_ADD] = HADD2,  [CM_GPU_H2_SUB] = HADD2,
    [CM_GPU_B_ADD] = HADD2,        [CM_GPU_B_SUB] = HADD2,   [CM_GPU_B2_ADD] = HADD2,  [CM_GPU_H_MUL] = HMUL2,
    [CM_GPU_H2_MUL] = HMUL2,       [CM_GPU_B_MUL] = HMUL2,   [CM_GPU_B2_MUL] = HMUL2,  [CM_GPU_H_FMA] = HFMA2,
    [CM_GPU_H2_FMA] = HFMA2,       [CM_GPU_B_FMA] = HFMA2,   [CM_GPU_B2_FMA] = HFMA2,  [CM_GPU_S_ADD] = FADD,
    [CM_GPU_S_SUB] = FADD,         [CM_GPU_S_MUL] = FMUL,    [CM_GPU_S_FMA] = FFMA,    [CM_GPU_D_ADD] = DADD,
    [CM_GPU_D_SUB] = DADD,         [CM_GPU_D_MUL] = DMUL,    [CM_GPU_D_FMA] = DFMA,    [CM_GPU_MATRIX_H] = HMMA,
    [CM_GPU_MATRIX_B] = HMMA,      [CM_GPU_MATRIX_D] = DMMA, [CM_GPU_S_SQRT] = SQRT,   [CM_GPU_SPECIAL] = RCP,
    [CM_GPU_CONVERT] = CONVERSION, [CM_GPU_INT_ADD] = KINDS, [CM_GPU_INT_MUL] = KINDS, [CM_GPU_INT_LOGIC] = KINDS,
    [CM_GPU_INT_SHIFT] = KINDS,    [CM_GPU_COMPARE] = KINDS, [CM_GPU_BRANCH] = KINDS,  [CM_GPU_H_SQRT] = KINDS,
    [CM_GPU_D_SQRT] = KINDS,       [CM_GPU_S2_ADD] = KINDS,  [CM_GPU_S2_MUL] = KINDS,  [CM_GPU_S2_FMA] = KINDS,
    [CM_GPU_MATRIX_S] = KINDS,
};

struct counts {
    size_t in_loop[KINDS], predicated[KINDS], before[KINDS], behind[KINDS];
};

static bool is_of(const cm_listed *instruction, enum kind kind)
{
    if (kind != CONVERSION)
        return cm_listed_is(instruction, cm_machine_kinds[kind]);
    for (size_t i = 0; i < MOST_SPELLINGS; i++)
        if (cm_listed_is(instruction, conversions[i]))
            return true;
    return false;
}

/* Whether it multiplies with zero: so the compiler sets a register to a constant, the summand. */
static bool is_move(const cm_listed *instruction)
{
    size_t length = strcspn(instruction->operands, ";\n");
    return memmem(instruction->operands, length, "-RZ, RZ,", 8) != NULL;
}

/* Counts the instructions of each kind in, before and after the loop. */
static void count_instructions(const cm_listing *listing, struct counts *counts)
{
    for (size_t i = 0; i < listing->count; i++) {
        const cm_listed *instruction = &listing->instructions[i];
        for (enum kind kind = 0; kind < KINDS; kind++) {
            if (!is_of(instruction, kind))
                continue;
            bool inside = listing->loops != 0 && i >= listing->first && i < listing->end;
            counts->in_loop[kind] += inside;
            counts->predicated[kind] += inside && instruction->predicated;
            counts->before[kind] += !inside && i < listing->end && !is_move(instruction);
            counts->behind[kind] += !inside && i >= listing->end && !is_move(instruction);
        }
    }
}

static void expect_counts(const cm_gpu_kernel *kernel, struct counts *expected)
{
    for (size_t i = 0; i < kernel->piece_count; i++) {
        const cm_gpu_piece *piece = &kernel->pieces[i];
        enum kind kind = kinds[piece->class];
        if (kind == KINDS)
            continue;
        expected->in_loop[kind] += piece->count;
    }
}

__attribute__((format(printf, 2, 3))) static void say(char *text, const char *format, ...)
{
    size_t used = strlen(text);
    va_list arguments;
    if (used != 0)
        used += (size_t)snprintf(text + used, DIFFERENCES_SIZE - used, ", ");
    if (used >= DIFFERENCES_SIZE)
        return;
    va_start(arguments, format);
    vsnprintf(text + used, DIFFERENCES_SIZE - used, format, arguments);
    va_end(arguments);
}

/* Writes the differences between the counts. */
static void write_differences(const struct counts *found, const struct counts *expected, char *text)
{
    for (enum kind kind = 0; kind < KINDS; kind++) {
        const char *name = cm_machine_kinds[kind];
        if (found->in_loop[kind] != expected->in_loop[kind])
            say(text, "%s %zu instead of %zu", name, found->in_loop[kind], expected->in_loop[kind]);
        else if (found->predicated[kind] != 0)
            say(text, "%zu %s under a predicate", found->predicated[kind], name);
        if (found->before[kind] != 0)
            say(text, "%zu %s before the loop", found->before[kind], name);
        if (found->behind[kind] != 0)
            say(text, "%zu %s behind the loop", found->behind[kind], name);
    }
}

/* Judges a listing: the loop's shape, then the counts. */
static void judge_listing(const cm_listing *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                          char *text)
{
    struct counts found = {0}, expected = {0};
    count_instructions(listing, &found);
    expect_counts(kernel, &expected);
    if (listing->loops != 1)
        say(text, listing->loops == 0 ? "no loop is left" : "%zu loops instead of one", listing->loops);
    if (kernel->mask != 0 && listing->ways_past == 0)
        say(text, "no way past the loop");
    if (listing->calls != 0)
        say(text, "%zu calls of subroutines", listing->calls);
    write_differences(&found, &expected, text);
    for (enum kind kind = 0; kind < KINDS; kind++)
        verified->quantities[kind] =
            (cm_verified_quantity){(double)found.in_loop[kind], (double)expected.in_loop[kind], 0.0};
    verified->ok = text[0] == '\0';
}

cm_status cm_machine_code_judge(const char *listing, const cm_gpu_kernel *kernel, cm_verified_kernel *verified,
                                cm_error *error)
{
    cm_listing read;
    char text[DIFFERENCES_SIZE] = "";
    verified->available = true;
    cm_status status = cm_listing_read(listing, &read, error);
    if (status == CM_OK && read.count == 0)
        say(text, "the disassembler shows no instruction");
    else if (status == CM_OK)
        judge_listing(&read, kernel, verified, text);
    cm_listing_clear(&read);
    if (status == CM_OK && (verified->text = strdup(text)) == NULL)
        return cm_error_no_memory(error);
    return status;
}
