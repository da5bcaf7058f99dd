/* Programs put into code for processors whose instructions are words of four bytes. */
#include "programs/programs.h"

enum { ENTRY = 64 };

/* Whether all of these processors can do the work. */
static bool is_known(cm_work_kind kind)
{
    switch (kind) {
    case CM_WORK_FP:
    case CM_WORK_NOP:
    case CM_WORK_LOAD:
    case CM_WORK_STORE:
    case CM_WORK_TAKEN:
    case CM_WORK_NOT_TAKEN:
    case CM_WORK_RANDOM:
    case CM_WORK_JUMP:
    case CM_WORK_JUMP_INDIRECT:
    case CM_WORK_CALL:
    case CM_WORK_CALL_INDIRECT: return true;
    default: return false;
    }
}

static const cm_words_row *find_row(cm_work_kind kind)
{
    for (size_t i = 0; i < cm_words_row_count; i++)
        if (cm_words_rows[i].kind == kind)
            return &cm_words_rows[i];
    return NULL;
}

bool cm_emit_available(const cm_work *work, unsigned isa)
{
    const cm_words_row *row = find_row(work->kind);
    if (row != NULL)
        return (isa & row->isa) == row->isa && work->width <= CM_FP_128;
    return is_known(work->kind) && !work->split && cm_words_available(work, isa);
}

static void write_uncounted(cm_words *code, uint32_t word)
{
    if (code->used + CM_WORD > code->size) {
        code->full = true;
        return;
    }
    memcpy(code->bytes + code->used, &word, CM_WORD);
    code->used += CM_WORD;
}

void cm_words_write(cm_words *code, uint32_t word)
{
    write_uncounted(code, word);
    code->facts[CM_FACT_INSTRUCTIONS] += 1.0;
}

void cm_words_write_vector(cm_words *code, uint32_t word)
{
    cm_words_write(code, word);
    code->facts[CM_FACT_SIMD_INSTRUCTIONS] += 1.0;
}

void cm_words_write_integer(cm_words *code, uint32_t word, size_t fact)
{
    cm_words_write(code, word);
    code->facts[fact] += 1.0;
}

void cm_emit_functions(unsigned char *start, size_t size)
{
    (void)start;
    (void)size;
}

static void write_nop(cm_words *code, bool executed)
{
    write_uncounted(code, cm_words_nop);
    code->facts[CM_FACT_INSTRUCTIONS] += executed;
    code->facts[CM_FACT_NOPS] += executed;
}

static void write_call(cm_words *code, bool indirect)
{
    cm_words_write_call(code, indirect);
    code->facts[CM_FACT_INSTRUCTIONS] += 1.0; /* for the return */
}

static void write_steady(cm_words *code, bool taken)
{
    cm_words_write_steady(code, taken);
    if (taken)
        write_nop(code, false);
}

static void write_jump(cm_words *code, bool indirect)
{
    cm_words_write_jump(code, indirect);
    write_nop(code, false);
}

/* Writes one piece of work and adds its facts. */
static void write_work(cm_words *code, const cm_work *work)
{
    const cm_words_row *row = find_row(work->kind);
    cm_work_add_facts(work, 1.0, code->facts);
    if (row != NULL) {
        (row->vector ? cm_words_write_vector : cm_words_write)(code, row->word);
        if (row->fact != CM_FACT_COUNT)
            code->facts[row->fact] += 1.0;
        return;
    }
    switch (work->kind) {
    case CM_WORK_NOP: cm_words_write(code, cm_words_nop); break;
    case CM_WORK_TAKEN: write_steady(code, true); break;
    case CM_WORK_NOT_TAKEN: write_steady(code, false); break;
    case CM_WORK_JUMP: write_jump(code, false); break;
    case CM_WORK_JUMP_INDIRECT: write_jump(code, true); break;
    case CM_WORK_CALL: write_call(code, false); break;
    case CM_WORK_CALL_INDIRECT: write_call(code, true); break;
    case CM_WORK_FP: cm_words_write_arithmetic(code, work); break;
    default: cm_words_write_access(code, work, work->kind == CM_WORK_LOAD); break;
    }
}

/* Writes a branch over the following pieces, or over a nop; returns the number of these pieces. */
static size_t write_random(cm_words *code, const cm_program_emission *emission, const cm_work *work)
{
    cm_work_add_facts(work, 1.0, code->facts);
    cm_words_write_bit(code, work->plane);
    cm_work_add_load(1, 1.0, code->facts);
    size_t at = code->used;
    cm_words_write(code, 0);
    code->facts = emission->skipped + work->plane * cm_fact_count();
    if (work->skips == 0)
        write_nop(code, true);
    for (size_t i = 1; i <= work->skips; i++)
        write_work(code, &work[i]);
    code->facts = emission->each;
    uint32_t word = cm_words_where_set(work->plane, (int32_t)(code->used - at));
    if (!code->full)
        memcpy(code->bytes + at, &word, CM_WORD);
    return work->skips;
}

/* The last branch is not taken. */
static void write_loop(cm_words *code, const cm_program_emission *emission)
{
    cm_words_begin(code);
    size_t first = code->used;
    code->facts = emission->each;
    for (size_t i = 0; i < emission->composition->count; i++) {
        const cm_work *work = &emission->composition->works[i];
        if (work->kind == CM_WORK_RANDOM)
            i += write_random(code, emission, work);
        else
            write_work(code, work);
    }
    cm_words_step(code);
    cm_words_loop(code, first);
    cm_work_add_branch(1.0, 1.0, code->facts);
    code->facts = emission->once;
    cm_work_add_branch(0.0, -1.0, code->facts);
    cm_words_return(code);
}

cm_status cm_emit(cm_program_emission *emission, unsigned isa, cm_error *error)
{
    cm_words code = {.bytes = emission->code,
                     .size = emission->size,
                     .facts = emission->once,
                     .isa = isa,
                     .memory = emission->memory};
    write_uncounted(&code, cm_words_return_word);
    while (code.used < ENTRY && !code.full)
        write_uncounted(&code, cm_words_trap); /* never executed */
    emission->entry = ENTRY;
    if (emission->composition != NULL)
        write_loop(&code, emission);
    else
        cm_words_write(&code, cm_words_return_word);
    code.facts[CM_FACT_RETURNS] += 1.0;
    emission->used = code.used;
    return code.full ? CM_FAIL(error, CM_UNSUPPORTED, "a program is too long") : CM_OK;
}
