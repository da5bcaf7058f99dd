/* Programs for processors with instructions of four bytes: the common part, and a processor's functions. */
#ifndef CM_PROGRAMS_WORDS_H
#define CM_PROGRAMS_WORDS_H

#include "programs/programs.h"

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
