#include <stdio.h>
#include <stdlib.h>

#include "cli/confounded.h"
#include "cli/verify.h"

static cli_exit list_kernels(void)
{
    unsigned here = cm_isa_available();
    const char *why = getenv("CATMINT_WITHOUT_ISA") != NULL ? "; this CPU lacks, or CATMINT_WITHOUT_ISA leaves out, "
                                                            : "; this CPU lacks ";
    printf("%-20s %-12s %-5s %s\n", "Kernel", "Benchmark", "Here", "Needs");
    for (size_t i = 0; i < cm_kernel_count(); i++) {
        const cm_kernel *kernel = cm_kernel_get(i);
        char needs[128], lacks[128];
        cm_isa_names(kernel->isa, needs, sizeof needs);
        cm_isa_names(kernel->isa & ~here, lacks, sizeof lacks);
        bool available = cm_kernel_available(kernel);
        printf("%-20s %-12s %-5s %s%s%s\n", kernel->name, kernel->benchmark, available ? "yes" : "no", needs,
               available ? "" : why, available ? "" : lacks);
    }
    return CLI_DONE;
}

cli_exit cli_kernels(const cli_options *options)
{
    if (options->verify && options->confounded) {
        cli_say("--verify and --confounded exclude each other");
        return CLI_USAGE;
    }
    return cli_finish_stdout(options->verify       ? cli_verify_kernels(options)
                             : options->confounded ? cli_list_confounded()
                                                   : list_kernels());
}
