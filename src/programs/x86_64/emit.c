/* Programs as x86-64 code, called as kernels are: iterations in rdi.
 *
 * rsi moves through the random bits, r8 to r10 through the buffers; rax, rcx and rdx are scratch registers. The
 * function that calls lead to returns at once and stands before the program. */
#include "cat-kernels/x86_64/isa.h"
#include "programs/x86_64/code.h"

enum { ENTRY = 64, STACK_BYTES = 8, SHORT_JUMP = 2, NOP = 1, LEA = 7 };

#define AX cm_register(ZYDIS_REGISTER_RAX)
#define CX cm_register(ZYDIS_REGISTER_RCX)
#define DX cm_register(ZYDIS_REGISTER_RDX)

bool cm_emit_available(const cm_work *work, unsigned isa)
{
    static const struct {
        unsigned bytes, isa;
    } needs[] = {{16, CM_ISA_SSE2}, {32, CM_ISA_AVX}, {64, CM_ISA_AVX512F}};
    for (size_t i = 0; i < CM_COUNT_OF(needs); i++)
        if (work->bytes == needs[i].bytes)
            return (isa & needs[i].isa) != 0;
    switch (work->kind) {
    case CM_WORK_FP:
    case CM_WORK_VECTOR_MOVE:
    case CM_WORK_VECTOR_LOGIC:
    case CM_WORK_VECTOR_INTEGER:
    case CM_WORK_VECTOR_SUBTRACT:
    case CM_WORK_VECTOR_MULTIPLY:
    case CM_WORK_VECTOR_SHIFT:
    case CM_WORK_VECTOR_COMPARE:
    case CM_WORK_VECTOR_SHUFFLE:
    case CM_WORK_LOAD_SCALAR:
    case CM_WORK_STORE_SCALAR: return cm_vector_available(work, isa);
    case CM_WORK_CONVERT: return (isa & CM_ISA_SSE2) != 0;
    case CM_WORK_AES: return (isa & CM_ISA_AES) != 0;
    case CM_WORK_CRC: return (isa & CM_ISA_SSE4_2) != 0;
    default: return true;
    }
}

/* ---- loads and stores ---- */

/* A load of as many bytes as the work says. */
static void write_load(cm_code *code, const cm_work *work)
{
    cm_operand from = cm_work_memory(work);
    if (work->bytes > 8)
        cm_vector_load(code, &from);
    else if (work->bytes == 8)
        CM_PUT(code, ZYDIS_MNEMONIC_MOV, AX, from);
    else
        CM_PUT(code, work->bytes == 4 ? ZYDIS_MNEMONIC_MOV : ZYDIS_MNEMONIC_MOVZX, cm_register(ZYDIS_REGISTER_EAX),
               from);
}

static cm_operand register_of(unsigned bytes)
{
    return cm_register(bytes == 8   ? ZYDIS_REGISTER_RCX
                       : bytes == 4 ? ZYDIS_REGISTER_ECX
                       : bytes == 2 ? ZYDIS_REGISTER_CX
                                    : ZYDIS_REGISTER_CL);
}

static void write_store(cm_code *code, const cm_work *work)
{
    cm_operand to = cm_work_memory(work);
    bool past = work->kind == CM_WORK_NT_STORE;
    if (work->bytes > 8)
        cm_vector_store(code, &to, past);
    else
        CM_PUT(code, past ? ZYDIS_MNEMONIC_MOVNTI : ZYDIS_MNEMONIC_MOV, to, register_of(work->bytes));
}

static void write_update(cm_code *code, const cm_work *work)
{
    const cm_operand operands[] = {cm_work_memory(work), register_of(work->bytes)};
    cm_code_write_prefixed(code, work->kind == CM_WORK_UPDATE_LOCKED ? ZYDIS_ATTRIB_HAS_LOCK : 0, ZYDIS_MNEMONIC_ADD, 2,
                           operands);
}

