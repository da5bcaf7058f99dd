/* Validation programs: straight-line code in a counted loop, in executable memory. Each is a kernel and is counted like
 * one; its facts are known by construction. */
#ifndef CM_PROGRAMS_PROGRAMS_H
#define CM_PROGRAMS_PROGRAMS_H

#include "cat-kernels/gpu/run.h"
#include "core/system.h"
#include "software_pmu/machine/facts.h"

/* ---- pieces of work, of which programs consist on all processors: one instruction, its setup, and its facts ---- */

typedef enum cm_work_kind {
    CM_WORK_FP, /* operation, precision, width */
    CM_WORK_VECTOR_MOVE,
    CM_WORK_VECTOR_LOGIC,
    CM_WORK_VECTOR_INTEGER, /* of the given width, each */
    CM_WORK_INTEGER_ADD,
    CM_WORK_INTEGER_MULTIPLY,
    CM_WORK_INTEGER_SHIFT,
    CM_WORK_INTEGER_LOGIC,
    CM_WORK_NOP,
    CM_WORK_LOAD,
    CM_WORK_STORE,     /* bytes, buffer, offset */
    CM_WORK_TAKEN,     /* a conditional branch over one nop, always taken */
    CM_WORK_NOT_TAKEN, /* never taken */
    CM_WORK_RANDOM, /* taken if the bit `plane` of the iteration is set: over the next `skips` pieces, a nop if none */
    CM_WORK_JUMP,
    CM_WORK_JUMP_INDIRECT, /* this and the one before: over one nop */
    CM_WORK_CALL,
    CM_WORK_CALL_INDIRECT, /* this and the one before: to a function that returns at once */
    CM_WORK_LOAD_SCALAR,
    CM_WORK_STORE_SCALAR, /* one element of a vector register: bytes, buffer, offset, as for all that follow */
    CM_WORK_UPDATE,
    CM_WORK_UPDATE_LOCKED, /* this and the one before: an addition to memory */
    CM_WORK_NT_STORE,
    CM_WORK_INTEGER_DIVIDE, /* with the setup that keeps the quotient in range */
    CM_WORK_INTEGER_COMPARE,
    CM_WORK_INTEGER_MOVE,
    CM_WORK_INTEGER_ADDRESS,
    CM_WORK_CRC,
    CM_WORK_STRING, /* a store of 8 bytes, with its register's setup: buffer, offset */
    CM_WORK_LOAD_FENCE,
    CM_WORK_STORE_FENCE,
    CM_WORK_PAUSE,
    CM_WORK_AES,
    CM_WORK_VECTOR_SUBTRACT, /* width, as for all that follow */
    CM_WORK_VECTOR_MULTIPLY,
    CM_WORK_VECTOR_SHIFT,
    CM_WORK_VECTOR_COMPARE,
    CM_WORK_VECTOR_SHUFFLE,
    CM_WORK_JUMP_FAR, /* through CM_WORK_HOPS other pages of code and back, a line in each */
    CM_WORK_LOAD_FAR,
    CM_WORK_STORE_FAR, /* to CM_WORK_HOPS pages of the first buffer, which change in each iteration: bytes, offset */
    CM_WORK_CALL_FAR,  /* through a register, to functions on as many pages, which change likewise */
    CM_WORK_PREFETCH_NTA,
    CM_WORK_PREFETCH,
    CM_WORK_PREFETCH_OUTER,
    CM_WORK_PREFETCH_WRITE, /* of a line: buffer, offset, as for the three before */
    CM_WORK_CONVERT,        /* of a whole number to double precision */
    CM_WORK_X87,            /* a constant, loaded and dropped */
    CM_WORK_MMX,            /* an addition, and the end of MMX */
    CM_WORK_CALL_ELSEWHERE, /* through a register, to a function that moves on by 8 bytes in each iteration, or with the
                             * place in the buffer if that is not the last one: buffer, offset */
    CM_WORK_RETURN,         /* of no call, to the next instruction */
    CM_WORK_KINDS
} cm_work_kind;

