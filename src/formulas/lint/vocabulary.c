/* Quantities that words of names stand for, from a table. */
#include "formulas/lint/lint.h"

typedef struct synonym {
    const char *words; /* between blanks, as a name's words are */
    unsigned quantity;
} synonym;

struct cm_vocabulary {
    cm_arena texts;
    size_t synonym_count, metric_count;
    synonym *synonyms;
    cm_ratio_metric *metrics;
};

/* Whether a word ends between these two characters. */
static bool parts(char one, char next)
{
    bool camel = islower((unsigned char)one) && isupper((unsigned char)next);
    return camel || (isdigit((unsigned char)one) && !isdigit((unsigned char)next));
}

/* Writes the words of a name in small letters, with a blank before and behind each: " l1 d cache ". */
static void write_words(const char *name, size_t length, char words[CM_LINT_NAME_SIZE])
{
    size_t end = 1;
    words[0] = ' ';
    for (size_t i = 0; i < length && end + 3 < CM_LINT_NAME_SIZE; i++) {
        bool letter = isalnum((unsigned char)name[i]) || name[i] == '%';
        if (words[end - 1] != ' ' && (!letter || parts(name[i - 1], name[i])))
            words[end++] = ' ';
        if (letter)
            words[end++] = (char)tolower((unsigned char)name[i]);
    }
    if (words[end - 1] != ' ')
        words[end++] = ' ';
    words[end] = '\0';
}

/* Whether synonyms of time make up the whole name. */
static bool is_time(const cm_vocabulary *vocabulary, const char *words)
{
    size_t at = 0;
    while (words[at + 1] != '\0') {
        size_t length = 0;
        for (size_t i = 0; i < vocabulary->synonym_count; i++) {
            const synonym *of = &vocabulary->synonyms[i];
            size_t found = strlen(of->words) - 1;
            if (of->quantity == CM_WORD_TIME && found > length && strncmp(words + at, of->words, found + 1) == 0)
                length = found;
        }
        if (length == 0)
            return false;
        at += length;
    }
    return at > 0;
}

unsigned cm_vocabulary_of(const cm_vocabulary *vocabulary, const char *name)
{
    char words[CM_LINT_NAME_SIZE];
    unsigned said = 0;
    write_words(name, strlen(name), words);
    if (is_time(vocabulary, words))
        return CM_WORD_TIME;
    for (size_t i = 0; i < vocabulary->synonym_count; i++)
        if (vocabulary->synonyms[i].quantity != CM_WORD_TIME && strstr(words, vocabulary->synonyms[i].words) != NULL)
            said |= vocabulary->synonyms[i].quantity;
    return said;
}

const cm_ratio_metric *cm_vocabulary_metric(const cm_vocabulary *vocabulary, size_t index)
{
    return index < vocabulary->metric_count ? &vocabulary->metrics[index] : NULL;
}

/* ---- the tables ---- */

/* The bits of quantities with blanks between them; false if one is none. */
static bool read_quantities(const char *text, unsigned *bits)
{
    static const char *const quantities[] = {"cycles",         "instructions", "time",   "misses", "hits",  "accesses",
                                             "mispredictions", "branches",     "energy", "lines",  "bytes", "ratio",
                                             "percent",        "ipc",          "cpi",    "mpki",   "uops",  "prescaled",
                                             "power",          "derived",      "per"};
    *bits = 0;
    for (const char *at = text; *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " "), found = 0, count = CM_COUNT_OF(quantities);
        while (found < count && (strncmp(quantities[found], at, length) != 0 || quantities[found][length] != '\0'))
            found++;
        if (found == count)
            return false;
        *bits |= 1U << found;
        at += length;
    }
    return true;
}

/* Reads a quantity and the words that mean it. */
static cm_status take_words(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_vocabulary *vocabulary = data;
    char words[CM_LINT_NAME_SIZE];
    unsigned quantity = 0;
    if (!read_quantities(row->fields[0], &quantity))
        return CM_CSV_FAULT(csv, row->line, error, "expected quantities, found '%.100s'", row->fields[0]);
    for (const char *at = row->fields[1]; *at != '\0'; at += strspn(at, "|")) {
        size_t length = strcspn(at, "|");
        write_words(at, length, words);
        const char *kept = cm_arena_text(&vocabulary->texts, words);
        const bool grown = CM_GROW_BY_ONE(vocabulary->synonyms, vocabulary->synonym_count);
        if (!grown || kept == NULL)
            return cm_error_no_memory(error);
        vocabulary->synonyms[vocabulary->synonym_count++] = (synonym){kept, quantity};
        at += length;
    }
    return CM_OK;
}

/* Reads a metric that is a ratio: the quantities above and below. */
static cm_status take_metric(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_vocabulary *vocabulary = data;
    cm_ratio_metric metric = {.turned = cm_arena_text(&vocabulary->texts, row->fields[6])};
    unsigned *const bits[] = {&metric.metric, &metric.unless, &metric.above, &metric.below, &metric.contrary};
    for (size_t i = 0; i < CM_COUNT_OF(bits); i++)
        if (!read_quantities(row->fields[i], bits[i]))
            return CM_CSV_FAULT(csv, row->line, error, "expected quantities, found '%.100s'", row->fields[i]);
    cm_status status = row->fields[5][0] != '\0' ? cm_csv_number(csv, row, 5, &metric.factor, error) : CM_OK;
    if (status != CM_OK)
        return status;
    const bool grown = CM_GROW_BY_ONE(vocabulary->metrics, vocabulary->metric_count);
    if (!grown || metric.turned == NULL)
        return cm_error_no_memory(error);
    vocabulary->metrics[vocabulary->metric_count++] = metric;
    return CM_OK;
}

cm_status cm_vocabulary_create(cm_vocabulary **vocabulary, cm_error *error)
{
    static const char *const words[] = {"quantity", "words"};
    static const char *const metrics[] = {"metric", "unless", "above", "below", "contrary", "factor", "turned"};
    cm_vocabulary *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_csv_each_data("data/quantity-words.csv", 2, words, take_words, made, error);
    CM_THEN(status, cm_csv_each_data("data/ratio-metrics.csv", 7, metrics, take_metric, made, error));
    if (status != CM_OK && status != CM_IO) {
        cm_vocabulary_free(made);
        return status;
    }
    *vocabulary = made;
    return CM_OK;
}

void cm_vocabulary_free(cm_vocabulary *vocabulary)
{
    if (vocabulary == NULL)
        return;
    cm_arena_clear(&vocabulary->texts);
    CM_FREE(vocabulary->synonyms, vocabulary->metrics, vocabulary);
}
