/* What programs are made of, whatever the processor: pieces of work, each one instruction and what that cannot do
 * without, and the facts that each adds. */
#ifndef CM_PROGRAMS_WORK_H
#define CM_PROGRAMS_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "software_pmu/machine/facts.h"

typedef enum cm_work_kind {
    CM_WORK_FP, /* operation, precision, width */
    CM_WORK_VECTOR_MOVE,
    CM_WORK_VECTOR_LOGIC,
    CM_WORK_VECTOR_INTEGER, /* width, each */
    CM_WORK_INTEGER_ADD,
    CM_WORK_INTEGER_MULTIPLY,
    CM_WORK_INTEGER_SHIFT,
    CM_WORK_INTEGER_LOGIC,
    CM_WORK_NOP,
    CM_WORK_LOAD,
    CM_WORK_STORE,     /* bytes, buffer, offset */
    CM_WORK_TAKEN,     /* a conditional branch over one nop, always */
    CM_WORK_NOT_TAKEN, /* never */
    CM_WORK_RANDOM,    /* where the bit `plane` of the iteration is set: over the next `skips` pieces, a nop if none */
    CM_WORK_JUMP,
    CM_WORK_JUMP_INDIRECT, /* over one nop, both */
    CM_WORK_CALL,
    CM_WORK_CALL_INDIRECT, /* of a function that returns at once, both */
    CM_WORK_LOAD_SCALAR,
    CM_WORK_STORE_SCALAR, /* of one element of a vector register: bytes, buffer, offset, as all that follow */
    CM_WORK_UPDATE,
    CM_WORK_UPDATE_LOCKED, /* an addition to memory, both */
    CM_WORK_NT_STORE,
    CM_WORK_INTEGER_DIVIDE, /* and what makes sure that the quotient has room */
    CM_WORK_INTEGER_COMPARE,
    CM_WORK_INTEGER_MOVE,
    CM_WORK_INTEGER_ADDRESS,
    CM_WORK_CRC,
    CM_WORK_STRING, /* a store of 8 bytes, and what sets its register: buffer, offset */
    CM_WORK_LOAD_FENCE,
    CM_WORK_STORE_FENCE,
    CM_WORK_PAUSE,
    CM_WORK_AES,
    CM_WORK_VECTOR_SUBTRACT, /* width, as all that follow */
    CM_WORK_VECTOR_MULTIPLY,
    CM_WORK_VECTOR_SHIFT,
    CM_WORK_VECTOR_COMPARE,
    CM_WORK_VECTOR_SHUFFLE,
    CM_WORK_JUMP_FAR, /* through CM_WORK_HOPS other pages and back: of code, a line in each */
    CM_WORK_LOAD_FAR,
    CM_WORK_STORE_FAR, /* of CM_WORK_HOPS pages of the first buffer, which all change each iteration: bytes, offset */
    CM_WORK_CALL_FAR,  /* through a register, of functions on as many pages, which change as those do */
    CM_WORK_PREFETCH_NTA,
    CM_WORK_PREFETCH,
    CM_WORK_PREFETCH_OUTER,
    CM_WORK_PREFETCH_WRITE, /* of a line: buffer, offset, as all three before */
    CM_WORK_KINDS
} cm_work_kind;

enum {
    CM_WORK_BUFFERS = 3, /* of several sizes, through which loads and stores move */
    CM_WORK_PLANES = 8,  /* random bits an iteration */
    CM_WORK_SPAN = 2048, /* offsets in a buffer are below it */
    CM_WORK_HOPS = 8,
    CM_WORK_LINE = 64, /* bytes: at the ends of such lines is what crosses one */
};

typedef struct cm_work {
    cm_work_kind kind;
    cm_fp_operation operation;
    cm_fp_precision precision;
    cm_fp_width width;
    unsigned bytes, buffer, offset, plane, skips;
    bool split; /* it crosses the end of a line */
} cm_work;

/* Every piece of work that there is, each once, of buffer 0, offset 0 and plane 0. */
extern const cm_work *const cm_work_table;
extern const size_t cm_work_table_size;

/* Pieces that are mixed as one: loads, branches, arithmetic in double precision. */
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

/* Whether it does what vendors disagree about, which is in no metric's meaning. */
bool cm_work_is_free(const cm_work *work);

/* How often a program does the work that does natural facts so often (cm_natural), both an instruction. */
double cm_work_rate(const cm_work *work, const double *natural);

/* Adds what the work itself does to the facts, one a fact, `times`; of a random branch how often it is executed, not
 * how often it is taken. What an instruction set adds (instructions, the stack) is its own to say. */
void cm_work_add_facts(const cm_work *work, double times, double *facts);
void cm_work_add_load(unsigned bytes, double times, double *facts);
void cm_work_add_store(unsigned bytes, double times, double *facts);
void cm_work_add_branch(double executed, double taken, double *facts);

#endif