/* An access to many pages of the first buffer. */
static void write_far_access(cm_code *code, const cm_work *work)
{
    for (size_t hop = 0; hop < CM_WORK_HOPS; hop++) {
        cm_operand at = cm_memory(cm_work_pointers[0], (int64_t)(work->offset + hop * CM_PROGRAM_APART), work->bytes);
        if (work->kind == CM_WORK_LOAD_FAR)
            CM_PUT(code, ZYDIS_MNEMONIC_MOV, AX, at);
        else
            CM_PUT(code, ZYDIS_MNEMONIC_MOV, at, CX);
    }
}

static void write_prefetch(cm_code *code, const cm_work *work, ZydisMnemonic mnemonic)
{
    CM_PUT(code, mnemonic, cm_memory(cm_work_pointers[work->buffer], work->offset, 1));
}

/* ---- branches ---- */

static void write_nop(cm_code *code, bool executed)
{
    if (!executed) {
        cm_code_write_uncounted(code, ZYDIS_MNEMONIC_NOP, 0, NULL);
        return;
    }
    cm_code_write(code, ZYDIS_MNEMONIC_NOP, 0, NULL);
    code->facts[CM_FACT_NOPS] += 1.0;
}

/* Branches on the stack pointer, which is not zero; a branch that is not taken leads nowhere else. */
static void write_steady_branch(cm_code *code, bool taken)
{
    cm_operand sp = cm_register(ZYDIS_REGISTER_RSP);
    CM_PUT(code, ZYDIS_MNEMONIC_TEST, sp, sp);
    CM_PUT(code, taken ? ZYDIS_MNEMONIC_JNZ : ZYDIS_MNEMONIC_JZ, cm_immediate(taken ? NOP : 0));
    if (taken)
        write_nop(code, false);
}

void cm_emit_functions(unsigned char *start, size_t size)
{
    enum { RET = 0xc3 };
    memset(start, RET, size);
}

static void write_jump(cm_code *code, bool indirect)
{
    if (indirect) {
        CM_PUT(code, ZYDIS_MNEMONIC_LEA, AX, cm_memory(ZYDIS_REGISTER_RIP, SHORT_JUMP + NOP, 8));
        CM_PUT(code, ZYDIS_MNEMONIC_JMP, AX);
    } else {
        CM_PUT(code, ZYDIS_MNEMONIC_JMP, cm_immediate(NOP));
    }
    write_nop(code, false);
}

/* Adds the facts of the return of an empty function. */
static void add_return(cm_code *code)
{
    code->facts[CM_FACT_INSTRUCTIONS] += 1.0;
    cm_work_add_store(STACK_BYTES, 1.0, code->facts);
    cm_work_add_load(STACK_BYTES, 1.0, code->facts);
}

static void write_call_in_register(cm_code *code)
{
    CM_PUT(code, ZYDIS_MNEMONIC_CALL, AX);
    add_return(code);
}

/* The target moves on with the buffer's pointer. A pointer that comes round may land before its first place, but not
 * below a multiple of twice the buffer's size; the functions of all those pages come before the first target. */
static void write_call_with(cm_code *code, unsigned buffer, size_t offset)
{
    const cm_program_memory *memory = code->memory;
    uintptr_t first = (uintptr_t)memory->buffers[buffer];
    size_t pages = (first % (2 * memory->sizes[buffer]) + CM_PROGRAM_PAGE - 1) / CM_PROGRAM_PAGE;
    intptr_t apart = (intptr_t)(memory->functions + pages * CM_PROGRAM_PAGE) - (intptr_t)first;
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, AX, cm_immediate(apart + (intptr_t)offset));
    CM_PUT(code, ZYDIS_MNEMONIC_ADD, AX, cm_register(cm_work_pointers[buffer]));
    write_call_in_register(code);
}

static void write_far_calls(cm_code *code)
{
    for (size_t hop = 0; hop < CM_WORK_HOPS; hop++)
        write_call_with(code, 0, hop * CM_PROGRAM_APART);
}

