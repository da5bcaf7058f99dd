/* Meanings of metrics' names: sums of facts, from a table. */
#include "audit/claims.h"

#include "result/result.h"

/* Names behind the facts. */
enum { LOAD_SECTOR, STORE_SECTOR, SECTORS };

static ptrdiff_t resolve_name(const char *name, void *data)
{
    static const char *const sectors[SECTORS] = {
        [LOAD_SECTOR] = "gpu_load_sector", [STORE_SECTOR] = "gpu_store_sector"};
    (void)data;
    const size_t sector = CM_FIND(name, sectors, SECTORS);
    return sector < SECTORS ? (ptrdiff_t)(cm_fact_count() + sector) : cm_fact_find(name);
}

/* The factor of each fact in the expression; false if it is no sum of multiples. */
static bool read_factors(const cm_expression *expression, double *values, double *factors)
{
    double constant = cm_expression_evaluate(expression, values), sum = 0.0;
    size_t count = cm_expression_name_count(expression);
    for (size_t i = 0; i < count; i++) {
        size_t fact = cm_expression_name_index(expression, i);
        if (fact >= cm_fact_count())
            continue;
        values[fact] = 1.0;
        factors[fact] = cm_expression_evaluate(expression, values);
        values[fact] = 0.0;
        sum += 2.0 * factors[fact];
    }
    for (size_t i = 0; i < count; i++)
        if (cm_expression_name_index(expression, i) < cm_fact_count())
            values[cm_expression_name_index(expression, i)] = 2.0;
    return constant == 0.0 && fabs(cm_expression_evaluate(expression, values) - sum) <= 1e-9 * fabs(sum);
}

/* Replaces derived facts by the facts that they are sums of. */
static void expand_facts(const cm_fact_table *facts, const double *factors, cm_meaning *meaning)
{
    size_t count = cm_fact_count();
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; factors[i] != 0.0 && j < count; j++) {
            const double *parts = facts->facts[i].coefficients;
            meaning->coefficients[j] += factors[i] * (parts != NULL ? parts[j] : i == j ? 1.0 : 0.0);
        }
    meaning->smallest = INFINITY;
    meaning->settled = 0.0;
    for (size_t j = 0; j < count; j++) {
        double size = fabs(meaning->coefficients[j]);
        meaning->smallest = size != 0.0 ? fmin(meaning->smallest, size) : meaning->smallest;
        meaning->settled += size * facts->facts[j].tolerance;
        const bool untold = facts->facts[j].kind == CM_FACT_UNLISTED || facts->facts[j].kind == CM_FACT_ALIKE;
        meaning->of_machine = meaning->of_machine || (size != 0.0 && untold);
    }
    if (meaning->of_machine)
        meaning->settled = 0.0;
}

/* Reads a sum of facts; an error if the expression is no such sum. */
static cm_status read_meaning(const cm_fact_table *facts, const cm_meant_sectors *sectors, const char *text,
                              const char *file, size_t line, cm_meaning *meaning, cm_error *error)
{
    const cm_expression_source source = {.file = file, .line = line, .names_are = "fact"};
    cm_expression *expression = NULL;
    size_t count = cm_fact_count();
    double *values = calloc(2 * count + SECTORS, sizeof *values), *factors = values + count + SECTORS;
    if (values == NULL)
        return cm_error_no_memory(error);
    values[count + LOAD_SECTOR] = sectors->load;
    values[count + STORE_SECTOR] = sectors->store;
    cm_status status = cm_expression_parse(text, &source, resolve_name, NULL, &expression, error);
    if (status == CM_OK && !read_factors(expression, values, factors))
        status = cm_error_set(error, CM_BAD_INPUT, file, line, 0,
                              "expected a sum of multiples of facts, found '%.100s'", text);
    if (status == CM_OK)
        expand_facts(facts, factors, meaning);
    cm_expression_free(expression);
    free(values);
    return status;
}

cm_status cm_meanings_add(cm_meanings *meanings, const cm_fact_table *facts, const char *metric, const char *preset,
                          const char *text, const char *file, size_t line, cm_error *error)
{
    if (text == NULL || text[0] == '\0' || CM_FIND_ITEM(metric, metric, meanings->items, meanings->count) != NULL)
        return CM_OK;
    if (!CM_GROW_BY_ONE(meanings->items, meanings->count))
        return cm_error_no_memory(error);
    size_t size = cm_fact_count() * sizeof(double);
    cm_meaning *meaning = &meanings->items[meanings->count];
    *meaning = (cm_meaning){cm_arena_text(&meanings->arena, metric),
                            cm_arena_text(&meanings->arena, preset),
                            cm_arena_allocate(&meanings->arena, size),
                            0.0,
                            0.0,
                            false};
    if (meaning->metric == NULL || meaning->preset == NULL || meaning->coefficients == NULL)
        return cm_error_no_memory(error);
    memset(meaning->coefficients, 0, size);
    cm_status status = read_meaning(facts, &meanings->sectors, text, file, line, meaning, error);
    meanings->count += status == CM_OK;
    return status;
}

typedef struct meaning_loading {
    const cm_fact_table *facts;
    cm_meanings *meanings;
} meaning_loading;

static cm_status take_meaning_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const meaning_loading *in = data;
    return cm_meanings_add(in->meanings, in->facts, row->fields[0], row->fields[1], row->fields[3], cm_csv_path(csv),
                           row->line, error);
}

cm_status cm_meanings_load(const cm_fact_table *facts, cm_meanings *meanings, cm_error *error)
{
    static const char *const columns[] = {"metric", "preset", "description", "meaning"};
    meaning_loading in = {facts, meanings};
    return cm_csv_each_data("data/meanings.csv", sizeof columns / sizeof columns[0], columns, take_meaning_row, &in,
                            error);
}

void cm_meanings_clear(cm_meanings *meanings)
{
    free(meanings->items);
    cm_arena_clear(&meanings->arena);
    *meanings = (cm_meanings){.sectors = meanings->sectors};
}

const cm_meaning *cm_meanings_find(const cm_meanings *meanings, const char *name)
{
    const cm_meaning *found = CM_FIND_ITEM(metric, name, meanings->items, meanings->count);
    for (size_t i = 0; found == NULL && i < meanings->count; i++)
        if (cm_metric_is_called(meanings->items[i].metric, meanings->items[i].preset, name))
            found = &meanings->items[i];
    return found;
}

double cm_meaning_value(const cm_meaning *meaning, const cm_kernel_facts *kernel, double iterations, double *allowed)
{
    double value = 0.0, range = 0.0, chance = 0.0;
    for (size_t i = 0; i < cm_fact_count(); i++) {
        double factor = meaning->coefficients[i];
        if (factor == 0.0) /* the range of an unknown fact is infinite */
            continue;
        value += factor * kernel->values[i];
        range += fabs(factor) * kernel->ranges[i];
        chance += fabs(factor) * kernel->chances[i];
    }
    *allowed = range + meaning->settled + 4.0 * chance / sqrt(iterations);
    return value;
}