enum {
    CM_WORK_BUFFERS = 3, /* buffers of several sizes, through which loads and stores move */
    CM_WORK_PLANES = 8,  /* random bits of an iteration */
    CM_WORK_SPAN = 2048, /* offsets in a buffer are smaller */
    CM_WORK_HOPS = 8,
    CM_WORK_LINE = 64, /* bytes: split accesses cross the end of such a line */
};

typedef struct cm_work {
    cm_work_kind kind;
    cm_fp_operation operation;
    cm_fp_precision precision;
    cm_fp_width width;
    unsigned bytes, buffer, offset, plane, skips;
    bool split; /* it crosses the end of a line */
} cm_work;

/* Every piece of work, each once, with buffer 0, offset 0 and plane 0. */
extern const cm_work *const cm_work_table;
extern const size_t cm_work_table_size;

/* Pieces that are weighted together: loads, branches, arithmetic in double precision. */
typedef enum cm_work_class {
    CM_CLASS_HALF,
    CM_CLASS_SINGLE,
    CM_CLASS_DOUBLE,
    CM_CLASS_VECTOR,
    CM_CLASS_INTEGER,
    CM_CLASS_LOAD,
    CM_CLASS_STORE,
    CM_CLASS_BRANCH,
    CM_CLASS_JUMP,
    CM_CLASS_CALL,
    CM_WORK_CLASSES
} cm_work_class;

cm_work_class cm_work_class_of(const cm_work *work);
/* "additions in double precision, 256 bits" */
void cm_work_describe(const cm_work *work, char *text, size_t size);

/* Whether vendors disagree about its facts, which are in no metric's meaning. */
bool cm_work_is_free(const cm_work *work);
/* Whether only natural programs do it. */
bool cm_work_is_natural(const cm_work *work);

/* The rate of the work in a program with these natural facts (cm_natural), both per instruction. */
double cm_work_rate(const cm_work *work, const double *natural);

/* Adds the facts of the work itself, `times` times, one a fact; for a random branch its executions, not how often it is
 * taken. The architecture's code adds its own (instructions, the stack). */
void cm_work_add_facts(const cm_work *work, double times, double *facts);
void cm_work_add_load(unsigned bytes, double times, double *facts);
void cm_work_add_store(unsigned bytes, double times, double *facts);
void cm_work_add_branch(double executed, double taken, double *facts);

/* ---- shared ---- */

/* The benchmark's name for programs. */
#define CM_PROGRAMS_BENCHMARK "programs"

typedef struct cm_programs cm_programs;

/* Creates `count` programs, two of three of a class of natural programs, and before them, as kernel 0, an empty one
 * that measures the overhead of a run; all run `iterations` times, at most CM_PROGRAM_ITERATIONS. CM_UNSUPPORTED if
 * code cannot be written for this processor, or no executable memory can be mapped. */
cm_status cm_programs_create(uint64_t seed, size_t count, uint64_t iterations, cm_programs **programs, cm_error *error);
void cm_programs_free(cm_programs *programs);

/* Whether programs can be written for this processor. */
bool cm_programs_available(void);

enum { CM_PROGRAM_ITERATIONS = 1 << 14, CM_PROGRAM_NAME_SIZE = 32 };

/* The empty one and the others: count + 1. */
const cm_kernel *cm_programs_kernel(const cm_programs *programs, size_t kernel);
/* Its class of natural programs (bases/natural-programs.csv); "": none. */
const char *cm_programs_class(const cm_programs *programs, size_t kernel);
/* Its most frequent work; "" for the empty one. */
void cm_programs_describe(const cm_programs *programs, size_t kernel, char *text, size_t size);

/* The facts of one run: each is `values` +- `ranges`, both of cm_fact_count() elements. The range is infinite for facts
 * of caches and wrong paths, which construction does not determine. */
void cm_programs_facts(const cm_programs *programs, size_t kernel, double *values, double *ranges);

