/* One instruction of the stepped code, decoded once. */
#ifndef CM_SOFTWARE_PMU_X86_64_STEP_H
#define CM_SOFTWARE_PMU_X86_64_STEP_H

#include <Zydis/Zydis.h>

#include "software_pmu/machine/flow.h"
#include "software_pmu/x86_64/context.h"

/* Whether a number, as Zydis' for mnemonics, is one of those that follow it. */
#define CM_IS_AMONG(number, ...)                                                                                       \
    cm_is_among((int)(number), (const int[]){__VA_ARGS__}, sizeof((const int[]){__VA_ARGS__}) / sizeof(int))
static inline bool cm_is_among(int number, const int *numbers, size_t count)
{
    size_t i = 0;
    while (i < count && numbers[i] != number)
        i++;
    return i < count;
}

/* ---- Code caches: executable memory that holds copies of instructions, each run of them followed by a jump to the
 * switch's exit.
 *
 * A cache is near its code, since an operand relative to RIP must also be within reach of the copy. Memory is writable
 * or executable, never both at a time ---- */

/* ---- pages ---- */

/* Memory straight from the system.
 *
 * Between two steps the stepped code may be inside malloc, fopen or any other function of the C library, with its locks
 * taken and its lists half linked. So the code that runs there calls none of them: it gets memory from here, reads
 * files with system calls, and restores errno. */

/* Zeroed; NULL if there is none. */
void *cm_pages_map(size_t size);
/* NULL: no operation. */
void cm_pages_unmap(void *pages, size_t size);

/* ---- code_cache ---- */

enum { CM_INSTRUCTION_SIZE = 15 };

typedef struct cm_code_cache cm_code_cache;

/* A copy that can be executed: slot.enter(context, slot.code) runs it. */
typedef struct cm_slot {
    void (*enter)(cm_context *context, const void *code);
    const void *code; /* NULL: not placed yet */
} cm_slot;

enum { CM_KNOWN_SLOTS = 256 };

/* Placed code, which also runs for equal code at other addresses. */
typedef struct cm_known_slot {
    cm_slot slot;
    size_t length; /* 0: none */
    bool is_integer;
} cm_known_slot;

typedef struct cm_code_caches {
    cm_code_cache *first;
    cm_known_slot known[CM_KNOWN_SLOTS]; /* by a hash of the code; none relative to RIP */
} cm_code_caches;

/* Instructions to copy. */
typedef struct cm_code {
    uint64_t address; /* their address in the program */
    const unsigned char *bytes;
    size_t length;              /* at most CM_CODE_SIZE */
    size_t displacement_offset; /* offset of the first one's 32-bit displacement relative to RIP, 0 if it has none */
    size_t displacement_end;    /* end of that instruction */
    uint64_t target;            /* the address that it points to */
    bool is_integer;            /* they do not touch vector, x87 and MMX state, which then needs no switch */
} cm_code;

enum { CM_CODE_SIZE = 1024 };

/* CM_UNSUPPORTED if no executable memory can be mapped (within reach). */
cm_status cm_code_caches_place(cm_code_caches *caches, const cm_code *code, cm_slot *slot, cm_error *error);

/* Makes sure that there is a cache near `address`. */
cm_status cm_code_caches_prepare(cm_code_caches *caches, uint64_t address, cm_error *error);

void cm_code_caches_clear(cm_code_caches *caches);

/* ---- The addresses of code in this process, checked before bytes are read at an untrusted address ---- */

typedef struct cm_mapping {
    uint64_t start, end;
} cm_mapping;

typedef struct cm_mappings {
    cm_mapping *items; /* readable and executable, ascending, adjoining ones joined */
    size_t count, capacity;
} cm_mappings;

/* Readable bytes of code from `address` on, 0 if none. Reads the system's list again if code may be new. */
size_t cm_mappings_readable(cm_mappings *mappings, uint64_t address);

void cm_mappings_clear(cm_mappings *mappings);

/* ---- step ---- */

enum { CM_STEP_ACCESSES = 4, CM_STEP_FACTS = 6 };

typedef enum cm_step_kind {
    CM_STEP_PLAIN,  /* executed in a block */
    CM_STEP_STRING, /* executed alone, as is the next; its accesses are known afterwards */
    CM_STEP_SYSCALL,
    CM_STEP_JCC, /* conditional: on flags */
    CM_STEP_JCX, /* on rcx */
    CM_STEP_LOOP,
    CM_STEP_LOOPE,
    CM_STEP_LOOPNE,
    CM_STEP_JUMP,
    CM_STEP_JUMP_INDIRECT,
    CM_STEP_CALL,
    CM_STEP_CALL_INDIRECT,
    CM_STEP_RETURN,
    CM_STEP_REFUSED, /* cannot be stepped; `refusal` gives the reason */
    CM_STEP_END,     /* no instruction: the return address of the stepped function */
} cm_step_kind;

