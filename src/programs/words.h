/* Programs for processors whose instructions all have four bytes: what they are made of, and what a processor gives. */
#ifndef CM_PROGRAMS_WORDS_H
#define CM_PROGRAMS_WORDS_H

#include "programs/emit.h"

enum { CM_WORD = 4 /* bytes of an instruction */ };

typedef struct cm_words {
    unsigned char *bytes;
    size_t size, used;
    bool full;     /* there was no room */
    double *facts; /* of what is written */
    unsigned isa;
    size_t results; /* which of the registers for results comes next */
    const cm_program_memory *memory;
} cm_words;

/* An instruction, which counts as one. */
void cm_words_put(cm_words *code, uint32_t word);
/* The same, which is of integers: with its fact. */
void cm_words_put_integer(cm_words *code, uint32_t word, size_t fact);
/* The same, of floating point or vectors. */
void cm_words_put_vector(cm_words *code, uint32_t word);

/* ---- what a processor's folder gives. Branches lead over one instruction more, a nop ---- */

extern const uint32_t cm_words_nop, cm_words_return_word, cm_words_trap;

/* Work that one instruction does, always the same. */
typedef struct cm_words_row {
    cm_work_kind kind;
    uint32_t word;
    uint16_t fact; /* that its kind does not say; CM_FACT_COUNT: none */
    bool vector;
    unsigned isa; /* what it needs */
} cm_words_row;

extern const cm_words_row cm_words_rows[];
extern const size_t cm_words_row_count;

/* Of the other work that is known here, whether the processor can do it. */
bool cm_words_available(const cm_work *work, unsigned isa);
/* Fills the registers; keeps where to return. */
void cm_words_begin(cm_words *code);
/* Work without branches that is in no row. */
void cm_words_put_work(cm_words *code, const cm_work *work);
void cm_words_put_steady(cm_words *code, bool taken);
/* Takes the bit `plane` of the iteration. */
void cm_words_put_bit(cm_words *code, unsigned plane);
/* A branch by so many bytes where that bit is set. */
uint32_t cm_words_where_set(unsigned plane, int32_t distance);
void cm_words_put_jump(cm_words *code, bool indirect);
/* Of the code's first byte. */
void cm_words_put_call(cm_words *code, bool indirect);
/* To the next iteration's bits and places in the buffers. */
void cm_words_step(cm_words *code);
/* Back to `first` while iterations are left. */
void cm_words_loop(cm_words *code, size_t first);
void cm_words_return(cm_words *code);

#endif
