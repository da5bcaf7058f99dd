/* Holds counters of LIKWID's groups against those that the processor has, by the tables in LIKWID's tree. */
#include <dirent.h>

#include "core/files.h"
#include "formulas/lint/lint.h"

enum { COUNTER_SIZE = 64 };

/* A counter of one of several equal units: MBOX12C1. */
typedef struct unit_counter {
    char box[COUNTER_SIZE];
    unsigned long unit, number;
} unit_counter;

/* Takes the counter out of EVENT:COUNTER; false if it is of no numbered unit. */
static bool read_counter(const cm_quantity *quantity, unit_counter *counter)
{
    const char *at = quantity->kind == CM_QUANTITY_EVENT ? strrchr(quantity->name, ':') : NULL;
    if (at == NULL)
        return false;
    size_t length = strcspn(++at, "0123456789");
    if (length == 0 || length >= sizeof counter->box || !isdigit((unsigned char)at[length]))
        return false;
    char *end = NULL;
    snprintf(counter->box, sizeof counter->box, "%.*s", (int)length, at);
    counter->unit = strtoul(at + length, &end, 10);
    if (*end != 'C' || !isdigit((unsigned char)end[1]))
        return false;
    counter->number = strtoul(end + 1, &end, 10);
    return *end == '\0';
}

static bool has_counter(const char *counters, const unit_counter *counter, unsigned long unit)
{
    char quoted[COUNTER_SIZE + 48];
    snprintf(quoted, sizeof quoted, "\"%.63s%luC%lu\"", counter->box, unit, counter->number);
    return strstr(counters, quoted) != NULL;
}

/* Whether the table has names that begin with the counter's letters: macros make, and number, those of some units. */
static bool has_kind(const char *counters, const char *counter, size_t length)
{
    char quoted[COUNTER_SIZE];
    size_t letters = strcspn(counter, "0123456789:");
    snprintf(quoted, sizeof quoted, "\"%.*s", (int)letters, counter);
    return letters == length || (letters > 1 && letters + 1 < sizeof quoted && strstr(counters, quoted) != NULL);
}

/* Adds the fault of a counter that the processor does not have, if it has others of its kind. */
static cm_status check_counter(cm_lint *lint, const char *counters, const cm_quantity *quantity)
{
    char quoted[COUNTER_SIZE + 2];
    int length = quantity->counter != NULL ? (int)strcspn(quantity->counter, ":") : 0;
    if (length == 0 || length >= COUNTER_SIZE || !has_kind(counters, quantity->counter, (size_t)length))
        return CM_OK;
    snprintf(quoted, sizeof quoted, "\"%.*s\"", length, quantity->counter);
    if (strstr(counters, quoted) != NULL)
        return CM_OK;
    return cm_lint_add(lint, CM_FAULT_UNKNOWN_COUNTER, quantity->line, 1, NULL, "no counter '%.*s' on this processor",
                       length, quantity->counter);
}

/* Whether the counter's name has one of the parts that bars part in the third word of the line. */
static bool is_allowed(const char *limits, const char *counter)
{
    char part[COUNTER_SIZE];
    for (int i = 0; i < 2; i++) {
        limits += strcspn(limits, " \t\r\n");
        limits += strspn(limits, " \t");
    }
    for (const char *end = limits + strcspn(limits, " \t\r\n"); limits < end;) {
        size_t length = strcspn(limits, "| \t\r\n");
        snprintf(part, sizeof part, "%.*s", (int)length, limits);
        if (length >= sizeof part || strstr(counter, part) != NULL)
            return true;
        limits += length + (limits[length] == '|');
    }
    return false;
}

/* Whether the list has the event, for none of whose entries the counter is one. An entry begins with
 * "EVENT_<name> <code> <counters>", and has unit masks below. */
