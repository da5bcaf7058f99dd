/* Events by names: those of the results, other names (data/event-aliases.csv), and sums that are the same. */
#include "audit/audit.h"
#include "formats/ncu/ncu.h"

/* No event has a longer name. Names are put together in such room, so that memory cannot run out here, which would make
 * an event unknown that is not. */
enum { NAME_SIZE = 1024 };

static const char plus[] = " + ";

/* False if it is longer than any name. */
static bool copy_part(char name[NAME_SIZE], const char *begin, const char *end)
{
    size_t length = end != NULL ? (size_t)(end - begin) : strlen(begin);
    if (length >= NAME_SIZE)
        return false;
    memcpy(name, begin, length);
    name[length] = '\0';
    return true;
}

/* The rest of the name behind the alias, NULL if it does not begin with it. All separators are one, and letter case
 * does not matter: "fp_arith.scalar" begins with "FP_ARITH". */
static const char *behind_alias(const char *name, const char *alias)
{
    for (; *alias != '\0'; alias++, name++) {
        bool separators = !isalnum((unsigned char)*alias) && ispunct((unsigned char)*name);
        if (!separators && toupper((unsigned char)*alias) != toupper((unsigned char)*name))
            return NULL;
    }
    return isalnum((unsigned char)*name) ? NULL : name;
}

/* Whether both are spellings of one event of the core. */
static bool is_spelled(const cm_spelling *name, const char *alias)
{
    cm_spelling other;
    return cm_spelling_is_core(name->pmu) && cm_spelling_parse(alias, &other) && strcmp(name->key, other.key) == 0;
}

/* Another project's name of an event: the first of its candidates that is there. */
static cm_name_match find_spelled(const cm_audit *audit, const cm_event_names *names, const char *name, size_t *indices,
                                  size_t capacity, size_t *count, const cm_pair **alias)
{
    static const char between[] = " | ";
    size_t row = 0, rows = 0;
    cm_name_match match = CM_NAME_UNKNOWN;
    if (cm_event_names_find(audit->spelled, name, &row, 1, &rows) != CM_NAME_FOUND)
        return CM_NAME_UNKNOWN;
    *alias = &audit->spellings->items[row];
    for (const char *begin = (*alias)->second; begin != NULL && match == CM_NAME_UNKNOWN;) {
        const char *end = strstr(begin, between);
        char one[NAME_SIZE];
        if (copy_part(one, begin, end))
            match = cm_event_names_find(names, one, indices, capacity, count);
        begin = end != NULL ? end + strlen(between) : NULL;
    }
    return match;
}

/* An event of the core by its numbers, which are no spelling of a name. */
static cm_name_match find_coded(const cm_audit *audit, const cm_event_names *names, const char *name, size_t *indices,
                                size_t *count)
{
    cm_spelling spelling;
    bool core = !cm_spelling_parse(name, &spelling) || cm_spelling_is_core(spelling.pmu);
    size_t index = core ? cm_event_codes_find(&audit->codes, names, name) : CM_NO_NAME;
    if (index == CM_NO_NAME)
        return CM_NAME_UNKNOWN;
    indices[0] = index;
    *count = 1;
    return CM_NAME_FOUND;
}

/* A metric as ncu names it, "sm__inst_executed.sum", by PAPI's name. */
static cm_name_match find_metric_of_ncu(const cm_event_names *names, const char *name, size_t *indices, size_t capacity,
                                        size_t *count)
{
    char event[NAME_SIZE];
    return cm_ncu_event(name, "", event, sizeof event)
               ? cm_event_names_find(names, cm_component_bare(event), indices, capacity, count)
               : CM_NAME_UNKNOWN;
}

cm_name_match cm_audit_find_event(const cm_audit *audit, const cm_event_names *names, const char *name, size_t *indices,
                                  size_t capacity, size_t *count, const cm_pair **alias)
{
    cm_name_match match = cm_event_names_find(names, name, indices, capacity, count);
    if (match == CM_NAME_UNKNOWN)
        match = find_metric_of_ncu(names, name, indices, capacity, count);
    cm_spelling spelling;
    bool spelled = match == CM_NAME_UNKNOWN && cm_spelling_parse(name, &spelling);
    *alias = NULL;
    const char *core = name; /* an alias is one of the name behind component and PMU */
    for (const char *at = strstr(name, "::"); at != NULL; at = strstr(at + 1, "::"))
        core = at + 2;
    for (size_t i = 0; i < audit->aliases->count && match == CM_NAME_UNKNOWN; i++) {
        const cm_pair *tried = &audit->aliases->items[i];
        const char *rest = behind_alias(core, tried->first);
        char other[NAME_SIZE] = "";
        if (strstr(tried->second, plus) != NULL)
            continue;
        if (rest != NULL ? (size_t)snprintf(other, NAME_SIZE, "%.*s%s%s", (int)(core - name), name, tried->second,
                                            rest) >= NAME_SIZE
                         : !spelled || !is_spelled(&spelling, tried->first))
            continue;
        *alias = tried;
        match = cm_event_names_find(names, rest != NULL ? other : tried->second, indices, capacity, count);
    }
    if (match == CM_NAME_UNKNOWN)
        match = find_spelled(audit, names, name, indices, capacity, count, alias);
    return match == CM_NAME_UNKNOWN ? find_coded(audit, names, name, indices, count) : match;
}

