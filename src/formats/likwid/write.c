/* Writes LIKWID's performance groups: definitions of a benchmark, and of one precision, share groups, each with at most
 * as many events as there are counters. A formula names counters, so a definition with more events fits in no group. */
#include "formats/format.h"

#include <inttypes.h>

#include <catmint/version.h>

#include "core/files.h"
#include "formulas/events/events.h"

enum { COUNTER_SIZE = CM_LIKWID_SUM_SIZE, WORD_SIZE = 128, MOST_CODE = 0xff };

/* LIKWID's event for a code, which is given by options. */
static const char generic_event[] = "GENERIC_EVENT";

typedef struct likwid_group {
    char word[WORD_SIZE]; /* for the metrics of the group */
    size_t number;        /* index among the groups of that word */
    size_t item_count, *items, event_count;
    const char *events[CM_WRITING_COUNTERS];   /* event of counter PMC<i> */
    const char *measured[CM_WRITING_COUNTERS]; /* the same, as the results spell it */
    size_t apart;                              /* number (from 1) of a group with which it cannot be counted; 0: none */
} likwid_group;

typedef struct likwid_groups {
    size_t count;
    likwid_group *list;
} likwid_groups;

static size_t find_event(const likwid_group *group, const char *event)
{
    return CM_FIND(event, group->events, group->event_count);
}

/* The number of events that a group of this item takes. Events of a socket are among their own, since a benchmark
 * counts only one kind. */
static size_t counters_for(const cm_writing *writing, const cm_writing_item *item)
{
    bool boxes = cm_likwid_box(item->events[0]) != NULL && writing->counters > CM_LIKWID_BOX_COUNTERS;
    return boxes ? CM_LIKWID_BOX_COUNTERS : writing->counters;
}

static bool has_counters(const cm_writing *writing, const likwid_group *group, const cm_writing_item *item)
{
    size_t more = 0;
    for (size_t k = 0; k < item->term_count; k++)
        more += find_event(group, item->events[k]) == group->event_count;
    return group->event_count + more <= counters_for(writing, item);
}

static void add_events(likwid_group *group, const cm_writing_item *item)
{
    for (size_t k = 0; k < item->term_count; k++)
        if (find_event(group, item->events[k]) == group->event_count) {
            group->measured[group->event_count] = item->terms[k].event;
            group->events[group->event_count++] = item->events[k];
        }
}

static cm_writing_set ask_together(const cm_writing *writing, const likwid_group *group)
{
    return writing->ask(writing->ask_data, group->measured, group->event_count);
}

/* Whether the events of the group and those of the item are known to refuse each other. */
static bool is_refused(const cm_writing *writing, const likwid_group *group, const cm_writing_item *item)
{
    likwid_group both = *group;
    add_events(&both, item);
    return ask_together(writing, &both) == CM_WRITING_REFUSED;
}

static void write_in(likwid_group *group, const cm_writing *writing, size_t index)
{
    group->items[group->item_count++] = index;
    add_events(group, &writing->items[index]);
}

/* The word of the item's group: LIKWID's own for arithmetic of one precision, else that of its benchmark. */
static void word_of(const cm_writing_item *item, char word[WORD_SIZE])
{
    static const char *const precisions[] = {"HP", "SP", "DP"};
    cm_name_word(item->benchmark, word, WORD_SIZE);
    for (size_t i = 0; strcmp(item->benchmark, "cpu-flops") == 0 && i < CM_COUNT_OF(precisions); i++) {
        const char *found = strstr(item->name, precisions[i]);
        if (found != NULL && (found == item->name || found[-1] == ' ') && found[2] == ' ')
            snprintf(word, WORD_SIZE, "FLOPS_%s", precisions[i]);
    }
}

/* Puts the item into the first group of its word that has space and does not refuse it, else into a new one. */
static cm_status choose_group(const cm_writing *writing, size_t index, likwid_groups *groups, cm_error *error)
{
    const cm_writing_item *item = &writing->items[index];
    char word[WORD_SIZE];
    size_t number = 0, apart = 0;
    word_of(item, word);
    for (size_t i = 0; i < groups->count; i++)
        if (strcmp(groups->list[i].word, word) == 0) {
            bool enough = has_counters(writing, &groups->list[i], item);
            if (enough && !is_refused(writing, &groups->list[i], item)) {
                write_in(&groups->list[i], writing, index);
                return CM_OK;
            }
            number++;
            apart = enough && apart == 0 ? number : apart;
        }
    likwid_group *added = &groups->list[groups->count];
    memcpy(added->word, word, sizeof word);
    added->number = number;
    added->apart = apart;
    added->items = malloc(writing->count * sizeof *added->items);
    if (added->items == NULL)
        return cm_error_no_memory(error);
    groups->count++;
    write_in(added, writing, index);
    return CM_OK;
}

