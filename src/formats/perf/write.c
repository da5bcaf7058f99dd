/* Writes metrics of perf in the form of its source tree. */
#include "formats/perf/perf.h"

#include "core/json.h"
#include "formulas/events/events.h"

/* A JSON text that is written in pieces; the caller closes and frees it. */
typedef struct text_piece {
    char *text;
    size_t size;
    FILE *stream;
} text_piece;

static bool open_piece(text_piece *piece)
{
    piece->text = NULL;
    piece->size = 0;
    piece->stream = cm_memory_stream(&piece->text, &piece->size);
    return piece->stream != NULL;
}

static bool write_piece(cm_json_writer *writer, const char *key, text_piece *piece)
{
    bool whole = fclose(piece->stream) == 0;
    if (whole) {
        cm_json_key(writer, key);
        cm_json_write_text(writer, piece->text);
    }
    free(piece->text);
    return whole;
}

static void write_brief(const cm_writing_item *item, FILE *stream)
{
    cm_writing_write(item->metric, SIZE_MAX, false, stream);
    if (item->description[0] == '\0')
        return;
    fputs(": ", stream);
    cm_writing_write(item->description, SIZE_MAX, false, stream);
}

/* Writes a metric; false without memory. */
static bool write_metric(const cm_writing_item *item, const char *origin, cm_json_writer *writer)
{
    text_piece piece;
    bool whole = true;
    cm_json_begin_object(writer);
    cm_json_key(writer, "MetricName");
    cm_json_write_text(writer, item->name);
    if ((whole = whole && open_piece(&piece))) {
        cm_writing_sum(item, item->events, true, piece.stream);
        whole = write_piece(writer, "MetricExpr", &piece);
    }
    if ((whole = whole && open_piece(&piece))) {
        fprintf(piece.stream, "catmint;%s", item->benchmark);
        whole = write_piece(writer, "MetricGroup", &piece);
    }
    if ((whole = whole && open_piece(&piece))) {
        write_brief(item, piece.stream);
        whole = write_piece(writer, "BriefDescription", &piece);
    }
    if (item->core != NULL) {
        cm_json_key(writer, "Unit");
        cm_json_write_text(writer, item->core->name);
    }
    if ((whole = whole && open_piece(&piece))) {
        write_brief(item, piece.stream);
        fprintf(piece.stream, ". %s; ", origin);
        cm_writing_write(item->trust, SIZE_MAX, true, piece.stream);
        whole = write_piece(writer, "PublicDescription", &piece);
    }
    cm_json_end(writer);
    return whole;
}

/* Refuses a definition with an event that has the name of a metric, in any case: perf would read it as the metric. */
static bool refuse_metric_as_event(cm_writing *writing, const cm_writing_item *item)
{
    const char *metric = NULL;
    for (size_t k = 0; metric == NULL && k < item->term_count; k++)
        metric = cm_writing_find_metric(writing, item->events[k], strcasecmp);
    if (metric != NULL)
        cm_writing_refuse(writing, item, "its event '%.200s' has the same name as a metric of the file", metric);
    return metric != NULL;
}

/* Writes the array of metrics. CM_OK or CM_NO_MEMORY. */
static cm_status write_metrics(cm_writing *writing, FILE *stream, cm_error *error)
{
    cm_status status = CM_OK;
    cm_json_writer *writer = cm_json_writer_create(stream);
    cm_json_begin_array(writer);
    for (size_t i = 0; status == CM_OK && i < writing->count; i++) {
        const cm_writing_item *item = &writing->items[i];
        if (refuse_metric_as_event(writing, item))
            continue;
        if (!write_metric(item, writing->origin, writer))
            status = cm_error_no_memory(error);
        writing->written += status == CM_OK;
    }
    cm_json_end(writer);
    if (!cm_json_writer_finish(writer) && status == CM_OK)
        status = cm_error_no_memory(error);
    return status;
}

/* Writes cpu@event\\=0xc7\\,umask\\=0x10@, because '=' and ',' have other meanings in perf's formulas. */
static const char *spell_code(const char *event, const cm_event_code *code, char *name, size_t size)
{
    size_t used = code->device_length;
    if (2 * strlen(event) + 2 > size)
        return "it is too long";
    memcpy(name, event, used);
    name[used++] = '@';
    for (const char *at = event + code->device_length + 1; *at != '\0'; at++) {
        if (*at == '=' || *at == ',')
            name[used++] = '\\';
        name[used++] = *at;
    }
    name[used++] = '@';
    name[used] = '\0';
    return NULL;
}

/* Writes cpu_core@INST_RETIRED.ANY@; a code has its device already. */
/* Writes cpu_core@A.B@ for A.B. */
static void name_event_on_core(const char *core, char *name, size_t size)
{
    size_t device = strlen(core), length = strlen(name);
    if (strchr(name, '@') != NULL || device + length + 3 > size)
        return;
    memmove(name + device + 1, name, length);
    memcpy(name, core, device);
    name[device] = '@';
    memcpy(name + device + 1 + length, "@", 2);
}

/* Writes A.B for A:B. */
static const char *name_event(const char *event, char *name, size_t size)
{
    cm_event_code code;
    const char *bare = cm_component_bare(event);
    if (cm_event_code_parse(bare, &code))
        return spell_code(bare, &code, name, size);
    const char *why = cm_name_respell(event, '.', name, size);
    if (why == NULL && isdigit((unsigned char)name[0]))
        why = "it begins with a digit";
    return why == NULL && cm_dialect_reserves(CM_EXPRESSION_PERF, name) ? "it is a word of perf's formulas" : why;
}

const cm_foreign_format cm_format_perf = {
    .name = "perf",
    .rules = {.title = "perf"},
    .looks = "metrics of perf (JSON, an array)",
    .beginning = CM_WORDS("["),
    .at_top = true,
    .mark = "\"MetricExpr\"",
    .read = cm_perf_read,
    .content = "",
    .respells = true,
    .name_metric = cm_name_identifier,
    .name_event = name_event,
    .name_on_core = name_event_on_core,
    .write = write_metrics,
};
