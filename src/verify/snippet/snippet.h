/* The user's own assembly as a kernel. */
#ifndef CM_SNIPPET_SNIPPET_H
#define CM_SNIPPET_SNIPPET_H

#include <catmint/kernels.h>
#include <catmint/snippet.h>

/* Loops of 0, N and 2 N copies. */
enum { CM_SNIPPET_LOOPS = 3 };

/* ---- loops.c: the source of the loops ---- */

/* Writes it into a file, which includes the snippet by its whole path. */
cm_status cm_snippet_write_loops(const char *path, const char *snippet, size_t copies, cm_error *error);

/* ---- assemble.c ---- */

typedef struct cm_snippet_code {
    void *library;
    cm_kernel kernels[CM_SNIPPET_LOOPS];
    const volatile int *fault; /* 0, 1: the snippet left another stack pointer, 2: it returned */
} cm_snippet_code;

/* The benchmark of the kernels. */
extern const char *const cm_snippet_benchmark;

/* Assembles the snippet alone, so that messages name its lines, then the loops, and loads these. Clear the code also
 * after a failure. */
cm_status cm_snippet_assemble(const cm_snippet_options *options, cm_snippet_code *code, cm_error *error);
void cm_snippet_code_clear(cm_snippet_code *code);

/* ---- prove.c ---- */

/* Fills the facts: runs the loops under the software PMU in a process of their own. */
cm_status cm_snippet_prove(const cm_snippet_code *code, const cm_counting *counting, cm_snippet *snippet,
                           cm_error *error);

#endif
