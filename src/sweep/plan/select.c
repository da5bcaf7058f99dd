/* Events selected by patterns and components. */
#include "sweep/plan/benchmark.h"

#include <fnmatch.h>

#include "core/files.h"
#include "formulas/events/events.h"

enum { LINE_LIMIT = 4096 };

/* ---- patterns ---- */

static bool glob_fits(const char *glob, const char *name)
{
    return fnmatch(glob, name, 0) == 0;
}

/* The last single colon of a name's first `length` bytes, NULL if there is none. */
static const char *last_qualifier(const char *name, size_t length)
{
    for (size_t i = length; i-- > 1;) {
        if (name[i] != ':')
            continue;
        if (name[i - 1] != ':' && name[i + 1] != ':')
            return name + i;
        while (i > 0 && name[i - 1] == ':')
            i--;
    }
    return NULL;
}

size_t cm_qualifier_count(const char *name)
{
    size_t count = 0, length = strlen(name);
    for (const char *colon; (colon = last_qualifier(name, length)) != NULL; count++)
        length = (size_t)(colon - name);
    return count;
}

/* The spellings of an event. */
struct spellings {
    size_t count;
    const char *texts[3]; /* the name, component:::NAME, PAPI's own */
    char prefixed[LINE_LIMIT];
};

/* Lists the spellings of an event, those with a component only if patterns need them. */
static void spell_event(cm_event_candidate event, bool prefixed, struct spellings *spellings)
{
    spellings->count = 0;
    spellings->texts[spellings->count++] = event.name;
    if (!prefixed)
        return;
    if (cm_component_spell(event.component, event.name, spellings->prefixed, sizeof spellings->prefixed))
        spellings->texts[spellings->count++] = spellings->prefixed;
    if (event.papi_name != NULL)
        spellings->texts[spellings->count++] = event.papi_name;
}

/* Whether the pattern fits the name, or, if it counts qualifiers, the name without its last ones. */
static bool glob_fits_shortened(const cm_pattern *pattern, const char *name)
{
    if (glob_fits(pattern->glob, name))
        return true;
    char shorter[LINE_LIMIT];
    size_t length = strlen(name);
    if (!pattern->counted || length >= sizeof shorter)
        return false;
    memcpy(shorter, name, length + 1);
    for (size_t i = 0; i < pattern->most; i++) {
        const char *colon = last_qualifier(shorter, length);
        if (colon == NULL)
            return false;
        length = (size_t)(colon - shorter);
        shorter[length] = '\0';
        if (glob_fits(pattern->glob, shorter))
            return true;
    }
    return false;
}

static bool fits_event(const cm_pattern *pattern, const struct spellings *spellings)
{
    for (size_t i = 0; i < (pattern->prefixed ? spellings->count : 1); i++)
        if (glob_fits_shortened(pattern, spellings->texts[i]))
            return true;
    return false;
}

bool cm_pattern_fits(const cm_pattern *pattern, cm_event_candidate event)
{
    struct spellings spellings;
    spell_event(event, pattern->prefixed, &spellings);
    return fits_event(pattern, &spellings);
}

/* Whether the pattern is a single name, without wildcards, that includes. */
static bool is_name(const cm_pattern *pattern)
{
    return !pattern->excludes && strpbrk(pattern->glob, "*?[\\") == NULL;
}

/* ---- the selection ---- */

bool cm_selection_takes_component(const cm_selection *selection, const char *component)
{
    const cm_sweep_options *options = selection->options;
    for (size_t i = 0; i < options->component_count; i++)
        if (glob_fits(options->components[i], component))
            return true;
    return options->component_count == 0;
}

/* Finds the pattern that is this whole name. */
static bool find_name(const cm_selection *selection, const char *name, cm_pattern **pattern)
{
    size_t index;
    bool found = selection->names != NULL && cm_name_index_find(selection->names, name, &index);
    if (found)
        *pattern = &selection->patterns[index];
    return found;
}

/* The pattern that takes the name because it allows further qualifiers. */
static cm_pattern *find_shorter(const cm_selection *selection, const char *name)
{
    char shorter[LINE_LIMIT];
    size_t length = strlen(name), taken = 0;
    if (selection->name_count == 0 || length >= sizeof shorter)
        return NULL;
    memcpy(shorter, name, length + 1);
    for (const char *colon; (colon = last_qualifier(shorter, length)) != NULL;) {
        length = (size_t)(colon - shorter);
        shorter[length] = '\0';
        taken++;
        cm_pattern *pattern;
        if (find_name(selection, shorter, &pattern) && pattern->counted && taken <= pattern->most)
            return pattern;
    }
    return NULL;
}

