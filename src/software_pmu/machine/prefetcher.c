/* A prefetcher of streams, by page. */
#include "software_pmu/machine/memory.h"

/* The stream of the page, found by a search; a new one has no access yet (`used` is 0). */
static cm_prefetch_stream *search_stream(cm_prefetcher *prefetcher, uint64_t page)
{
    cm_prefetch_stream *oldest = &prefetcher->streams[0];
    for (size_t i = 0; i < CM_PREFETCH_STREAMS; i++) {
        cm_prefetch_stream *stream = &prefetcher->streams[i];
        if (stream->used != 0 && stream->page == page)
            return stream;
        if (stream->used < oldest->used)
            oldest = stream;
    }
    *oldest = (cm_prefetch_stream){.page = page};
    return oldest;
}

static cm_prefetch_stream *stream_of(cm_prefetcher *prefetcher, uint64_t page)
{
    uint8_t *place = &prefetcher->of_page[page % CM_PREFETCH_PAGES];
    cm_prefetch_stream *stream = &prefetcher->streams[*place];
    if (stream->used == 0 || stream->page != page) {
        stream = search_stream(prefetcher, page);
        *place = (uint8_t)(stream - prefetcher->streams);
    }
    return stream;
}

/* The step of the page's stream if the last two were alike, else 0. */
static int64_t step_of(cm_prefetcher *prefetcher, uint64_t line)
{
    cm_prefetch_stream *stream = stream_of(prefetcher, line >> prefetcher->page_shift);
    const bool first = stream->used == 0;
    stream->used = ++prefetcher->clock;
    if (!first && stream->line == line)
        return 0;
    const int64_t step = first ? 0 : (int64_t)(line - stream->line);
    const bool alike = step != 0 && step == stream->step;
    stream->line = line;
    stream->step = step;
    return alike ? step : 0;
}

size_t cm_prefetcher_follow(cm_prefetcher *prefetcher, uint64_t line, bool missed,
                            uint64_t lines[static CM_PREFETCH_MOST])
{
    const uint64_t page = line >> prefetcher->page_shift;
    size_t count = 0;
    int64_t step = prefetcher->ahead != 0 ? step_of(prefetcher, line) : 0;
    if (prefetcher->next && missed && step != 1 && (line + 1) >> prefetcher->page_shift == page)
        lines[count++] = line + 1;
    for (unsigned i = 1; step != 0 && i <= prefetcher->ahead; i++) {
        const uint64_t wanted = line + (uint64_t)step * i;
        if (wanted >> prefetcher->page_shift != page)
            break;
        lines[count++] = wanted;
    }
    return count;
}
