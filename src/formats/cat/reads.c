#include "formats/cat/file.h"

#include "core/base.h"

enum { SIZES = 3, STRIDES = 2, REGIONS = CM_CAT_LEVELS + 1 };

/* The number behind the key, 0 if there is none. */
static double value_of(const char *line, const char *key)
{
    const char *found = strstr(line, key);
    double value = 0.0;
    return found != NULL && cm_number_prefix(found + strlen(key), &value) > 0 ? value : 0.0;
}

cm_status cm_cat_reads_comment(cm_cat_reads *reads, const char *line, cm_error *error)
{
    for (size_t i = 0; i < CM_CAT_LEVELS; i++) {
        char key[8];
        snprintf(key, sizeof key, "L%zu:", i + 1);
        if (strstr(line, key) != NULL)
            reads->levels[i] = value_of(line, key);
    }
    if (strstr(line, "STRIDE=") == NULL && strstr(line, "PPB=") == NULL)
        return CM_OK;
    reads->stride = value_of(line, "STRIDE=");
    reads->pages = value_of(line, "PPB=");
    if (reads->stride > 0.0 && reads->pages > 0.0)
        return CM_OK;
    return CM_FAIL(error, CM_BAD_INPUT, "a section needs STRIDE= and PPB=, both above zero");
}

cm_status cm_cat_reads_add(cm_cat_reads *reads, double size, size_t threads, const double *counts, cm_error *error)
{
    if (reads->stride == 0.0)
        return CM_FAIL(error, CM_BAD_INPUT, "counts before the first section, expected # ... STRIDE=");
    if (reads->count != 0 && threads != reads->threads)
        return CM_FAIL(error, CM_BAD_INPUT, "%zu %s, but earlier lines have %zu", threads,
                       cm_plural(threads, "thread", "threads"), reads->threads);
    if (!CM_GROW(reads->lines, reads->count + 1, &reads->capacity))
        return cm_error_no_memory(error);
    if (!CM_GROW(reads->values, reads->value_count + threads, &reads->value_capacity))
        return cm_error_no_memory(error);
    reads->threads = threads;
    reads->lines[reads->count++] = (cm_cat_read){reads->stride, reads->pages, size, reads->value_count};
    memcpy(reads->values + reads->value_count, counts, threads * sizeof *counts);
    reads->value_count += threads;
    return CM_OK;
}

static size_t region_of(const cm_cat_reads *reads, double size)
{
    for (size_t i = 0; i < CM_CAT_LEVELS; i++)
        if (size <= reads->levels[i])
            return i;
    return CM_CAT_LEVELS;
}

/* The smallest stride above `above` among the sections with the most pages a block. */
static double next_stride(const cm_cat_reads *reads, double pages, double above)
{
    double found = 0.0;
    for (size_t i = 0; i < reads->count; i++) {
        double stride = reads->lines[i].stride;
        if (reads->lines[i].pages == pages && stride > above && (found == 0.0 || stride < found))
            found = stride;
    }
    return found;
}

/* If a region has more sizes than kernels, takes those in its middle, which are furthest from its borders. */
static void place_region(const cm_cat_reads *reads, double pages, double stride, size_t region, size_t kernel,
                         cm_cat_file *file)
{
    size_t sizes = 0, position = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t first = sizes > SIZES ? (sizes - SIZES) / 2 : 0;
        for (size_t i = 0; i < reads->count; i++) {
            const cm_cat_read *line = &reads->lines[i];
            if (line->pages != pages || line->stride != stride || region_of(reads, line->size) != region)
                continue;
            if (pass == 0) {
                sizes++;
                continue;
            }
            size_t at = position++;
            if (at < first || at >= first + SIZES)
                continue;
            file->present[kernel + at - first] = true;
            file->unused--;
            memcpy(file->counts + (kernel + at - first) * reads->threads, reads->values + line->first,
                   reads->threads * sizeof *file->counts);
        }
    }
}

cm_status cm_cat_reads_place(const cm_cat_reads *reads, cm_cat_file *file, cm_error *error)
{
    if (reads->count == 0)
        return CM_OK;
    if (reads->levels[0] <= 0.0)
        return CM_FAIL(error, CM_BAD_INPUT, "the sizes of the caches are missing, expected # L1:...");
    if (!CM_ALLOCATE(file->counts, CM_CAT_KERNELS * reads->threads))
        return cm_error_no_memory(error);
    file->threads = reads->threads;
    file->unused = reads->count;
    double pages = 0.0, stride = 0.0;
    for (size_t i = 0; i < reads->count; i++)
        pages = reads->lines[i].pages > pages ? reads->lines[i].pages : pages;
    for (size_t half = 0; half < STRIDES && (stride = next_stride(reads, pages, stride)) > 0.0; half++)
        for (size_t region = 0; region < REGIONS; region++)
            place_region(reads, pages, stride, region, (region * STRIDES + half) * SIZES, file);
    return CM_OK;
}

void cm_cat_reads_clear(cm_cat_reads *reads)
{
    CM_FREE(reads->lines, reads->values);
    *reads = (cm_cat_reads){0};
}
