#include <unistd.h>

#include "tables/stream_parts.h"

bool cm_stream_read(const cm_stream *stream, char *buffer, size_t length, size_t offset)
{
    while (length > 0) {
        ssize_t done = pread(stream->file, buffer, length, (off_t)offset);
        if (done <= 0)
            return false;
        buffer += done;
        length -= (size_t)done;
        offset += (size_t)done;
    }
    return true;
}
