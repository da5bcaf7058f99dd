/* What catmint, running under qemu-user, and catmint's plugin say to each other: prctl(CM_QEMU_MAGIC, operation, ...).
 * Where no plugin listens, the kernel knows no such prctl and nothing is answered. Both sides have the same sizes and
 * order of bytes. */
#ifndef CM_SOFTWARE_PMU_PLUGIN_PROTOCOL_H
#define CM_SOFTWARE_PMU_PLUGIN_PROTOCOL_H

#define CM_QEMU_MAGIC 0x6361746d

#define CM_QEMU_CREATE 0 /* cm_qemu_machine * */
#define CM_QEMU_FREE 1   /* number */
#define CM_QEMU_START 2  /* number */
#define CM_QEMU_STOP 3   /* number, uint64_t * for all facts */
#define CM_QEMU_SEED 4   /* number, seed */
#define CM_QEMU_READ 5   /* uint64_t * for all facts of the calling thread, where a whole program is counted */

#ifndef __ASSEMBLER__

#include <catmint/software_pmu.h>

typedef enum cm_qemu_answer { CM_QEMU_SILENCE, CM_QEMU_OK, CM_QEMU_IMPOSSIBLE, CM_QEMU_NO_MEMORY } cm_qemu_answer;

typedef struct cm_qemu_machine {
    cm_pmu_machine machine;
    uint64_t begin, end;  /* code that starts and stops counting, and is not counted itself */
    uint64_t return_to;   /* where the counted function returns to, in that code */
    uint64_t vector_bits; /* of a scalable vector, 0: there are none */
    uint64_t fact_count;  /* that the asking side knows: both must be of one catmint */
    uint64_t number;      /* answered: of the machine */
    uint64_t answer;      /* cm_qemu_answer */
    char text[1024];      /* answered: what is wrong with the machine */
} cm_qemu_machine;

#endif
#endif
