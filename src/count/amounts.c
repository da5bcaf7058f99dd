#include "count/count.h"

#include "programs/programs.h"
#include "verify/verify.h"

/* Amounts up to this are 0: the rounding of sums with different signs. */
static const double nothing = 1e-12;

typedef struct amount {
    char *text;
    bool each;
    cm_expression *expression;
    double *weights; /* with `each`: one a fact; else NULL */
    bool is_free, is_speculative;
    double *rows; /* one a kernel and natural program */
} amount;

struct cm_amounts {
    cm_fact_table *facts;
    size_t row_count;
    double *rows; /* facts of each kernel and natural program, with derived ones */
    size_t count;
    amount *amounts;
};

/* Computes all facts of a natural program from its primitive ones. */
static void derive_facts(const cm_fact_table *table, const double *primitive, double *facts)
{
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const double *parts = table->facts[fact].kind == CM_FACT_DERIVED ? table->facts[fact].coefficients : NULL;
        facts[fact] = primitive[fact];
        for (size_t i = 0; parts != NULL && i < cm_fact_count(); i++)
            facts[fact] += parts[i] != 0.0 ? parts[i] * primitive[i] : 0.0;
    }
}

/* Fills the rows: the facts of all kernels, then those of natural programs. */
static cm_status fill_rows(cm_amounts *made, const cm_natural *natural, cm_error *error)
{
    const size_t facts = cm_fact_count(), kernels = made->facts->kernel_count;
    made->row_count = kernels + natural->count;
    if (!CM_ALLOCATE(made->rows, made->row_count * facts + 1))
        return cm_error_no_memory(error);
    for (size_t k = 0; k < kernels; k++)
        memcpy(made->rows + k * facts, made->facts->kernels[k].values, facts * sizeof *made->rows);
    for (size_t p = 0; p < natural->count; p++)
        derive_facts(made->facts, natural->facts + p * facts, made->rows + (kernels + p) * facts);
    return CM_OK;
}

cm_status cm_amounts_create(cm_amounts **amounts, cm_error *error)
{
    cm_natural *natural = NULL;
    cm_amounts *made = calloc(1, sizeof *made);
    cm_status status = made != NULL ? cm_fact_table_load(NULL, NULL, &made->facts, error) : cm_error_no_memory(error);
    CM_THEN(status, cm_natural_load(NULL, &natural, error));
    CM_THEN(status, fill_rows(made, natural, error));
    cm_natural_free(natural);
    CM_HAND_OVER(status, amounts, made, cm_amounts_free);
    return status;
}

static void clear_amount(amount *one)
{
    cm_expression_free(one->expression);
    CM_FREE(one->text, one->weights, one->rows);
}

void cm_amounts_free(cm_amounts *amounts)
{
    if (amounts == NULL)
        return;
    for (size_t i = 0; i < amounts->count; i++)
        clear_amount(&amounts->amounts[i]);
    CM_FREE(amounts->amounts, amounts->rows);
    cm_fact_table_free(amounts->facts);
    free(amounts);
}

static double compute_amount(const amount *one, const double *facts)
{
    double sum = 0.0;
    if (one->weights == NULL)
        return fabs(cm_expression_evaluate(one->expression, facts));
    for (size_t i = 0; i < cm_fact_count(); i++)
        sum += one->weights[i] != 0.0 ? fabs(one->weights[i]) * facts[i] : 0.0;
    return sum;
}

/* Parses the expression, and with `each` its weights. */
static cm_status read_expression(const cm_amounts *amounts, amount *one, cm_error *error)
{
    const cm_expression_source source = {.names_are = "fact"};
    cm_status status = cm_expression_parse(one->text, &source, cm_fact_resolve, NULL, &one->expression, error);
    CM_THEN(status, cm_expression_check_divisors(one->expression, error));
    if (status != CM_OK || !one->each)
        return status;
    one->weights = calloc(cm_fact_count() + 1, sizeof *one->weights);
    return one->weights != NULL ? cm_meaning_parse(amounts->facts, one->text, NULL, one->weights, error)
                                : cm_error_no_memory(error);
}

/* Makes an amount, with its value for each row. */
static cm_status make_amount(const cm_amounts *amounts, const char *text, bool each, amount *made, cm_error *error)
{
    *made = (amount){.text = strdup(text), .each = each, .rows = calloc(amounts->row_count + 1, sizeof *made->rows)};
    cm_status status =
        made->text != NULL && made->rows != NULL ? read_expression(amounts, made, error) : cm_error_no_memory(error);
    if (status != CM_OK)
        return status;
    made->is_speculative = cm_expression_name_count(made->expression) > 0;
    for (size_t i = 0; i < cm_expression_name_count(made->expression); i++) {
        cm_fact_kind kind = amounts->facts->facts[cm_expression_name_index(made->expression, i)].kind;
        made->is_free |= kind == CM_FACT_FREE;
        made->is_speculative &= kind == CM_FACT_SPECULATIVE;
    }
    for (size_t r = 0; r < amounts->row_count; r++)
        made->rows[r] = compute_amount(made, amounts->rows + r * cm_fact_count());
    return CM_OK;
}

cm_status cm_amounts_add(cm_amounts *amounts, const char *expression, bool each, size_t *amount_found, cm_error *error)
{
    for (size_t i = 0; i < amounts->count; i++)
        if (amounts->amounts[i].each == each && strcmp(amounts->amounts[i].text, expression) == 0) {
            *amount_found = i;
            return CM_OK;
        }
    if (!CM_GROW_BY_ONE(amounts->amounts, amounts->count))
        return cm_error_no_memory(error);
    cm_status status = make_amount(amounts, expression, each, &amounts->amounts[amounts->count], error);
    if (status == CM_OK)
        *amount_found = amounts->count++;
    else
        clear_amount(&amounts->amounts[amounts->count]);
    return status;
}

CM_GETTER(size_t cm_amounts_count(const cm_amounts *amounts), amounts->count)
CM_GETTER(const char *cm_amounts_text(const cm_amounts *amounts, size_t index), amounts->amounts[index].text)

double cm_amounts_in(const cm_amounts *amounts, size_t index, const double *facts)
{
    return compute_amount(&amounts->amounts[index], facts);
}

double cm_amounts_most(const cm_amounts *amounts, size_t index, size_t other)
{
    const double *rows = amounts->amounts[index].rows, *others = amounts->amounts[other].rows;
    double most = 1.0;
    for (size_t r = 0; r < amounts->row_count; r++) {
        if (rows[r] > nothing && others[r] <= nothing)
            return INFINITY;
        if (others[r] > nothing && rows[r] > most * others[r])
            most = rows[r] / others[r];
    }
    return most;
}

CM_GETTER(bool cm_amounts_is_speculative(const cm_amounts *amounts, size_t index),
          amounts->amounts[index].is_speculative)
CM_GETTER(bool cm_amounts_is_free(const cm_amounts *amounts, size_t index), amounts->amounts[index].is_free)
