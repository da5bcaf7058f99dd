/* The hooks for QEMU's machine `virt`: counters of the privileged architecture, a serial port, and the test device.
 * Write these three for another target. */
#include "harness.h"

static volatile uint8_t *const serial_port = (volatile uint8_t *)0x10000000;
static volatile uint32_t *const test_device = (volatile uint32_t *)0x100000;

void cm_select(unsigned counter, uintptr_t value)
{
    cm_write_selector(counter, value);
}

void cm_put(char character)
{
    while ((serial_port[5] & 0x20) == 0) /* not ready */
        continue;
    serial_port[0] = (uint8_t)character;
}

void cm_finish(void)
{
    *test_device = 0x5555;
}
