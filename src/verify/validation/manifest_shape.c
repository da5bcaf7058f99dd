#include "verify/validation/validation.h"

#include <float.h>

/* Members of every version are required; those of later versions, or of some sweeps, are optional. */
#define SHAPE(members)                                                                                                 \
    {                                                                                                                  \
        sizeof(members) / sizeof(members)[0], members                                                                  \
    }
#define ANY (-DBL_MAX)

static const cm_json_member file_members[] = {
    {"name", "s", 0, NULL},
    {"bytes", "i", 0, NULL},
    {"checksum", "s", 0, NULL},
};
static const cm_json_shape file = SHAPE(file_members);

static const cm_json_member machine_members[] = {
    {"vendor", "s?", 0, NULL},         {"model_name", "s?", 0, NULL},
    {"family", "i", 0, NULL},          {"model", "i", 0, NULL},
    {"stepping", "i", 0, NULL},        {"emulated", "b-", 0, NULL},
    {"cores", "i?", 1, NULL},          {"processing_units", "i?", 1, NULL},
    {"virtual", "b-", 0, NULL},        {"hypervisor", "s?-", 0, NULL},
    {"kernel_release", "s?", 0, NULL}, {"microcode", "s?-", 0, NULL},
    {"architecture", "s", 0, NULL},    {"gpu", "s-", 0, NULL},
};
static const cm_json_shape machine = SHAPE(machine_members);

static const cm_json_member model_members[] = {
    {"l1d_size", "i", 0, NULL},  {"l2_size", "i", 0, NULL},   {"l3_size", "i", 0, NULL},
    {"counters", "i", 0, NULL},  {"predictor", "s", 0, NULL}, {"interference", "n", 0, NULL},
    {"checksum", "s-", 0, NULL},
};
static const cm_json_shape model = SHAPE(model_members);

static const cm_json_member options_members[] = {
    {"events", "a", 0, NULL},      {"events_file", "s?", 0, NULL},
    {"components", "a", 0, NULL},  {"qualifiers", "i?", ANY, NULL},
    {"repetitions", "i", 0, NULL}, {"threads", "i", 0, NULL},
    {"max_buffer", "i", 0, NULL},  {"max_kernel_seconds", "n", 0, NULL},
    {"uncore", "b-", 0, NULL},     {"raw", "s-", 0, NULL},
    {"seed", "i-", ANY, NULL},     {"programs", "i-", 0, NULL},
    {"workloads", "i-", 0, NULL},
};
static const cm_json_shape options = SHAPE(options_members);

static const cm_json_member events_members[] = {
    {"counted", "i", 0, NULL},
    {"unavailable", "i", 0, NULL},
};
static const cm_json_shape events = SHAPE(events_members);

static const cm_json_member shard_members[] = {
    {"number", "i", 1, NULL},
    {"of", "i", 1, NULL},
};
static const cm_json_shape shard = SHAPE(shard_members);

static const cm_json_member kernel_members[] = {
    {"kernel", "s", 0, NULL},
    {"iterations", "i", 1, NULL},
    {"buffer", "i-", 0, NULL},
    {"stride", "i-", 0, NULL},
};
static const cm_json_shape kernel = SHAPE(kernel_members);

static const cm_json_member left_out_members[] = {
    {"kernel", "s", 0, NULL},
    {"missing", "s-", 0, NULL},
    {"reason", "s-", 0, NULL},
};
static const cm_json_shape left_out = SHAPE(left_out_members);

static const cm_json_member earlier_members[] = {
    {"catmint", "s?", 0, NULL},
    {"started", "s?", 0, NULL},
    {"options", "o?", 0, &options},
};
static const cm_json_shape earlier = SHAPE(earlier_members);

static const cm_json_member benchmark_members[] = {
    {"benchmark", "s", 0, NULL},    {"file", "s", 0, NULL},       {"threads", "i", 1, NULL},
    {"repetitions", "i", 1, NULL},  {"kernels", "a", 0, &kernel}, {"left_out", "a", 0, &left_out},
    {"earlier", "o-", 0, &earlier},
};
static const cm_json_shape benchmark = SHAPE(benchmark_members);

static const cm_json_member component_members[] = {
    {"component", "s", 0, NULL}, {"enabled", "b", 0, NULL}, {"reason", "s", 0, NULL},
    {"hint", "s", 0, NULL},      {"events", "i", 0, NULL},
};
static const cm_json_shape component = SHAPE(component_members);

