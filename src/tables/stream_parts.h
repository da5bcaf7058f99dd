/* The inner parts of a stream, shared by its two readings, each of which has a file. */
#ifndef CM_TABLES_STREAM_PARTS_H
#define CM_TABLES_STREAM_PARTS_H

#include <stdint.h>
#include <time.h>

#include "tables/stream.h"
#include "tables/tables.h"

struct cm_stream {
    int file;
    const volatile int *stop; /* may be NULL */
    size_t size;              /* of the file */
    struct timespec changed;  /* when it was written last */
    cm_rows table;            /* opened, with its header read */
    size_t header_end;        /* in bytes */
    cm_measurements head;
    size_t event_count; /* in the order of their first rows */
    size_t *rows;       /* of each event, how many */
    uint32_t *firsts;   /* index of each event's first run among all, and the number of all runs */
    uint64_t *runs;     /* by event, in the order of the file: adjacent rows, see cm_run_offset */
    size_t most_rows;   /* of any event */
    size_t repetition_count;
    size_t *repetitions; /* of the first event */
};

/* Whether the caller has asked to stop. */
static inline bool cm_stream_stopped(const cm_stream *stream)
{
    return stream->stop != NULL && *stream->stop != 0;
}

/* Bytes of a block in the first reading, bytes of other readings, and values of a block in the second reading. Fuzzing
 * makes them small, so that small tables have many blocks. */
#ifndef CM_STREAM_BLOCK
#define CM_STREAM_BLOCK (5 << 18)
#define CM_STREAM_WINDOW (1 << 20)
#define CM_STREAM_VALUES (1 << 20)
#endif

enum { CM_RUN_BITS = 21, CM_RUN_LIMIT = 1 << CM_RUN_BITS }; /* a run has fewer bytes */

static inline uint64_t cm_run(size_t offset, size_t length)
{
    return (uint64_t)offset << CM_RUN_BITS | length;
}

static inline size_t cm_run_offset(uint64_t run)
{
    return (size_t)(run >> CM_RUN_BITS);
}

static inline size_t cm_run_end(uint64_t run)
{
    return cm_run_offset(run) + (size_t)(run & (CM_RUN_LIMIT - 1));
}

/* Reads all of [offset, offset + length). */
bool cm_stream_read(const cm_stream *stream, char *buffer, size_t length, size_t offset);

/* The first reading: finds the runs of all events. */
cm_status cm_stream_index(cm_stream *stream, bool *good, cm_error *error);
/* Reads the first event, for repetitions and threads. False if it cannot be read. */
bool cm_stream_read_first(cm_stream *stream);

#endif