/* Whether the machine determines the fact: its caches, predictor, wrong paths, clock. */
bool cm_fact_is_of_machine(size_t fact);

/* ---- natural.c ---- */

/* Programs with the rates of real software (bases/natural-programs.csv): each class has a range for every rate. */

enum { CM_NATURAL_OF_A_CLASS = 40 };

typedef struct cm_natural {
    size_t class_count;
    char **classes;   /* names */
    size_t count;     /* programs: CM_NATURAL_OF_A_CLASS of each class, one class after the other */
    size_t *class_of; /* one a program */
    double *facts;    /* per instruction; cm_fact_count() a program, derived facts are 0 */
    double *turns;    /* one a program: turns of loops per instruction */
} cm_natural;

/* `path`: NULL for catmint's own. Makes the same programs every time. CM_BAD_INPUT with file and line. */
cm_status cm_natural_load(const char *path, cm_natural **natural, cm_error *error);
void cm_natural_free(cm_natural *natural);

/* ---- compose.c ---- */

/* Composes programs by seed, of single pieces of work in random order: in free proportions, or at the rates of a class
 * of natural programs. They are no combination of the kernels' loops, which would only confirm the fit. */

/* The loop's body, the share of ones among the bits of each plane, and its way through the buffers. */
typedef struct cm_composition {
    const char *class; /* class of natural programs; "": free proportions, and the memory as it is */
    size_t count;
    cm_work *works;
    double shares[CM_WORK_PLANES];
    size_t phases; /* the last planes, whose zeros come all together */
    size_t starts[CM_WORK_BUFFERS], sizes[CM_WORK_BUFFERS], strides[CM_WORK_BUFFERS];
} cm_composition;

/* `available`: one a row of cm_work_table; at least one is true. */
cm_status cm_compose(uint64_t seed, const bool *available, cm_composition *composition, cm_error *error);
/* compose_natural.c: composes a program of a class: rare work comes in phases, which a branch skips otherwise. */
cm_status cm_compose_natural(uint64_t seed, const bool *available, const cm_natural *natural, size_t class,
                             cm_composition *composition, cm_error *error);
void cm_composition_clear(cm_composition *composition);

/* The most frequent work: "32 loads of 8 bytes, 20 jumps, 4 calls". */
void cm_composition_describe(const cm_composition *composition, char *text, size_t size);

/* ---- emit: the code of a program and its facts, written by an architecture's directory ---- */

/* The memory of a program. */
typedef struct cm_program_memory {
    const void *ones[CM_FP_PRECISIONS]; /* 64 bytes each: 1.0 in every element */
    const unsigned char *bits;          /* one byte an iteration, a bit a plane */
    void *buffers[CM_WORK_BUFFERS];     /* sizes are powers of two; each begins beyond a multiple of twice its size */
    size_t sizes[CM_WORK_BUFFERS];      /* CM_WORK_SPAN bytes more follow each */
    size_t strides[CM_WORK_BUFFERS];    /* distance that an iteration moves on in each, multiples of 64 */
    const unsigned char *functions;     /* as long as two of the first buffer, with a return at every called address */
} cm_program_memory;

/* Bytes from one page to the next of work on many pages, in the first buffer and among the functions. */
enum { CM_PROGRAM_APART = 2 << 20 };

/* Pages after a program's code, for far jumps. */
enum {
    CM_PROGRAM_FAR_PAGES = 128,
    CM_PROGRAM_PAGE = 4096,
    CM_PROGRAM_FAR_BYTES = CM_PROGRAM_FAR_PAGES * CM_PROGRAM_PAGE
};

typedef struct cm_program_emission {
    const cm_composition *composition; /* NULL: a program that only returns */
    const cm_program_memory *memory;
    unsigned char *code; /* written from here on */
    size_t size;         /* CM_PROGRAM_FAR_BYTES more follow */
    size_t used;
    size_t entry; /* offset in the code of the kernel's body */
    /* Facts of a run, and of an iteration; and for each plane the facts of the works that random branches skip, for
     * iterations that do not skip them. */
    double *once, *each, *skipped;
} cm_program_emission;

