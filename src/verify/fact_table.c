/* The facts of kernels, read from their table. */
#include "verify/verify.h"

#include <catmint/data_path.h>

#include "cat-kernels/registry.h"
#include "formulas/formulas.h"
#include "programs/programs.h"

enum { PRIMITIVE_FACT, PRIMITIVE_KIND, TOLERANCE, SEPARATE, ARCHITECTURE, WORDS, PRIMITIVE_COLUMNS };
static const char *const primitive_columns[PRIMITIVE_COLUMNS] = {"fact",     "kind",         "tolerance",
                                                                 "separate", "architecture", "words"};
enum { DERIVED_FACT, EXPRESSION, DERIVED_WORDS, DERIVED_COLUMNS };
static const char *const derived_columns[DERIVED_COLUMNS] = {"fact", "expression", "words"};
enum { BENCHMARK, KERNEL, ROLE, FACTS, CHANCE, RANGE, KERNEL_COLUMNS };
static const char *const kernel_columns[KERNEL_COLUMNS] = {"benchmark", "kernel", "role", "facts", "chance", "range"};
static const char *const roles[] = {"basis", "control", "free"};
enum { ROLES = CM_COUNT_OF(roles) };

/* The file of each architecture's facts, and of one whose kernels it shares but for those in its own file. */
static const struct {
    const char *name, *file, *shared;
} architectures[] = {
    {"x86_64", "bases/facts.csv", NULL},
    {"aarch64", "bases/aarch64/facts.csv", NULL},
    {"ppc64le", "bases/ppc64le/facts.csv", NULL},
    {"riscv64", "bases/riscv64/facts.csv", NULL},
    {"riscv32", "bases/riscv32/facts.csv", "bases/riscv64/facts.csv"},
};
enum { ARCHITECTURES = CM_COUNT_OF(architectures) };

static ptrdiff_t resolve_primitive(const char *name, void *data)
{
    const cm_fact_table *table = data;
    ptrdiff_t fact = cm_fact_find(name);
    cm_fact_kind kind = fact >= 0 ? table->facts[fact].kind : CM_FACT_UNLISTED;
    bool primitive = kind != CM_FACT_UNLISTED && kind != CM_FACT_DERIVED && kind != CM_FACT_ALIKE;
    return primitive ? fact : CM_RESOLVED_NONE;
}

/* Whether the expression is a sum of multiples of facts; fills their coefficients. It is evaluated on each fact alone,
 * and on all of them with different values. `values`: space for one a fact, all 0. */
static bool is_sum(const cm_expression *expression, double *values, double *coefficients)
{
    double sum = 0.0, size = 0.0;
    if (cm_expression_evaluate(expression, values) != 0.0)
        return false;
    for (size_t i = 0; i < cm_expression_name_count(expression); i++) {
        size_t fact = cm_expression_name_index(expression, i);
        values[fact] = 1.0;
        coefficients[fact] = cm_expression_evaluate(expression, values);
        values[fact] = 0.0;
    }
    for (size_t i = 0; i < cm_expression_name_count(expression); i++) {
        size_t fact = cm_expression_name_index(expression, i);
        values[fact] = 1.5 + (double)i;
        sum += values[fact] * coefficients[fact];
        size += fabs(values[fact] * coefficients[fact]);
    }
    return fabs(cm_expression_evaluate(expression, values) - sum) <= 1e-9 * size;
}

/* Reads a sum of multiples of primitive facts; an empty field is an empty sum. */
static cm_status read_sum(const cm_csv *csv, const cm_csv_row *row, size_t field, const cm_fact_table *table,
                          double *coefficients, cm_error *error)
{
    const cm_expression_source source = {.names_are = "primitive fact"};
    cm_expression *expression = NULL;
    double *values = calloc(cm_fact_count() + 1, sizeof *values);
    if (values == NULL)
        return cm_error_no_memory(error);
    cm_status status = cm_expression_parse_field(csv, row, field, &source, resolve_primitive, (void *)(uintptr_t)table,
                                                 &expression, error);
    if (status == CM_OK && !is_sum(expression, values, coefficients))
        status =
            CM_CSV_FAULT(csv, row->line, error, "expected a sum of multiples of facts, found '%s'", row->fields[field]);
    cm_expression_free(expression);
    free(values);
    return status;
}

/* ---- lists of facts ---- */

