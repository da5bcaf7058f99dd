/* A basis and measurements that a program has in memory: statuses, representations, selection and definitions.
 *
 * Two ideal events, additions and multiplications, and four kernels. The made-up processor has an event for both
 * together, one for multiplications, one that counts nothing and one that is noisy. */
#include <stdio.h>

#include <catmint/catmint.h>

enum { KERNELS = 4, SYMBOLS = 2, REPETITIONS = 2 };

/* One iteration of each kernel: additions, multiplications. */
static const double expectations[KERNELS][SYMBOLS] = {{24, 0}, {48, 0}, {0, 24}, {0, 48}};

static const struct {
    const char *name;
    double counts[REPETITIONS * KERNELS]; /* per iteration, one repetition after the other */
} events[] = {
    {"FP:ALL", {24, 48, 24, 48, 24, 48, 24, 48}},
    {"FP:MUL", {0, 0, 24, 48, 0, 0, 24, 48}},
    {"FP:X87", {0, 0, 0, 0, 0, 0, 0, 0}},
    {"CYCLES", {30, 55, 31, 52, 33, 51, 35, 58}},
};
enum { EVENTS = sizeof events / sizeof events[0] };

static const struct {
    const char *name;
    double signature[SYMBOLS];
} metrics[] = {{"Additions", {1, 0}}, {"Operations", {1, 1}}};

static cm_status analyse(cm_analysis *analysis, cm_error *error)
{
    for (size_t i = 0; i < EVENTS; i++) {
        cm_status status = cm_analysis_add_event(analysis, events[i].name, events[i].counts, REPETITIONS, error);
        if (status != CM_OK)
            return status;
    }
    return cm_analysis_select(analysis, error);
}

static void print_events(const cm_analysis *analysis)
{
    for (size_t i = 0; i < cm_analysis_event_count(analysis); i++) {
        cm_event_analysis event = cm_analysis_event(analysis, i);
        printf("%s is %s", event.event, cm_event_status_text(event.status));
        if (event.representation != NULL)
            printf(", %.3g x additions + %.3g x multiplications", event.representation[0], event.representation[1]);
        printf("\n");
    }
}

static cm_status print_metric(const cm_analysis *analysis, size_t metric, cm_error *error)
{
    cm_fit *fit = NULL;
    cm_status status = cm_fit_create(analysis, metrics[metric].signature, &fit, error);
    if (status != CM_OK)
        return status;
    printf("%s (%s):", metrics[metric].name, fit->composable ? "composable" : "not composable");
    for (size_t term = 0; term < fit->term_count; term++)
        if (fit->rounded[term] != 0.0)
            printf(" %+g x %s", fit->rounded[term], cm_analysis_event(analysis, fit->events[term]).event);
    printf("\n");
    cm_fit_free(fit);
    return CM_OK;
}

int main(void)
{
    cm_error error;
    cm_matrix *basis = NULL;
    cm_analysis *analysis = NULL;
    cm_thresholds thresholds;
    cm_thresholds_default(&thresholds);

    cm_status status = cm_matrix_create(KERNELS, SYMBOLS, &basis, &error);
    for (size_t kernel = 0; status == CM_OK && kernel < KERNELS; kernel++)
        for (size_t symbol = 0; symbol < SYMBOLS; symbol++)
            *cm_matrix_at(basis, kernel, symbol) = expectations[kernel][symbol];
    if (status == CM_OK)
        status = cm_analysis_create(basis, &thresholds, &analysis, &error);
    if (status == CM_OK)
        status = analyse(analysis, &error);
    if (status == CM_OK)
        print_events(analysis);
    for (size_t metric = 0; status == CM_OK && metric < sizeof metrics / sizeof metrics[0]; metric++)
        status = print_metric(analysis, metric, &error);

    cm_analysis_free(analysis);
    cm_matrix_free(basis);
    if (status != CM_OK) {
        char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
        fprintf(stderr, "%s\n", cm_error_format(&error, text, sizeof text));
        return 1;
    }
    return 0;
}
