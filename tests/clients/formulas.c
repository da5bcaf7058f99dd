/* Prints what catmint reads in files of formulas, their events by the names that results have: formulas RESULTS.json
 * FILE... A line a formula and then a line a term, tabs between:
 *
 *   formula METRIC PRESET SECTION
 *   term EVENT COEFFICIENT
 *   constant NUMBER
 *   fault LINE TEXT
 */
#include <stdio.h>
#include <stdlib.h>

#include <catmint/definitions.h>
#include <catmint/formulas.h>
#include <catmint/names.h>

static int fail(const cm_error *error)
{
    char text[2048];
    fprintf(stderr, "%s\n", cm_error_format(error, text, sizeof text));
    return 1;
}

/* All events of the definitions; some may come twice. The list belongs to the caller. */
static const char **list_events(const cm_definitions *definitions, size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < cm_definitions_count(definitions); i++)
        most += cm_definitions_get(definitions, i)->term_count;
    const char **events = malloc((most + 1) * sizeof *events);
    *count = 0;
    for (size_t i = 0; events != NULL && i < cm_definitions_count(definitions); i++) {
        const cm_defined_metric *metric = cm_definitions_get(definitions, i);
        for (size_t k = 0; k < metric->term_count; k++)
            events[(*count)++] = metric->terms[k].event;
    }
    return events;
}

static int print_formula(const cm_formulas *formulas, size_t index, const cm_event_names *names, const char **events)
{
    const cm_formula_info *info = cm_formulas_info(formulas, index);
    cm_linear_form form, denominator;
    cm_error error;
    if (cm_formulas_shape(formulas, index, &form, &denominator) != CM_FORMULA_LINEAR) {
        fprintf(stderr, "%s: not linear\n", info->metric);
        return 1;
    }
    printf("formula\t%s\t%s\t%s\n", info->metric, info->preset, info->section);
    for (size_t k = 0; k < form.count; k++) {
        size_t event = CM_NO_NAME;
        const char *spelled = cm_formulas_quantity_name(formulas, form.quantities[k]);
        if (cm_event_names_resolve(names, spelled, &event, &error) != CM_OK)
            return fail(&error);
        printf("term\t%s\t%.17g\n", event != CM_NO_NAME ? events[event] : "unknown", form.coefficients[k]);
    }
    if (form.constant != 0.0)
        printf("constant\t%.17g\n", form.constant);
    return 0;
}

static int print_file(const char *path, const cm_event_names *names, const char **events)
{
    cm_error error;
    cm_formulas *formulas = NULL;
    int failed = 0;
    if (cm_formulas_load(path, NULL, &formulas, &error) != CM_OK)
        return fail(&error);
    for (size_t i = 0; i < cm_formulas_count(formulas); i++)
        failed |= print_formula(formulas, i, names, events);
    for (size_t i = 0; i < cm_formulas_fault_count(formulas); i++) {
        const cm_formula_fault *fault = cm_formulas_fault(formulas, i);
        printf("fault\t%zu\t%s\n", fault->line, fault->text);
    }
    cm_formulas_free(formulas);
    return failed;
}

int main(int argc, char **argv)
{
    cm_error error;
    cm_definitions *definitions = NULL;
    cm_event_names *names = NULL;
    size_t count = 0;
    if (argc < 2)
        return 2;
    if (cm_definitions_load(argv[1], &definitions, &error) != CM_OK)
        return fail(&error);
    const char **events = list_events(definitions, &count);
    int failed = events == NULL;
    if (!failed && cm_event_names_create(events, count, &names, &error) != CM_OK)
        failed = fail(&error);
    for (int i = 2; !failed && i < argc; i++)
        failed = print_file(argv[i], names, events);
    cm_event_names_free(names);
    free((void *)events);
    cm_definitions_free(definitions);
    return failed;
}
