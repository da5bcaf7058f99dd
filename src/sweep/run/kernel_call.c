#include "sweep/run/run.h"

/* The checks of a sanitizer would be counted, too. */
__attribute__((no_sanitize("address", "undefined"))) void cm_kernel_call_run(void *call)
{
    const cm_kernel_call *kernel_call = call;
    kernel_call->body(kernel_call->iterations, kernel_call->data);
}
