/* Reads any bytes as a map of metrics and a file of formulas, and puts the formulas on trial. */
#include <string.h>

#include <jansson.h>

#include <catmint/audit.h>

#include "fuzz.h"

static const char against[] =
    "{\"schema\": \"catmint.metrics/1\", \"pmu\": null, \"machine\": {}, \"benchmarks\": [{\"benchmark\": \"branch\","
    " \"tau\": 0.1, \"alpha\": 5e-4, \"residual\": 0.01, \"kernels\": [\"k1\", \"k2\"], \"symbols\": [\"CR\", \"T\"],"
    " \"counts\": {\"measured\": 3}, \"events\": ["
    "{\"event\": \"BR:ALL\", \"status\": \"selected\", \"max_rnmse\": 0, \"residual\": 0, \"representation\": [1, 0],"
    " \"equivalent_to\": null},"
    "{\"event\": \"BR:TAKEN\", \"status\": \"selected\", \"max_rnmse\": 0, \"residual\": 0, \"representation\": [0, 1],"
    " \"equivalent_to\": null},"
    "{\"event\": \"NOISE\", \"status\": \"noisy\", \"max_rnmse\": 1, \"residual\": null, \"representation\": null,"
    " \"equivalent_to\": null}], \"metrics\": ["
    "{\"metric\": \"Branches\", \"preset\": \"PAPI_BR_CN\", \"terms\": [{\"event\": \"BR:ALL\", \"coefficient\": 1}],"
    " \"definition\": [{\"event\": \"BR:ALL\", \"coefficient\": 1}], \"backward_error\": 0, \"misfit\": 0,"
    " \"amplification\": 1, \"definition_backward_error\": 0, \"definition_misfit\": 0,"
    " \"definition_amplification\": 1, \"composable\": true, \"signature\": [1, 0]},"
    "{\"metric\": \"Not Taken\", \"preset\": \"PAPI_BR_NTK\", \"terms\": [], \"definition\": [],"
    " \"backward_error\": null, \"misfit\": null, \"amplification\": null, \"definition_backward_error\": null,"
    " \"definition_misfit\": null, \"definition_amplification\": null, \"composable\": false, \"signature\": [1, -1]}"
    "]}]}";

/* The tables that catmint comes with, small. */
static void make_data(void)
{
    static const struct {
        const char *name, *text;
    } files[] = {{"data/event-aliases.csv", "alias,event\nOLD,BR\n"},
                 {"data/amd-events/names.csv", "alias,event\nbr_all,BR:ALL | BR:TAKEN\n"},
                 {"data/upstream.csv", "cpu,model,identity,perf,perfmon,likwid,papi\n"},
                 {"data/meanings.csv", "metric,preset,description,meaning\nCalls,,,calls\n"},
                 {"data/maps/likwid.csv", "metric,signature\nRate \\[*,Branches\n"},
                 {"data/maps/papi.csv", "metric,signature\nPAPI_BR_INS,2 Branches | Calls\n"},
                 {"data/maps/perf.csv", "metric,signature\nratio,1 Branches / Not Taken\n"},
                 {"data/maps/perfmon.csv", "metric,signature\nratio,1000 Branches / Calls\n"},
                 {"data/maps/rocprof-compute.csv", "metric,signature\nratio,Branches / Calls\n"},
                 {"data/maps/rocprofv3.csv", "metric,signature\nratio,Branches / Calls\n"},
                 {"bases/primitive-facts.csv", "fact,kind,tolerance,separate,words\ncalls,counted,0,yes,calls\n"},
                 {"bases/derived-facts.csv", "fact,expression,words\n"},
                 {"bases/facts.csv", "benchmark,kernel,role,facts,chance,range\nbranch,k1,basis,calls,,\n"},
                 {"bases/symbols.csv", "benchmark,symbol,expression,description\nbranch,CR,calls,calls\n"},
                 {"bases/symbol-parts.csv", "benchmark,part,words\nbranch,CR,retired\nbranch,T,taken\n"}};
    fuzz_directory("data");
    fuzz_directory("data/maps");
    fuzz_directory("data/amd-events");
    fuzz_directory("bases");
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        (void)fuzz_put(files[i].name, files[i].text, strlen(files[i].text));
    (void)setenv("CATMINT_DATA_DIR", fuzz_path(""), 1);
}

static void write_out(const cm_audit *audit)
{
    const cm_output_style styles[] = {{.format = CM_FORMAT_JSON}, {.width = 80, .colour = true}};
    size_t verdicts = 0, size;
    for (int verdict = 0; verdict < CM_VERDICT_COUNT; verdict++)
        verdicts += cm_audit_verdicts(audit, (cm_audit_verdict)verdict);
    FUZZ_EXPECT(verdicts == cm_audit_count(audit));
    for (size_t i = 0; i < sizeof styles / sizeof styles[0]; i++) {
        FUZZ_EXPECT(cm_audit_write(audit, &styles[i], fuzz_stream(), NULL) == CM_OK);
        const char *text = fuzz_written(&size);
        json_t *document =
            styles[i].format == CM_FORMAT_JSON ? json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL) : NULL;
        FUZZ_EXPECT(styles[i].format != CM_FORMAT_JSON || document != NULL);
        json_decref(document);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_part parts[2];
    cm_audit *audit = NULL;
    cm_error error = {0};
    static int made;
    if (!made++)
        make_data();
    (void)fuzz_split(data, size, 2, parts);
    const char *const formulas[] = {fuzz_file(1, parts[1].data, parts[1].size)};
    const cm_audit_options options = {.size = sizeof options,
                                      .formulas = formulas,
                                      .formula_count = 1,
                                      .against = fuzz_file(2, against, sizeof against - 1),
                                      .map = fuzz_file(0, parts[0].data, parts[0].size)};
    cm_status status = cm_audit_create(&options, &audit, &error);
    if (status != CM_OK) {
        fuzz_expect_refusal(status, &error);
        return 0;
    }
    write_out(audit);
    cm_audit_free(audit);
    return 0;
}
