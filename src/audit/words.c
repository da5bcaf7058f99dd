#include "audit/words.h"

#include <stdlib.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"

enum { BENCHMARK, PART, WORDS, COLUMNS };
static const char *const columns[COLUMNS] = {"benchmark", "part", "words"};

/* "S_" is how a symbol begins, "_512" how it ends, "_FMA_" what it holds; anything else is a whole symbol. */
static bool matches(const char *symbol, const char *part)
{
    size_t length = strlen(part), size = strlen(symbol);
    bool begins = part[length - 1] == '_', ends = part[0] == '_';
    if (begins && ends)
        return strstr(symbol, part) != NULL;
    if (begins)
        return strncmp(symbol, part, length) == 0;
    if (ends)
        return size >= length && strcmp(symbol + size - length, part) == 0;
    return strcmp(symbol, part) == 0;
}

static cm_status add_part(cm_words *words, const char *part, const char *text, cm_error *error)
{
    size_t count = words->symbol_count, at = words->part_count;
    char **parts = cm_grow_by_one(words->parts, at, sizeof *parts);
    if (parts != NULL)
        words->parts = parts;
    bool *has = realloc(words->has, ((at + 1) * count + 1) * sizeof *has);
    if (has != NULL)
        words->has = has;
    if (parts == NULL || has == NULL)
        return cm_error_no_memory(error);
    bool any = false;
    for (size_t j = 0; j < count; j++) {
        has[at * count + j] = matches(words->symbols[j], part);
        any = any || has[at * count + j];
    }
    if (!any)
        return CM_OK;
    parts[at] = strdup(text);
    if (parts[at] == NULL)
        return cm_error_no_memory(error);
    words->part_count++;
    return CM_OK;
}

static cm_status read_rows(cm_csv *csv, const char *benchmark, cm_words *words, cm_error *error)
{
    cm_status status = cm_csv_expect(csv, COLUMNS, columns, false, error);
    bool found = status == CM_OK;
    while (found && status == CM_OK) {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &found, error);
        for (size_t i = 0; i < COLUMNS && found && status == CM_OK; i++)
            status = cm_csv_name(csv, &row, i, error);
        if (status == CM_OK && found && strcmp(row.fields[BENCHMARK], benchmark) == 0)
            status = add_part(words, row.fields[PART], row.fields[WORDS], error);
    }
    return status;
}

cm_status cm_words_load(const char *path, const char *benchmark, size_t symbol_count, const char *const *symbols,
                        cm_words **words, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_words *loaded = calloc(1, sizeof *loaded);
    cm_status status = loaded != NULL ? cm_csv_open(path, &csv, error) : cm_error_no_memory(error);
    if (status == CM_OK) {
        loaded->symbol_count = symbol_count;
        loaded->symbols = symbols;
        loaded->left = calloc(symbol_count + 1, sizeof *loaded->left);
        status = loaded->left != NULL ? CM_OK : cm_error_no_memory(error);
    }
    if (status == CM_OK)
        status = read_rows(csv, benchmark, loaded, error);
    cm_csv_close(csv);
    if (status != CM_OK) {
        cm_words_free(loaded);
        return status;
    }
    *words = loaded;
    return CM_OK;
}

void cm_words_free(cm_words *words)
{
    if (words == NULL)
        return;
    for (size_t i = 0; i < words->part_count; i++)
        free(words->parts[i]);
    free(words->parts);
    free(words->has);
    free(words->left);
    free(words);
}

static bool has(const cm_words *words, size_t part, size_t symbol)
{
    return words->has[part * words->symbol_count + symbol];
}

ptrdiff_t cm_words_counterpart(const cm_words *words, size_t symbol, size_t from, size_t to)
{
    bool had = has(words, from, symbol), had_other = to < words->part_count && has(words, to, symbol);
    if (had == had_other)
        return (ptrdiff_t)symbol;
    for (size_t k = 0; k < words->symbol_count; k++) {
        bool same = k != symbol;
        for (size_t part = 0; part < words->part_count && same; part++)
            same = has(words, part, k) == (part == from ? had_other : part == to ? had : has(words, part, symbol));
        if (same)
            return (ptrdiff_t)k;
    }
    return CM_NO_SYMBOL;
}

