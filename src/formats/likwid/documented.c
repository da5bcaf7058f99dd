#include "formats/likwid/likwid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/text.h"

enum { TRIALS = 2 };

static const double rounding_errors = 1e-9;

bool cm_documented_parse(cm_formulas *formulas, const char *text, size_t line, cm_documented *documented)
{
    const char *begin = text + strspn(text, " \t"), *equals = strstr(begin, " = ");
    if (equals == NULL)
        return false;
    size_t length = (size_t)(equals - begin);
    while (length > 0 && begin[length - 1] == ' ')
        length--;
    const char *formula = equals + strlen(" = ");
    formula += strspn(formula, " \t");
    *documented = (cm_documented){.metric = cm_formulas_keep(formulas, begin, length),
                                  .formula = cm_formulas_keep(formulas, formula, strcspn(formula, "\r\n")),
                                  .line = line,
                                  .column = cm_lines_column(text, (size_t)(formula - text))};
    return true;
}

static const cm_formula *find_metric(const cm_formulas *formulas, const char *metric)
{
    for (size_t i = 0; i < formulas->count; i++)
        if (strcmp(formulas->formulas[i].info.metric, metric) == 0)
            return &formulas->formulas[i];
    return NULL;
}

/* Fills pseudo-random numbers from 1 to 2, the same each time. */
static void draw(double *values, size_t count, unsigned long long *state)
{
    for (size_t i = 0; i < count; i++) {
        *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
        values[i] = 1.0 + (double)(*state >> 11) / 9007199254740992.0;
    }
}

/* *found: both expressions have different values for some random quantities. */
static cm_status differ(const cm_formulas *formulas, const cm_expression *one, const cm_expression *other, bool *found,
                        cm_error *error)
{
    unsigned long long state = 1;
    double *values = calloc(formulas->quantity_count + 1, sizeof *values);
    if (values == NULL)
        return cm_error_no_memory(error);
    cm_status status = CM_OK;
    *found = false;
    for (int i = 0; i < TRIALS && status == CM_OK; i++) {
        double a = 0.0, b = 0.0;
        draw(values, formulas->quantity_count, &state);
        status = cm_expression_try(one, values, &a, error);
        if (status == CM_OK)
            status = cm_expression_try(other, values, &b, error);
        *found = *found || (status == CM_OK && fabs(a - b) > rounding_errors * fmax(fabs(a), fabs(b)));
    }
    free(values);
    return status == CM_BAD_INPUT ? CM_OK : status; /* a division by zero */
}

/* Compares a line of LONG with the formula of its metric. */
static cm_status check(cm_formulas *formulas, const cm_documented *documented, cm_expression_resolve resolve,
                       void *data, cm_error *error)
{
    const cm_formula *formula = find_metric(formulas, documented->metric);
    const cm_expression_source source = {
        .dialect = CM_EXPRESSION_LIKWID, .file = formulas->file, .line = documented->line, .names_are = "event"};
    cm_expression *expression = NULL;
    bool found = false;
    if (formula == NULL || formula->expression == NULL)
        return CM_OK;
    const size_t line = formula->info.line;
    cm_status status = cm_expression_parse(documented->formula, &source, resolve, data, &expression, error);
    if (status != CM_OK)
        return status == CM_BAD_INPUT ? CM_OK : status;
    status = differ(formulas, formula->expression, expression, &found, error);
    cm_expression_free(expression);
    if (status == CM_OK && found)
        status = cm_formulas_add_remark(formulas, CM_FAULT_DOCUMENTED, documented->line, documented->column,
                                        documented->metric, "LONG says otherwise than METRICS does in line %zu", line);
    return status;
}

cm_status cm_documented_check(cm_formulas *formulas, const cm_documented *documented, size_t count,
                              cm_expression_resolve resolve, void *data, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = check(formulas, &documented[i], resolve, data, error);
    return status;
}