/* The fact that a row names; one that has a row already is a fault. */
static cm_status find_new_fact(const cm_csv *csv, const cm_csv_row *row, const cm_fact_table *table, size_t *fact,
                               cm_error *error)
{
    ptrdiff_t found = cm_fact_find(row->fields[0]);
    if (found < 0)
        return CM_CSV_FAULT(csv, row->line, error, "unknown fact '%s'", row->fields[0]);
    *fact = (size_t)found;
    if (table->facts[found].kind != CM_FACT_UNLISTED)
        return CM_CSV_FAULT(csv, row->line, error, "the fact %s appears twice", row->fields[0]);
    return CM_OK;
}

static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; *at != '\0'; at += strcspn(at, " "), at += strspn(at, " "))
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Reads the kind of a primitive fact; a speculative one is like a fact of the right path, one alike has another's
 * amounts. */
static cm_status read_kind(const cm_csv *csv, const cm_csv_row *row, cm_listed_fact *listed, cm_error *error)
{
    static const struct {
        const char *words;
        cm_fact_kind kind;
        bool of; /* a fact */
    } kinds[] = {{"counted", CM_FACT_COUNTED, false},
                 {"free", CM_FACT_FREE, false},
                 {"speculative ", CM_FACT_SPECULATIVE, true},
                 {"alike ", CM_FACT_ALIKE, true}};
    const char *kind = row->fields[PRIMITIVE_KIND];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t length = strlen(kinds[i].words);
        ptrdiff_t like = kinds[i].of ? cm_fact_find(kind + strnlen(kind, length)) : 0;
        listed->kind = kinds[i].kind;
        listed->like = like >= 0 ? (size_t)like : 0;
        if (like >= 0 && strncmp(kind, kinds[i].words, length) == 0 && (kinds[i].of || kind[length] == '\0'))
            return CM_OK;
    }
    return CM_CSV_FAULT(csv, row->line, error,
                        "the kind is '%s', expected counted, free, or speculative or alike and a fact", kind);
}

/* Takes a primitive fact; an error names a wrong field. */
static cm_status take_primitive(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    size_t fact = 0;
    double tolerance = 0.0;
    cm_status status = find_new_fact(csv, row, table, &fact, error);
    CM_THEN(status, cm_csv_number(csv, row, TOLERANCE, &tolerance, error));
    if (status == CM_OK && tolerance < 0.0)
        status = CM_CSV_FAULT(csv, row->line, error, "the tolerance %s is negative, expected 0 or more",
                              row->fields[TOLERANCE]);
    CM_THEN(status, read_kind(csv, row, &table->facts[fact], error));
    CM_THEN(status, cm_csv_name(csv, row, SEPARATE, error));
    CM_THEN(status, cm_csv_name(csv, row, WORDS, error));
    if (status != CM_OK)
        return status;
    cm_listed_fact *listed = &table->facts[fact];
    listed->tolerance = tolerance;
    listed->separate = strcmp(row->fields[SEPARATE], "yes") == 0;
    listed->elsewhere =
        row->fields[ARCHITECTURE][0] != '\0' && !has_word(row->fields[ARCHITECTURE], table->architecture);
    listed->subject = strdup(row->fields[SEPARATE]);
    listed->words = strdup(row->fields[WORDS]);
    table->primitives[table->primitive_count++] = fact;
    return listed->subject != NULL && listed->words != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Takes a derived fact, a sum of primitive ones. */
static cm_status take_derived(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    size_t fact = 0;
    cm_status status = find_new_fact(csv, row, table, &fact, error);
    if (status != CM_OK)
        return status;
    double *coefficients = calloc(cm_fact_count(), sizeof *coefficients);
    table->facts[fact].coefficients = coefficients;
    status = coefficients != NULL ? cm_csv_name(csv, row, EXPRESSION, error) : cm_error_no_memory(error);
    CM_THEN(status, read_sum(csv, row, EXPRESSION, table, coefficients, error));
    CM_THEN(status, cm_csv_name(csv, row, DERIVED_WORDS, error));
    if (status != CM_OK)
        return status;
    table->facts[fact].kind = CM_FACT_DERIVED;
    table->facts[fact].words = strdup(row->fields[DERIVED_WORDS]);
    table->derived[table->derived_count++] = fact;
    return table->facts[fact].words != NULL ? CM_OK : cm_error_no_memory(error);
}

/* ---- the kernels ---- */

/* Derives facts from primitive ones, chances and ranges as sums of sizes. Few facts of a kernel are not 0. */
static void derive_values(const cm_fact_table *table, double *values, bool sizes)
{
    const size_t count = cm_fact_count();
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; values[i] != 0.0 && k < table->derived_count; k++) {
            const double coefficient = table->facts[table->derived[k]].coefficients[i];
            values[table->derived[k]] += (sizes ? fabs(coefficient) : coefficient) * values[i];
        }
}

