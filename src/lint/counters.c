/* Holds counters of LIKWID's groups against those that the processor has, by the tables in LIKWID's tree. */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/files.h"
#include "lint/lint.h"

enum { NAME_SIZE = 64 };

/* A counter of one of several equal units: MBOX12C1. */
typedef struct unit_counter {
    char box[NAME_SIZE];
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
    char quoted[NAME_SIZE + 48];
    snprintf(quoted, sizeof quoted, "\"%.63s%luC%lu\"", counter->box, unit, counter->number);
    return strstr(counters, quoted) != NULL;
}

/* Adds the fault of a unit that the processor does not have, where it has others of its kind. */
static cm_status check_unit(cm_lint *lint, const char *counters, const cm_quantity *quantity,
                            const unit_counter *counter)
{
    if (!has_counter(counters, counter, 0) || has_counter(counters, counter, counter->unit) ||
        !has_counter(counters, counter, counter->unit - 1))
        return CM_OK;
    return cm_lint_add(lint, CM_FAULT_UNKNOWN_COUNTER, quantity->line, 1, NULL,
                       "no counter '%.63s%luC%lu' on this processor", counter->box, counter->unit, counter->number);
}

static bool is_traffic(const char *metric)
{
    return strcasestr(metric, "bandwidth") != NULL || strcasestr(metric, "volume") != NULL;
}

/* Whether a line of the text begins with a counter of the unit. */
static bool has_line(const char *text, const unit_counter *counter, unsigned long unit)
{
    char begin[NAME_SIZE + 32];
    snprintf(begin, sizeof begin, "\n%.63s%luC", counter->box, unit);
    return strstr(text, begin) != NULL;
}

/* Whether a group in the file's folder counts with the unit: LIKWID's tables have units that no processor has. */
static cm_status find_unit(const char *file, const unit_counter *counter, unsigned long unit, bool *found)
{
    const char *slash = strrchr(file, '/');
    char *folder = strndup(file, slash != NULL ? (size_t)(slash - file) : 0);
    DIR *opened = folder != NULL ? opendir(folder) : NULL;
    cm_status status = folder != NULL ? CM_OK : CM_NO_MEMORY;
    cm_error none;
    for (const struct dirent *entry; opened != NULL && !*found && status != CM_NO_MEMORY;) {
        char *text = NULL, *path = NULL;
        size_t size = 0;
        if ((entry = readdir(opened)) == NULL)
            break;
        path = cm_path_join(folder, entry->d_name, "");
        status = path != NULL ? cm_file_text_read(path, &text, &size, &none) : CM_NO_MEMORY;
        *found = text != NULL && has_line(text, counter, unit);
        free(text);
        free(path);
    }
    if (opened != NULL)
        closedir(opened);
    free(folder);
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
    if (found < 2 || found != last + 1 || !is_traffic(formula->info.metric) || !has_counter(counters, &first, last + 1))
        return CM_OK;
    bool counted = false;
    cm_status status = find_unit(formulas->file, &first, last + 1, &counted);
    if (status != CM_OK || !counted)
        return status;
    return cm_lint_add(lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                       "a sum of %lu units that leaves out '%.63s%luC%lu', which other groups count", found, first.box,
                       last + 1, first.number);
}

cm_status cm_lint_check_counters(cm_lint *lint, const cm_formulas *formulas, const char *counters)
{
    unit_counter counter;
    cm_status status = CM_OK;
    for (size_t i = 0; i < formulas->quantity_count && status == CM_OK; i++)
        if (read_counter(&formulas->quantities[i], &counter) && counter.unit > 0)
            status = check_unit(lint, counters, &formulas->quantities[i], &counter);
    for (size_t i = 0; i < formulas->count && status == CM_OK; i++)
        status = check_sum(lint, formulas, counters, &formulas->formulas[i]);
    return status;
}
