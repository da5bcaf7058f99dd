/* The rules of the method with one of them changed, as CATMINT_MUTATION says: what truth.mutants runs. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/numerics.h"
#include "analysis/rules.h"
#include "analysis/state.h"
#include "law/evidence.h"

/* What the linker takes for cm_the_rules (--wrap): a variable, which is set before anything is read. */
extern cm_rules __wrap_cm_the_rules;
cm_rules __wrap_cm_the_rules;
extern const cm_rules __real_cm_the_rules;

bool __real_cm_law_allows(const cm_law_verdict *verdict);
bool __wrap_cm_law_allows(const cm_law_verdict *verdict);

void __real_cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                                   double *representation, double *scratch, cm_event_analysis *event);
void __wrap_cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                                   double *representation, double *scratch, cm_event_analysis *event);

cm_status __real_cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark,
                                           const cm_measurements *table, const cm_basis *basis,
                                           cm_kernel_choice *choice, cm_error *error);
cm_status __wrap_cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark,
                                           const cm_measurements *table, const cm_basis *basis,
                                           cm_kernel_choice *choice, cm_error *error);

cm_status __real_cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                                    cm_error *error);
cm_status __wrap_cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                                    cm_error *error);

cm_majority __real_cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale);
cm_majority __wrap_cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale);

double __real_cm_simplest(double value, double width);
double __wrap_cm_simplest(double value, double width);

static bool with_law = true, with_controls = true, rounds_freely, keeps_disturbed;
static double quantum;          /* counts are rounded to its multiples; 0: not */
static double tolerances = 1.0; /* that everything is held to */

void __wrap_cm_judge_by_conditions(const cm_analysis *analysis, const double *vectors, size_t repetitions, double slack,
                                   double *representation, double *scratch, cm_event_analysis *event)
{
    size_t count = repetitions * analysis->basis->rows;
    double *rounded = malloc((count + 1) * sizeof *rounded);
    if (rounded == NULL)
        abort();
    for (size_t i = 0; i < count; i++)
        rounded[i] = quantum != 0.0 ? quantum * round(vectors[i] / quantum) : vectors[i];
    __real_cm_judge_by_conditions(analysis, rounded, repetitions, slack, representation, scratch, event);
    free(rounded);
}

cm_status __wrap_cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark,
                                           const cm_measurements *table, const cm_basis *basis,
                                           cm_kernel_choice *choice, cm_error *error)
{
    cm_status status = __real_cm_kernel_choice_controls(facts, benchmark, table, basis, choice, error);
    if (!with_controls)
        cm_kernel_choice_clear(choice);
    return status;
}

bool __wrap_cm_law_allows(const cm_law_verdict *verdict)
{
    return !with_law || __real_cm_law_allows(verdict);
}

cm_status __wrap_cm_analysis_create(const cm_matrix *basis, const cm_thresholds *thresholds, cm_analysis **analysis,
                                    cm_error *error)
{
    cm_thresholds wider = *thresholds;
    wider.residual *= tolerances;
    return __real_cm_analysis_create(basis, &wider, analysis, error);
}

cm_majority __wrap_cm_majority_of(const double *counts, size_t repetitions, size_t stride, double scale)
{
    return keeps_disturbed ? (cm_majority){-INFINITY, INFINITY}
                           : __real_cm_majority_of(counts, repetitions, stride, scale);
}

/* Coefficients become simple numbers within 4 %, whatever their interval. */
double __wrap_cm_simplest(double value, double width)
{
    const double far = 0.04;
    return rounds_freely ? cm_round_coefficient(value, far) : __real_cm_simplest(value, width);
}

/* "rule NAME FACTOR": a constant becomes so many times what it is. */
static void change_rule(const char *text)
{
    static const struct {
        const char *name;
        size_t offset;
    } rows[] = {
        {"z", offsetof(cm_rules, z)},
        {"sure", offsetof(cm_rules, sure)},
        {"prior", offsetof(cm_rules, prior)},
        {"kin", offsetof(cm_rules, kin)},
        {"largest", offsetof(cm_rules, largest)},
        {"rate", offsetof(cm_rules, rate)},
        {"natural", offsetof(cm_rules, natural)},
        {"known", offsetof(cm_rules, known)},
        {"fit", offsetof(cm_rules, fit)},
        {"alike", offsetof(cm_rules, alike)},
        {"least", offsetof(cm_rules, least)},
        {"few", offsetof(cm_rules, few)},
    };
    char name[16] = "";
    double factor = NAN;
    if (sscanf(text, "%15s %lf", name, &factor) != 2)
        abort();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0) {
            *(double *)((char *)&__wrap_cm_the_rules + rows[i].offset) *= factor;
            return;
        }
    abort();
}

/* "lawless": the law allows everything. */
static void mutate(const char *mutation)
{
    with_law = strcmp(mutation, "lawless") != 0;
    mutation += with_law ? 0 : strlen("lawless");
    if (strcmp(mutation, "round counts") == 0)
        quantum = 0.25;
    else if (strcmp(mutation, "no controls") == 0)
        with_controls = false;
    else if (strcmp(mutation, "round freely") == 0)
        rounds_freely = true;
    else if (strcmp(mutation, "tolerance x 3") == 0)
        tolerances = 3.0;
    else if (strcmp(mutation, "disturbed runs like others") == 0)
        keeps_disturbed = true;
    else if (strncmp(mutation, "rule ", 5) == 0)
        change_rule(mutation + 5);
    else if (mutation[0] != '\0')
        abort();
}

static void __attribute__((constructor)) begin(void)
{
    const char *mutation = getenv("CATMINT_MUTATION");
    __wrap_cm_the_rules = __real_cm_the_rules;
    mutate(mutation != NULL ? mutation : "");
}