static const cm_json_member finding_members[] = {
    {"finding", "s", 0, NULL},
    {"severity", "s", 0, NULL},
    {"text", "s", 0, NULL},
    {"advice", "s", 0, NULL},
};
static const cm_json_shape finding = SHAPE(finding_members);

static const cm_json_member lack_members[] = {
    {"benchmark", "s", 0, NULL},
    {"counted", "i", 0, NULL},
    {"of", "i", 1, NULL},
};
static const cm_json_shape lack = SHAPE(lack_members);

static const cm_json_member code_class_members[] = {
    {"event", "s", 0, NULL},
    {"names", "s-", 0, NULL},
    {"same", "a", 0, NULL},
};
static const cm_json_shape code_class = SHAPE(code_class_members);

static const cm_json_member raw_members[] = {
    {"codes", "s", 0, NULL},   {"device", "s", 0, NULL},   {"screened", "i", 0, NULL},
    {"refused", "i", 0, NULL}, {"crashed", "i", 0, NULL},  {"excluded", "i", 0, NULL},
    {"silent", "i", 0, NULL},  {"counting", "i", 0, NULL}, {"classes", "a", 0, &code_class},
};
static const cm_json_shape raw = SHAPE(raw_members);

static const cm_json_member program_members[] = {
    {"program", "s", 0, NULL},
    {"class", "s-", 0, NULL},
    {"description", "s", 0, NULL},
    {"facts", "o", 0, NULL},
};
static const cm_json_shape program = SHAPE(program_members);

static const cm_json_member validation_members[] = {
    {"sweep", "s?", 0, NULL},
    {"seed", "i", ANY, NULL},
    {"programs", "a", 0, &program},
};
static const cm_json_shape validation = SHAPE(validation_members);

static const cm_json_member cm_sweep_shape_members[] = {
    {"schema", "s", 0, NULL},
    {"catmint", "s", 0, NULL},
    {"machine", "o", 0, &machine},
    {"pmu", "s", 0, NULL},
    {"pmu_reason", "s", 0, NULL},
    {"papi_version", "s?", 0, NULL},
    {"model", "o?", 0, &model},
    {"repetitions", "i", 1, NULL},
    {"benchmarks", "a", 0, &benchmark},
    {"events", "o", 0, &events},
    {"prefixed_events", "a", 0, NULL},
    {"components", "a", 0, &component},
    {"options", "o", 0, &options},
    {"shard", "o?", 0, &shard},
    {"started", "s", 0, NULL},
    {"seconds", "n", 0, NULL},
    {"findings", "a?", 0, &finding},
    {"core", "s-", 0, NULL},
    {"core_cpus", "s-", 0, NULL},
    {CM_INCOMPLETE_KEY, "a-", 0, &lack},
    {CM_LINE_KEY, "i-", 1, NULL},
    {CM_LEVELS_KEY, "i-", 1, NULL},
    {CM_NOT_COMPARABLE_KEY, "s-", 0, NULL},
    {"raw", "o-", 0, &raw},
    {"merged", "a-", 0, NULL},
    {CM_VALIDATION_MEMBER, "o-", 0, &validation},
    {CM_JOURNAL_NAME, "o-", 0, &file},
    {"files", "a", 0, &file},
    {"checksum", "s", 0, NULL},
};
const cm_json_shape cm_sweep_shape = SHAPE(cm_sweep_shape_members);

static const cm_json_member cm_import_shape_members[] = {
    {"schema", "s", 0, NULL},
    {"catmint", "s", 0, NULL},
    {"repetitions", "i", 1, NULL},
    {"pmu", "s-", 0, NULL},
    {"pmu_reason", "s-", 0, NULL},
    {"machine", "o-", 0, NULL},
    {"turns", "i-", 1, NULL},
    {"deterministic", "b-", 0, NULL},
    {"varying", "a-", 0, NULL},
    {"left_out", "a-", 0, NULL},
    {"files", "a", 0, &file},
    {"checksum", "s", 0, NULL},
    {CM_VALIDATION_MEMBER, "o-", 0, &validation},
};
const cm_json_shape cm_import_shape = SHAPE(cm_import_shape_members);