/* Distributes all definitions over groups. */
static cm_status make_groups(cm_writing *writing, likwid_groups *groups, cm_error *error)
{
    cm_status status = CM_OK;
    if (!CM_ALLOCATE(groups->list, writing->count > 0 ? writing->count : 1))
        return cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < writing->count; i++) {
        size_t needed = writing->items[i].term_count;
        size_t counters = counters_for(writing, &writing->items[i]);
        if (needed > counters)
            cm_writing_refuse(writing, &writing->items[i], "it has %zu events, a group has %zu %s", needed, counters,
                              cm_plural(counters, "counter", "counters"));
        else
            status = choose_group(writing, i, groups, error);
    }
    return status;
}

static size_t siblings(const likwid_groups *groups, const likwid_group *group)
{
    size_t count = 0;
    for (size_t i = 0; i < groups->count; i++)
        count += strcmp(groups->list[i].word, group->word) == 0;
    return count;
}

/* ":CONFIG=0xC7:UMASK=0x10" for a code, else "". */
static const char *options_of(const char *event)
{
    size_t length = strlen(generic_event);
    return strncmp(event, generic_event, length) == 0 && event[length] == ':' ? event + length : "";
}

/* Writes a metric and its formula over counters. */
static void write_metric(const likwid_group *group, const cm_writing_item *item, FILE *stream)
{
    char counter[CM_WRITING_COUNTERS][COUNTER_SIZE], *names[CM_WRITING_COUNTERS];
    for (size_t k = 0; k < item->term_count; k++) {
        const char *box = cm_likwid_box(item->events[k]);
        size_t number = find_event(group, item->events[k]);
        names[k] = counter[k];
        if (box != NULL)
            cm_likwid_box_sum(box, number, counter[k]);
        else
            snprintf(counter[k], sizeof counter[k], "PMC%zu%s", number, options_of(item->events[k]));
    }
    cm_writing_write(item->name, SIZE_MAX, false, stream);
    fputc(' ', stream);
    cm_writing_sum(item, names, false, stream);
    fputc('\n', stream);
}

/* Writes LONG: formulas over events, descriptions, and trust. */
static void write_long(const cm_writing *writing, const likwid_group *group, FILE *stream)
{
    fputs("\nLONG\n", stream);
    for (size_t i = 0; i < group->item_count; i++) {
        const cm_writing_item *item = &writing->items[group->items[i]];
        fprintf(stream, "%s = ", item->name);
        cm_writing_sum(item, item->events, true, stream);
        fputs("\n  ", stream);
        cm_writing_write(item->description, SIZE_MAX, false, stream);
        fputs("\n  ", stream);
        cm_writing_write(item->trust, SIZE_MAX, true, stream);
        fputc('\n', stream);
    }
}

/* Writes a line of EVENTSET; options of a generic event follow its counter. */
static void write_counter(size_t number, const char *event, FILE *stream)
{
    const char *options = options_of(event), *box = cm_likwid_box(event);
    for (size_t i = 0; box != NULL && i < CM_LIKWID_BOXES; i++)
        fprintf(stream, "%s%zuC%zu %s\n", box, i, number, event);
    if (box != NULL)
        return;
    if (options[0] == '\0')
        fprintf(stream, "PMC%-2zu %s\n", number, event);
    else
        fprintf(stream, "PMC%zu%s %s\n", number, options, generic_event);
}

/* Writes whether the events were counted together, and a group that refuses them. */
static void write_together(const cm_writing *writing, const likwid_group *group, FILE *stream)
{
    bool counted = ask_together(writing, group) == CM_WRITING_COUNTED;
    fprintf(stream, "# %s\n",
            counted ? "all of its events were counted together" : "its events were not tried together");
    if (group->apart > 0)
        fprintf(stream, "# apart from group %zu, because events of both refuse each other\n", group->apart);
}

/* Writes a group. */
static void write_group(const cm_writing *writing, const likwid_groups *groups, const likwid_group *group, FILE *stream)
{
    const char *benchmark = writing->items[group->items[0]].benchmark;
    fprintf(stream, "# %s\n", writing->origin);
    write_together(writing, group, stream);
    fputs("SHORT ", stream);
    cm_writing_write(benchmark, SIZE_MAX, false, stream);
    fprintf(stream, " by catmint, group %zu of %zu\n\nEVENTSET\n", group->number + 1, siblings(groups, group));
    for (size_t i = 0; i < group->event_count; i++)
        write_counter(i, group->events[i], stream);
    fputs("\nMETRICS\n", stream);
    for (size_t i = 0; i < group->item_count; i++)
        write_metric(group, &writing->items[group->items[i]], stream);
    write_long(writing, group, stream);
}

/* ---- the directory ---- */

