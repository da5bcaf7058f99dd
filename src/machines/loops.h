/* Loops in the assembly that compilers write for x86-64. */
#ifndef CM_MACHINES_LOOPS_H
#define CM_MACHINES_LOOPS_H

#include <stdbool.h>
#include <stdio.h>

#include <catmint/error.h>

enum { CM_LOOPS_MOST = 32 };

/* Lines of the text, from the label that a jump returns to up to that jump. */
typedef struct cm_loop {
    size_t first, last; /* byte of the label's line, and the byte after the jump's line */
} cm_loop;

typedef struct cm_loops {
    size_t count;
    cm_loop loops[CM_LOOPS_MOST];
} cm_loops;

/* Whether compilers here write assembly of x86-64. */
bool cm_loops_are_known(void);
/* The innermost loops of a function, in their order; at most CM_LOOPS_MOST. CM_BAD_INPUT if the text has no such
 * function. */
cm_status cm_loops_find(const char *text, const char *function, cm_loops *loops, cm_error *error);

/* Writes the text with a counter at the label of each loop, which changes neither registers nor flags: a function
 * `catmint_counts` returns the counts, one number of 64 bits a loop. */
void cm_loops_put_counted(const char *text, const cm_loops *loops, FILE *stream);
size_t cm_loop_instructions(const char *text, const cm_loop *loop);
/* Writes the instructions of one loop, without the labels. */
void cm_loops_put(const char *text, const cm_loop *loop, FILE *stream);

#endif