/* ---- describing ---- */

/* A way to pick symbols: those that have both parts, or the first but not the second. */
typedef struct cm_pick {
    size_t first, second; /* part_count: none */
    bool without_first;   /* those that do not have the first */
    bool without_second;
} cm_pick;

static bool picks(const cm_words *words, const cm_pick *pick, size_t symbol)
{
    bool first = pick->first == words->part_count || has(words, pick->first, symbol) != pick->without_first;
    bool second = pick->second == words->part_count || has(words, pick->second, symbol) != pick->without_second;
    return first && second;
}

/* How many of the symbols that are left are picked; 0 where one of the universe is that is not in `set`, and where
 * everything is picked as that which has not a part. */
static size_t covered(const cm_words *words, const cm_pick *pick, const bool *set, const bool *universe)
{
    size_t count = 0;
    bool all = true;
    for (size_t j = 0; j < words->symbol_count; j++) {
        bool picked = universe[j] && picks(words, pick, j);
        if (picked && !set[j])
            return 0;
        all = all && (picked || !universe[j]);
        count += picked && words->left[j];
    }
    return all && pick->without_first ? 0 : count;
}

/* The pick that covers most of `set`; between equals the first: one part, none of one part, two parts, one without
 * another. Gives how many it covers, 0 where there is none. */
static size_t best_pick(const cm_words *words, const bool *set, const bool *universe, cm_pick *best)
{
    size_t most = 0, none = words->part_count;
    for (int form = 0; form < 4; form++)
        for (size_t i = 0; i < words->part_count; i++)
            for (size_t k = form < 2 ? none : 0; k < words->part_count + (form < 2); k++) {
                const cm_pick tried = {i, k, form == 1, form == 3};
                size_t count = i != k ? covered(words, &tried, set, universe) : 0;
                if (count > most) {
                    most = count;
                    *best = tried;
                }
            }
    return most;
}

static void put_symbol(const cm_words *words, size_t symbol, FILE *stream)
{
    bool any = false;
    for (size_t part = 0; part < words->part_count; part++)
        if (has(words, part, symbol)) {
            fprintf(stream, "%s%s", any ? " " : "", words->parts[part]);
            any = true;
        }
    if (!any)
        fputs(words->symbols[symbol], stream);
}

static void put_pick(const cm_words *words, const cm_pick *pick, FILE *stream)
{
    size_t none = words->part_count;
    bool both = pick->second != none && !pick->without_second, swapped = both && pick->second < pick->first;
    fprintf(stream, "%s%s", pick->without_first ? "all but " : "", words->parts[swapped ? pick->second : pick->first]);
    if (pick->second != none)
        fprintf(stream, "%s%s", both ? " " : " without ", words->parts[swapped ? pick->first : pick->second]);
}

void cm_words_describe(const cm_words *words, const bool *set, const bool *universe, FILE *stream)
{
    size_t remaining = 0, count = words->symbol_count;
    for (size_t j = 0; j < count; j++) {
        words->left[j] = set[j];
        remaining += set[j];
    }
    for (bool first = true; remaining > 0; first = false) {
        cm_pick chosen = {0};
        size_t single = count, taken = best_pick(words, set, universe, &chosen);
        if (taken == 0) { /* no parts tell them from others: one by one */
            for (single = 0; !words->left[single];)
                single++;
            taken = 1;
        }
        remaining -= taken;
        fputs(first ? "" : remaining == 0 ? " and " : ", ", stream);
        if (single < count)
            put_symbol(words, single, stream);
        else
            put_pick(words, &chosen, stream);
        for (size_t j = 0; j < count; j++)
            if (j == single || (single == count && universe[j] && picks(words, &chosen, j)))
                words->left[j] = false;
    }
}