/* The target moves on by 8 bytes with each of the random bits. */
static void write_call_elsewhere(cm_code *code, const cm_work *work)
{
    enum { SCALE = 8 };
    const uint64_t apart = (uintptr_t)code->memory->functions - SCALE * (uint64_t)(uintptr_t)code->memory->bits;
    cm_operand moved = cm_memory(ZYDIS_REGISTER_RAX, 0, SCALE);
    moved.mem.index = ZYDIS_REGISTER_RSI;
    moved.mem.scale = SCALE;
    if (work->buffer + 1 < CM_WORK_BUFFERS) {
        write_call_with(code, work->buffer, work->offset);
        return;
    }
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, AX, cm_immediate((int64_t)apart));
    CM_PUT(code, ZYDIS_MNEMONIC_LEA, AX, moved);
    write_call_in_register(code);
}

/* Calls the function at the code's first byte. */
static void write_call(cm_code *code, bool indirect)
{
    if (indirect) {
        CM_PUT(code, ZYDIS_MNEMONIC_LEA, AX, cm_memory(ZYDIS_REGISTER_RIP, -(int64_t)(code->used + LEA), 8));
        CM_PUT(code, ZYDIS_MNEMONIC_CALL, AX);
    } else {
        cm_code_write_branch(code, ZYDIS_MNEMONIC_CALL, 0);
    }
    add_return(code);
}

/* Returns to the next instruction, whose address it puts in a call's place. */
static void write_stray_return(cm_code *code)
{
    enum { PUSH = 1, RET = 1 };
    CM_PUT(code, ZYDIS_MNEMONIC_LEA, AX, cm_memory(ZYDIS_REGISTER_RIP, PUSH + RET, 8));
    CM_PUT(code, ZYDIS_MNEMONIC_PUSH, AX);
    cm_code_write(code, ZYDIS_MNEMONIC_RET, 0, NULL);
    cm_work_add_store(STACK_BYTES, 1.0, code->facts);
    cm_work_add_load(STACK_BYTES, 1.0, code->facts);
}

/* ---- on general registers ---- */

/* The upper half of the dividend is 0, so the quotient fits: the divisor, the stack pointer, is not 0. */
static void write_divide(cm_code *code)
{
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, DX, cm_immediate(0));
    CM_PUT(code, ZYDIS_MNEMONIC_DIV, cm_register(ZYDIS_REGISTER_RSP));
}

static void write_string(cm_code *code, const cm_work *work)
{
    cm_operand counter = cm_register(ZYDIS_REGISTER_RDI), kept = cm_register(ZYDIS_REGISTER_R11);
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, kept, counter);
    CM_PUT(code, ZYDIS_MNEMONIC_LEA, counter, cm_work_memory(work));
    cm_code_write(code, ZYDIS_MNEMONIC_STOSQ, 0, NULL);
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, counter, kept);
}

/* Leaves the stack of x87 registers empty. */
static void write_old(cm_code *code, bool x87)
{
    cm_operand top = cm_register(ZYDIS_REGISTER_ST0), vector = cm_register(ZYDIS_REGISTER_MM0);
    if (x87) {
        cm_code_write(code, ZYDIS_MNEMONIC_FLD1, 0, NULL);
        CM_PUT(code, ZYDIS_MNEMONIC_FSTP, top);
    } else {
        CM_PUT(code, ZYDIS_MNEMONIC_PADDD, vector, vector);
        cm_code_write(code, ZYDIS_MNEMONIC_EMMS, 0, NULL);
    }
}

