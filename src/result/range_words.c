/* The range in which a definition holds, in words. */
#include "result/result.h"

enum { LONGEST = 34 };     /* words of a fact; of one that has longer ones the name is written */
enum { PLACE_NAME = 100 }; /* bytes of a metric's name in the text of a program's place */

/* A fact that is looked up, and the place of its words. */
typedef struct sought_fact {
    const char *name;
    size_t length, column; /* of its name; of the words */
    char words[LONGEST + 1];
} sought_fact;

/* Copies the words, with short names of the levels of caches; none if they are too long. */
static void shorten_words(const char *words, char text[LONGEST + 1])
{
    static const char *const levels[][2] = {
        {"the first-level cache", "L1"}, {"the second-level cache", "L2"}, {"the third-level cache", "L3"}};
    const size_t count = CM_COUNT_OF(levels);
    size_t length = 0;
    while (*words != '\0' && length + 2 <= LONGEST) {
        size_t level = 0;
        while (level < count && strncmp(words, levels[level][0], strlen(levels[level][0])) != 0)
            level++;
        length += (size_t)snprintf(text + length, LONGEST + 1 - length, "%.*s", level < count ? 2 : 1,
                                   level < count ? levels[level][1] : words);
        words += level < count ? strlen(levels[level][0]) : 1;
    }
    if (*words != '\0')
        text[0] = '\0';
}

static cm_status take_if_sought(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    enum { NAME };
    sought_fact *fact = data;
    (void)csv;
    (void)error;
    if (strlen(row->fields[NAME]) == fact->length && strncmp(row->fields[NAME], fact->name, fact->length) == 0)
        shorten_words(row->fields[fact->column], fact->words);
    return CM_OK;
}

/* Appends the fact's meaning, or its name if that is long or it is no fact of kernels. */
static void append_fact(const char *name, size_t length, char text[CM_RANGE_TEXT])
{
    static const char *const primitive[] = {"fact", "kind", "tolerance", "separate", "architecture", "words"};
    static const char *const derived[] = {"fact", "expression", "words"};
    sought_fact fact = {name, length, 5, ""};
    cm_csv_each_data("bases/primitive-facts.csv", 6, primitive, take_if_sought, &fact, NULL);
    fact.column = 2;
    if (fact.words[0] == '\0')
        cm_csv_each_data("bases/derived-facts.csv", 3, derived, take_if_sought, &fact, NULL);
    if (fact.words[0] != '\0')
        cm_text_append(text, CM_RANGE_TEXT, "", "%s", fact.words);
    else
        cm_text_append(text, CM_RANGE_TEXT, "", "%.*s", (int)length, name);
}

char *cm_fact_text(const char *fact, char text[CM_RANGE_TEXT])
{
    static const char pair[] = "min(", between[] = ", ";
    const char *comma = strncmp(fact, pair, strlen(pair)) == 0 ? strstr(fact, between) : NULL;
    const size_t length = strcspn(fact, ") +-*");
    text[0] = '\0';
    if (comma != NULL) {
        append_fact(fact + strlen(pair), (size_t)(comma - fact) - strlen(pair), text);
        strncat(text, " beside ", CM_RANGE_TEXT - strlen(text) - 1);
        append_fact(comma + strlen(between), strcspn(comma + strlen(between), ")"), text);
    } else if (fact[length] == '\0') {
        append_fact(fact, length, text);
    } else {
        cm_text_print(text, CM_RANGE_TEXT, "%s", fact);
    }
    return text;
}

/* The number of others that a share is told of: 1 if it is larger. */
static double whole_of(double share)
{
    return share >= 1.0 ? 1.0 : share >= 1e-4 ? 1e3 : 1e6;
}

/* "2 of 1000", or "2 x" by a share of 1 or more. */
static char *share_text(double share, double whole, char text[CM_NUMBER_SIZE])
{
    if (whole > 1.0)
        snprintf(text, CM_NUMBER_SIZE, "%.3g of %.0f", share * whole, whole);
    else
        snprintf(text, CM_NUMBER_SIZE, "%.3g x", share);
    return text;
}

char *cm_place_text(const char *metric, const cm_defined_range *range, double share, char text[CM_RANGE_TEXT])
{
    const double whole = whole_of(range->share);
    char name[PLACE_NAME + 1], number[CM_NUMBER_SIZE], fact[CM_RANGE_TEXT];
    snprintf(text, CM_RANGE_TEXT, "%s are %s %.200s here; the definition holds above %.3g%s",
             cm_text_show(metric, name, sizeof name), share_text(share, whole, number), cm_fact_text(range->per, fact),
             range->share * whole, whole > 1.0 ? "" : " x");
    return text;
}

/* Writes an item of a list. */
typedef void item_text(const void *items, size_t index, char text[CM_RANGE_TEXT]);

static void bound_text(const void *items, size_t index, char text[CM_RANGE_TEXT])
{
    const cm_defined_range *range = (const cm_defined_range *)items + index;
    char number[CM_NUMBER_SIZE], fact[CM_RANGE_TEXT];
    cm_text_print(text, CM_RANGE_TEXT, "%s %s", share_text(range->share, whole_of(range->share), number),
                  cm_fact_text(range->per, fact));
}

static void leak_text(const void *items, size_t index, char text[CM_RANGE_TEXT])
{
    const cm_defined_leak *leak = (const cm_defined_leak *)items + index;
    cm_text_print(text, CM_RANGE_TEXT, "%.3g for each %s", leak->at_most, leak->fact);
}

/* Writes as many items as fit into the width, and at least one; returns how many. */
static size_t write_fitting(const void *items, size_t count, item_text *text_of, size_t width, FILE *stream)
{
    for (size_t i = 0, used = 0; i < count; i++) {
        char text[CM_RANGE_TEXT];
        const size_t more = i + 1 < count ? strlen(" and 99 more") : 0;
        text_of(items, i, text);
        used += strlen(text) + (i > 0 ? strlen(", ") : 0);
        if (i > 0 && used + more > width)
            return i;
        fprintf(stream, "%s%s", i > 0 ? ", " : "", text);
    }
    return count;
}

/* The beginning, the items that fit, and the end; free with free(). NULL without items or memory. */
static char *list_text(const char *begin, const void *items, size_t count, item_text *text_of, const char *end,
                       size_t width, bool *cut)
{
    char *text = NULL;
    FILE *stream = count > 0 ? cm_memory_stream(&text, NULL) : NULL;
    if (stream == NULL)
        return NULL;
    fputs(begin, stream);
    const size_t taken = strlen(begin) + strlen(end);
    const size_t shown = write_fitting(items, count, text_of, width > taken ? width - taken : 0, stream);
    if (shown < count)
        fprintf(stream, " and %zu more", count - shown);
    if (cut != NULL)
        *cut |= shown < count;
    fputs(end, stream);
    return cm_memory_text(stream, &text);
}

char *cm_ranges_text(const cm_defined_range *ranges, size_t count, double programs, size_t width, bool *cut)
{
    char end[64] = "";
    if (isfinite(programs))
        snprintf(end, sizeof end, " (%.0f %% of natural programs)", 100.0 * programs);
    return list_text("within 10 % where it is above ", ranges, count, bound_text, end, width, cut);
}

char *cm_leaks_text(const cm_defined_leak *leaks, size_t count, size_t width, bool *cut)
{
    return list_text("at most ", leaks, count, leak_text, "", width, cut);
}
