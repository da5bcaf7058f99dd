#include "cli/command.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

cli_measuring cli_measuring_begin(void)
{
    return (cli_measuring){isatty(STDERR_FILENO), SIZE_MAX};
}

void cli_measuring_show(size_t done, size_t all, void *data)
{
    cli_measuring *measuring = data;
    size_t percent = all > 0 ? 100 * done / all : 100;
    if (!measuring->terminal || percent == measuring->percent)
        return;
    measuring->percent = percent;
    fprintf(stderr, "\rmeasuring: %zu %%", percent);
}

void cli_measuring_end(const cli_measuring *measuring)
{
    if (measuring->terminal)
        fputs("\r\033[K", stderr);
}