/* Reads a field of a kernel's facts; an error names a negative one. */
static cm_status read_facts(const cm_fact_table *table, const cm_csv *csv, const cm_csv_row *row, size_t field,
                            double **values, cm_error *error)
{
    *values = table->none;
    if (row->fields[field][0] == '\0' && field != FACTS)
        return CM_OK;
    *values = calloc(cm_fact_count(), sizeof **values);
    if (*values == NULL)
        return cm_error_no_memory(error);
    if (row->fields[field][0] == '\0')
        return CM_OK;
    cm_status status = read_sum(csv, row, field, table, *values, error);
    const size_t count = cm_fact_count();
    for (size_t i = 0; status == CM_OK && i < count; i++)
        if ((*values)[i] < 0.0)
            status =
                CM_CSV_FAULT(csv, row->line, error, "%s of %s is negative", kernel_columns[field], cm_fact_name(i));
    if (status == CM_OK)
        derive_values(table, *values, field != FACTS);
    for (size_t i = 0; status == CM_OK && i < count; i++)
        if (table->facts[i].kind == CM_FACT_ALIKE)
            (*values)[i] = (*values)[table->facts[i].like];
    return status;
}

static cm_status read_role(const cm_csv *csv, const cm_csv_row *row, cm_kernel_role *role, cm_error *error)
{
    const size_t found = CM_FIND(row->fields[ROLE], roles, ROLES);
    *role = (cm_kernel_role)found;
    if (found < ROLES)
        return CM_OK;
    return CM_CSV_FAULT(csv, row->line, error, "the role is '%s', expected basis, control or free", row->fields[ROLE]);
}

/* Adds a kernel's row. */
static cm_status take_kernel(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    cm_status status = cm_csv_name(csv, row, BENCHMARK, error);
    CM_THEN(status, cm_csv_name(csv, row, KERNEL, error));
    if (status == CM_OK && cm_fact_table_find(table, row->fields[BENCHMARK], row->fields[KERNEL]) != NULL)
        status = CM_CSV_FAULT(csv, row->line, error, "the kernel %s of %s appears twice", row->fields[KERNEL],
                              row->fields[BENCHMARK]);
    if (status != CM_OK)
        return status;
    size_t count = table->kernel_count + table->other_count;
    if (!CM_GROW_BY_ONE(table->kernels, count))
        return cm_error_no_memory(error);
    cm_kernel_facts *kernel = &table->kernels[count];
    table->kernel_count++;
    *kernel = (cm_kernel_facts){.benchmark = strdup(row->fields[BENCHMARK]), .kernel = strdup(row->fields[KERNEL])};
    status = kernel->benchmark != NULL && kernel->kernel != NULL ? read_role(csv, row, &kernel->role, error)
                                                                 : cm_error_no_memory(error);
    CM_THEN(status, read_facts(table, csv, row, FACTS, &kernel->values, error));
    CM_THEN(status, read_facts(table, csv, row, CHANCE, &kernel->chances, error));
    return status == CM_OK ? read_facts(table, csv, row, RANGE, &kernel->ranges, error) : status;
}

/* A kernel that has a row of its own keeps that. */
static cm_status take_shared(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    bool own = cm_fact_table_find(table, row->fields[BENCHMARK], row->fields[KERNEL]) != NULL;
    return own ? CM_OK : take_kernel(csv, row, table, error);
}

/* A kernel that only another architecture has is known, but not run here. */
static cm_status take_other(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    cm_fact_table *table = data;
    size_t before = table->kernel_count;
    cm_status status = take_shared(csv, row, table, error);
    table->other_count += table->kernel_count - before;
    table->kernel_count = before;
    return status;
}

