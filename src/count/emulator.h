/* Which emulator runs a program, and how it is told to count. */
#ifndef CM_COUNT_EMULATOR_H
#define CM_COUNT_EMULATOR_H

#include <catmint/error.h>

typedef struct cm_emulator {
    const char *architecture; /* "x86_64" */
    const char *cpu;          /* that it pretends to be */
    const char *model;        /* of a PMU, where none is asked for */
    unsigned vector_bits;     /* of its scalable vectors; 0: none */
    unsigned elf;             /* how programs name it */
} cm_emulator;

/* A command line: NULL at the end. */
typedef struct cm_emulated_command {
    char **words;
    size_t count;
} cm_emulated_command;

/* Finds out what the command needs: looks for it in PATH, and for the interpreter of a script. *cannot becomes errno
 * where there is no such program, else 0. CM_UNSUPPORTED where no emulator or no plugin is there for it. Clear
 * `emulated` in any case. */
cm_status cm_emulator_choose(char *const *command, const char *facts, const cm_emulator **emulator,
                             cm_emulated_command *emulated, int *cannot, cm_error *error);
void cm_emulated_command_clear(cm_emulated_command *emulated);

#endif
