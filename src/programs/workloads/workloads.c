/* Workloads run as kernels on data of several sizes. */
#include "programs/workloads/workloads.h"

#include "programs/programs.h"

enum {
    MULTIPLE = 64, /* multiple of elements, so that no vector is half filled */
    MOST_ELEMENTS = 1 << 23,
    ELEMENTS = 1 << 14, /* least number of elements visited in a run, if they fit in a cache */
    LINE = 64,
    PLACE = 1 << 26, /* alignment of buffers: all processes see the same conflicts */
    HARDWARE_RUNS = 8,
    NAME_SIZE = 40,
    MEMORY = CM_WORKLOAD_LEVELS,
};

/* A workload before it is compiled: `size` and `step` as in cm_workload_data, 0: the machine decides. */
struct row {
    const char *name, *words;
    cm_algorithm algorithm;
    size_t level; /* of STREAM's arrays */
    size_t size, step;
    uint64_t repetitions;
};

static const struct row rows[] = {
    {"stream-l1", "STREAM triad in the first cache", CM_ALGORITHM_STREAM, 0, 0, 0, 0},
    {"stream-l2", "STREAM triad in the second cache", CM_ALGORITHM_STREAM, 1, 0, 0, 0},
    {"stream-l3", "STREAM triad in the third cache", CM_ALGORITHM_STREAM, 2, 0, 0, 0},
    {"stream-memory", "STREAM triad in memory", CM_ALGORITHM_STREAM, MEMORY, 0, 0, 0},
    {"crunch-double", "FP Crunch in double precision", CM_ALGORITHM_CRUNCH_DOUBLE, 0, 256, 0, 1},
    {"crunch-single", "FP Crunch in single precision", CM_ALGORITHM_CRUNCH_SINGLE, 0, 256, 0, 1},
    {"conflict-none", "an array visited in turn", CM_ALGORITHM_CONFLICT, 0, 1 << 14, 1, 1},
    {"conflict-all", "an array visited in steps that fall on one another in caches", CM_ALGORITHM_CONFLICT, 0, 1 << 14,
     512, 1},
    {"matrix-default", "matrix product", CM_ALGORITHM_MATRIX, 0, 32, 0, 1},
    {"matrix-transposed", "matrix product, transposed", CM_ALGORITHM_MATRIX_TRANSPOSED, 0, 32, 0, 1},
    {"matrix-unrolled", "matrix product, unrolled", CM_ALGORITHM_MATRIX_UNROLLED, 0, 32, 0, 1},
    {"matrix-blocked", "matrix product, blocked", CM_ALGORITHM_MATRIX_BLOCKED, 0, 32, 8, 1},
    {"nbody-arrays", "n-body with an array for each coordinate", CM_ALGORITHM_BODIES_ARRAYS, 0, 48, 0, 2},
    {"nbody-structures", "n-body with a structure for each body", CM_ALGORITHM_BODIES_STRUCTURES, 0, 48, 0, 2},
};

enum { ROWS = CM_COUNT_OF(rows) };

struct workload {
    char name[NAME_SIZE];
    cm_kernel kernel;
    const struct row *row; /* NULL: the empty one */
    cm_workload_data *data;
};

struct cm_workloads {
    size_t count; /* including the empty one */
    struct workload *items;
    cm_workload_data data[ROWS];
    uint64_t repetitions[ROWS];
    bool fits[ROWS]; /* the machine has that level */
    cm_program_pages pages;
};

/* ---- sizes ---- */

/* The bytes that fit a level and no lower one: the geometric mean of both sizes. */
static double stream_bytes(size_t level, const size_t *caches)
{
    double last = 0.0;
    for (size_t i = 0; i < CM_WORKLOAD_LEVELS; i++)
        last = fmax(last, (double)caches[i]);
    if (level == MEMORY)
        return 2.0 * last;
    return level == 0 ? 0.5 * (double)caches[0] : sqrt((double)caches[level - 1] * (double)caches[level]);
}

