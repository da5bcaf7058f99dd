/* The interface between the program, the hooks of a target and the assembly of an instruction set. */
#ifndef CM_HARNESS_H
#define CM_HARNESS_H

#include <stdint.h>

/* A kernel's data, as in catmint: the generator of random branches. */
typedef struct cm_kernel_data {
    uint64_t generator;
    void *buffer;
} cm_kernel_data;
typedef void cm_body(uintptr_t turns, cm_kernel_data *data);

/* hooks.c: counter `counter`, from 0 on, counts the event `value`; a character goes to the console; the run is over.
 */
void cm_select(unsigned counter, uintptr_t value);
void cm_put(char character);
void cm_finish(void);

/* measure.S: runs a kernel. `counts` are the counters before it, then behind it: those that always count, then
 * CM_COUNTERS others. */
void cm_measure(cm_body *kernel, uintptr_t turns, cm_kernel_data *data, uint32_t *counts);
/* measure.S: writes the register that selects a counter's event: mhpmevent<3 + counter>, or PMXEVTYPER_EL0. */
void cm_write_selector(unsigned counter, uintptr_t value);

/* start.S: 1 more than the cause of the last trap that no kernel means, else 0. The instruction was skipped. */
extern volatile uintptr_t cm_trapped;

#endif
