/* Finds the basis and the signatures for a table of measurements: catmint's own, or the paper's. */
#ifndef CM_TABLES_FIND_TABLES_H
#define CM_TABLES_FIND_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* The paths of bases/<benchmark>.csv and signatures/<benchmark>.csv; of bases/paper/ and signatures/paper/ if all
 * kernels are rows of that basis, or with `by_paper` if its rows are among them; of signatures/socket/ if there are
 * columns of quiet kernels. The caller frees them; either may be NULL and is then not searched. CM_IO if there is no
 * such file. */
cm_status cm_find_tables(const char *benchmark, size_t kernel_count, const char *const *kernels, bool by_paper,
                         char **basis, char **signatures, cm_error *error);

/* The same for the kernels of a measurement table. One that cannot be read gets catmint's own, because its reader
 * reports the error. */
cm_status cm_find_tables_of(const char *benchmark, const char *measurements, bool by_paper, char **basis,
                            char **signatures, cm_error *error);

/* Whether the benchmark has metrics of events that count for a whole socket; in such a sweep, benchmarks without are
 * controls. */
bool cm_has_socket_metrics(const char *benchmark);

#endif