/* Writes work on general registers, or on vectors. */
static void write_integer(cm_code *code, const cm_work *work)
{
    switch (work->kind) {
    case CM_WORK_INTEGER_ADD: CM_PUT(code, ZYDIS_MNEMONIC_ADD, CX, DX); break;
    case CM_WORK_INTEGER_MULTIPLY: CM_PUT(code, ZYDIS_MNEMONIC_IMUL, CX, DX); break;
    case CM_WORK_INTEGER_SHIFT: CM_PUT(code, ZYDIS_MNEMONIC_SHL, DX, cm_immediate(1)); break;
    case CM_WORK_INTEGER_LOGIC: CM_PUT(code, ZYDIS_MNEMONIC_XOR, DX, CX); break;
    case CM_WORK_INTEGER_DIVIDE: write_divide(code); break;
    case CM_WORK_INTEGER_COMPARE: CM_PUT(code, ZYDIS_MNEMONIC_CMP, CX, DX); break;
    case CM_WORK_INTEGER_MOVE: CM_PUT(code, ZYDIS_MNEMONIC_MOV, AX, CX); break;
    case CM_WORK_INTEGER_ADDRESS: CM_PUT(code, ZYDIS_MNEMONIC_LEA, AX, cm_memory(ZYDIS_REGISTER_RCX, 24, 8)); break;
    case CM_WORK_CRC: CM_PUT(code, ZYDIS_MNEMONIC_CRC32, CX, DX); break;
    case CM_WORK_NOP: cm_code_write(code, ZYDIS_MNEMONIC_NOP, 0, NULL); break;
    case CM_WORK_LOAD_FENCE: cm_code_write(code, ZYDIS_MNEMONIC_LFENCE, 0, NULL); break;
    case CM_WORK_STORE_FENCE: cm_code_write(code, ZYDIS_MNEMONIC_SFENCE, 0, NULL); break;
    case CM_WORK_PAUSE: cm_code_write(code, ZYDIS_MNEMONIC_PAUSE, 0, NULL); break;
    default: cm_vector_write(code, work); break;
    }
}

/* ---- a program ---- */

/* Writes one piece of work and adds its facts. */
static void write_work(cm_code *code, const cm_work *work)
{
    cm_work_add_facts(work, 1.0, code->facts);
    switch (work->kind) {
    case CM_WORK_LOAD: write_load(code, work); break;
    case CM_WORK_STORE:
    case CM_WORK_NT_STORE: write_store(code, work); break;
    case CM_WORK_UPDATE:
    case CM_WORK_UPDATE_LOCKED: write_update(code, work); break;
    case CM_WORK_TAKEN: write_steady_branch(code, true); break;
    case CM_WORK_NOT_TAKEN: write_steady_branch(code, false); break;
    case CM_WORK_JUMP: write_jump(code, false); break;
    case CM_WORK_JUMP_INDIRECT: write_jump(code, true); break;
    case CM_WORK_JUMP_FAR: cm_code_write_far_jump(code); break;
    case CM_WORK_LOAD_FAR:
    case CM_WORK_STORE_FAR: write_far_access(code, work); break;
    case CM_WORK_CALL_FAR: write_far_calls(code); break;
    case CM_WORK_CALL: write_call(code, false); break;
    case CM_WORK_CALL_INDIRECT: write_call(code, true); break;
    case CM_WORK_CALL_ELSEWHERE: write_call_elsewhere(code, work); break;
    case CM_WORK_RETURN: write_stray_return(code); break;
    case CM_WORK_X87:
    case CM_WORK_MMX: write_old(code, work->kind == CM_WORK_X87); break;
    case CM_WORK_STRING: write_string(code, work); break;
    case CM_WORK_PREFETCH_NTA: write_prefetch(code, work, ZYDIS_MNEMONIC_PREFETCHNTA); break;
    case CM_WORK_PREFETCH: write_prefetch(code, work, ZYDIS_MNEMONIC_PREFETCHT0); break;
    case CM_WORK_PREFETCH_OUTER: write_prefetch(code, work, ZYDIS_MNEMONIC_PREFETCHT1); break;
    case CM_WORK_PREFETCH_WRITE: write_prefetch(code, work, ZYDIS_MNEMONIC_PREFETCHW); break;
    default: write_integer(code, work); break;
    }
}

