/* The kernels, and their requirements. */
#include "report/report.h"

static const char *needed_gpu(const cm_kernel *kernel)
{
    unsigned vendors = cm_gpu_kernel_vendors(cm_gpu_description(kernel));
    if (vendors == CM_GPU_BOTH)
        return "a GPU of NVIDIA's or AMD's";
    return vendors == CM_GPU_NVIDIA ? "a GPU of NVIDIA's" : "a GPU of AMD's";
}

/* Writes a row a kernel: whether it runs here, and the instruction sets that it needs. */
static void write_kernels_table(const void *content, const cm_page *page)
{
    (void)content;
    FILE *stream = page->stream;
    unsigned here = cm_isa_available();
    const char *why = getenv("CATMINT_WITHOUT_ISA") != NULL ? "; this CPU lacks, or CATMINT_WITHOUT_ISA leaves out, "
                                                            : "; this CPU lacks ";
    fprintf(stream, "%-20s %-12s %-5s %s\n", "Kernel", "Benchmark", "Here", "Needs");
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *kernel = cm_kernel_get(i);
        char needs[128], lacks[128];
        cm_isa_names(kernel->isa, needs, sizeof needs);
        cm_isa_names(kernel->isa & ~here, lacks, sizeof lacks);
        bool available = cm_kernel_available(kernel);
        if (cm_kernel_is_of_gpu(kernel)) {
            fprintf(stream, "%-20s %-12s %-5s %s\n", kernel->name, kernel->benchmark, "gpu", needed_gpu(kernel));
            continue;
        }
        fprintf(stream, "%-20s %-12s %-5s %s%s%s\n", kernel->name, kernel->benchmark, available ? "yes" : "no", needs,
                available ? "" : why, available ? "" : lacks);
    }
}

cm_status cm_kernels_write(const cm_output_style *style, FILE *stream, cm_error *error)
{
    return cm_report_write(&(cm_report){"kernels", .page = write_kernels_table}, NULL, style, stream, error);
}
