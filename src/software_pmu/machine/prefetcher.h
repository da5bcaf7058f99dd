/* A hardware prefetcher of one cache level. It follows one stream of lines in each page: once two steps in a row have
 * the same length, up or down, it asks for the lines that follow at that distance. It may also ask for the line after
 * each line that misses. It never leaves the page. */
#ifndef CM_SOFTWARE_PMU_MACHINE_PREFETCHER_H
#define CM_SOFTWARE_PMU_MACHINE_PREFETCHER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Streams at a time; one more takes the place of the one not used for longest. */
enum { CM_PREFETCH_STREAMS = 16 };
/* Lines asked for after an access, at most. */
enum { CM_PREFETCH_AHEAD = 16, CM_PREFETCH_MOST = CM_PREFETCH_AHEAD + 1 };

typedef struct cm_stream {
    uint64_t page, line;
    int64_t step;  /* lines, of the last two accesses; 0: there was one only */
    uint64_t used; /* `clock` at the last access; 0: the place is free */
} cm_stream;

typedef struct cm_prefetcher {
    unsigned ahead;      /* lines of a stream, at most CM_PREFETCH_AHEAD; 0: it follows none */
    bool next;           /* asks for the line after one that misses */
    unsigned page_shift; /* of numbers of lines: log2 of the lines of a page */
    uint64_t clock;
    cm_stream streams[CM_PREFETCH_STREAMS];
    size_t latest; /* the one used last */
} cm_prefetcher;

static inline bool cm_prefetcher_is_on(const cm_prefetcher *prefetcher)
{
    return prefetcher->ahead != 0 || prefetcher->next;
}

/* An access to `line`. Returns how many `lines` it asks for, in the order in which the stream will come to them. */
size_t cm_prefetcher_follow(cm_prefetcher *prefetcher, uint64_t line, bool missed,
                            uint64_t lines[static CM_PREFETCH_MOST]);

#endif
