/* Chooses the emulator of a program, and its arguments for counting. */
#ifndef CM_COUNT_EMULATOR_H
#define CM_COUNT_EMULATOR_H

#include <catmint/error.h>

typedef struct cm_emulator {
    const char *architecture; /* "x86_64" */
    const char *cpu;          /* the processor that QEMU emulates, up to the length of its scalable vectors */
    const char *model;        /* the default model of a PMU */
    struct cm_scalable {
        unsigned bits;    /* the default length of vectors; 0: they are not scalable */
        unsigned most;    /* the largest length, in bits */
        unsigned unit;    /* bits a unit of the length in `cpu` */
        const char *rest; /* of `cpu`, behind the length */
    } vectors;
    unsigned elf; /* machine number in programs */
} cm_emulator;

/* A command line that ends in NULL. */
typedef struct cm_emulated_command {
    char **words;
    size_t count;
} cm_emulated_command;

/* Builds the command line: finds the program in PATH, and the interpreter of a script. *cannot is errno if there is no
 * such program, else 0. CM_UNSUPPORTED if there is no emulator or no plugin for it. *vector_bits is the wanted length
 * of scalable vectors, or 0 for the default, and becomes the actual one. Clear `emulated` in any case. */
cm_status cm_emulator_choose(char *const *command, const char *facts, const cm_emulator **emulator,
                             unsigned *vector_bits, cm_emulated_command *emulated, int *cannot, cm_error *error);
void cm_emulated_command_clear(cm_emulated_command *emulated);

#endif
