#include "result/bundle/list.h"

#include <archive.h>
#include <archive_entry.h>

/* RFC 1952; an archive ends with two records of zeros. */
enum { HEAD = 10, TAIL = 8, FLAGS = 3, TIME = 4, END = 2 * 512 };

/* Properties of the decompressed stream. */
struct stream {
    uint32_t crc;         /* not yet inverted */
    uint64_t bytes, last; /* its length, and its length up to the last byte that is not 0 */
};

/* Adds bytes to the length and the CRC. */
static void add_bytes(struct stream *stream, const unsigned char *bytes, size_t count)
{
    static const uint32_t nibbles[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                         0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                         0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    for (size_t i = 0; i < count; i++) {
        stream->crc ^= bytes[i];
        stream->crc = stream->crc >> 4 ^ nibbles[stream->crc & 15];
        stream->crc = stream->crc >> 4 ^ nibbles[stream->crc & 15];
        if (bytes[i] != 0)
            stream->last = stream->bytes + i + 1;
    }
    stream->bytes += count;
}

static cm_status broken(const char *path, const char *problem, cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "the bundle was changed: %s", problem);
}

/* Decompresses the whole file. */
static cm_status decompress_frame(struct archive *archive, FILE *file, const char *path, struct stream *stream,
                                  cm_error *error)
{
    struct archive_entry *entry = NULL;
    unsigned char *block = malloc(CM_BUNDLE_BLOCK);
    la_ssize_t got = block != NULL ? 1 : -1;
    bool open = block != NULL && archive_read_support_filter_gzip(archive) == ARCHIVE_OK &&
                archive_read_support_format_raw(archive) == ARCHIVE_OK &&
                archive_read_open_FILE(archive, file) == ARCHIVE_OK &&
                archive_read_next_header(archive, &entry) == ARCHIVE_OK;
    while (open && got > 0) {
        got = archive_read_data(archive, block, CM_BUNDLE_BLOCK);
        add_bytes(stream, block, got > 0 ? (size_t)got : 0);
    }
    bool short_of_memory = block == NULL || archive_errno(archive) == ENOMEM;
    free(block);
    if (short_of_memory)
        return cm_error_no_memory(error);
    return open && got == 0 ? CM_OK : broken(path, "it cannot be decompressed to its end", error);
}

static uint32_t number_of(const unsigned char *bytes)
{
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

/* Checks the head and the tail of the gzip stream. */
static cm_status check_ends(FILE *file, const char *path, const struct stream *stream, cm_error *error)
{
    unsigned char head[HEAD] = {0}, tail[TAIL] = {0};
    bool read = fseek(file, 0, SEEK_SET) == 0 && fread(head, 1, HEAD, file) == HEAD &&
                fseek(file, -TAIL, SEEK_END) == 0 && fread(tail, 1, TAIL, file) == TAIL;
    if (!read)
        return cm_error_io(error, path, "cannot be read again");
    if (number_of(tail) != (stream->crc ^ UINT32_MAX) || number_of(tail + 4) != (uint32_t)stream->bytes)
        return broken(path, "it was cut off, or more was written behind it", error);
    if (head[FLAGS] != 0 || number_of(head + TIME) != 0)
        return broken(path, "its first bytes have a name or a time, which catmint does not write", error);
    return CM_OK;
}

cm_status cm_bundle_check_frame(const char *path, uint64_t end, cm_error *error)
{
    struct stream stream = {.crc = UINT32_MAX};
    struct archive *archive = archive_read_new();
    FILE *file = NULL;
    if (archive == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_input_open(path, &file, error);
    CM_THEN(status, decompress_frame(archive, file, path, &stream, error));
    archive_read_free(archive);
    CM_THEN(status, check_ends(file, path, &stream, error));
    if (file != NULL)
        fclose(file);
    if (status == CM_OK && (stream.last > end || stream.bytes != end + END))
        status = broken(path, "more than its files is in it", error);
    return status;
}
