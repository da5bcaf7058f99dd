#include "verify/validation/validation.h"

/* Largest error of the expression if each fact is off by its range: meanings are sums. `zeros`: one a fact, all 0. */
static double range_of(const cm_expression *meaning, const double *ranges, double *zeros)
{
    double range = 0.0;
    for (size_t i = 0; i < cm_expression_name_count(meaning); i++) {
        size_t fact = cm_expression_name_index(meaning, i);
        zeros[fact] = 1.0;
        double weight = fabs(cm_expression_evaluate(meaning, zeros));
        zeros[fact] = 0.0;
        if (weight > 0.0)
            range += weight * ranges[fact];
    }
    return range;
}

cm_status cm_validation_means(const char *meaning, const cm_program_table *table, double *values, double *ranges,
                              cm_error *error)
{
    const cm_expression_source source = {.names_are = "fact"};
    cm_expression *parsed = NULL;
    for (size_t i = 0; i < table->program_count; i++) {
        values[i] = 0.0;
        ranges[i] = INFINITY;
    }
    if (meaning[0] == '\0')
        return CM_OK;
    double *zeros = calloc(cm_fact_count() + 1, sizeof *zeros);
    cm_status status = zeros != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_expression_parse(meaning, &source, cm_fact_resolve, NULL, &parsed, error));
    for (size_t i = 0; status == CM_OK && i < table->program_count; i++) {
        values[i] = cm_expression_evaluate(parsed, table->facts + i * cm_fact_count());
        ranges[i] = range_of(parsed, table->ranges + i * cm_fact_count(), zeros);
    }
    cm_expression_free(parsed);
    free(zeros);
    return status;
}

size_t cm_program_table_find(const cm_program_table *table, const char *event)
{
    return CM_FIND(event, table->events, table->event_count);
}

/* Largest error of a program's counts by chance, in standard errors. */
static const double chance = 4.0;

/* The sum of the terms on each program, and the squares of their standard errors; false if an event was not counted. */
static bool add_terms(const cm_validated_definition *definition, const cm_program_table *table, double *values,
                      double *squares)
{
    for (size_t k = 0; k < definition->term_count; k++) {
        size_t event = cm_program_table_find(table, definition->terms[k].event);
        if (event == table->event_count)
            return false;
        for (size_t i = 0; i < table->program_count; i++) {
            size_t at = event * table->program_count + i;
            values[i] += definition->terms[k].coefficient * table->counts[at];
            squares[i] += table->errors != NULL ? pow(definition->terms[k].coefficient * table->errors[at], 2.0) : 0.0;
        }
    }
    return true;
}

/* NaN if the program decides nothing: the meaning is next to 0, or its range is as large as itself. */
static double deviation_of(double value, double meant, double range)
{
    if (!(fabs(meant) >= CM_VALIDATION_LEAST) || !(range < fabs(meant)))
        return NAN;
    return fmax(0.0, fabs(value - meant) - range) / fabs(meant);
}

/* The definition's values on all programs, and the values of its metric's meaning. */
typedef struct comparison {
    double *meant, *ranges, *values, *errors; /* one a program; errors: by chance, and by the definition's own leaks */
    bool known;                               /* false: the meaning is unknown, or an event was not counted */
} comparison;

/* Free `meant`, which holds all four arrays, in any case. */
static cm_status compare_programs(const cm_validated_definition *definition, const cm_program_table *table,
                                  comparison *with, cm_error *error)
{
    size_t count = table->program_count;
    if (!CM_ALLOCATE(with->meant, 4 * count + 1))
        return cm_error_no_memory(error);
    with->ranges = with->meant + count;
    with->values = with->ranges + count;
    with->errors = with->values + count;
    cm_status status = cm_validation_means(definition->meaning, table, with->meant, with->ranges, error);
    with->known =
        status == CM_OK && definition->meaning[0] != '\0' && add_terms(definition, table, with->values, with->errors);
    for (size_t i = 0; i < count; i++)
        with->errors[i] = chance * sqrt(with->errors[i]) + (definition->leaks != NULL ? definition->leaks[i] : 0.0);
    return status;
}