static inline bool cm_step_is_conditional(cm_step_kind kind)
{
    return kind >= CM_STEP_JCC && kind <= CM_STEP_LOOPNE;
}

/* A register of an address: a general one, or none. */
enum { CM_NO_REGISTER = 0xFF };

typedef enum cm_segment { CM_SEGMENT_NONE, CM_SEGMENT_FS, CM_SEGMENT_GS } cm_segment;

/* One memory operand. The address is base + index * scale + displacement + segment, before the instruction runs. */
typedef struct cm_access {
    int64_t displacement; /* absolute address if RIP is the base */
    uint32_t bytes;       /* of one element, if there are several */
    uint8_t base;
    uint8_t index; /* number of a vector register if `elements` is not 0 */
    uint8_t scale, segment;
    bool load, store, locked, non_temporal;
    bool address_32;      /* the sum is cut to 32 bits */
    uint8_t bit_register; /* bt and variants with memory: register that holds a bit's number, else CM_NO_REGISTER */
    uint8_t elements;     /* gather and scatter: number of elements, else 0 */
    uint8_t index_bytes;  /* and the size of their indices, 4 or 8 */
    uint8_t mask;         /* and their mask: a mask register, or a vector register's sign bits */
    bool mask_is_vector;
} cm_access;

typedef struct cm_step cm_step;
typedef struct cm_block cm_block;

struct cm_step {
    uint64_t address;
    uint64_t target; /* of a direct branch */
    cm_step *next;   /* next in memory; NULL: not looked up yet */
    cm_step *taken;  /* step at `target`; NULL: not looked up yet */
    cm_block *block; /* of a plain instruction: the block that begins with it; NULL: not made yet */
    cm_slot slot;    /* of a string instruction or system call */
    unsigned char bytes[CM_INSTRUCTION_SIZE];
    uint8_t length;
    uint8_t kind;      /* cm_step_kind */
    uint8_t condition; /* low four bits of a jcc's opcode */
    cm_fusible fusible;
    cm_operations operations;
    uint8_t target_register;     /* of an indirect branch; CM_NO_REGISTER: its first access holds the target */
    uint8_t displacement_offset; /* of an operand relative to RIP, 0 if there is none */
    bool counter_32;             /* jecxz and loop with ecx; also string instructions */
    bool repeated;               /* a string instruction with a rep prefix */
    bool serializing;            /* no wrong path goes beyond it */
    bool is_integer;             /* it touches only general registers, flags and memory */
    uint16_t stack_release;      /* a return's immediate */
    uint64_t displacement_target;
    const char *refusal;
    uint16_t masked_fact;  /* of the lanes that its mask turns off */
    uint8_t masked, lanes; /* a mask register; all lanes, 0: it is no arithmetic under a mask */
    uint8_t hint;          /* cm_hint; accesses[0] is then the address of a prefetch, and no access */
    uint8_t access_count, fact_count;
    uint16_t facts[CM_STEP_FACTS]; /* each grows by one in every run, besides CM_FACT_INSTRUCTIONS */
    cm_access accesses[CM_STEP_ACCESSES];
};

/* The processor's leaves of CPUID that cm_isa_executable needs. */
enum { CM_ISA_LEAVES = 4 };

typedef struct cm_isa_features {
    uint32_t xcr0, words[CM_ISA_LEAVES][4];
} cm_isa_features;

void cm_isa_read(uint32_t xcr0, cm_isa_features *features);

/* The inputs of decoding. */
typedef struct cm_decoder {
    ZydisDecoder zydis;
    cm_isa_features features;
} cm_decoder;

/* Decodes `size` bytes at `address`; never fails: a step that cannot be decoded or must not run is refused. */
void cm_step_decode(const cm_decoder *decoder, uint64_t address, const unsigned char *bytes, size_t size,
                    cm_step *step);

/* ---- parts of decoding ---- */

/* The reason why an instruction cannot be stepped; NULL: it can. */
const char *cm_step_refusal(const cm_isa_features *features, const ZydisDecodedInstruction *instruction,
                            const ZydisDecodedOperand *operands);

/* Whether this processor and system can execute it. */
bool cm_isa_executable(const cm_isa_features *features, const ZydisDecodedInstruction *instruction);

/* Whether it works only on general registers, flags and memory. */
bool cm_step_is_integer(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands);

/* Fills the accesses of `step`; false if an operand is of an unknown kind. */
bool cm_step_decode_accesses(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                             cm_step *step);