static bool is_refused(const char *events, const char *name, size_t length, const char *counter)
{
    char mask[4 * COUNTER_SIZE];
    const char *limits = NULL;
    bool found = false;
    snprintf(mask, sizeof mask, "UMASK_%.*s", (int)length, name);
    for (const char *at = events; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        if (strncmp(at, "EVENT_", 6) == 0)
            limits = at;
        if (limits == NULL || strncmp(at, mask, strlen(mask)) != 0 || !isspace((unsigned char)at[strlen(mask)]))
            continue;
        if (is_allowed(limits, counter))
            return false;
        found = true;
    }
    return found;
}

/* Adds the fault of an event on a counter that cannot count it: there its code is that of another event. */
static cm_status check_limits(cm_lint *lint, const char *events, const cm_quantity *quantity)
{
    size_t length = strcspn(quantity->name, ":");
    if (quantity->counter == NULL || !is_refused(events, quantity->name, length, quantity->counter))
        return CM_OK;
    return cm_lint_add(lint, CM_FAULT_UNKNOWN_COUNTER, quantity->line, 1, NULL,
                       "%.63s does not count %.*s, which LIKWID's list has for other counters", quantity->counter,
                       (int)length, quantity->name);
}

/* Whether a group in the file's directory counts with the unit: LIKWID's tables have units that no processor has. */
static cm_status find_unit(const char *file, const unit_counter *counter, unsigned long unit, bool *found)
{
    const char *slash = strrchr(file, '/');
    char *directory = strndup(file, slash != NULL ? (size_t)(slash - file) : 0);
    DIR *opened = directory != NULL ? opendir(directory) : NULL;
    cm_status status = directory != NULL ? CM_OK : CM_NO_MEMORY;
    cm_error none;
    for (const struct dirent *entry; opened != NULL && !*found && status != CM_NO_MEMORY;) {
        char *text = NULL, *path = NULL;
        size_t size = 0;
        if ((entry = readdir(opened)) == NULL)
            break;
        path = cm_path_join(directory, entry->d_name, "");
        status = path != NULL ? cm_file_text_read(path, &text, &size, &none) : CM_NO_MEMORY;
        /* A line that begins with a counter of the unit. */
        char begin[COUNTER_SIZE + 32];
        snprintf(begin, sizeof begin, "\n%.63s%luC", counter->box, unit);
        *found = text != NULL && strstr(text, begin) != NULL;
        CM_FREE(text, path);
    }
    if (opened != NULL)
        closedir(opened);
    free(directory);
    return status == CM_NO_MEMORY ? status : CM_OK;
}

/* The sum of all units from the first on, of which it leaves out the last. */
static cm_status check_sum(cm_lint *lint, const cm_formulas *formulas, const char *counters, const cm_formula *formula)
{
    unit_counter first = {0}, counter;
    unsigned long last = 0, found = 0;
    for (size_t i = 0; i < formula->need_count; i++) {
        if (!read_counter(&formulas->quantities[formula->needs[i]], &counter))
            continue;
        if (found == 0)
            first = counter;
        if (strcmp(counter.box, first.box) != 0 || counter.number != first.number)
            continue;
        found++;
        last = counter.unit > last ? counter.unit : last;
    }
    if (found < 2 || found != last + 1 || !cm_lint_is_traffic(formula->info.metric) ||
        !has_counter(counters, &first, last + 1))
        return CM_OK;
    bool counted = false;
    cm_status status = find_unit(formulas->place, &first, last + 1, &counted);
    if (status != CM_OK || !counted)
        return status;
    return cm_lint_add(lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                       "a sum of %lu units that leaves out '%.63s%luC%lu', which other groups count", found, first.box,
                       last + 1, first.number);
}

cm_status cm_lint_check_counters(cm_lint *lint, const cm_formulas *formulas, const char *counters, const char *events)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->quantity_count && status == CM_OK; i++) {
        status = check_counter(lint, counters, &formulas->quantities[i]);
        if (status == CM_OK && events != NULL)
            status = check_limits(lint, events, &formulas->quantities[i]);
    }
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        status = check_sum(lint, formulas, counters, &formulas->formulas[i]);
    return status;
}
