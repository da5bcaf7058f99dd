/* The protocol between catmint, running under qemu-user, and catmint's plugin: prctl(CM_QEMU_MAGIC, operation, ...).
 * Without a plugin the kernel does not know such a prctl, and there is no answer. Both have the same sizes and order of
 * bytes. */
#ifndef CM_SOFTWARE_PMU_PLUGIN_PROTOCOL_H
#define CM_SOFTWARE_PMU_PLUGIN_PROTOCOL_H

#define CM_QEMU_MAGIC 0x6361746d

#define CM_QEMU_CREATE 0 /* cm_qemu_machine * */
#define CM_QEMU_FREE 1   /* number */
#define CM_QEMU_START 2  /* number; on x86-64 the fifth argument is the stack pointer of the function that runs then */
#define CM_QEMU_STOP 3   /* number, uint64_t * for all facts */
#define CM_QEMU_SEED 4   /* number, seed */
#define CM_QEMU_READ 5   /* uint64_t * for all facts of the calling thread, if a whole program is counted */

#ifndef __ASSEMBLER__

#include <catmint/software_pmu.h>

typedef enum cm_qemu_answer { CM_QEMU_SILENCE, CM_QEMU_OK, CM_QEMU_IMPOSSIBLE, CM_QEMU_NO_MEMORY } cm_qemu_answer;

typedef struct cm_qemu_machine {
    cm_pmu_machine machine;
    uint64_t begin, end;  /* code that starts and stops counting, and is not counted itself */
    uint64_t return_to;   /* return address of the counted function, in that code */
    uint64_t vector_bits; /* of a scalable vector, 0: there are none */
    uint64_t fact_count;  /* number of facts that the caller knows: both must be of one version of catmint */
    uint64_t number;      /* answer: number of the machine */
    uint64_t answer;      /* cm_qemu_answer */
    char text[1024];      /* answer: the error of the machine */
} cm_qemu_machine;

#endif
#endif
