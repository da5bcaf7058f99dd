/* The launches of GPU kernels. */
#include "report/report.h"

enum { LAUNCH_NAME = 20, LAUNCH_VERDICT = 9, LAUNCH_NUMBER = 9 };

static void write_scaled_number(double value, double scale, int digits, FILE *stream)
{
    if (isnan(value))
        fprintf(stream, " %*s", LAUNCH_NUMBER, "-");
    else
        fprintf(stream, " %*.*f", LAUNCH_NUMBER, digits, value * scale);
}

/* Registers and version of the machine code; "-": the driver does not say. */
static void write_code(int value, FILE *stream)
{
    if (value < 0)
        fprintf(stream, " %*s", LAUNCH_NUMBER, "-");
    else
        fprintf(stream, " %*d", LAUNCH_NUMBER, value);
}

/* A row a kernel: its verdict, and either the reason or its registers, times and rates. */
static void write_launched_kernel(const cm_launched_kernel *kernel, bool timed, const cm_page *page)
{
    static const char *const verdicts[] = {"right", "WRONG", "refused", "left out"};
    static const double micro = 1e6, giga = 1e-9, percent = 100.0;
    FILE *stream = page->stream;
    cm_page_write(page, kernel->kernel, LAUNCH_NAME);
    fprintf(stream, " %-*s", LAUNCH_VERDICT, verdicts[kernel->outcome]);
    if (kernel->text[0] != '\0') {
        fputc(' ', stream);
        cm_text_wrap(kernel->text, LAUNCH_NAME + LAUNCH_VERDICT + 2, LAUNCH_NAME + LAUNCH_VERDICT + 2, page->width,
                     stream);
    } else {
        write_code(kernel->registers, stream);
        write_code(kernel->version, stream);
    }
    if (kernel->text[0] == '\0' && timed) {
        write_scaled_number(kernel->seconds, micro, 1, stream);
        write_scaled_number(kernel->rate, giga, 1, stream);
        write_scaled_number(kernel->peak, giga, 1, stream);
        write_scaled_number(kernel->rate / kernel->peak, percent, 0, stream);
        fputs(kernel->bytes ? "  bytes" : "", stream);
    }
    fputc('\n', stream);
}

/* The device, the meaning of the rates, and the heads of the columns. */
static void write_headings(const cm_launches *launches, FILE *stream)
{
    fprintf(stream, "%s: %u threads a launch, %u turn%s each\n", launches->device, launches->threads, launches->turns,
            launches->turns == 1 ? "" : "s");
    fputs(launches->timed ? "Rates are 10^9 operations or bytes per second; peaks are those of as many units as blocks"
                          : "No time is measured: the software GPU's is not a GPU's",
          stream);
    if (launches->timed && launches->units != 0)
        fprintf(stream, ", of the device's %u", launches->units);
    fprintf(stream, "\n\n%-*s %-*s %*s %*s", LAUNCH_NAME, "Kernel", LAUNCH_VERDICT, "Is", LAUNCH_NUMBER, "Registers",
            LAUNCH_NUMBER, "Code for");
    if (launches->timed)
        fprintf(stream, " %*s %*s %*s %*s", LAUNCH_NUMBER, "us", LAUNCH_NUMBER, "Rate", LAUNCH_NUMBER, "Peak",
                LAUNCH_NUMBER, "%");
    fputc('\n', stream);
}

/* The kernels by benchmark, and how many of them are right. */
static void write_launches_table(const void *content, const cm_page *page)
{
    const cm_launches *launches = content;
    const char *benchmark = "";
    write_headings(launches, page->stream);
    for (size_t i = 0; i < launches->count; i++) {
        if (strcmp(benchmark, launches->kernels[i].benchmark) != 0)
            fprintf(page->stream, "\n%s\n", launches->kernels[i].benchmark);
        benchmark = launches->kernels[i].benchmark;
        write_launched_kernel(&launches->kernels[i], launches->timed, page);
    }
    fprintf(page->stream, "\n%zu %s right, %zu wrong, %zu refused, %zu left out\n", launches->counts[CM_LAUNCH_RIGHT],
            cm_plural(launches->counts[CM_LAUNCH_RIGHT], "kernel is", "kernels are"), launches->counts[CM_LAUNCH_WRONG],
            launches->counts[CM_LAUNCH_REFUSED], launches->counts[CM_LAUNCH_LEFT_OUT]);
}

cm_status cm_launches_write(const cm_launches *launches, const cm_output_style *style, FILE *stream, cm_error *error)
{
    return cm_report_write(&(cm_report){"kernels", .page = write_launches_table}, launches, style, stream, error);
}
