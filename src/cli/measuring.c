#include "cli/command.h"

#include "core/system.h"

cli_measuring cli_measuring_begin(void)
{
    const double began = cm_clock_seconds();
    return (cli_measuring){isatty(STDERR_FILENO), SIZE_MAX, began, began};
}

void cli_measuring_show(size_t done, size_t all, void *data)
{
    cli_measuring *measuring = data;
    const size_t percent = all > 0 ? 100 * done / all : 100;
    const double seconds = cm_clock_seconds();
    if (measuring->terminal ? percent == measuring->percent : seconds - measuring->last < CLI_LOG_STEP)
        return;
    measuring->percent = percent;
    measuring->last = seconds;
    char left[32] = "";
    if (done > 0 && done < all)
        snprintf(left, sizeof left, ", %.0f s left",
                 (seconds - measuring->began) * (double)(all - done) / (double)done);
    if (measuring->terminal)
        fprintf(stderr, "\r\033[K%zu of %zu measurements, %zu %%%s", done, all, percent, left);
    else
        cli_write("%zu of %zu measurements, %zu %%%s", done, all, percent, left);
}

void cli_measuring_end(const cli_measuring *measuring)
{
    if (measuring->terminal)
        fputs("\r\033[K", stderr);
}
