#include "sweep/run/run.h"

#include <inttypes.h>

#include <catmint/version.h>

enum { HEAD = 64 };

struct cm_screen_file {
    char *path;
    FILE *stream;
    bool reading; /* more records may follow */
};

/* The head of a chunk's codes. */
typedef struct record {
    uint64_t first, count, sum; /* checksum of the codes */
} record;

static uint64_t add_text(uint64_t sum, const char *text)
{
    return cm_checksum(sum, text, strlen(text) + 1);
}

static uint64_t add_number(uint64_t sum, uint64_t number)
{
    return cm_checksum(sum, &number, sizeof number);
}

/* A checksum of everything that decides on the counts. */
static uint64_t sum_of(const cm_sweep_state *state)
{
    const cm_machine machine = state->counting->machine;
    const cm_pmu_model *model = cm_counting_model(state->counting);
    const cm_model_codes *codes = model != NULL ? cm_pmu_model_codes(model) : NULL;
    const cm_core_type *core = cm_counting_core(state->counting);
    const char *const texts[] = {CATMINT_VERSION,
                                 cm_counting_pmu(state->counting),
                                 core != NULL ? core->name : "",
                                 state->options->raw,
                                 machine.vendor,
                                 machine.model_name,
                                 machine.kernel_release};
    uint64_t sum = CM_CHECKSUM_START;
    for (size_t i = 0; i < CM_COUNT_OF(texts); i++)
        sum = add_text(sum, texts[i]);
    sum = add_number(sum, (uint64_t)machine.model << 32 | machine.stepping);
    for (size_t i = 0; codes != NULL && i < codes->events->count; i++)
        sum = add_text(sum, codes->events->events[i].name);
    for (size_t i = 0; i < state->benchmark_count; i++)
        for (size_t k = 0; k < state->benchmarks[i].kernel_count; k++)
            sum = add_number(add_text(sum, state->benchmarks[i].kernels[k]->name), state->benchmarks[i].iterations[k]);
    return sum;
}

static char *path_in(const char *directory)
{
    return cm_path_join(directory, "screening", "");
}

static const char head_begins[] = "catmint.screening/1 ";

/* Reads the first line, or writes it. */
static cm_status begin_file(const cm_sweep_state *state, cm_screen_file *file, cm_error *error)
{
    char head[HEAD], line[HEAD] = "";
    snprintf(head, sizeof head, "%s%016" PRIx64 "\n", head_begins, sum_of(state));
    bool any = fgets(line, sizeof line, file->stream) != NULL;
    if (any && strncmp(line, head_begins, strlen(head_begins)) != 0)
        return cm_error_set(error, CM_IO, file->path, 0, 0,
                            "it is in the way, and not catmint's: move it away, or name another directory");
    file->reading = any && state->options->resume && strcmp(line, head) == 0;
    if (file->reading)
        return CM_OK;
    rewind(file->stream);
    if (ftruncate(fileno(file->stream), 0) != 0 || fputs(head, file->stream) == EOF || fflush(file->stream) != 0)
        return cm_error_io(error, file->path, "it cannot be written");
    return CM_OK;
}

cm_status cm_screen_file_open(const cm_sweep_state *state, cm_screen_file **file, cm_error *error)
{
    cm_screen_file *opened = calloc(1, sizeof *opened);
    if (opened != NULL)
        opened->path = path_in(state->options->directory);
    cm_status status = opened != NULL && opened->path != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_journal_file_lock(opened->path, &opened->stream, error));
    CM_THEN(status, begin_file(state, opened, error));
    CM_HAND_OVER(status, file, opened, cm_screen_file_close);
    return status;
}

static uint64_t sum_of_codes(const record *head, const cm_screened *codes)
{
    uint64_t sum = cm_checksum(CM_CHECKSUM_START, head, offsetof(record, sum));
    for (size_t i = 0; i < head->count; i++)
        sum = cm_checksum(add_number(sum, codes[i].outcome), codes[i].sums, sizeof codes[i].sums);
    return sum;
}

