/* Where stepping cannot be tested. */
#ifndef CM_TEST_STEPPING_H
#define CM_TEST_STEPPING_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* To be asked first in main: return CM_TEST_SKIPPED if it says so. Valgrind steps the stepper: it works, but takes each
 * switch of stacks for an error, and lacks some of the instructions. */
enum { CM_TEST_SKIPPED = 77 };

static inline bool is_under_valgrind(void)
{
    const char *preloaded = getenv("LD_PRELOAD");
    if (preloaded == NULL || strstr(preloaded, "vgpreload") == NULL)
        return false;
    printf("skipped: valgrind takes the stepper's switches of stacks for errors\n");
    return true;
}

#endif
