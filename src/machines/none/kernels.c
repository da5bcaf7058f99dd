/* For other architectures: no timed kernels. */
#include "machines/timed.h"

const cm_timed_kernel *const cm_timed_kernels = NULL;
const size_t cm_timed_kernel_count = 0;
