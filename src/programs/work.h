/* Pieces of work, of which programs consist on all processors: one instruction, its setup, and its facts. */
#ifndef CM_PROGRAMS_WORK_H
#define CM_PROGRAMS_WORK_H

#include "software_pmu/machine/facts.h"

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

#endif