/* Whether a whole name takes the event; `too_many`: it has more qualifiers than the options allow. */
static bool names_take(const cm_selection *selection, const struct spellings *spellings, bool too_many)
{
    for (size_t i = 0; i < spellings->count; i++) {
        cm_pattern *named;
        if ((find_name(selection, spellings->texts[i], &named) && (!too_many || named->counted)) ||
            find_shorter(selection, spellings->texts[i]) != NULL)
            return true;
    }
    return false;
}

bool cm_selection_takes(const cm_selection *selection, cm_event_candidate event)
{
    struct spellings spellings;
    spell_event(event, selection->prefixed, &spellings);
    bool too_many = cm_qualifier_count(event.name) > selection->options->qualifiers;
    bool only_exclusions = selection->name_count == 0;
    bool included = names_take(selection, &spellings, too_many);
    for (size_t i = 0; i < selection->other_count; i++) {
        const cm_pattern *pattern = &selection->patterns[selection->others[i]];
        if (pattern->excludes && fits_event(pattern, &spellings))
            return false;
        if (!pattern->excludes) {
            only_exclusions = false;
            included = included || ((!too_many || pattern->counted) && fits_event(pattern, &spellings));
        }
    }
    return (included || (only_exclusions && !too_many)) && cm_selection_takes_component(selection, event.component);
}

static bool glob_fits_any(const cm_pattern *pattern, const struct spellings *spellings)
{
    for (size_t i = 0; i < (pattern->prefixed ? spellings->count : 1); i++)
        if (glob_fits(pattern->glob, spellings->texts[i]))
            return true;
    return false;
}

size_t cm_selection_qualifiers(const cm_selection *selection, cm_event_candidate event)
{
    struct spellings spellings;
    spell_event(event, selection->prefixed, &spellings);
    size_t asked = selection->options->qualifiers;
    size_t most = asked != CM_QUALIFIERS_AS_LISTED ? asked : 1;
    for (size_t i = 0; i < spellings.count; i++) {
        cm_pattern *named;
        if (find_name(selection, spellings.texts[i], &named) && named->counted && named->most > most)
            most = named->most;
    }
    for (size_t i = 0; i < selection->other_count; i++) {
        const cm_pattern *pattern = &selection->patterns[selection->others[i]];
        if (pattern->counted && pattern->most > most && glob_fits_any(pattern, &spellings))
            most = pattern->most;
    }
    return most;
}

/* Whether the pattern's text before its wildcards and a spelling of the event agree: one begins with the other. */
static bool may_begin(const cm_pattern *pattern, const struct spellings *spellings)
{
    size_t literal = strcspn(pattern->glob, "*?[\\");
    for (size_t i = 0; i < (pattern->prefixed ? spellings->count : 1); i++) {
        size_t length = strlen(spellings->texts[i]);
        if (strncmp(pattern->glob, spellings->texts[i], literal < length ? literal : length) == 0)
            return true;
    }
    return false;
}

bool cm_selection_may_begin(const cm_selection *selection, cm_event_candidate base)
{
    struct spellings spellings;
    spell_event(base, selection->prefixed, &spellings);
    bool only_exclusions = selection->name_count == 0;
    if (selection->qualified)
        return true;
    for (size_t i = 0; i < spellings.count; i++) {
        cm_pattern *named;
        if (find_name(selection, spellings.texts[i], &named) && named->counted)
            return true;
    }
    for (size_t i = 0; i < selection->other_count; i++) {
        const cm_pattern *pattern = &selection->patterns[selection->others[i]];
        if (pattern->excludes)
            continue;
        only_exclusions = false;
        if (may_begin(pattern, &spellings))
            return true;
    }
    return only_exclusions;
}

void cm_selection_note(cm_selection *selection, cm_event_candidate event)
{
    struct spellings spellings;
    spell_event(event, selection->prefixed, &spellings);
    for (size_t i = 0; i < spellings.count; i++) {
        cm_pattern *named, *shorter = find_shorter(selection, spellings.texts[i]);
        if (find_name(selection, spellings.texts[i], &named))
            named->listed = named->noted = true;
        if (shorter != NULL)
            shorter->noted = true;
    }
}

bool cm_selection_noted(const cm_selection *selection, const cm_pattern *pattern, bool *known)
{
    cm_pattern *named;
    *known = is_name(pattern) && find_name(selection, pattern->glob, &named);
    return *known && named->noted;
}

bool cm_selection_lists(const cm_selection *selection, const cm_pattern *pattern)
{
    cm_pattern *named;
    return !is_name(pattern) || !find_name(selection, pattern->glob, &named) || named->listed;
}

/* ---- sources of patterns ---- */

