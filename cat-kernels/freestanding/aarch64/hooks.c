/* The hooks for QEMU's machine `virt`: counters of the PMU architecture, a serial port, and the firmware's call that
 * turns it off. Write these three for another target. */
#include "harness.h"

static volatile uint32_t *const serial_port = (volatile uint32_t *)0x09000000;

void cm_select(unsigned counter, uintptr_t value)
{
    cm_write_selector(counter, value);
}

void cm_put(char character)
{
    while ((serial_port[6] & 0x20) != 0) /* full */
        continue;
    serial_port[0] = (uint8_t)character;
}

void cm_finish(void)
{
    register uint64_t system_off __asm__("x0") = 0x84000008;
    __asm__ volatile("hvc #0" : "+r"(system_off) : : "memory");
}
