/* The functions that a processor's directory gives to the part of catmint that runs under QEMU. */
#ifndef CM_SOFTWARE_PMU_QEMU_GUEST_H
#define CM_SOFTWARE_PMU_QEMU_GUEST_H

#include <stdint.h>

/* Its name in scripts/foreign and QEMU. */
extern const char *const cm_guest_architecture;

/* Bits of a scalable vector, 0: there are none. */
unsigned cm_guest_vector_bits(void);

/* Ticks of the processor's timer. */
uint64_t cm_guest_timer(void);

/* counted_call.S: starts counting, calls, stops. The plugin does not count its own instructions. */
void cm_counted_call(void (*function)(void *), void *argument, uint64_t number, uint64_t *facts);
extern const char cm_counted_call_return[], cm_counted_call_end[];

#endif