/* Writes a branch over the following pieces, or over a nop; returns the number of these pieces. */
static size_t write_random(cm_code *code, const cm_program_emission *emission, const cm_work *work)
{
    cm_work_add_facts(work, 1.0, code->facts);
    CM_PUT(code, ZYDIS_MNEMONIC_TEST, cm_memory(ZYDIS_REGISTER_RSI, 0, 1), cm_immediate((int8_t)(1u << work->plane)));
    cm_work_add_load(1, 1.0, code->facts);
    cm_code_write_branch(code, ZYDIS_MNEMONIC_JNZ, code->used);
    size_t from = code->used;
    code->facts = emission->skipped + work->plane * cm_fact_count();
    if (work->skips == 0)
        write_nop(code, true);
    for (size_t i = 1; i <= work->skips; i++)
        write_work(code, &work[i]);
    code->facts = emission->each;
    cm_code_land(code, from);
    return work->skips;
}

static void write_beginning(cm_code *code, const cm_program_memory *memory)
{
    cm_vector_begin(code, memory->ones);
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, cm_register(ZYDIS_REGISTER_RSI), cm_immediate((int64_t)(intptr_t)memory->bits));
    for (size_t i = 0; i < CM_WORK_BUFFERS; i++)
        CM_PUT(code, ZYDIS_MNEMONIC_MOV, cm_register(cm_work_pointers[i]),
               cm_immediate((int64_t)(intptr_t)memory->buffers[i]));
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, CX, cm_immediate(3));
    CM_PUT(code, ZYDIS_MNEMONIC_MOV, DX, cm_immediate(5));
}

/* Only beyond the end of a buffer does its pointer have this bit. */
static void write_step(cm_code *code, const cm_program_memory *memory)
{
    CM_PUT(code, ZYDIS_MNEMONIC_INC, cm_register(ZYDIS_REGISTER_RSI));
    for (size_t i = 0; i < CM_WORK_BUFFERS; i++) {
        CM_PUT(code, ZYDIS_MNEMONIC_ADD, cm_register(cm_work_pointers[i]), cm_immediate((int64_t)memory->strides[i]));
        CM_PUT(code, ZYDIS_MNEMONIC_AND, cm_register(cm_work_pointers[i]),
               cm_immediate(-(int64_t)memory->sizes[i] - 1));
    }
}

/* The last branch is not taken. */
static void write_loop(cm_code *code, const cm_program_emission *emission)
{
    write_beginning(code, emission->memory);
    size_t first = code->used;
    code->facts = emission->each;
    for (size_t i = 0; i < emission->composition->count; i++) {
        const cm_work *work = &emission->composition->works[i];
        if (work->kind == CM_WORK_RANDOM)
            i += write_random(code, emission, work);
        else
            write_work(code, work);
    }
    write_step(code, emission->memory);
    CM_PUT(code, ZYDIS_MNEMONIC_DEC, cm_register(ZYDIS_REGISTER_RDI));
    cm_code_write_branch(code, ZYDIS_MNEMONIC_JNZ, first);
    cm_work_add_branch(1.0, 1.0, code->facts);
    code->facts = emission->once;
    cm_work_add_branch(0.0, -1.0, code->facts);
    cm_vector_end(code);
}

cm_status cm_emit(cm_program_emission *emission, unsigned isa, cm_error *error)
{
    cm_code code = {.bytes = emission->code,
                    .size = emission->size,
                    .facts = emission->once,
                    .error = error,
                    .isa = isa,
                    .memory = emission->memory};
    if (emission->size < ENTRY)
        return CM_FAIL(error, CM_UNSUPPORTED, "a program is too long");
    cm_code_write_uncounted(&code, ZYDIS_MNEMONIC_RET, 0, NULL);
    memset(code.bytes + code.used, 0xcc, ENTRY - code.used); /* int3: never executed */
    code.used = emission->entry = ENTRY;
    if (emission->composition != NULL)
        write_loop(&code, emission);
    cm_code_write(&code, ZYDIS_MNEMONIC_RET, 0, NULL);
    code.facts[CM_FACT_RETURNS] += 1.0;
    cm_work_add_load(STACK_BYTES, 1.0, code.facts);
    emission->used = code.used;
    return code.status;
}
