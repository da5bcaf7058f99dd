/* One core, cycle by cycle: latencies and throughputs of instructions, the clock under load, and the speed of stores.
 */
#ifndef CATMINT_INCORE_H
#define CATMINT_INCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <catmint/counting.h>
#include <catmint/definitions.h>
#include <catmint/error.h>
#include <catmint/style.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cm_incore_options {
    size_t size;            /* of this structure */
    const char *processors; /* processors to choose cores from, as in "0-3,8"; NULL: all that this process may use */
    size_t rounds;          /* each round measures everything once, one after the other; 0: 4 */
    size_t repetitions;     /* in each round; 0: 15 */
    double load_seconds;    /* duration of each load under which the clock is measured; 0: half a second */
    const char *known;      /* table of figures to compare with; NULL: catmint's own, data/instructions.csv */
    const char *kernels_directory; /* directory in which streaming kernels are compiled, for a comparison with llvm-mca;
                                    * NULL: none */
    const cm_definitions *definitions; /* count the memory traffic of stores by these; NULL: by time alone */
    cm_counting *counting;             /* counts it; NULL: not counted */
    const char *no_counting;           /* the reason why `counting` is NULL, a sentence without its full stop */
    const volatile int *stop;          /* as of a roofline */
    void (*progress)(size_t done, size_t all, void *data);
    void *data;
} cm_incore_options;
CM_OPTIONS_DEFAULT(cm_incore_options)

typedef struct cm_incore cm_incore;

/* Whether the definitions can count memory traffic: one of Memory Read Bytes, Memory Write Bytes and Memory Bytes is
 * composable. */
CM_API bool cm_incore_can_count(const cm_definitions *definitions);

/* Measures latencies and throughputs of instructions by the clock of a chain of additions; that clock under arithmetic
 * of each kind on one core to all; and the speed of stores to memory, past the caches and through them. With
 * definitions, counts the memory traffic meanwhile; if that fails, the figures give the reason, and the rest is
 * measured. Afterwards the session lists a socket's events. Errors as of cm_roofline_measure. */
CM_API cm_status cm_incore_measure(const cm_incore_options *options, cm_incore **incore, cm_error *error);
CM_API void cm_incore_free(cm_incore *incore);
/* JSON has the schema catmint.incore/1; there is no CSV. */
CM_API cm_status cm_incore_write(const cm_incore *incore, const cm_output_style *style, FILE *stream, cm_error *error);
CM_API cm_status cm_incore_save(const cm_incore *incore, const cm_output_style *style, const char *path,
                                cm_error *error);

#ifdef __cplusplus
}
#endif
#endif
