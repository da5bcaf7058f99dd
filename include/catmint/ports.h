/* Loops in assembly by a model of the core's ports: the cycles of a turn, without executing anything; and the ports. */
#ifndef CATMINT_PORTS_H
#define CATMINT_PORTS_H

#include <stddef.h>
#include <stdio.h>

#include <catmint/error.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_ports_options {
    size_t size;              /* of this structure */
    const char *assembly;     /* file of assembly (x86-64: AT&T syntax); NULL: `function` is BINARY:SYMBOL */
    const char *function;     /* the only one in `assembly` to look at, NULL: all; else BINARY:SYMBOL, by objdump */
    const char *machine;      /* name of a table of catmint's, or path of one; NULL: that of this processor */
    const volatile int *stop; /* analysing ends with CM_INTERRUPTED when it becomes 1; may be NULL */
} cm_ports_options;
CM_OPTIONS_DEFAULT(cm_ports_options)

typedef struct cm_ports cm_ports;

/* Finds the innermost loops (of assembly without loops, all of it) and for each of them the cycles of a turn: those
 * that ports take, those in which its instructions enter the core, and those that wait for the turn before; and the
 * critical path of one turn. CM_UNSUPPORTED if no table is of this processor; CM_BAD_INPUT for assembly, functions and
 * tables that are not as expected. The options' texts must outlive it. */
CM_API cm_status cm_ports_create(const cm_ports_options *options, cm_ports **ports, cm_error *error);
CM_API void cm_ports_free(cm_ports *ports);
/* The number of instructions of which the table knows nothing, and which were left out. */
CM_API size_t cm_ports_unknown(const cm_ports *ports);
/* JSON has the schema catmint.ports/1; there is no CSV. */
CM_API cm_status cm_ports_write(const cm_ports *ports, const cm_output_style *style, FILE *stream, cm_error *error);
CM_API cm_status cm_ports_save(const cm_ports *ports, const cm_output_style *style, const char *path, cm_error *error);

/* The ports of a core and the kinds of instruction that each executes, as its table has them. */
typedef struct cm_core cm_core;

/* `machine`: name of a table of catmint's, or path of one; NULL: that of this processor, CM_UNSUPPORTED if there is
 * none. CM_BAD_ARGUMENT for unknown names, CM_BAD_INPUT for tables that are not as expected. */
CM_API cm_status cm_core_create(const char *machine, cm_core **core, cm_error *error);
CM_API void cm_core_free(cm_core *core);
/* A table, JSON (schema catmint.core/1), or a diagram in SVG; there is no CSV. */
CM_API cm_status cm_core_write(const cm_core *core, const cm_output_style *style, FILE *stream, cm_error *error);
CM_API cm_status cm_core_save(const cm_core *core, const cm_output_style *style, const char *path, cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
