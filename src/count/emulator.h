/* Which emulator runs a program, and how it is told to count. */
#ifndef CM_COUNT_EMULATOR_H
#define CM_COUNT_EMULATOR_H

#include <catmint/error.h>

typedef struct cm_emulator {
    const char *architecture; /* "x86_64" */
    const char *cpu;          /* that it pretends to be, as far as the length of its scalable vectors */
    const char *model;        /* of a PMU, where none is asked for */
    struct cm_scalable {
        unsigned bits;    /* where no length is asked for; 0: it has none */
        unsigned most;    /* bits */
        unsigned unit;    /* bits that the length in `cpu` is counted in */
        const char *rest; /* of `cpu`, behind the length */
    } vectors;
    unsigned elf; /* how programs name it */
} cm_emulator;

/* A command line: NULL at the end. */
typedef struct cm_emulated_command {
    char **words;
    size_t count;
} cm_emulated_command;

/* Finds out what the command needs: looks for it in PATH, and for the interpreter of a script. *cannot becomes errno
 * where there is no such program, else 0. CM_UNSUPPORTED where no emulator or no plugin is there for it. *vector_bits,
 * the length of its scalable vectors, is one that is asked for, or 0, and becomes the one that it has. Clear `emulated`
 * in any case. */
cm_status cm_emulator_choose(char *const *command, const char *facts, const cm_emulator **emulator,
                             unsigned *vector_bits, cm_emulated_command *emulated, int *cannot, cm_error *error);
void cm_emulated_command_clear(cm_emulated_command *emulated);

#endif
