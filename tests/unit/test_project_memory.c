/* Projections without memory: of tables and of counts, to what is written of them. */
#include "failing_roads.h"

#include <catmint/evaluate.h>
#include <catmint/project.h>

#include "put_file.h"
#include "software_pmu/machine/facts.h"

enum { PATH_SIZE = 256 };

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char paths[4][PATH_SIZE];
enum { MACHINE, TABLE, COUNTS, FORMULAS };

static const char machine_text[] =
    "quantity,value,lowest,highest,unit,source\nperformance,16,15,17,GFLOP/s,s\nvector_bits,128,,,bits,s\n"
    "bandwidth:MEM,10,,,GB/s,s\n";
static const char mix_text[] = "quantity,here,there,elsewhere\noperations,9,9,9\nfp_instructions,5,5,4\n"
                               "bytes:L1,8,8,8\nbytes:MEM,1,1,\nperformance,40,,\n"; /* which no machine reaches */
static const char formulas_text[] = "metric,formula,unit,source\nAccesses,loads + stores,u,s\n";

static void put(int which, const char *name, const char *text)
{
    put_file(directory, name, text);
    snprintf(paths[which], PATH_SIZE, "%s/%s", directory, name);
}

/* Two regions, in which each fact is 100. */
static char *count_document(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    fputs("{\"schema\": \"catmint.count/1\", \"seconds\": [1, 2], \"vector_bits\": null, \"scopes\": [", stream);
    for (int scope = 0; scope < 2; scope++) {
        fprintf(stream, "%s{\"scope\": \"thread\", \"number\": %d, \"name\": \"\", \"metrics\": [], \"events\": [",
                scope > 0 ? ", " : "", scope + 1);
        const char *separator = "";
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            if (cm_fact_is_of_mix(fact)) {
                fprintf(stream, "%s{\"event\": \"%s\", \"value\": 100}", separator, cm_fact_name(fact));
                separator = ", ";
            }
        fputs("]}", stream);
    }
    fputs("]}\n", stream);
    fclose(stream);
    return text;
}

static int prepare(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    char *document = count_document();
    put(MACHINE, "machine.csv", machine_text);
    put(TABLE, "mix.csv", mix_text);
    put(COUNTS, "counts.json", document);
    put(FORMULAS, "formulas.csv", formulas_text);
    free(document);
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    return nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static cm_status write_all(const cm_projection *projection, FILE *sink, cm_error *error)
{
    static const cm_output_format formats[] = {CM_FORMAT_TABLE, CM_FORMAT_JSON, CM_FORMAT_CSV};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < COUNT(formats); i++)
        status = cm_projection_write(projection, &(cm_output_style){.format = formats[i]}, sink, error);
    return status;
}

static cm_status go_project(const test_road *road, FILE *sink, cm_error *error)
{
    const char *const mixes[] = {paths[TABLE], paths[COUNTS]};
    const cm_memory_choice memories[] = {{"fast", 100.0}, {"", 10.0}};
    const cm_project_options options = {.size = sizeof options,
                                        .from = paths[MACHINE],
                                        .to = paths[MACHINE],
                                        .mix_count = COUNT(mixes),
                                        .mixes = mixes,
                                        .memory_count = COUNT(memories),
                                        .memories = memories};
    cm_projection *projection = NULL;
    (void)road;
    cm_status status = cm_projection_create(&options, &projection, error);
    if (status == CM_OK)
        status = write_all(projection, sink, error);
    cm_projection_free(projection);
    return status;
}

static cm_status go_evaluate(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_evaluate_options options = {
        .size = sizeof options, .formulas = paths[FORMULAS], .counts = paths[COUNTS], .tolerance = 0.01};
    cm_evaluation *evaluation = NULL;
    (void)road;
    cm_status status = cm_evaluation_create(&options, &evaluation, error);
    if (status == CM_OK)
        status = cm_evaluation_write(evaluation, &(cm_output_style){.format = CM_FORMAT_CSV}, sink, error);
    cm_evaluation_free(evaluation);
    return status;
}

static void projecting(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"project", NULL, go_project, NULL, 50, 2});
}

static void evaluating_counts(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"evaluate counts of a program", NULL, go_evaluate, NULL, 50, 2});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(projecting), cmocka_unit_test(evaluating_counts)};
    fail_jansson();
    return cmocka_run_group_tests_name("projections without memory", tests, prepare, tidy_up);
}
