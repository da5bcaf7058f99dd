/* Timed kernels found by kind, operation, precision and vectors. */
#include "machines/timed.h"

static const cm_timed_operation operations[] = {
    {"clock", "clock", 0, 0, 0, 0, false},
    {"add", "add", 1, 0, 0, 0, false},
    {"mul", "multiply", 1, 0, 0, 0, false},
    {"add_mul", "add and multiply", 1, 0, 0, 0, false},
    {"fma", "multiply-add", 2, 0, 0, 0, false},
    {"div", "divide", 1, 0, 0, 0, false},
    {"sqrt", "square root", 1, 0, 0, 0, false},
    {"sqrt_mul", "square root, multiply", 1, 0, 0, 0, false},
    {"product", "matrix product", 2, 0, 0, 0, false},
    {"loads", "load", 0, 0, 1, 0, false},
    {"stores", "store", 0, 0, 0, 1, false},
    {"gather", "gather", 0, 0, 1, 0, false},
    {"load", "load", 0, 1, 1, 0, false},
    {"store", "store", 0, 1, 0, 1, false},
    {"copy", "copy", 0, 2, 1, 1, false},
    {"triad", "triad", 2, 3, 2, 1, false},
    {"schoenauer", "Schönauer triad", 2, 4, 3, 1, false},
    {"store_nt", "non-temporal store", 0, 1, 0, 1, true},
    {"copy_nt", "non-temporal copy", 0, 2, 1, 1, true},
    {"triad_nt", "non-temporal triad", 2, 3, 2, 1, true},
};

const char *cm_timed_words(const char *operation)
{
    const cm_timed_operation *known = cm_timed_operation_find(operation);
    return known != NULL ? known->words : operation;
}

const cm_timed_operation *cm_timed_operation_find(const char *name)
{
    return CM_FIND_ITEM(name, name, operations, CM_COUNT_OF(operations));
}

bool cm_timed_available(const cm_timed_kernel *kernel)
{
    return (kernel->isa & ~cm_isa_available()) == 0;
}

const cm_timed_kernel *cm_timed_find(cm_timed_kind kind, const char *operation, cm_float_precision precision,
                                     const char *vectors)
{
    for (size_t i = 0; i < cm_timed_kernel_count; i++) {
        const cm_timed_kernel *kernel = &cm_timed_kernels[i];
        if (kernel->kind == kind && kernel->precision == precision && strcmp(kernel->operation, operation) == 0 &&
            strcmp(kernel->vectors, vectors) == 0 && cm_timed_available(kernel))
            return kernel;
    }
    return NULL;
}

const cm_timed_kernel *cm_timed_clock(void)
{
    return cm_timed_kernel_count > 0 ? &cm_timed_kernels[0] : NULL;
}

unsigned cm_precision_bytes(cm_float_precision precision)
{
    return precision == CM_DOUBLE ? 8 : precision == CM_SINGLE ? 4 : 2;
}

/* Elements of each array, or operands of a turn's instructions. */
static double element_count(const cm_timed_kernel *kernel, size_t bytes)
{
    double worked_on = kernel->count != 0 ? (double)kernel->count * kernel->bytes : (double)bytes;
    return worked_on / cm_precision_bytes(kernel->precision);
}

double cm_timed_flops(const cm_timed_kernel *kernel, size_t bytes)
{
    return cm_timed_operation_find(kernel->operation)->flops * element_count(kernel, bytes);
}

double cm_timed_bytes(const cm_timed_kernel *kernel, size_t bytes)
{
    const cm_timed_operation *operation = cm_timed_operation_find(kernel->operation);
    return (operation->loads + operation->stores) * element_count(kernel, bytes) *
           cm_precision_bytes(kernel->precision);
}
