/* For other architectures: no kernels, and nothing that they need. */
#include "cat-kernels/registry.h"

const char *const cm_kernel_architecture = "x86_64"; /* the architecture whose facts are read */
const cm_kernel *const cm_kernel_table = NULL;
const size_t cm_kernel_table_size = 0;
const cm_isa_row *const cm_isa_table = NULL;
const size_t cm_isa_table_size = 0;

unsigned cm_isa_offered(void)
{
    return 0;
}
const cm_code_writer *const cm_kernel_code_writer = NULL;
