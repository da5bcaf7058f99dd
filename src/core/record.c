#include "core/json.h"

enum { BLOCK = 16384, CHECKSUM_SIZE = 32 };

bool cm_is_bare_name(const char *name)
{
    return name[0] != '\0' && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && strchr(name, '/') == NULL;
}

/* ---- files ---- */

bool cm_file_mark_read(int directory, const char *name, int flags, cm_file_mark *mark)
{
    char block[BLOCK];
    cm_file_mark read_so_far = {0, CM_CHECKSUM_START};
    int file = cm_input_descriptor(directory, name, flags);
    if (file < 0)
        return false;
    ssize_t length;
    while ((length = read(file, block, sizeof block)) > 0 || (length < 0 && errno == EINTR)) {
        if (length < 0)
            continue;
        read_so_far.bytes += (uint64_t)length;
        read_so_far.checksum = cm_checksum(read_so_far.checksum, block, (size_t)length);
    }
    int reason = errno;
    close(file);
    errno = reason;
    if (length == 0)
        *mark = read_so_far;
    return length == 0;
}

bool cm_same_mark(const cm_file_mark *a, const cm_file_mark *b)
{
    return a->bytes == b->bytes && a->checksum == b->checksum;
}

json_t *cm_record_load(int directory, const char *name, int flags)
{
    int file = cm_input_descriptor(directory, name, flags);
    FILE *stream = file >= 0 ? fdopen(file, "r") : NULL;
    if (stream == NULL) {
        if (file >= 0)
            close(file);
        return NULL;
    }
    json_t *record = NULL;
    char *text = NULL;
    size_t size = 0;
    cm_status status = cm_stream_text_read(stream, name, &text, &size, NULL);
    CM_THEN(status, cm_json_parse(name, text, size, JSON_REJECT_DUPLICATES, NULL, &record, NULL));
    fclose(stream);
    free(text);
    errno = status == CM_NO_MEMORY ? ENOMEM : 0;
    return record;
}

/* ---- members of a record ---- */

static const char method[] = "fnv1a64:";

static void write_checksum(uint64_t sum, char text[CHECKSUM_SIZE])
{
    snprintf(text, CHECKSUM_SIZE, "%s%016llx", method, (unsigned long long)sum);
}

bool cm_record_parse_entry(const json_t *entry, cm_file_mark *mark)
{
    const char *name = json_string_value(json_object_get(entry, "name"));
    const json_t *bytes = json_object_get(entry, "bytes");
    const char *checksum = json_string_value(json_object_get(entry, "checksum"));
    char again[CHECKSUM_SIZE];
    if (name == NULL || !cm_is_bare_name(name) || json_integer_value(bytes) < 0 || !json_is_integer(bytes) ||
        checksum == NULL || strncmp(checksum, method, strlen(method)) != 0)
        return false;
    uint64_t sum = strtoull(checksum + strlen(method), NULL, 16);
    write_checksum(sum, again);
    *mark = (cm_file_mark){(uint64_t)json_integer_value(bytes), sum};
    return strcmp(again, checksum) == 0;
}

bool cm_record_has_files(const json_t *record)
{
    const json_t *files = json_object_get(record, "files");
    bool good = json_is_array(files);
    for (size_t i = 0; good && i < json_array_size(files); i++) {
        cm_file_mark mark;
        good = cm_record_parse_entry(json_array_get(files, i), &mark);
    }
    return good;
}

size_t cm_record_count(const json_t *record)
{
    return json_array_size(json_object_get(record, "files"));
}

const char *cm_record_name(const json_t *record, size_t index)
{
    return json_string_value(json_object_get(json_array_get(json_object_get(record, "files"), index), "name"));
}

bool cm_record_find(const json_t *record, const char *name, cm_file_mark *mark)
{
    const json_t *files = json_object_get(record, "files");
    for (size_t i = 0; i < json_array_size(files); i++)
        if (strcmp(cm_record_name(record, i), name) == 0)
            return cm_record_parse_entry(json_array_get(files, i), mark);
    return false;
}

/* ---- its own checksum ---- */

static int add_to_sum(const char *text, size_t size, void *sum)
{
    *(uint64_t *)sum = cm_checksum(*(uint64_t *)sum, text, size);
    return 0;
}

/* In pieces, because json_dumps silently loses a key if memory runs out for a moment. */
static bool sum_up(const json_t *record, char text[CHECKSUM_SIZE])
{
    uint64_t sum = CM_CHECKSUM_START;
    json_t *rest = cm_json_copy(record);
    if (rest != NULL)
        json_object_del(rest, "checksum");
    bool done = rest != NULL && json_dump_callback(rest, add_to_sum, &sum, JSON_COMPACT | JSON_SORT_KEYS) == 0;
    if (done)
        write_checksum(sum, text);
    json_decref(rest);
    return done;
}

bool cm_record_is_sealed(const json_t *record)
{
    char expected[CHECKSUM_SIZE];
    const char *checksum = json_string_value(json_object_get(record, "checksum"));
    errno = 0;
    if (checksum == NULL || !cm_record_has_files(record))
        return false;
    bool summed = sum_up(record, expected);
    errno = summed ? 0 : ENOMEM;
    return summed && strcmp(checksum, expected) == 0;
}

json_t *cm_record_entry(const char *name, const cm_file_mark *mark)
{
    char checksum[CHECKSUM_SIZE];
    write_checksum(mark->checksum, checksum);
    return json_pack("{s:s, s:I, s:s}", "name", name, "bytes", (json_int_t)mark->bytes, "checksum", checksum);
}

cm_status cm_record_add(json_t *record, const char *name, const cm_file_mark *mark, cm_error *error)
{
    json_t *files = json_object_get(record, "files");
    if (files == NULL && json_object_set_new(record, "files", files = json_array()) != 0)
        return cm_error_no_memory(error);
    return json_array_append_new(files, cm_record_entry(name, mark)) == 0 ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_record_seal(json_t *record, cm_error *error)
{
    char checksum[CHECKSUM_SIZE];
    if (!sum_up(record, checksum) || json_object_set_new(record, "checksum", json_string(checksum)) != 0)
        return cm_error_no_memory(error);
    return CM_OK;
}