/* Reads outcomes and checksums; the codes themselves are known. */
static bool read_codes(FILE *stream, const cm_screen_chunk *chunk, cm_screened *read)
{
    bool sound = true;
    for (size_t i = 0; i < chunk->count && sound; i++) {
        unsigned char outcome = 0;
        read[i] = (cm_screened){.code = chunk->codes[i].code};
        sound = fread(&outcome, sizeof outcome, 1, stream) == 1 && outcome > CM_SCREEN_UNKNOWN &&
                outcome <= CM_SCREEN_COUNTED;
        read[i].outcome = (cm_screen_outcome)outcome;
        if (sound && outcome == CM_SCREEN_COUNTED)
            sound = fread(read[i].sums, sizeof read[i].sums, 1, stream) == 1;
    }
    return sound;
}

/* Whether the next record is of this chunk and intact; then fills its outcomes. */
static bool read_record(cm_screen_file *file, uint64_t first, cm_screen_chunk *chunk)
{
    record head;
    cm_screened *read = malloc((chunk->count + 1) * sizeof *read);
    bool sound = read != NULL && fread(&head, sizeof head, 1, file->stream) == 1 && head.first == first &&
                 head.count == chunk->count && read_codes(file->stream, chunk, read) &&
                 sum_of_codes(&head, read) == head.sum;
    if (sound)
        memcpy(chunk->codes, read, chunk->count * sizeof *read);
    free(read);
    return sound;
}

bool cm_screen_file_take(cm_screen_file *file, uint64_t first, cm_screen_chunk *chunk)
{
    long before = file->reading ? ftell(file->stream) : -1;
    if (before < 0)
        return false;
    if (read_record(file, first, chunk))
        return true;
    file->reading = false;
    if (fseek(file->stream, before, SEEK_SET) != 0 || ftruncate(fileno(file->stream), before) != 0)
        clearerr(file->stream); /* the next write fails, too, and is reported */
    return false;
}

cm_status cm_screen_file_add(cm_screen_file *file, uint64_t first, const cm_screen_chunk *chunk, cm_error *error)
{
    record head = {.first = first, .count = chunk->count};
    for (size_t i = 0; i < chunk->count; i++)
        if (chunk->codes[i].outcome != CM_SCREEN_COUNTED)
            memset(chunk->codes[i].sums, 0, sizeof chunk->codes[i].sums);
    head.sum = sum_of_codes(&head, chunk->codes);
    fwrite(&head, sizeof head, 1, file->stream);
    for (size_t i = 0; i < chunk->count; i++) {
        const cm_screened *screened = &chunk->codes[i];
        fputc((int)screened->outcome, file->stream);
        if (screened->outcome == CM_SCREEN_COUNTED)
            fwrite(screened->sums, sizeof screened->sums, 1, file->stream);
    }
    if (fflush(file->stream) != 0 || ferror(file->stream) || fdatasync(fileno(file->stream)) != 0)
        return cm_error_io(error, file->path, "it cannot be written");
    return CM_OK;
}

void cm_screen_file_close(cm_screen_file *file)
{
    if (file == NULL)
        return;
    if (file->stream != NULL)
        fclose(file->stream);
    CM_FREE(file->path, file);
}

bool cm_screen_file_is_there(const char *directory)
{
    char *path = path_in(directory), line[HEAD] = "";
    FILE *stream = path != NULL ? cm_input_stream(path) : NULL;
    bool there = stream != NULL && fgets(line, sizeof line, stream) != NULL &&
                 strncmp(line, head_begins, strlen(head_begins)) == 0;
    if (stream != NULL)
        fclose(stream);
    free(path);
    return there;
}

void cm_screen_file_remove(const char *directory)
{
    char *path = cm_screen_file_is_there(directory) ? path_in(directory) : NULL;
    if (path != NULL)
        unlink(path);
    free(path);
}
