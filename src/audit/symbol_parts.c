/* Parts of symbols' names, by which findings name groups of symbols. */
#include "audit/claims.h"

#include "tables/tables.h"

enum { BENCHMARK, PART, WORDS, PART_COLUMNS };
static const char *const part_columns[PART_COLUMNS] = {"benchmark", "part", "words"};

/* Adds a part of symbols' names, unless no symbol has it. */
static cm_status add_part(cm_symbol_parts *parts, const char *part, const char *text, cm_error *error)
{
    size_t count = parts->symbol_count, at = parts->part_count;
    if (!CM_GROW_BY_ONE(parts->words, at) || !CM_RESIZE(parts->has, (at + 1) * count + 1))
        return cm_error_no_memory(error);
    bool any = false, *has = parts->has + at * count;
    for (size_t j = 0; j < count; j++) {
        has[j] = cm_symbol_has_part(parts->symbols[j], part);
        any = any || has[j];
    }
    if (!any)
        return CM_OK;
    parts->words[at] = strdup(text);
    if (parts->words[at] == NULL)
        return cm_error_no_memory(error);
    parts->part_count++;
    return CM_OK;
}

typedef struct part_loading {
    const char *benchmark;
    cm_symbol_parts *parts;
} part_loading;

static cm_status take_part_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const part_loading *in = data;
    cm_status status = CM_OK;
    for (size_t i = 0; i < PART_COLUMNS && status == CM_OK; i++)
        status = cm_csv_name(csv, row, i, error);
    bool own = status == CM_OK && strcmp(row->fields[BENCHMARK], in->benchmark) == 0;
    return own ? add_part(in->parts, row->fields[PART], row->fields[WORDS], error) : status;
}

cm_status cm_symbol_parts_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                               cm_symbol_parts **parts, cm_error *error)
{
    cm_symbol_parts *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    loaded->symbol_count = symbol_count;
    loaded->symbols = symbols;
    loaded->left = calloc(symbol_count + 1, sizeof *loaded->left);
    part_loading in = {benchmark, loaded};
    cm_status status = loaded->left != NULL ? cm_csv_each(path, PART_COLUMNS, part_columns, take_part_row, &in, error)
                                            : cm_error_no_memory(error);
    CM_HAND_OVER(status, parts, loaded, cm_symbol_parts_free);
    return status;
}

void cm_symbol_parts_free(cm_symbol_parts *parts)
{
    if (parts == NULL)
        return;
    cm_free_list(parts->words, parts->part_count);
    CM_FREE(parts->has, parts->left, parts);
}

static bool part_has(const cm_symbol_parts *parts, size_t part, size_t symbol)
{
    return parts->has[part * parts->symbol_count + symbol];
}

ptrdiff_t cm_symbol_parts_counterpart(const cm_symbol_parts *parts, size_t symbol, size_t from, size_t to)
{
    bool had = part_has(parts, from, symbol), had_other = to < parts->part_count && part_has(parts, to, symbol);
    if (had == had_other)
        return (ptrdiff_t)symbol;
    for (size_t k = 0; k < parts->symbol_count; k++) {
        bool same = k != symbol;
        for (size_t part = 0; part < parts->part_count && same; part++)
            same = part_has(parts, part, k) == (part == from ? had_other
                                                : part == to ? had
                                                             : part_has(parts, part, symbol));
        if (same)
            return (ptrdiff_t)k;
    }
    return CM_NO_SYMBOL;
}

/* ---- grouping ---- */

/* A way to pick symbols: those that have both parts, or the first but not the second. */
typedef struct cm_pick {
    size_t first, second; /* part_count: none */
    bool without_first;   /* those that do not have the first */
    bool without_second;
} cm_pick;

static bool picks_symbol(const cm_symbol_parts *parts, const cm_pick *pick, size_t symbol)
{
    bool first = pick->first == parts->part_count || part_has(parts, pick->first, symbol) != pick->without_first;
    bool second = pick->second == parts->part_count || part_has(parts, pick->second, symbol) != pick->without_second;
    return first && second;
}

/* The number of remaining symbols that are picked; 0 if the pick has one outside of `wanted`. A pick of symbols without
 * a part must have all of `wanted`, and not the whole universe. */
static size_t count_covered(const cm_symbol_parts *parts, const cm_pick *pick, const bool *wanted, const bool *universe)
{
    size_t count = 0;
    bool all = true;
    for (size_t j = 0; j < parts->symbol_count; j++) {
        bool picked = universe[j] && picks_symbol(parts, pick, j);
        if (picked ? !wanted[j] : pick->without_first && universe[j] && wanted[j])
            return 0;
        all = all && (picked || !universe[j]);
        count += picked && parts->left[j];
    }
    return all && pick->without_first ? 0 : count;
}

