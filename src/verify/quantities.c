#include "verify/quantities.h"

#include <stdlib.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "core/csv.h"
#include "core/error.h"
#include "core/grow.h"

enum { BENCHMARK, QUANTITY, EXPECTED, EXECUTED, QUANTUM, COLUMNS };
static const char *const columns[COLUMNS] = {"benchmark", "quantity", "expected", "executed", "quantum"};

static ptrdiff_t resolve_symbol(const char *name, void *data)
{
    const cm_basis *basis = data;
    for (size_t i = 0; i < basis->symbol_count; i++)
        if (strcmp(basis->symbols[i], name) == 0)
            return (ptrdiff_t)i;
    return -1;
}

static ptrdiff_t resolve_fact(const char *name, void *data)
{
    (void)data;
    return cm_fact_find(name);
}

static cm_status parse(const cm_csv *csv, const cm_csv_row *row, size_t field, cm_expression_resolve resolve,
                       const cm_basis *basis, cm_expression **expression, cm_error *error)
{
    cm_expression_source source = {.names_are = field == EXECUTED ? "fact" : "symbol"};
    /* The data pointer of a resolver is not const; ours only reads. */
    return cm_expression_parse_field(csv, row, field, &source, resolve, (void *)(uintptr_t)basis, expression, error);
}

static cm_status add_quantity(cm_quantities *quantities, const cm_csv *csv, const cm_csv_row *row,
                              const cm_basis *basis, cm_error *error)
{
    cm_quantity *items = cm_grow_by_one(quantities->items, quantities->count, sizeof *items);
    if (items == NULL)
        return cm_error_no_memory(error);
    quantities->items = items;
    cm_quantity *quantity = &items[quantities->count++];
    *quantity = (cm_quantity){.name = strdup(row->fields[QUANTITY])};
    if (quantity->name == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i + 1 < quantities->count; i++)
        if (strcmp(items[i].name, quantity->name) == 0)
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0, "the quantity %s appears twice",
                                quantity->name);
    cm_status status = CM_OK;
    if (row->fields[EXPECTED][0] != '\0')
        status = parse(csv, row, EXPECTED, resolve_symbol, basis, &quantity->expected, error);
    if (status == CM_OK)
        status = parse(csv, row, EXECUTED, resolve_fact, NULL, &quantity->executed, error);
    return status;
}

static cm_status check_row(const cm_csv *csv, const cm_csv_row *row, double *quantum, cm_error *error)
{
    cm_status status = cm_csv_name(csv, row, BENCHMARK, error);
    if (status == CM_OK)
        status = cm_csv_name(csv, row, QUANTITY, error);
    if (status == CM_OK)
        status = cm_csv_number(csv, row, QUANTUM, quantum, error);
    if (status == CM_OK && *quantum < 0.0)
        status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
                              "the quantum %s is negative, expected 0 or more", row->fields[QUANTUM]);
    return status;
}

static cm_status read_rows(cm_csv *csv, const char *benchmark, const cm_basis *basis, cm_quantities *quantities,
                           bool *covered, cm_error *error)
{
    for (;;) {
        cm_csv_row row;
        bool found = false;
        double quantum = 0.0;
        cm_status status = cm_csv_next(csv, &row, &found, error);
        if (status != CM_OK || !found)
            return status;
        status = check_row(csv, &row, &quantum, error);
        if (status == CM_OK && strcmp(row.fields[BENCHMARK], benchmark) == 0) {
            status = add_quantity(quantities, csv, &row, basis, error);
            ptrdiff_t symbol = resolve_symbol(row.fields[EXPECTED], (void *)(uintptr_t)basis);
            if (symbol >= 0)
                covered[symbol] = true;
            if (status == CM_OK)
                quantities->items[quantities->count - 1].quantum = quantum;
        }
        if (status != CM_OK)
            return status;
    }
}

cm_status cm_quantities_load(const char *path, const char *benchmark, const cm_basis *basis, cm_quantities *quantities,
                             cm_error *error)
{
    *quantities = (cm_quantities){0};
    cm_csv *csv = NULL;
    cm_status status = cm_csv_open(path, &csv, error);
    if (status != CM_OK)
        return status;
    bool *covered = calloc(basis->symbol_count + 1, sizeof *covered);
    status = covered != NULL ? cm_csv_expect(csv, COLUMNS, columns, false, error) : cm_error_no_memory(error);
    if (status == CM_OK)
        status = read_rows(csv, benchmark, basis, quantities, covered, error);
    if (status == CM_OK && quantities->count == 0)
        status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no row for the benchmark %s", benchmark);
    for (size_t i = 0; status == CM_OK && i < basis->symbol_count; i++)
        if (!covered[i])
            status = cm_error_set(error, CM_BAD_INPUT, path, 0, 0, "no quantity of %s covers the symbol %s", benchmark,
                                  basis->symbols[i]);
    free(covered);
    cm_csv_close(csv);
    return status;
}

void cm_quantities_clear(cm_quantities *quantities)
{
    for (size_t i = 0; i < quantities->count; i++) {
        free(quantities->items[i].name);
        cm_expression_free(quantities->items[i].expected);
        cm_expression_free(quantities->items[i].executed);
    }
    free(quantities->items);
    *quantities = (cm_quantities){0};
}
