/* What a metric is made of: find_metric RESULTS.json METRIC
 * RESULTS.json is what 'catmint discover --out DIR' writes. */
#include <stdio.h>

#include <catmint/catmint.h>

static int fail(const cm_error *error)
{
    char text[CM_ERROR_FILE_SIZE + CM_ERROR_TEXT_SIZE];
    cm_error_format(error, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    return 1;
}

static void print(const cm_defined_metric *metric)
{
    for (size_t i = 0; i < metric->term_count; i++) {
        const cm_defined_term *term = &metric->terms[i];
        printf("%g x %s\n", term->coefficient, term->event);
    }
}

int main(int argc, char **argv)
{
    cm_definitions *found = NULL;
    const cm_defined_metric *metric;
    cm_error error;
    if (argc != 3)
        return 2;
    if (cm_definitions_load(argv[1], &found, &error) != CM_OK)
        return fail(&error);
    metric = cm_definitions_find(found, argv[2]);
    if (metric != NULL && metric->composable)
        print(metric);
    else
        printf("%s has no definition here\n", argv[2]);
    cm_definitions_free(found);
    return 0;
}