static double deviation_in(const comparison *with, size_t program)
{
    return with->known ? deviation_of(with->values[program], with->meant[program],
                                      with->ranges[program] + with->errors[program])
                       : NAN;
}

cm_status cm_validation_deviations(const cm_validated_definition *definition, const cm_program_table *table,
                                   double *deviations, cm_error *error)
{
    comparison with = {0};
    cm_status status = compare_programs(definition, table, &with, error);
    for (size_t i = 0; status == CM_OK && i < table->program_count; i++)
        deviations[i] = deviation_in(&with, i);
    free(with.meant);
    return status;
}

static void note_outcome(const comparison *with, const cm_program_table *table, size_t program,
                         cm_validation *validation)
{
    if (validation->outcome_count == CM_VALIDATION_OUTCOMES)
        return;
    cm_validation_outcome *outcome = &validation->outcomes[validation->outcome_count++];
    *outcome = (cm_validation_outcome){
        .expected = with->meant[program], .range = with->ranges[program], .measured = with->values[program]};
    snprintf(outcome->program, sizeof outcome->program, "%s", table->programs[program]);
}

static const char *class_of(const cm_program_table *table, size_t program)
{
    return table->classes != NULL ? table->classes[program] : "";
}

/* The median of the class of program `first`, if that is the first of its class; `buffer`: space for one a program.
 * NaN: it is not the first, or no program of the class judges. */
static double median_of_class(const comparison *with, const cm_program_table *table, size_t first, double *buffer)
{
    size_t count = 0;
    for (size_t i = 0; i < table->program_count; i++) {
        double deviation = deviation_in(with, i);
        /* Beside classes, a program of none is one by itself. */
        const bool none = table->classes != NULL && class_of(table, i)[0] == '\0';
        const bool same = i == first || (!none && strcmp(class_of(table, i), class_of(table, first)) == 0);
        if (same && i < first)
            return NAN;
        if (same && !isnan(deviation))
            buffer[count++] = deviation;
    }
    return cm_median(buffer, count);
}

/* Finds the class with the largest median. */
static void judge_classes(double limit, const comparison *with, const cm_program_table *table, double *buffer,
                          cm_validation *validation)
{
    for (size_t i = 0; i < table->program_count; i++) {
        double median = median_of_class(with, table, i, buffer);
        if (isnan(median) || median <= validation->median)
            continue;
        validation->median = median;
        snprintf(validation->worst_class, sizeof validation->worst_class, "%s", class_of(table, i));
    }
    validation->refuted = validation->median > limit;
}

/* Counts the programs that judge and those that refute, and notes the worst. */
static void judge_all(double limit, const comparison *with, const cm_program_table *table, cm_validation *validation)
{
    size_t worst = 0;
    for (size_t i = 0; i < table->program_count; i++) {
        double deviation = deviation_in(with, i);
        if (isnan(deviation))
            continue;
        if (validation->programs == 0 || deviation > validation->worst) {
            validation->worst = deviation;
            worst = i;
        }
        validation->failed += deviation > limit;
        validation->programs++;
        note_outcome(with, table, i, validation);
    }
    if (validation->programs != 0)
        snprintf(validation->worst_program, sizeof validation->worst_program, "%s (%s)", table->programs[worst],
                 table->descriptions[worst]);
}

cm_status cm_validation_judge(const cm_validated_definition *definition, const cm_program_table *table,
                              cm_validation *validation, cm_error *error)
{
    comparison with = {0};
    double *buffer = calloc(table->program_count + 1, sizeof *buffer);
    *validation = (cm_validation){.seed = table->seed, .median = NAN, .worst = NAN};
    cm_status status = buffer != NULL ? compare_programs(definition, table, &with, error) : cm_error_no_memory(error);
    double limit = CM_VALIDATION_FACTOR * definition->tolerance;
    if (status == CM_OK) {
        judge_all(limit, &with, table, validation);
        judge_classes(limit, &with, table, buffer, validation);
    }
    CM_FREE(with.meant, buffer);
    return status;
}
