/* Streams large measurement tables: several threads read them, and they are never held in memory. A first reading finds
 * the rows of each event, a second one reads them, some thousand events at a time. Any faulty table is left to
 * cm_measurements_load, which has the messages. */
#ifndef CM_TABLES_STREAM_H
#define CM_TABLES_STREAM_H

#include <catmint/tables.h>

typedef struct cm_stream cm_stream;

/* *stream stays NULL if the table cannot be streamed: it is smaller than `smallest` bytes, faulty, or has fewer than
 * two repetitions. When `stop` (may be NULL) is not 0, reading fails as if the table were faulty. */
cm_status cm_stream_open(const char *path, size_t smallest, const volatile int *stop, cm_stream **stream,
                         cm_error *error);
void cm_stream_close(cm_stream *stream);
/* File, header line, kernels and iterations; no events. */
const cm_measurements *cm_stream_head(const cm_stream *stream);
size_t cm_stream_repetitions(const cm_stream *stream);

/* Blocks are independent, so threads may visit different ones at the same time. */
size_t cm_stream_block_count(const cm_stream *stream);

/* Receives one event, which lives until the visitor returns; `tag` finds it again. False ends the visit. */
typedef bool (*cm_stream_visit)(void *context, const cm_measurement *event, size_t tag);

/* Visits the events of a block; the blocks in turn have them in the order of their first rows. False if a row is bad or
 * misplaced, memory runs out, reading fails, or the visitor returns false. */
bool cm_stream_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
/* Visits one event again. */
bool cm_stream_again(const cm_stream *stream, size_t tag, cm_stream_visit visit, void *context);

#endif