/* The record is hidden, and its ending is not that of a group. */
static const cm_directory_kind directory_kind = {".catmint-export", ".export-", "an earlier export"};

static cm_status name_file(const likwid_groups *groups, const likwid_group *group, char **name, cm_error *error)
{
    char number[24] = "";
    if (siblings(groups, group) > 1)
        snprintf(number, sizeof number, "_%zu", group->number + 1);
    int length = asprintf(name, "%s%sCATMINT%s.txt", group->word, group->word[0] != '\0' ? "_" : "", number);
    return length >= 0 ? CM_OK : cm_error_no_memory(error);
}

/* Writes a group into its file. */
static cm_status save_group(cm_writing *writing, const likwid_groups *groups, const likwid_group *group,
                            const char *name, cm_directory *directory, cm_error *error)
{
    const char *path = NULL;
    cm_output *output = NULL;
    cm_status status = cm_directory_file(directory, name, &path, error);
    CM_THEN(status, cm_output_create(path, &output, error));
    if (status == CM_OK)
        write_group(writing, groups, group, cm_output_stream(output));
    CM_THEN(status, cm_output_commit(output, error));
    if (status == CM_OK) {
        writing->files++;
        writing->written += group->item_count;
    }
    cm_output_free(output);
    return status;
}

/* Writes all groups in one commit, which removes those of an earlier export. */
static cm_status save_groups(cm_writing *writing, const likwid_groups *groups, const char *path, cm_error *error)
{
    cm_directory *directory = NULL;
    char **names = calloc(groups->count + 1, sizeof *names);
    cm_status status = names != NULL ? CM_OK : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < groups->count; i++)
        status = name_file(groups, &groups->list[i], &names[i], error);
    CM_THEN(status,
            cm_directory_open(path, &directory_kind, (const char *const *)names, groups->count, &directory, error));
    if (status == CM_OK)
        cm_directory_clean(directory);
    for (size_t i = 0; status == CM_OK && i < groups->count; i++)
        status = save_group(writing, groups, &groups->list[i], names[i], directory, error);
    json_t *record =
        json_pack("{s:s, s:s, s:s}", "schema", "catmint.export/1", "catmint", CATMINT_VERSION, "format", "likwid");
    status = cm_directory_end(directory, status, record, error);
    cm_free_list(names, groups->count);
    return status;
}

static void free_groups(likwid_groups *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        free(groups->list[i].items);
    free(groups->list);
}

/* Writes a file for each group into the directory. */
static cm_status save_in_directory(cm_writing *writing, const char *path, cm_error *error)
{
    likwid_groups groups = {0};
    if (writing->counters > CM_WRITING_COUNTERS)
        return CM_FAIL(error, CM_BAD_ARGUMENT, "%zu counters, expected at most %d", writing->counters,
                       CM_WRITING_COUNTERS);
    cm_status status = make_groups(writing, &groups, error);
    CM_THEN(status, save_groups(writing, &groups, path, error));
    free_groups(&groups);
    return status;
}

/* Writes one group after the other. */
static cm_status write_one_by_one(cm_writing *writing, FILE *stream, cm_error *error)
{
    likwid_groups groups = {0};
    cm_status status = make_groups(writing, &groups, error);
    for (size_t i = 0; i < groups.count && status == CM_OK; i++) {
        write_group(writing, &groups, &groups.list[i], stream);
        writing->written += groups.list[i].item_count;
    }
    free_groups(&groups);
    return status;
}

/* Writes A_B for A:B. */
static const char *name_event(const char *event, char *name, size_t size)
{
    cm_event_code code;
    if (cm_is_socket_event(event))
        return cm_likwid_box_event(event, name, size);
    if (cm_event_code_parse(cm_component_bare(event), &code)) {
        if (!code.plain || !code.has_umask || code.event > MOST_CODE || code.umask > MOST_CODE)
            return "LIKWID's generic event has an event and a unit mask of 8 bits each";
        snprintf(name, size, "%s:CONFIG=0x%02" PRIX64 ":UMASK=0x%02" PRIX64, generic_event, code.event, code.umask);
        return NULL;
    }
    return cm_name_respell(event, '_', name, size);
}

const cm_foreign_format cm_format_likwid = {
    .name = "likwid",
    .rules = {.title = "LIKWID", .joins_exponents = true, .names_are_unique = true},
    .looks = "a LIKWID group (EVENTSET, METRICS)",
    .beginning = CM_WORDS("SHORT", "EVENTSET", "METRICS", "LONG", "REQUIRE_NOHT"),
    .read = cm_likwid_read,
    .content = "",
    .takes_counters = true,
    .one_set = true,
    .respells = true,
    .name_metric = cm_name_plain_metric,
    .name_event = name_event,
    .write = write_one_by_one,
    .save = save_in_directory,
};
