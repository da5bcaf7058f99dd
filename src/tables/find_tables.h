/* Which of catmint's bases and signatures a table of measurements needs: its own, or the paper's. */
#ifndef CM_TABLES_FIND_TABLES_H
#define CM_TABLES_FIND_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* The paths of bases/<benchmark>.csv and signatures/<benchmark>.csv; of bases/paper/ and signatures/paper/ where all of
 * the kernels are rows of that basis, or with `by_paper` its rows among them; of signatures/socket/ where there are
 * columns of a quiet socket. The caller frees them; either may be NULL and is then not looked for. CM_IO where there is
 * no such file. */
cm_status cm_find_tables(const char *benchmark, size_t kernel_count, const char *const *kernels, bool by_paper,
                         char **basis, char **signatures, cm_error *error);

/* The same for the kernels of a measurement table; one that cannot be read needs catmint's own: what is wrong with it,
 * its reader says. */
cm_status cm_find_tables_of(const char *benchmark, const char *measurements, bool by_paper, char **basis,
                            char **signatures, cm_error *error);

/* Whether the benchmark has metrics of events that count for a whole socket; one that has none is a control of the
 * others there. */
bool cm_has_socket_metrics(const char *benchmark);

#endif
