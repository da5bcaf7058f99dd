#include "cat-kernels/registry.h"
#include "core/system.h"
#include "software_pmu/machine/facts.h"
#include "software_pmu/model/model.h"
#include "verify/snippet/snippet.h"
#include "verify/verify.h"

/* Seconds for a loop of few turns under the stepper: one that takes longer does not end. */
static const double TIMEOUT = 3.0;
/* Quotients of exact integers differ only by rounding. */
static const double ROUNDING = 1e-9;

typedef struct proving {
    const cm_snippet_code *code;
    const cm_pmu_machine *machine;
    const cm_fact_table *table;
    const char *file;
    double *executed; /* shared: loops x facts; NaN: not compared */
} proving;

/* Runs a loop and keeps its facts. */
static cm_status prove_loop(const proving *trial, cm_proof *proof, size_t loop, cm_error *error)
{
    const size_t facts = cm_fact_count();
    double *nothing = calloc(facts + 1, sizeof *nothing);
    const cm_kernel_facts expected = {.values = nothing, .chances = nothing, .ranges = nothing};
    cm_verified_kernel verified = {0};
    cm_status status = nothing != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_proof_kernel(proof, &trial->code->kernels[loop], &expected, &verified, error));
    if (status == CM_OK && *trial->code->fault == 1)
        status = cm_error_set(error, CM_BAD_INPUT, trial->file, 0, 0,
                              "it leaves the stack pointer changed: it must pop all that it pushes");
    else if (status == CM_OK && *trial->code->fault == 2)
        status = cm_error_set(error, CM_BAD_INPUT, trial->file, 0, 0,
                              "it returns: it is copied into a loop, and must go on at its end");
    else if (status == CM_OK && isnan(verified.quantities[0].executed))
        status = cm_error_set(error, CM_BAD_INPUT, trial->file, 0, 0, "%s", verified.text);
    for (size_t i = 0; status == CM_OK && i < cm_proof_fact_count(proof); i++)
        trial->executed[loop * facts + cm_proof_fact(proof, i)] = verified.quantities[i].executed;
    CM_FREE(verified.quantities, verified.text, nothing);
    return status;
}

/* The work of the process that may crash. */
static cm_status prove_loops(cm_team_member *member, void *data, cm_error *error)
{
    const proving *trial = data;
    cm_proof *proof = NULL;
    cm_status status = cm_proof_create(trial->table, trial->machine, &proof, error);
    for (size_t loop = 0; status == CM_OK && loop < CM_SNIPPET_LOOPS; loop++) {
        status = prove_loop(trial, proof, loop, error);
        cm_team_alive(member, true);
    }
    cm_proof_free(proof);
    return status;
}

/* Runs the loops in a process of their own, whose loss is the snippet's fault. */
static cm_status run_loops(proving *trial, cm_error *error)
{
    cm_team_loss loss = {0};
    char text[CM_LOSS_TEXT_SIZE];
    const cm_team_job job = {.size = 1, .work = prove_loops, .data = trial, .timeout = TIMEOUT, .loss = &loss};
    cm_status status = cm_team_run(&job, NULL, error);
    if (loss.timed_out)
        return cm_error_set(error, CM_BAD_INPUT, trial->file, 0, 0,
                            "it does not end: %d turns of its loop took longer than %.0f s under the software PMU",
                            (int)trial->code->kernels[0].software_iterations, TIMEOUT);
    if (cm_team_lost(&loss) && !cm_team_blameless(&loss))
        return cm_error_set(error, CM_BAD_INPUT, trial->file, 0, 0, "it %s",
                            cm_team_loss_text(&loss, "", text, sizeof text));
    return status;
}

/* A copy's facts by the last two loops, proven if the first two differ by the same. */
static void fill_snippet(const proving *trial, cm_snippet *snippet)
{
    const size_t facts = cm_fact_count();
    const double *loop = trial->executed, *copies = loop + facts, *twice = copies + facts;
    for (size_t i = 0; i < facts; i++) {
        const cm_fact_kind kind = trial->table->facts[i].kind;
        const double more = twice[i] - copies[i], less = copies[i] - loop[i];
        snippet->facts[i] = (cm_snippet_fact){.name = cm_fact_name(i),
                                              .value = more / (double)snippet->copies,
                                              .proven = fabs(more - less) <= ROUNDING * fmax(1.0, fabs(more)),
                                              .derived = kind == CM_FACT_DERIVED};
    }
}

/* The machine whose caches and predictor the stepper has: the model's, else golden-cove's. */
static cm_status find_machine(const cm_counting *counting, cm_pmu_model **opened, const cm_pmu_machine **machine,
                              cm_error *error)
{
    const cm_pmu_model *model = cm_counting_model(counting);
    cm_status status = model == NULL ? cm_pmu_model_open("golden-cove", NULL, opened, error) : CM_OK;
    if (status == CM_OK)
        *machine = cm_pmu_model_machine(model != NULL ? model : *opened);
    return status;
}

cm_status cm_snippet_prove(const cm_snippet_code *code, const cm_counting *counting, cm_snippet *snippet,
                           cm_error *error)
{
    const size_t facts = cm_fact_count(), size = CM_SNIPPET_LOOPS * facts * sizeof(double);
    proving trial = {.code = code, .file = snippet->file, .executed = cm_team_memory_create(size)};
    cm_pmu_model *opened = NULL;
    cm_fact_table *table = NULL;
    snippet->facts = calloc(facts + 1, sizeof *snippet->facts);
    snippet->fact_count = facts;
    cm_status status = snippet->facts != NULL && trial.executed != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, find_machine(counting, &opened, &trial.machine, error));
    if (status == CM_OK && trial.machine->gpu[0] != '\0')
        status = CM_FAIL(error, CM_UNSUPPORTED, "%.100s models a GPU, which runs no snippet of x86-64", snippet->pmu);
    const char *other = cm_pmu_model_other_architecture(cm_counting_model(counting), cm_kernel_architecture);
    if (status == CM_OK && other != NULL)
        status = CM_FAIL(error, CM_UNSUPPORTED, "%.100s models a processor of %s, and the snippet is of x86-64",
                         snippet->pmu, other);
    CM_THEN(status, cm_fact_table_load(NULL, NULL, &table, error));
    trial.table = table;
    CM_THEN(status, run_loops(&trial, error));
    if (status == CM_OK)
        fill_snippet(&trial, snippet);
    if (status == CM_OK && snippet->facts[CM_FACT_INSTRUCTIONS].value == 0.0)
        status = cm_error_set(error, CM_BAD_INPUT, snippet->file, 0, 0, "it has no instruction");
    cm_fact_table_free(table);
    cm_pmu_model_free(opened);
    if (trial.executed != NULL)
        cm_team_memory_free(trial.executed, size);
    return status;
}
