/* The rates of GPU kernels: their work, and the most that their GPU could do (data/gpu-peaks.csv). */
#include "core/csv.h"
#include "verify/verify.h"

/* Operations that a lane does with an instruction; 1 for integers, conversions and estimates. */
static double operations_of(cm_gpu_class class)
{
    const char *name = cm_gpu_class_table[class].name, *end = strrchr(name, '_');
    cm_gpu_type type = cm_gpu_class_table[class].type;
    double pair = type == CM_GPU_TYPE_H2 || type == CM_GPU_TYPE_S2 || type == CM_GPU_TYPE_B2 ? 2.0 : 1.0;
    return pair * (end != NULL && strcmp(end, "_fma") == 0 ? 2.0 : 1.0);
}

/* The work of a warp in an instruction: bytes that it asks for, or operations; *row_name: its row of the table. */
static double work_of(cm_gpu_vendor vendor, unsigned warp, cm_gpu_class class, const char **row_name)
{
    static const char *const products[CM_GPU_ELEMENTS] = {"matrix_f16", "matrix_f16", "matrix_bf16", "matrix_tf32",
                                                          "matrix_f32", "matrix_f64", "matrix_i8",   "matrix_f8"};
    static const char *const places[] = {"l1_bytes", "l2_bytes", "memory_bytes", "shared_bytes"};
    const cm_gpu_access *access = cm_gpu_access_of(class);
    cm_gpu_elements elements = CM_GPU_F16;
    unsigned operations = cm_gpu_matrix_operations(vendor, class, &elements);
    if (access != NULL) {
        *row_name = places[access->place];
        return (double)access->bytes * warp;
    }
    *row_name = operations != 0 ? products[elements] : cm_gpu_class_table[class].name;
    return operations != 0 ? operations : operations_of(class) * warp;
}

struct search {
    const char *target, *row_name;
    double found;
};

/* Keeps the rate if the row is of the GPU and the kind that are searched for. */
static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    enum { TARGET, WHAT, PER_CLOCK };
    struct search *search = data;
    double value = 0.0;
    cm_status status = cm_csv_number(csv, row, PER_CLOCK, &value, error);
    if (status == CM_OK && strcmp(row->fields[TARGET], search->target) == 0 &&
        strcmp(row->fields[WHAT], search->row_name) == 0)
        search->found = value;
    return status;
}

cm_status cm_gpu_rate(const cm_gpu_kernel *kernel, cm_gpu_vendor vendor, const cm_gpu_device *device,
                      const cm_gpu_launch *launch, double seconds, cm_launched_kernel *launched, cm_error *error)
{
    static const char *const columns[] = {"target", "what", "per_clock", "source"};
    static const double kilo = 1e3;
    const unsigned warps = launch->threads / device->warp * launch->blocks;
    struct search search = {device->target, NULL, NAN};
    launched->seconds = seconds;
    if (kernel->piece_count != 1 || kernel->mask != 0 || cm_gpu_section_of(kernel->pieces[0].class) != NULL)
        return CM_OK;
    double work = work_of(vendor, device->warp, kernel->pieces[0].class, &search.row_name);
    launched->rate = work * kernel->pieces[0].count * warps * launch->trips / seconds;
    launched->bytes = cm_gpu_access_of(kernel->pieces[0].class) != NULL;
    cm_status status = cm_csv_each_data("data/gpu-peaks.csv", CM_COUNT_OF(columns), columns, take_row, &search, error);
    if (status == CM_OK && device->clock != 0)
        launched->peak = search.found * device->clock * kilo * launch->blocks;
    return status;
}
