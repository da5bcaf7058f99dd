#include "tables/tables.h"

enum { SYMBOL_BENCHMARK, SYMBOL, EXPRESSION, SYMBOL_DESCRIPTION, SYMBOL_COLUMNS };
static const char *const symbol_columns[SYMBOL_COLUMNS] = {"benchmark", "symbol", "expression", "description"};

struct cm_symbol_words {
    size_t count;
    char *(*rows)[SYMBOL_COLUMNS];
};

/* Reads one row; no symbol may appear twice. */
static cm_status read_symbol(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_symbol_words *words = data;
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < SYMBOL_COLUMNS; i++)
        status = i != EXPRESSION ? cm_csv_name(csv, row, i, error) : CM_OK;
    if (status != CM_OK)
        return status;
    if (cm_symbol_words_find(words, row->fields[SYMBOL_BENCHMARK], row->fields[SYMBOL]) != NULL)
        return CM_CSV_FAULT(csv, row->line, error, "symbol '%s' of benchmark '%s' appears twice", row->fields[SYMBOL],
                            row->fields[SYMBOL_BENCHMARK]);
    if (!CM_GROW_BY_ONE(words->rows, words->count))
        return cm_error_no_memory(error);
    words->count++;
    bool made = true;
    for (size_t i = 0; i < SYMBOL_COLUMNS; i++) {
        char *text = strdup(row->fields[i]);
        words->rows[words->count - 1][i] = text;
        made = made && text != NULL;
    }
    return made ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_symbol_words_load(const char *path, cm_symbol_words **words, cm_error *error)
{
    cm_symbol_words *loaded = calloc(1, sizeof *loaded);
    cm_status status = loaded != NULL ? cm_csv_each(path, SYMBOL_COLUMNS, symbol_columns, read_symbol, loaded, error)
                                      : cm_error_no_memory(error);
    CM_HAND_OVER(status, words, loaded, cm_symbol_words_free);
    return status;
}

void cm_symbol_words_free(cm_symbol_words *words)
{
    if (words == NULL)
        return;
    for (size_t i = 0; i < words->count; i++)
        for (size_t k = 0; k < SYMBOL_COLUMNS; k++)
            free(words->rows[i][k]);
    CM_FREE(words->rows, words);
}

const char *cm_symbol_words_find(const cm_symbol_words *words, const char *benchmark, const char *symbol)
{
    for (size_t i = 0; words != NULL && i < words->count; i++)
        if (strcmp(words->rows[i][SYMBOL_BENCHMARK], benchmark) == 0 && strcmp(words->rows[i][SYMBOL], symbol) == 0)
            return words->rows[i][SYMBOL_DESCRIPTION];
    return NULL;
}

const char *cm_symbol_words_expression(const cm_symbol_words *words, const char *benchmark, const char *symbol)
{
    for (size_t i = 0; words != NULL && i < words->count; i++)
        if (strcmp(words->rows[i][SYMBOL_BENCHMARK], benchmark) == 0 && strcmp(words->rows[i][SYMBOL], symbol) == 0)
            return words->rows[i][EXPRESSION];
    return NULL;
}
