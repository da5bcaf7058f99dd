/* Reads any bytes as events.csv and machine.csv of a PMU model, evaluates its events, and builds its machine where that
 * is small. */
#include <math.h>
#include <string.h>

#include <catmint/software_pmu.h>

#include "fuzz.h"

enum { SMALL = 1 << 16 };

static void evaluate(const cm_pmu_model *model)
{
    static const uint64_t values[] = {0, 1, 1000003, UINT64_C(1) << 53, UINT64_MAX};
    uint64_t *facts = calloc(cm_fact_count(), sizeof *facts);
    for (size_t i = 0; facts != NULL && i < sizeof values / sizeof values[0]; i++) {
        for (size_t fact = 0; fact < cm_fact_count(); fact++)
            facts[fact] = values[i] - (i % 2) * fact;
        for (size_t event = 0; event < cm_pmu_model_event_count(model); event++)
            (void)cm_pmu_model_evaluate(model, event, facts);
    }
    free(facts);
    for (size_t event = 0; event < cm_pmu_model_event_count(model); event++) {
        cm_pmu_event found = cm_pmu_model_event(model, event);
        FUZZ_EXPECT(found.name[0] != '\0' && strlen(found.name) <= 96);
    }
}

/* What the reader takes, the machine takes. */
static void build(const cm_pmu_machine *machine)
{
    cm_software_pmu *pmu = NULL;
    cm_error error = {0};
    if (machine->l1d_size > SMALL || machine->l2_size > SMALL || machine->l3_size > SMALL)
        return;
    cm_status status = cm_software_pmu_create(machine, &pmu, &error);
    if (status != CM_UNSUPPORTED)
        FUZZ_EXPECT(status == CM_OK);
    cm_software_pmu_free(pmu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int made;
    fuzz_part parts[2];
    cm_pmu_model *model = NULL;
    cm_error error = {0};
    if (!made++)
        fuzz_directory("model");
    (void)fuzz_split(data, size, 2, parts);
    (void)fuzz_put("model/events.csv", parts[0].data, parts[0].size);
    (void)fuzz_put("model/machine.csv", parts[1].data, parts[1].size);
    cm_status status = cm_pmu_model_load(fuzz_path("model"), &model, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        FUZZ_EXPECT(model == NULL && error.file[0] != '\0' && error.line > 0);
        return 0;
    }
    evaluate(model);
    build(cm_pmu_model_machine(model));
    cm_pmu_model_free(model);
    return 0;
}