/* Reads catmint's own kernels of this architecture and GPUs, and the names of the others. */
static cm_status read_own(cm_fact_table *table, cm_error *error)
{
    size_t own = 0;
    for (size_t i = 0; i < ARCHITECTURES; i++)
        if (strcmp(architectures[i].name, table->architecture) == 0)
            own = i;
    cm_status status = cm_data_path(architectures[own].file, &table->file, error);
    CM_THEN(status, cm_csv_each(table->file, KERNEL_COLUMNS, kernel_columns, take_kernel, table, error));
    if (status == CM_OK && architectures[own].shared != NULL)
        status = cm_csv_each_data(architectures[own].shared, KERNEL_COLUMNS, kernel_columns, take_shared, table, error);
    if (status == CM_OK) /* GPUs exist beside any processor */
        status = cm_csv_each_data("bases/gpu/facts.csv", KERNEL_COLUMNS, kernel_columns, take_kernel, table, error);
    for (size_t i = 0; status == CM_OK && i < ARCHITECTURES; i++)
        if (i != own)
            status = cm_csv_each_data(architectures[i].file, KERNEL_COLUMNS, kernel_columns, take_other, table, error);
    return status;
}

/* Facts that a benchmark should separate must be separate if kernels of that benchmark are in the table. */
static void ask_benchmarks(cm_fact_table *table)
{
    for (size_t i = 0; i < table->primitive_count; i++) {
        cm_listed_fact *listed = &table->facts[table->primitives[i]];
        for (size_t k = 0; !listed->separate && k < table->kernel_count; k++)
            listed->separate = strcmp(table->kernels[k].benchmark, listed->subject) == 0;
    }
}

/* Reads the lists of facts, then the kernels. */
static cm_status fill_table(cm_fact_table *table, const char *path, cm_error *error)
{
    if (!CM_ALLOCATE(table->facts, cm_fact_count() + 1) || !CM_ALLOCATE(table->primitives, cm_fact_count() + 1) ||
        !CM_ALLOCATE(table->derived, cm_fact_count() + 1) || !CM_ALLOCATE(table->none, cm_fact_count()))
        return cm_error_no_memory(error);
    cm_status status = cm_csv_each_data("bases/primitive-facts.csv", PRIMITIVE_COLUMNS, primitive_columns,
                                        take_primitive, table, error);
    CM_THEN(status,
            cm_csv_each_data("bases/derived-facts.csv", DERIVED_COLUMNS, derived_columns, take_derived, table, error));
    if (status != CM_OK)
        return status;
    if (path == NULL)
        status = read_own(table, error);
    else if ((table->file = strdup(path)) == NULL)
        status = cm_error_no_memory(error);
    else
        status = cm_csv_each(table->file, KERNEL_COLUMNS, kernel_columns, take_kernel, table, error);
    if (status == CM_OK)
        ask_benchmarks(table);
    return status;
}

cm_status cm_fact_table_load(const char *path, const char *architecture, cm_fact_table **table, cm_error *error)
{
    cm_fact_table *loaded = calloc(1, sizeof *loaded);
    if (loaded == NULL)
        return cm_error_no_memory(error);
    const size_t i =
        architecture != NULL ? CM_FIND_BY(name, architecture, architectures, ARCHITECTURES) : ARCHITECTURES;
    loaded->architecture = i < ARCHITECTURES ? architectures[i].name : cm_kernel_architecture;
    cm_status status = fill_table(loaded, path, error);
    CM_HAND_OVER(status, table, loaded, cm_fact_table_free);
    return status;
}

void cm_fact_table_free(cm_fact_table *table)
{
    if (table == NULL || table->sharers-- > 0)
        return;
    for (size_t i = 0; i < table->kernel_count + table->other_count; i++) {
        CM_FREE(table->kernels[i].benchmark, table->kernels[i].kernel, table->kernels[i].values);
        if (table->kernels[i].chances != table->none)
            free(table->kernels[i].chances);
        if (table->kernels[i].ranges != table->none)
            free(table->kernels[i].ranges);
    }
    for (size_t i = 0; table->facts != NULL && i < cm_fact_count(); i++) {
        CM_FREE(table->facts[i].subject, table->facts[i].words, table->facts[i].coefficients);
    }
    CM_FREE(table->kernels, table->facts, table->primitives, table->derived, table->none);
    cm_natural_free(table->natural);
    CM_FREE(table->file, table);
}