/* Whether programs can do this work here; false for all if code cannot be written. */
bool cm_emit_available(const cm_work *work, unsigned isa);

/* CM_UNSUPPORTED if the code does not fit, or an instruction cannot be written. */
cm_status cm_emit(cm_program_emission *emission, unsigned isa, cm_error *error);

/* Fills memory with returns only; calls lead to any byte of it. Does nothing if no work calls far. */
void cm_emit_functions(unsigned char *start, size_t size);

/* ---- memory.c: the memory shared by all programs of a set, and the memory of their code ---- */

/* Small pages straight from the system, with no other data beside them. Zero-initialised: empty. */
typedef struct cm_program_pages {
    unsigned char *start;
    size_t size;
} cm_program_pages;

/* Maps zeros. CM_NO_MEMORY. */
cm_status cm_program_pages_map(size_t size, cm_program_pages *pages, cm_error *error);
void cm_program_pages_unmap(cm_program_pages *pages);
/* Makes the pages executable, and no longer writable. CM_UNSUPPORTED if the system forbids it. */
cm_status cm_program_pages_execute(const cm_program_pages *pages, cm_error *error);

/* Creates buffers and constants; `bits` and `functions` stay NULL. */
cm_status cm_program_memory_create(cm_program_pages *pages, cm_program_memory *memory, cm_error *error);

/* ---- gpu.c ---- */

/* Programs for GPUs: loops of single instructions in free proportions, composed by seed; only a part of the threads
 * runs some of them. Their facts are known by construction. */

typedef struct cm_gpu_programs cm_gpu_programs;

/* Creates an empty program and `count` others, of the devices' instructions; those of all classes of that family are
 * among them. Free with cm_gpu_programs_free. */
cm_status cm_gpu_programs_create(uint64_t seed, size_t count, cm_gpu_vendor vendor, unsigned target,
                                 cm_gpu_family family, cm_gpu_programs **programs, cm_error *error);
void cm_gpu_programs_free(cm_gpu_programs *programs);

const cm_kernel *cm_gpu_programs_kernel(const cm_gpu_programs *programs, size_t kernel);
const cm_gpu_kernel *cm_gpu_programs_description(const cm_gpu_programs *programs, size_t kernel);
/* Its most frequent instructions; "" for the empty one. */
void cm_gpu_programs_describe(const cm_gpu_programs *programs, size_t kernel, char *text, size_t size);
/* The facts of one run, cm_fact_count() of them: only the loop's, since the rest is the empty program's, too. */
void cm_gpu_programs_facts(const cm_gpu_programs *programs, size_t kernel, double *values);

/* ---- A program of a class of natural programs while it is composed ---- */

/* Instructions of an iteration; most pieces of work in all iterations, and in each phase. */
enum { CM_NATURAL_INSTRUCTIONS = 200, CM_NATURAL_MOST = 512, CM_NATURAL_MOST_OF_PHASE = 160 };

/* Phases, the last planes: work that some iterations do. The planes before them are of branches on random bits. */
enum { CM_PHASES = 6, CM_RANDOM_PLANES = CM_WORK_PLANES - CM_PHASES };

/* The ways through the buffers. NEAR: the same few lines in each iteration, which the first cache keeps. AROUND: a line
 * a page, of pages that come again; they all fall into one set of the first cache, which has no room for them, while
 * the second has. ONWARD: beyond the second cache, in one of the ways that follow. */
enum { CM_ONWARD, CM_AROUND, CM_NEAR };
typedef enum cm_onward_way { CM_LINES, CM_LINES_AGAIN, CM_PAGES, CM_PAGES_AGAIN } cm_onward_way;

/* Rates of the loads, or of the stores, an instruction. */
typedef struct cm_accesses {
    cm_work_kind kind, far;
    double all, missing, beyond, memory, pages, walks; /* beyond the second cache, and all caches */
} cm_accesses;

