/* A snippet as a row of a basis. */
#include "verify/snippet/snippet.h"
#include "tables/tables.h"
#include "verify/verify.h"

typedef struct basis_row {
    const char *benchmark;
    cm_basis *basis;
    cm_symbol_words *words;
    cm_fact_table *table;
    char *path;     /* of the words */
    double *values; /* one a symbol */
} basis_row;

/* Loads the benchmark's basis, and the tables by which facts become symbols. */
static cm_status load_basis(basis_row *row, cm_error *error)
{
    char name[256], *path = NULL;
    snprintf(name, sizeof name, "bases/%.200s.csv", row->benchmark);
    cm_status status = cm_data_path(name, &path, error);
    CM_THEN(status, cm_basis_load(path, &row->basis, error));
    CM_THEN(status, cm_data_path("bases/symbols.csv", &row->path, error));
    CM_THEN(status, cm_symbol_words_load(row->path, &row->words, error));
    CM_THEN(status, cm_fact_table_load(NULL, NULL, &row->table, error));
    if (status == CM_OK && (row->values = calloc(row->basis->symbol_count + 1, sizeof *row->values)) == NULL)
        status = cm_error_no_memory(error);
    free(path);
    return status;
}

/* The symbol's count in a copy. */
static cm_status evaluate_symbol(basis_row *row, const cm_snippet *snippet, size_t symbol, double *weights,
                                 cm_error *error)
{
    const char *name = row->basis->symbols[symbol];
    const char *text = cm_symbol_words_expression(row->words, row->benchmark, name);
    memset(weights, 0, snippet->fact_count * sizeof *weights);
    if (text == NULL || text[0] == '\0')
        return cm_error_set(error, CM_BAD_INPUT, row->path, 0, 0, "the symbol %s has no expression over facts", name);
    cm_status status = cm_meaning_parse(row->table, text, row->path, weights, error);
    for (size_t i = 0; status == CM_OK && i < snippet->fact_count; i++) {
        if (weights[i] != 0.0 && !snippet->facts[i].proven)
            return cm_error_set(error, CM_BAD_INPUT, snippet->file, 0, 0,
                                "it makes no row of %s: its fact %s is not proven, which the symbol %s counts",
                                row->benchmark, snippet->facts[i].name, name);
        if (weights[i] != 0.0)
            row->values[symbol] += weights[i] * snippet->facts[i].value;
    }
    return status;
}

/* The file's name without directory and ending. */
static char *stem(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash != NULL ? slash + 1 : file, *dot = strrchr(name, '.');
    return dot != NULL && dot > name ? strndup(name, (size_t)(dot - name)) : strdup(name);
}

/* Writes header and row of the basis. CM_OK or CM_IO. */
static cm_status write_row(const basis_row *row, const char *name, FILE *stream, cm_error *error)
{
    char number[64];
    cm_csv_write_field(stream, "kernel");
    for (size_t i = 0; i < row->basis->symbol_count; i++) {
        fputc(',', stream);
        cm_csv_write_field(stream, row->basis->symbols[i]);
    }
    fputc('\n', stream);
    cm_csv_write_field(stream, name);
    for (size_t i = 0; i < row->basis->symbol_count; i++) {
        snprintf(number, sizeof number, "%.12g", row->values[i]);
        fprintf(stream, ",%s", number);
    }
    fputc('\n', stream);
    return fflush(stream) == 0 && !ferror(stream) ? CM_OK : cm_error_io(error, NULL, "the row cannot be written");
}

cm_status cm_snippet_write_row(const cm_snippet *snippet, const char *benchmark, FILE *stream, cm_error *error)
{
    basis_row row = {.benchmark = benchmark};
    double *weights = calloc(snippet->fact_count + 1, sizeof *weights);
    char *name = stem(snippet->file);
    cm_status status = weights != NULL && name != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, load_basis(&row, error));
    for (size_t i = 0; status == CM_OK && i < row.basis->symbol_count; i++)
        status = evaluate_symbol(&row, snippet, i, weights, error);
    CM_THEN(status, write_row(&row, name, stream, error));
    cm_basis_free(row.basis);
    cm_symbol_words_free(row.words);
    cm_fact_table_free(row.table);
    CM_FREE(row.path, row.values, weights, name);
    return status;
}
