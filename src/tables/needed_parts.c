#include "tables/tables.h"

enum { PART_BENCHMARK, PART, WORDS, PART_COLUMNS, TEXT = 160 };
static const char *const part_columns[PART_COLUMNS] = {"benchmark", "part", "words"};

bool cm_symbol_has_part(const char *symbol, const char *part)
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

/* A metric, and a part of symbols that it lacks. */
struct lack {
    const char *benchmark, *part;
    const cm_signatures *whole;
    const double *weights;
    const cm_basis *basis;
    char kind[64]; /* a part that all its symbols have, and no remaining one, in words; "": there is none */
};

/* Whether the metric has weight on symbols with the part, and none of these remains. */
static bool lacks_part(const struct lack *lack)
{
    bool weighted = false;
    for (size_t j = 0; j < lack->whole->symbol_count; j++) {
        if (lack->weights[j] == 0.0 || !cm_symbol_has_part(lack->whole->symbols[j], lack->part))
            continue;
        if (CM_HAS(lack->whole->symbols[j], lack->basis->symbols, lack->basis->symbol_count))
            return false;
        weighted = true;
    }
    return weighted;
}

/* Whether a symbol with both parts remains; `kind` NULL: with the lacking part. */
static bool any_left(const struct lack *lack, const char *kind)
{
    for (size_t i = 0; i < lack->basis->symbol_count; i++)
        if (cm_symbol_has_part(lack->basis->symbols[i], lack->part) &&
            (kind == NULL || cm_symbol_has_part(lack->basis->symbols[i], kind)))
            return true;
    return false;
}

/* Takes the row's part as the kind if it fits. */
static cm_status take_kind(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    struct lack *lack = data;
    const char *kind = row->fields[PART];
    (void)csv;
    (void)error;
    bool all = lack->kind[0] == '\0' && strcmp(row->fields[PART_BENCHMARK], lack->benchmark) == 0 && kind[0] != '\0' &&
               !any_left(lack, kind);
    for (size_t j = 0; j < lack->whole->symbol_count && all; j++)
        all = lack->weights[j] == 0.0 || !cm_symbol_has_part(lack->whole->symbols[j], lack->part) ||
              cm_symbol_has_part(lack->whole->symbols[j], kind);
    if (all)
        snprintf(lack->kind, sizeof lack->kind, "%s", row->fields[WORDS]);
    return CM_OK;
}

/* Writes "single precision"; "FMA in single precision" if other kernels of single precision ran. */
static cm_status write_lack(struct lack *lack, const char *words, char text[TEXT], cm_error *error)
{
    if (!any_left(lack, NULL)) {
        snprintf(text, TEXT, "%s", words);
        return CM_OK;
    }
    cm_status status = cm_csv_each_data("bases/symbol-parts.csv", PART_COLUMNS, part_columns, take_kind, lack, error);
    snprintf(text, TEXT, "%s in %s", lack->kind[0] != '\0' ? lack->kind : "what it counts", words);
    return status;
}

/* Appends words, with " and " between them. */
static cm_status add_words(char **text, const char *words, cm_error *error)
{
    static const char between[] = " and ";
    size_t size = strlen(words) + (*text != NULL ? strlen(*text) : 0) + sizeof between;
    char *longer = malloc(size);
    if (longer == NULL)
        return cm_error_no_memory(error);
    snprintf(longer, size, "%s%s%s", *text != NULL ? *text : "", *text != NULL ? between : "", words);
    free(*text);
    *text = longer;
    return CM_OK;
}

typedef struct search {
    const char *benchmark;
    const cm_signatures *whole;
    const cm_basis *basis;
    char **lacking;
} search;

/* Adds the words of a part of the benchmark to the metrics that lack it. */
static cm_status take_part(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const search *in = data;
    const cm_signatures *whole = in->whole;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < PART_COLUMNS; i++)
        status = cm_csv_name(csv, row, i, error);
    if (status == CM_OK && strcmp(row->fields[PART_BENCHMARK], in->benchmark) != 0)
        return CM_OK;
    for (size_t i = 0; status == CM_OK && i < whole->metric_count; i++) {
        struct lack lack = {.benchmark = row->fields[PART_BENCHMARK],
                            .part = row->fields[PART],
                            .whole = whole,
                            .weights = whole->metrics[i].values,
                            .basis = in->basis};
        char text[TEXT] = "";
        if (!lacks_part(&lack))
            continue;
        status = write_lack(&lack, row->fields[WORDS], text, error);
        CM_THEN(status, add_words(&in->lacking[i], text, error));
    }
    return status;
}

cm_status cm_lacking_find(const char *benchmark, const cm_signatures *whole, const cm_basis *basis, char ***lacking,
                          cm_error *error)
{
    search in = {benchmark, whole, basis, calloc(whole->metric_count + 1, sizeof *in.lacking)};
    cm_status status = in.lacking != NULL ? cm_csv_each_data("bases/needed-parts.csv", PART_COLUMNS, part_columns,
                                                             take_part, &in, error)
                                          : cm_error_no_memory(error);
    if (status == CM_OK)
        *lacking = in.lacking;
    else
        cm_lacking_free(whole->metric_count, in.lacking);
    return status;
}

void cm_lacking_free(size_t metrics, char **lacking)
{
    cm_free_list(lacking, metrics);
}