static void size_stream(cm_workloads *workloads, size_t row, const size_t *caches)
{
    cm_workload_data *data = &workloads->data[row];
    double elements = stream_bytes(rows[row].level, caches) / (3.0 * sizeof(double));
    data->size = elements < MOST_ELEMENTS ? (size_t)elements / MULTIPLE * MULTIPLE : MOST_ELEMENTS;
    workloads->fits[row] = data->size > 0;
    workloads->repetitions[row] = data->size > 0 && data->size < ELEMENTS ? ELEMENTS / data->size : 1;
    if (rows[row].level != MEMORY && workloads->repetitions[row] == 1)
        workloads->repetitions[row] = 2;
}

static void size_all(cm_workloads *workloads, const size_t *caches)
{
    for (size_t i = 0; i < ROWS; i++) {
        workloads->data[i] = (cm_workload_data){.size = rows[i].size, .step = rows[i].step, .scalar = 1.0};
        workloads->repetitions[i] = rows[i].repetitions;
        workloads->fits[i] = true;
        if (rows[i].algorithm == CM_ALGORITHM_STREAM)
            size_stream(workloads, i, caches);
    }
}

/* ---- data ---- */

/* Elements of each array, of at most 8 bytes. */
static size_t elements_of(size_t row, const cm_workload_data *data)
{
    switch (rows[row].algorithm) {
    case CM_ALGORITHM_MATRIX:
    case CM_ALGORITHM_MATRIX_TRANSPOSED:
    case CM_ALGORITHM_MATRIX_UNROLLED:
    case CM_ALGORITHM_MATRIX_BLOCKED: return data->size * data->size;
    case CM_ALGORITHM_BODIES_STRUCTURES: return data->size * sizeof(cm_body) / sizeof(double);
    default: return data->size;
    }
}

static size_t arrays_of(size_t row)
{
    switch (rows[row].algorithm) {
    case CM_ALGORITHM_CONFLICT:
    case CM_ALGORITHM_BODIES_STRUCTURES: return 1;
    case CM_ALGORITHM_BODIES_ARRAYS: return 7;
    default: return 3;
    }
}

/* Rounded up to lines. */
static size_t bytes_of(size_t row, const cm_workload_data *data)
{
    return (elements_of(row, data) * sizeof(double) + LINE - 1) / LINE * LINE;
}

/* Fills arrays with numbers from a quarter to a half, neighbours different: no sum overflows or vanishes. */
static void fill_data(size_t row, cm_workload_data *data)
{
    for (size_t array = 0; array < arrays_of(row); array++)
        for (size_t i = 0; i < elements_of(row, data); i++) {
            double value = 0.25 + (double)((i * 37 + array * 11) % 64) / 256.0;
            if (rows[row].algorithm == CM_ALGORITHM_CRUNCH_SINGLE)
                ((float *)data->arrays[array])[i] = (float)value;
            else
                ((double *)data->arrays[array])[i] = value;
        }
}

/* Maps and fills the arrays of all rows. */
static cm_status place_all(cm_workloads *workloads, cm_error *error)
{
    size_t bytes = PLACE;
    for (size_t i = 0; i < ROWS; i++)
        bytes += arrays_of(i) * bytes_of(i, &workloads->data[i]);
    cm_status status = cm_program_pages_map(bytes, &workloads->pages, error);
    if (status != CM_OK)
        return status;
    unsigned char *start = workloads->pages.start;
    start += (PLACE - (uintptr_t)start % PLACE) % PLACE;
    for (size_t i = 0; i < ROWS; i++) {
        cm_workload_data *data = &workloads->data[i];
        for (size_t array = 0; array < arrays_of(i); array++, start += bytes_of(i, data))
            data->arrays[array] = start;
        fill_data(i, data);
    }
    return CM_OK;
}

/* ---- kernels ---- */

static void do_nothing(uint64_t repetitions, cm_kernel_data *data)
{
    (void)repetitions;
    (void)data;
}

