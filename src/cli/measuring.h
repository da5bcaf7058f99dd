/* How far a measurement of this machine is. */
#ifndef CM_CLI_MEASURING_H
#define CM_CLI_MEASURING_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_measuring {
    bool terminal; /* elsewhere nothing is shown: it is over in a minute */
    size_t percent;
} cli_measuring;

cli_measuring cli_measuring_begin(void);
/* `data` is a cli_measuring. */
void cli_measuring_show(size_t done, size_t all, void *data);
void cli_measuring_end(const cli_measuring *measuring);

#endif
