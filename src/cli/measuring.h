/* Progress of a measurement of this machine. */
#ifndef CM_CLI_MEASURING_H
#define CM_CLI_MEASURING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_measuring {
    bool terminal; /* otherwise nothing is shown, because it takes a minute */
    size_t percent;
} cli_measuring;

cli_measuring cli_measuring_begin(void);
/* `data` is a cli_measuring. */
void cli_measuring_show(size_t done, size_t all, void *data);
void cli_measuring_end(const cli_measuring *measuring);

#endif