/* Adds the kernel of one row in one variant. */
static void add_workload(cm_workloads *workloads, size_t row, const cm_workload_variant *variant)
{
    struct workload *workload = &workloads->items[workloads->count++];
    uint64_t repetitions = workloads->repetitions[row];
    snprintf(workload->name, sizeof workload->name, "%s.%s", rows[row].name, variant->name);
    workload->row = &rows[row];
    workload->data = &workloads->data[row];
    workload->kernel = (cm_kernel){.name = workload->name,
                                   .benchmark = CM_WORKLOADS_BENCHMARK,
                                   .isa = variant->isa,
                                   .iterations = repetitions * HARDWARE_RUNS,
                                   .software_iterations = repetitions,
                                   .body = variant->bodies[rows[row].algorithm]};
}

/* Lists the kernels that fit this machine, the empty one first. */
static cm_status list_workloads(cm_workloads *workloads, cm_error *error)
{
    if (!CM_ALLOCATE(workloads->items, ROWS * cm_workload_variant_count + 1))
        return cm_error_no_memory(error);
    workloads->items[workloads->count++].kernel = (cm_kernel){.name = "empty",
                                                              .benchmark = CM_WORKLOADS_BENCHMARK,
                                                              .iterations = 1,
                                                              .software_iterations = 1,
                                                              .body = do_nothing};
    for (size_t v = 0; v < cm_workload_variant_count; v++)
        for (size_t i = 0; i < ROWS; i++)
            if (workloads->fits[i] && (cm_workload_variants[v].isa & ~cm_isa_available()) == 0)
                add_workload(workloads, i, &cm_workload_variants[v]);
    return CM_OK;
}

cm_status cm_workloads_create(const size_t *caches, cm_workloads **workloads, cm_error *error)
{
    if (cm_kernel_count() == 0)
        return CM_FAIL(error, CM_UNSUPPORTED, "catmint has no kernels for this processor");
    cm_workloads *created = calloc(1, sizeof *created);
    if (created == NULL)
        return cm_error_no_memory(error);
    size_all(created, caches);
    cm_status status = place_all(created, error);
    CM_THEN(status, list_workloads(created, error));
    CM_HAND_OVER(status, workloads, created, cm_workloads_free);
    return status;
}

void cm_workloads_free(cm_workloads *workloads)
{
    if (workloads == NULL)
        return;
    cm_program_pages_unmap(&workloads->pages);
    CM_FREE(workloads->items, workloads);
}

size_t cm_workloads_count(const cm_workloads *workloads)
{
    return workloads->count - 1;
}

CM_GETTER(const cm_kernel *cm_workloads_kernel(const cm_workloads *workloads, size_t kernel),
          &workloads->items[kernel].kernel)

void *cm_workloads_buffer(const cm_workloads *workloads, size_t kernel)
{
    const struct workload *workload = &workloads->items[kernel];
    return workload->row != NULL ? workload->data : NULL;
}

void cm_workloads_describe(const cm_workloads *workloads, size_t kernel, char *text, size_t size)
{
    const struct row *row = workloads->items[kernel].row;
    snprintf(text, size, "%s", row != NULL ? row->words : "");
}

/* ---- operations ---- */

/* Operations of one repetition. In n-body each pair has 3 differences, 3 squares and 3 sums, a root, 2 products and a
 * division, and 6 for the acceleration; each body 6 for its velocity and 6 for its position. */
static double operations_of(cm_algorithm algorithm, double n)
{
    switch (algorithm) {
    case CM_ALGORITHM_STREAM: return 2.0 * n;
    case CM_ALGORITHM_CRUNCH_DOUBLE:
    case CM_ALGORITHM_CRUNCH_SINGLE: return 2.0 * CM_CRUNCH_TRIALS * n;
    case CM_ALGORITHM_CONFLICT: return n;
    case CM_ALGORITHM_BODIES_ARRAYS:
    case CM_ALGORITHM_BODIES_STRUCTURES: return 19.0 * n * n + 12.0 * n;
    default: return 2.0 * n * n * n;
    }
}

double cm_workloads_operations(const cm_workloads *workloads, size_t kernel)
{
    const struct row *row = workloads->items[kernel].row;
    if (row == NULL)
        return 0.0;
    size_t at = (size_t)(row - rows);
    return (double)workloads->repetitions[at] * operations_of(row->algorithm, (double)workloads->data[at].size);
}