/* Appends a pattern; `about` has its other members. */
static cm_status add_pattern(cm_selection *selection, const char *text, size_t length, const cm_pattern *about,
                             cm_error *error)
{
    if (!CM_GROW(selection->patterns, selection->count + 1, &selection->capacity))
        return cm_error_no_memory(error);
    cm_pattern *pattern = &selection->patterns[selection->count];
    *pattern = *about;
    pattern->excludes = text[0] == '!';
    pattern->glob = strndup(text + pattern->excludes, length - pattern->excludes);
    if (pattern->glob == NULL)
        return cm_error_no_memory(error);
    pattern->prefixed = cm_component_is_named(pattern->glob);
    selection->prefixed = selection->prefixed || pattern->prefixed;
    selection->count++;
    return CM_OK;
}

static size_t skip_set(const char *text, size_t at, size_t length, const char *set, bool in)
{
    while (at < length && (strchr(set, text[at]) != NULL) == in)
        at++;
    return at;
}

/* Reads a line of the file of events. */
static cm_status read_line(cm_selection *selection, const char *text, size_t length, size_t line, cm_error *error)
{
    static const char blanks[] = " \t\r\n";
    const char *path = selection->options->events_file;
    cm_pattern about = {.file = path, .line = line};
    size_t start = skip_set(text, 0, length, blanks, true), end = skip_set(text, start, length, blanks, false);
    if (start == length || text[start] == '#')
        return CM_OK;
    if (end - start == 1 && text[start] == '!')
        return cm_error_set(error, CM_BAD_INPUT, path, line, 0, "no name after the '!'");
    size_t number = skip_set(text, end, length, blanks, true),
           number_end = skip_set(text, number, length, blanks, false);
    if (number != length && text[number] != '#') {
        char digits[32] = "";
        if (number_end - number < sizeof digits)
            memcpy(digits, text + number, number_end - number);
        size_t rest = skip_set(text, number_end, length, blanks, true);
        about.counted = true;
        if (cm_number_parse_size(digits, &about.most, NULL) != CM_OK || (rest != length && text[rest] != '#'))
            return cm_error_set(error, CM_BAD_INPUT, path, line, 0,
                                "expected a name, optionally followed by a number of qualifiers");
    }
    return add_pattern(selection, text + start, end - start, &about, error);
}

/* Reads the file of events; CM_BAD_INPUT if it names none. */
static cm_status read_file(cm_selection *selection, cm_error *error)
{
    cm_text_lines lines;
    cm_status status = cm_text_lines_open(selection->options->events_file, LINE_LIMIT, &lines, error);
    size_t before = selection->count;
    while (cm_text_lines_more(&lines, &status, error))
        status = read_line(selection, lines.text, lines.length, lines.number, error);
    if (status == CM_OK && selection->count == before)
        status = cm_error_set(error, CM_BAD_INPUT, selection->options->events_file, 0, 0, "it names no event");
    cm_text_lines_close(&lines);
    return cm_error_of_input(status, error);
}

/* Indexes whole names. Of lines with the same name, the one with the most qualifiers is kept. */
static cm_status index_patterns(cm_selection *selection, cm_error *error)
{
    selection->others = calloc(selection->count + 1, sizeof *selection->others);
    cm_status status =
        selection->others != NULL ? cm_name_index_create(&selection->names, error) : cm_error_no_memory(error);
    for (size_t i = 0; status == CM_OK && i < selection->count; i++) {
        const cm_pattern *pattern = &selection->patterns[i];
        if (!is_name(pattern)) {
            selection->others[selection->other_count++] = i;
            continue;
        }
        selection->name_count++;
        selection->qualified |= pattern->most != 0 && cm_qualifier_count(pattern->glob) != 0;
        cm_pattern *before;
        if (!find_name(selection, pattern->glob, &before)) {
            status = cm_name_index_add(selection->names, pattern->glob, i, error);
            continue;
        }
        before->counted = before->counted || pattern->counted;
        before->most = pattern->most > before->most ? pattern->most : before->most;
    }
    return status;
}

cm_status cm_selection_make(const cm_sweep_options *options, cm_selection *selection, cm_error *error)
{
    *selection = (cm_selection){.options = options};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < options->events_count; i++)
        status = add_pattern(selection, options->events[i], strlen(options->events[i]), &(cm_pattern){0}, error);
    if (status == CM_OK && options->events_file != NULL)
        status = read_file(selection, error);
    return status == CM_OK ? index_patterns(selection, error) : status;
}

void cm_selection_clear(cm_selection *selection)
{
    for (size_t i = 0; i < selection->count; i++)
        free(selection->patterns[i].glob);
    CM_FREE(selection->patterns, selection->others);
    cm_name_index_free(selection->names);
    *selection = (cm_selection){0};
}