/* Fills the facts of `step` that do not depend on values. */
void cm_step_decode_facts(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands,
                          cm_step *step);

/* Fills the operations of `step`, whose accesses are known. */
void cm_step_decode_operations(const ZydisDecodedInstruction *instruction, cm_step *step);

/* Writes the facts (at most CM_FP_FACTS) of a floating-point instruction; returns their number, 0 for others. */
enum { CM_FP_FACTS = 3 };
size_t cm_fp_classify(const ZydisDecodedInstruction *instruction, uint16_t *facts);

/* The fact of an instruction on integers, CM_FACT_COUNT for others. */
size_t cm_int_classify(const ZydisDecodedInstruction *instruction, const ZydisDecodedOperand *operands);

/* ---- All instructions met so far, by address ---- */

typedef struct cm_step_chunk cm_step_chunk;

typedef struct cm_step_table {
    cm_decoder decoder;
    cm_mappings mappings;
    cm_step **buckets;   /* open addressing; NULL: free */
    size_t bucket_count; /* a power of two */
    size_t step_count;
    cm_step_chunk *chunks; /* memory of the steps, which never move */
} cm_step_table;

cm_status cm_step_table_init(cm_step_table *table, uint32_t xcr0, cm_error *error);
void cm_step_table_clear(cm_step_table *table);

/* The instruction at `address`. CM_UNSUPPORTED if no code can be read there; CM_IO and CM_NO_MEMORY if the system does
 * not list the code's addresses. */
cm_status cm_step_table_find(cm_step_table *table, uint64_t address, cm_step **step, cm_error *error);

/* Sanitizers must not check reads of the stepped code's bytes. */
#define CM_CODE_READER __attribute__((no_sanitize("address"))) static inline

CM_CODE_READER bool cm_begin_alike(const unsigned char *code, const unsigned char *other, size_t size)
{
    uint64_t one = 0, two = 0;
    memcpy(&one, code, size);
    memcpy(&two, other, size);
    return one == two;
}

/* Whether code is the same, on each step: most of it is one instruction, for which a call of memcmp takes longer. */
CM_CODE_READER bool cm_same_code(const unsigned char *code, const unsigned char *other, size_t size)
{
    bool same = true;
    if (size < 4) {
        for (size_t i = 0; i < size; i++)
            same &= code[i] == other[i];
        return same;
    }
    if (size < 8)
        return cm_begin_alike(code, other, 4) && cm_begin_alike(code + size - 4, other + size - 4, 4);
    for (size_t i = 0; i + 8 < size && same; i += 8)
        same = cm_begin_alike(code + i, other + i, 8);
    return same && cm_begin_alike(code + size - 8, other + size - 8, 8);
}

/* Decodes it again if the code has changed: programs generate code, or load another library in its place. */
void cm_step_table_refresh(cm_step_table *table, cm_step *step);

/* Makes `address` an end, at which stepping stops. */
cm_status cm_step_table_add_end(cm_step_table *table, uint64_t address, cm_error *error);

/* ---- The facts about an instruction that the model of time needs, besides its registers ---- */

/* The number of the flags among the registers of a flow: general ones are before it, others behind it. */
enum { CM_FLOW_FLAGS = 16 };

/* Completes a flow whose other fields are known. */
void cm_decode_time(const ZydisDecodedInstruction *instruction, const cm_step *step, cm_flow *flow);

/* ---- the vector registers of the stepped code, in the XSAVE area of its context (standard format) ---- */

enum { CM_VECTOR_FEATURES = 8, CM_XSTATE_BV = 512 /* offset of the features that the area holds */ };

typedef struct cm_vector_layout {
    uint32_t mask;                       /* features of XCR0 that are switched: x87, SSE, AVX, AVX-512 */
    size_t size;                         /* size of the area in bytes, a multiple of 64 */
    uint32_t offset[CM_VECTOR_FEATURES]; /* offset of each feature from AVX on, 0 if it is missing */
    bool has_xsaveopt;
} cm_vector_layout;

/* CM_UNSUPPORTED if the operating system has not enabled XSAVE. */
cm_status cm_vector_layout_find(cm_vector_layout *layout, cm_error *error);

/* Stores the registers as they are now. */
void cm_vector_state_store(const cm_vector_layout *layout, unsigned char *area);

/* `bytes` (at most 8) bytes at `offset` of vector register `number` (0 to 31), as a little-endian number. */
uint64_t cm_vector_state_element(const cm_vector_layout *layout, const unsigned char *area, unsigned number,
                                 size_t offset, size_t bytes);

/* Mask register k0 to k7. */
uint64_t cm_vector_state_mask(const cm_vector_layout *layout, const unsigned char *area, unsigned number);

#endif
