/* The inner parts of a stream, shared by both ways of reading, each of which has a file. */
#ifndef CM_TABLES_STREAM_PARTS_H
#define CM_TABLES_STREAM_PARTS_H

#include <stdint.h>

#include "core/arena.h"
#include "tables/stream.h"

/* Rows of each event are together: all events have the same rows in the same order. */
typedef struct cm_stream_grouped {
    size_t row_count; /* of an event */
    size_t *repetitions, *threads;
    size_t block_count;
    size_t *starts; /* of the blocks, then the end of the file */
} cm_stream_grouped;

/* The locations of the rows of each event. */
typedef struct cm_stream_scattered {
    cm_arena names;
    size_t event_count, row_count;
    const char **events;     /* in the order of their first rows */
    uint32_t *firsts;        /* index of each event's first row among all, and the number of all rows */
    uint64_t *row_locations; /* by event, repetition and thread: see cm_row_offset */
    size_t most_rows;        /* of any event */
} cm_stream_scattered;

struct cm_stream {
    int file;
    const volatile int *stop; /* may be NULL */
    size_t size;              /* of the file */
    size_t header_end;        /* in bytes */
    cm_measurements head;
    size_t repetition_count, most_threads;
    cm_stream_grouped grouped;
    cm_stream_scattered scattered; /* empty unless indexed */
};

/* Whether the caller has asked to stop. */
static inline bool cm_stream_stopped(const cm_stream *stream)
{
    return stream->stop != NULL && *stream->stop != 0;
}

/* Bytes of a block, bytes of other readings, and events that are read together. Fuzzing makes them small, so that small
 * tables have many blocks. */
#ifndef CM_STREAM_BLOCK
#define CM_STREAM_BLOCK (4 << 20)
#define CM_STREAM_WINDOW (1 << 20)
#define CM_STREAM_VALUES (1 << 20)
#endif

enum { CM_ROW_LENGTH_BITS = 21 }; /* a row has at most 1 MiB */

static inline uint64_t cm_row_location(size_t offset, size_t length)
{
    return (uint64_t)offset << CM_ROW_LENGTH_BITS | length;
}

static inline size_t cm_row_offset(uint64_t row_location)
{
    return (size_t)(row_location >> CM_ROW_LENGTH_BITS);
}

static inline size_t cm_row_length(uint64_t row_location)
{
    return (size_t)(row_location & (((uint64_t)1 << CM_ROW_LENGTH_BITS) - 1));
}

/* Reads all of [offset, offset + length). */
bool cm_stream_read(const cm_stream *stream, char *buffer, size_t length, size_t offset);

/* Reads the first event and cuts the file into blocks. *good: false if rows of an event seem to be in several
 * places. */
cm_status cm_stream_grouped_prepare(cm_stream *stream, bool *good, cm_error *error);
void cm_stream_grouped_clear(cm_stream_grouped *grouped);
bool cm_stream_grouped_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
bool cm_stream_grouped_again(const cm_stream *stream, size_t offset, cm_stream_visit visit, void *context);

/* Reads the table for the first time and locates all rows. */
cm_status cm_stream_scattered_prepare(cm_stream *stream, bool *good, cm_error *error);
void cm_stream_scattered_clear(cm_stream_scattered *scattered);
size_t cm_stream_scattered_block_count(const cm_stream *stream);
bool cm_stream_scattered_block(const cm_stream *stream, size_t block, cm_stream_visit visit, void *context);
bool cm_stream_scattered_again(const cm_stream *stream, size_t event, cm_stream_visit visit, void *context);

#endif