typedef struct cm_composing {
    uint64_t random;
    const bool *available;
    const double *natural; /* facts of the program, an instruction */
    cm_accesses of[2];     /* loads, stores */
    cm_composition *composition;
    double branches; /* on random bits */
    cm_onward_way way;
    unsigned slots[CM_WORK_BUFFERS]; /* lines given away */
    size_t counts[CM_PHASES];
    cm_work phases[CM_PHASES][CM_NATURAL_MOST_OF_PHASE];
} cm_composing;

/* ---- composing.c ---- */

/* The shares of the iterations that have a phase's work. */
extern const double cm_phase_shares[CM_PHASES];
/* Adds work of every iteration. */
void cm_composing_add_to_all(cm_composing *work, const cm_work *row, unsigned buffer);
/* Adds work that occurs `often` an iteration. */
void cm_composing_add(cm_composing *work, const cm_work *row, unsigned buffer, double often);
/* The composition's ways through the buffers, when all work is added. */
void cm_composing_set_ways(const cm_composing *work, size_t class);

/* ---- misses.c: accesses that miss ---- */

void cm_accesses_find(cm_composing *work);
/* Whether programs can do this work here. */
bool cm_composing_can(const cm_composing *work, cm_work_kind kind);
/* How often work on many pages touches one. */
double cm_far_rate(const cm_composing *work, const cm_accesses *of);
void cm_composing_add_missing(cm_composing *work);

/* ---- programs for processors with instructions of four bytes: the common part, and a processor's functions ---- */

enum { CM_WORD = 4 /* bytes of an instruction */ };

typedef struct cm_words {
    unsigned char *bytes;
    size_t size, used;
    bool full;     /* the code did not fit */
    double *facts; /* of the code written */
    unsigned isa;
    size_t results; /* number of result registers used so far, which gives the next one */
    const cm_program_memory *memory;
} cm_words;

/* Writes an instruction and counts it. */
void cm_words_write(cm_words *code, uint32_t word);
/* The same for an integer instruction, with its fact. */
void cm_words_write_integer(cm_words *code, uint32_t word, size_t fact);
/* The same for floating point or vectors. */
void cm_words_write_vector(cm_words *code, uint32_t word);

/* ---- functions of a processor's directory. Branches lead over one more instruction, a nop ---- */

extern const uint32_t cm_words_nop, cm_words_return_word, cm_words_trap;

/* Work of one fixed instruction. */
typedef struct cm_words_row {
    cm_work_kind kind;
    uint32_t word;
    uint16_t fact; /* beyond the kind's own; CM_FACT_COUNT: none */
    bool vector;
    unsigned isa; /* bits of the instruction sets it needs */
} cm_words_row;

extern const cm_words_row cm_words_rows[];
extern const size_t cm_words_row_count;

/* Whether the processor can do other known work. */
bool cm_words_available(const cm_work *work, unsigned isa);
/* Fills the registers and keeps the return address. */
void cm_words_begin(cm_words *code);
/* Each writes work that is in no row. */
void cm_words_write_arithmetic(cm_words *code, const cm_work *work);
void cm_words_write_access(cm_words *code, const cm_work *work, bool load);
void cm_words_write_steady(cm_words *code, bool taken);
/* Loads the bit `plane` of the iteration. */
void cm_words_write_bit(cm_words *code, unsigned plane);
/* A branch by `distance` bytes, taken if that bit is set. */
uint32_t cm_words_where_set(unsigned plane, int32_t distance);
void cm_words_write_jump(cm_words *code, bool indirect);
/* Calls the code's first byte. */
void cm_words_write_call(cm_words *code, bool indirect);
/* Moves on to the next iteration's bits and places in the buffers. */
void cm_words_step(cm_words *code);
/* Jumps back to `first` while iterations are left. */
void cm_words_loop(cm_words *code, size_t first);
void cm_words_return(cm_words *code);

#endif
