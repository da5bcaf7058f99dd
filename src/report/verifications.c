/* The executed instructions of kernels beside their facts. */
#include "report/report.h"

enum { NAME = 20, VERDICT = 9 };

typedef struct verdict_counts {
    size_t right, wrong, not_run;
} verdict_counts;

/* Writes the facts that are not zero: "31 instructions, 1 branches_cond, 24 fp_d_256_add". */
static void write_executed(const cm_verification *verification, const cm_verified_kernel *kernel, const cm_page *page)
{
    char text[1024] = "";
    for (size_t i = 0; i < verification->primitive_count; i++) {
        const cm_verified_quantity *fact = &kernel->quantities[i];
        if (fact->expected != 0.0 || fabs(fact->executed) > fact->allowance)
            cm_text_append(text, sizeof text, ", ", "%.6g %s", fact->executed, verification->quantities[i]);
    }
    cm_text_wrap(text, NAME + VERDICT + 2, NAME + VERDICT + 2, page->width, page->stream);
}

/* A row a kernel, counted into the summary: its instructions, or why it is wrong or was not run. */
static void write_verified_kernel(const cm_verification *verification, const cm_verified_kernel *kernel,
                                  const cm_page *page, verdict_counts *count)
{
    const char *verdict = kernel->ok ? "right" : kernel->available ? "WRONG" : "not run";
    cm_page_write(page, kernel->kernel, NAME);
    fprintf(page->stream, " %-*s ", VERDICT, verdict);
    if (kernel->ok)
        write_executed(verification, kernel, page);
    else
        cm_text_wrap(kernel->text, NAME + VERDICT + 2, NAME + VERDICT + 2, page->width, page->stream);
    fputc('\n', page->stream);
    count->right += kernel->ok;
    count->not_run += !kernel->available;
}

typedef struct verified {
    cm_verification *const *items;
    size_t count;
} verified;

/* Writes the executed facts of each kernel, and the number of kernels that match theirs. */
static void write_verified_table(const void *content, const cm_page *page)
{
    const verified *all = content;
    verdict_counts found = {0};
    fprintf(page->stream, "%-*s %-*s Executes per iteration\n", NAME, "Kernel", VERDICT, "Is");
    for (size_t i = 0; i < all->count; i++) {
        for (size_t k = 0; k < all->items[i]->kernel_count; k++)
            write_verified_kernel(all->items[i], &all->items[i]->kernels[k], page, &found);
        if (all->items[i]->kernel_count == 0)
            fprintf(page->stream, "%s: no facts: not verified\n", all->items[i]->benchmark);
        found.wrong += all->items[i]->failures;
    }
    fprintf(page->stream, "\n%zu %s, %zu %s not, %zu %s not run\n", found.right,
            cm_plural(found.right, "kernel matches its facts", "kernels match their facts"), found.wrong,
            cm_plural(found.wrong, "does", "do"), found.not_run, cm_plural(found.not_run, "was", "were"));
}

cm_status cm_verifications_write(cm_verification *const *verifications, size_t count, const cm_output_style *style,
                                 FILE *stream, cm_error *error)
{
    const verified all = {verifications, count};
    return cm_report_write(&(cm_report){"kernels", .page = write_verified_table}, &all, style, stream, error);
}
