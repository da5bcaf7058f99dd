/* Programs counted without memory: under the emulated PMU, from the choice of events to what is written of the counts.
 */
#include "failing_roads.h"

#include <catmint/count.h>

#include "core/base.h"

static cm_status write_counts(const cm_program_counts *counts, cm_error *error)
{
    static const cm_output_format formats[] = {CM_FORMAT_TABLE, CM_FORMAT_JSON, CM_FORMAT_CSV};
    FILE *nowhere = fopen("/dev/null", "w");
    cm_status status = nowhere != NULL ? CM_OK : cm_error_set(error, CM_NO_MEMORY, NULL, 0, 0, "out of memory");
    for (size_t i = 0; status == CM_OK && i < COUNT(formats); i++)
        status = cm_program_counts_write(counts, &(cm_output_style){.format = formats[i]}, nowhere, error);
    if (nowhere != NULL)
        fclose(nowhere);
    return status;
}

/* Of what is written only what is the same in each run: the exit status. */
static cm_status go(const test_road *road, FILE *sink, cm_error *error)
{
    static char program[] = "true";
    static char *const command[] = {program, NULL};
    static const char *const events[] = {"instructions", "loads"};
    const cm_count_options options = {.size = sizeof options,
                                      .event_count = COUNT(events),
                                      .events = events,
                                      .pmu = {.kind = CM_PMU_SOFTWARE},
                                      .command = command};
    const char *reason = NULL;
    cm_program_counts *counts = NULL;
    (void)road;
    cm_status status = cm_count_program(&options, &counts, error);
    if (status == CM_OK)
        status = write_counts(counts, error);
    if (status == CM_OK)
        fprintf(sink, "%d\n", cm_program_counts_exit(counts, &reason));
    cm_program_counts_free(counts);
    return status;
}

static void counting(void **state)
{
    char *text = NULL;
    size_t size = 0;
    cm_error error;
    (void)state;
    FILE *sink = open_memstream(&text, &size);
    cm_status status = go(NULL, sink, &error);
    fclose(sink);
    free(text);
    if (status == CM_UNSUPPORTED) {
        print_message("skipped: %s\n", error.text);
        skip();
    }
    fail_on_road(&(test_road){"count", NULL, go, NULL, 50, 3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counting)};
    fail_jansson();
    return cmocka_run_group_tests_name("counting without memory", tests, NULL, NULL);
}
