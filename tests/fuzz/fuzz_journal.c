/* Reads any bytes as the journal of an unfinished sweep, goes on with it, and reads it again: nothing that was counted
 * is lost. The first byte says whether the checksums are right (F), as after a kill, or whatever the input has. */
#include <inttypes.h>
#include <string.h>

#include "fuzz.h"
#include "sweep/record/record.h"

enum { COUNTS = 4, MOST_LINES = 1024 };
static const double ours[COUNTS] = {0.0, 1.0, 0.1, 0x1p53};

/* ---- checksums ---- */

/* Where the sum of the first line begins: behind its last tab. */
static const uint8_t *sum_of_first(const uint8_t *line, const uint8_t *end)
{
    const uint8_t *tab = memrchr(line, '\t', (size_t)(end - line));
    return tab != NULL ? tab : end - 1;
}

/* The text with each of its checksums as it must be. */
static const char *with_checksums(const uint8_t *data, size_t size, size_t *length)
{
    FILE *stream = fuzz_stream();
    const uint8_t *end = data + size, *block = NULL;
    for (const uint8_t *line = data, *next; line < end; line = next) {
        const uint8_t *feed = memchr(line, '\n', (size_t)(end - line));
        next = feed != NULL ? feed + 1 : end;
        bool first = block == NULL, sum = first || (line[0] == 'S' && next > line + 1 && line[1] == '\t');
        const uint8_t *from = first ? line : block, *to = !first ? line : feed != NULL ? sum_of_first(line, next) : end;
        if (sum && feed != NULL) {
            fwrite(line, 1, first ? (size_t)(to - line) : 1, stream);
            fprintf(stream, "\t%016" PRIx64 "\n", fuzz_checksum(from, (size_t)(to - from)));
        } else {
            fwrite(line, 1, (size_t)(next - line), stream);
        }
        if (sum)
            block = next;
    }
    return fuzz_written(length);
}

/* ---- lines ---- */

typedef struct lines {
    size_t count, counted;
    long places[MOST_LINES]; /* of those with counts */
    uint64_t sum;            /* of what all of them say */
    bool last_is_ours;
} lines;

static void add_text(lines *read, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        read->sum = (read->sum ^ (unsigned char)*text) * 0x100000001b3u;
    read->sum = (read->sum ^ (text != NULL)) * 0x100000001b3u;
}

static cm_status take_line(const cm_journal_line *line, void *data, cm_error *error)
{
    lines *read = data;
    (void)error;
    FUZZ_EXPECT(line->benchmark != NULL && line->event != NULL);
    FUZZ_EXPECT((line->offset != 0) + (line->others != NULL) + (line->outcome != NULL) == 1);
    FUZZ_EXPECT(line->outcome == NULL || line->reason != NULL);
    read->last_is_ours = strcmp(line->event, "OURS") == 0 && line->offset != 0;
    if (!read->last_is_ours) {
        read->count++;
        add_text(read, line->benchmark);
        add_text(read, line->event);
        add_text(read, line->others);
        add_text(read, line->outcome);
    }
    if (line->offset != 0 && read->counted < MOST_LINES)
        read->places[read->counted++] = line->offset;
    return CM_OK;
}

/* What was written last is what a table has of it. */
static void read_ours(const char *path)
{
    cm_measurements *table = NULL;
    FUZZ_EXPECT(cm_measurements_load(path, &table, NULL) == CM_OK && table->event_count == 1);
    FUZZ_EXPECT(strcmp(table->events[0].event, "OURS") == 0 && table->events[0].repetition_count == 1);
    FUZZ_EXPECT(memcmp(table->events[0].values, ours, sizeof ours) == 0);
    cm_measurements_free(table);
}

static void read_counts(cm_journal *journal, const lines *read)
{
    static const char *const kernels[COUNTS] = {"a", "b", "c", "d"};
    const char *path = fuzz_path("table");
    for (size_t i = 0; i < read->counted; i++) {
        cm_measurements_writer *writer = NULL;
        cm_error error = {0};
        FUZZ_EXPECT(cm_measurements_writer_create(path, NULL, COUNTS, kernels, NULL, &writer, NULL) == CM_OK);
        cm_status status = cm_journal_copy_rows(journal, read->places[i], 1, writer, &error);
        if (status != CM_OK)
            fuzz_expect_refusal(status, &error);
        if (i + 1 == read->counted && read->last_is_ours) {
            FUZZ_EXPECT(status == CM_OK && cm_measurements_writer_finish(writer, NULL) == CM_OK);
            read_ours(path);
        }
        cm_measurements_writer_free(writer);
    }
}

/* ---- the sweep ---- */

static json_t *identity;

static cm_journal *resume(lines *read)
{
    cm_journal *journal = NULL;
    cm_error error = {0};
    *read = (lines){0};
    cm_status status = cm_journal_open(fuzz_path("sweep"), identity, true, take_line, read, &journal, &error);
    if (status == CM_OK)
        return journal;
    FUZZ_EXPECT((status == CM_BAD_INPUT || status == CM_BAD_ARGUMENT || status == CM_IO) && error.text[0] != '\0' &&
                journal == NULL);
    return NULL;
}

static void go_on(cm_journal *journal)
{
    static const char *const events[] = {"A", "B"};
    long offset;
    cm_journal_add_failure(journal, "x", "C", "failed", "it did");
    cm_journal_add_refusal(journal, "x", 2, events);
    cm_journal_add_event(journal, "x", "OURS", &offset);
    FUZZ_EXPECT(cm_journal_add_row(journal, "OURS", 1, 0, COUNTS, ours, NULL) == CM_OK);
    FUZZ_EXPECT(cm_journal_commit(journal, NULL) == CM_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static lines before, after;
    if (identity == NULL) {
        identity = json_loads("{\"catmint\": \"0\", \"list\": [1, {\"a\": null}], \"max_buffer\": 4096}", 0, NULL);
        fuzz_directory("sweep");
    }
    if (size == 0)
        return 0;
    size_t length = size - 1;
    const char *text = data[0] == 'F' ? with_checksums(data + 1, size - 1, &length) : (const char *)data + 1;
    (void)fuzz_put("sweep/journal", text, length);
    json_t *found = NULL;
    (void)cm_journal_identity(fuzz_path("sweep"), &found, NULL);
    json_decref(found);
    cm_journal *journal = resume(&before);
    if (journal == NULL)
        return 0;
    read_counts(journal, &before);
    go_on(journal);
    cm_journal_close(journal, false);
    journal = resume(&after);
    FUZZ_EXPECT(journal != NULL && after.last_is_ours && after.count >= before.count + 2);
    read_counts(journal, &after);
    cm_journal_close(journal, true);
    return 0;
}