cm_status cm_audit_index_unmodelled(cm_audit *audit, cm_error *error)
{
    const cm_definitions *definitions = audit->definitions;
    size_t count = 0;
    const char **names = cm_arena_allocate(&audit->arena, (definitions->unavailable_count + 1) * sizeof *names);
    if (names == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < definitions->unavailable_count; i++)
        if (strcmp(definitions->unavailable[i].reason, CM_NOT_MODELLED) == 0)
            names[count++] = definitions->unavailable[i].event;
    return cm_event_names_create(names, count, &audit->unmodelled, error);
}

const char *cm_audit_kept_facts(const cm_audit *audit)
{
    static const char from[] = CM_FROM_FACTS;
    const char *reason = audit->definitions->pmu_reason;
    return strncmp(reason, from, strlen(from)) == 0 ? reason + strlen(from) : NULL;
}

bool cm_audit_is_unmodelled(const cm_audit *audit, const char *event)
{
    size_t index = 0, count = 0;
    const cm_pair *alias = NULL;
    if (cm_audit_find_event(audit, audit->unmodelled, event, &index, 1, &count, &alias) == CM_NAME_FOUND)
        return true;
    const cm_known_events *known = audit->codes.known;
    return cm_audit_kept_facts(audit) != NULL && known != NULL && cm_known_events_have(known, event);
}

/* All events of a sum, "A + B"; 0 if one is not there. */
static size_t find_sum(const cm_event_names *names, const char *sum, size_t parts[CM_MOST_PARTS])
{
    size_t count = 0, several = 0;
    for (const char *begin = sum; begin != NULL && count < CM_MOST_PARTS;) {
        const char *end = strstr(begin, plus);
        char part[NAME_SIZE];
        if (!copy_part(part, begin, end) ||
            cm_event_names_find(names, part, &parts[count], 1, &several) != CM_NAME_FOUND)
            return 0;
        count++;
        begin = end != NULL ? end + strlen(plus) : NULL;
    }
    return count;
}

/* Whether the unit masks of an event never count the same. */
static bool is_disjoint(const cm_audit *audit, const char *event, size_t length)
{
    static const char each[] = "* + *";
    for (size_t i = 0; i < audit->aliases->count; i++) {
        const cm_pair *row = &audit->aliases->items[i];
        if (strcmp(row->second, each) == 0 && strlen(row->first) == length &&
            strncasecmp(row->first, event, length) == 0)
            return true;
    }
    return false;
}

/* The length of the longest name of unit masks at `masks`, ":A" or ":A:B", with which there is an event; 0: none. */
static size_t find_masks(const cm_audit *audit, const cm_event_names *names, const char *event, size_t base,
                         const char *masks, size_t *part)
{
    size_t found = 0, index = 0, count = 0;
    for (size_t length = 0; masks[length] != '\0';) {
        const cm_pair *alias = NULL;
        char one[NAME_SIZE];
        length += 1 + strcspn(masks + length + 1, ":.");
        if (base + length >= NAME_SIZE)
            return 0;
        snprintf(one, sizeof one, "%.*s%.*s", (int)base, event, (int)length, masks);
        if (cm_audit_find_event(audit, names, one, &index, 1, &count, &alias) == CM_NAME_FOUND) {
            *part = index;
            found = length;
        }
    }
    return found;
}

/* EVENT:A:B as the events EVENT:A and EVENT:B; 0 if one is not there, or both may count the same. */
static size_t find_union(const cm_audit *audit, const cm_event_names *names, const char *name,
                         size_t parts[CM_MOST_PARTS])
{
    const char *pmu = strstr(name, "::");
    const char *event = pmu != NULL ? pmu + strspn(pmu, ":") : name;
    size_t base = strcspn(event, ":."), count = 0, length = 0;
    if (!is_disjoint(audit, event, base))
        return 0;
    for (const char *masks = event + base; *masks != '\0'; masks += length, count++) {
        length = count < CM_MOST_PARTS ? find_masks(audit, names, event, base, masks, &parts[count]) : 0;
        if (length == 0)
            return 0;
    }
    return count;
}

size_t cm_audit_find_parts(const cm_audit *audit, const cm_event_names *names, const char *name,
                           size_t parts[CM_MOST_PARTS])
{
    size_t count = 0;
    const cm_pair *alias = NULL;
    cm_spelling spelling;
    if (cm_audit_find_event(audit, names, name, parts, 1, &count, &alias) == CM_NAME_FOUND)
        return 1;
    char masks[CM_SPELLING_SIZE];
    if (cm_event_codes_spell(&audit->codes, name, masks, sizeof masks))
        name = masks;
    if (count > 1 || !cm_spelling_parse(name, &spelling))
        return 0;
    count = 0;
    for (size_t i = 0; i < audit->aliases->count && count == 0; i++)
        if (strstr(audit->aliases->items[i].second, plus) != NULL &&
            is_spelled(&spelling, audit->aliases->items[i].first))
            count = find_sum(names, audit->aliases->items[i].second, parts);
    return count > 0 ? count : find_union(audit, names, name, parts);
}