/* The pick that covers most of `wanted`; between equals the first: one part, none of one part, two parts, one without
 * another. Gives how many it covers, 0 if there is none. */
static size_t best_pick(const cm_symbol_parts *parts, const bool *wanted, const bool *universe, cm_pick *best)
{
    size_t most = 0, none = parts->part_count;
    for (int form = 0; form < 4; form++)
        for (size_t i = 0; i < parts->part_count; i++)
            for (size_t k = form < 2 ? none : 0; k < parts->part_count + (form < 2); k++) {
                const cm_pick tried = {i, k, form == 1, form == 3};
                size_t count = i != k ? count_covered(parts, &tried, wanted, universe) : 0;
                if (count > most) {
                    most = count;
                    *best = tried;
                }
            }
    return most;
}

/* Makes a group of one symbol, with the words of the parts that have it, or else its own name. */
static bool set_symbol(const cm_symbol_parts *parts, size_t symbol, cm_arena *arena, cm_symbol_group *group)
{
    const char **called = cm_arena_allocate(arena, (parts->part_count + 1) * sizeof *called);
    if (called == NULL)
        return false;
    *group = (cm_symbol_group){CM_SYMBOLS_WITH, 0, called};
    for (size_t part = 0; part < parts->part_count; part++)
        if (part_has(parts, part, symbol))
            called[group->part_count++] = parts->words[part];
    if (group->part_count == 0)
        called[group->part_count++] = parts->symbols[symbol];
    return true;
}

/* Two parts that symbols have both are in the order of the table. */
static bool set_pick(const cm_symbol_parts *parts, const cm_pick *pick, cm_arena *arena, cm_symbol_group *group)
{
    const char **called = cm_arena_allocate(arena, 2 * sizeof *called);
    if (called == NULL)
        return false;
    bool two = pick->second != parts->part_count;
    bool swapped = two && !pick->without_second && pick->second < pick->first;
    called[0] = parts->words[swapped ? pick->second : pick->first];
    if (two)
        called[1] = parts->words[swapped ? pick->first : pick->second];
    *group = (cm_symbol_group){pick->without_first    ? CM_SYMBOLS_ALL_BUT
                               : pick->without_second ? CM_SYMBOLS_WITHOUT
                                                      : CM_SYMBOLS_WITH,
                               two ? 2 : 1, called};
    return true;
}

/* Notes the wanted symbols and makes room for as many groups. Returns the number of these symbols, 0 if memory is
 * short. */
static size_t begin_groups(const cm_symbol_parts *parts, const bool *wanted, cm_arena *arena, cm_audit_finding *finding)
{
    size_t count = 0;
    for (size_t j = 0; j < parts->symbol_count; j++) {
        parts->left[j] = wanted[j];
        count += wanted[j];
    }
    const char **names = cm_arena_allocate(arena, count * sizeof *names);
    finding->groups = cm_arena_allocate(arena, count * sizeof *finding->groups);
    if (names == NULL || finding->groups == NULL)
        return 0;
    finding->names = names;
    finding->name_count = finding->group_count = 0;
    for (size_t j = 0; j < parts->symbol_count; j++)
        if (wanted[j])
            names[finding->name_count++] = parts->symbols[j];
    return count;
}

bool cm_symbol_parts_group(const cm_symbol_parts *parts, const bool *wanted, const bool *universe, cm_arena *arena,
                           cm_audit_finding *finding)
{
    size_t count = parts->symbol_count, remaining = begin_groups(parts, wanted, arena, finding);
    const size_t none = SIZE_MAX; /* no symbol */
    bool enough = remaining > 0;
    while (remaining > 0 && enough) {
        cm_symbol_group *group = (cm_symbol_group *)&finding->groups[finding->group_count++];
        cm_pick chosen = {0};
        size_t single = none, taken = best_pick(parts, wanted, universe, &chosen);
        if (taken == 0) { /* no parts distinguish them from others: one by one */
            for (single = 0; !parts->left[single];)
                single++;
            taken = 1;
        }
        remaining -= taken;
        enough = single != none ? set_symbol(parts, single, arena, group) : set_pick(parts, &chosen, arena, group);
        for (size_t j = 0; j < count; j++)
            if (j == single || (single == none && universe[j] && picks_symbol(parts, &chosen, j)))
                parts->left[j] = false;
    }
    return enough;
}
