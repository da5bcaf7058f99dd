/* Emitted kernels against a retirement trace of their program. Marks in measure.S stand before and behind each run:
 * a kernel runs once to warm up, then with N and with 2 N turns, again and again. */
#include "verify/freestanding/freestanding.h"

enum { TEXT_SIZE = 512 };

typedef enum place { BETWEEN, AT_CALL, AT_ENTRY, WITHIN } place;

/* The state of a kernel in the trace. */
typedef struct traced {
    uint64_t entry;
    size_t pairs; /* runs of N and 2 N turns */
    bool trapped; /* it only ran to warm up */
    double *sums; /* one a fact: runs of 2 N turns less those of N */
} traced;

typedef struct tracing {
    const cm_emission *emission;
    const char *path;
    uint32_t begin, end; /* marks */
    place at;
    size_t known;    /* kernels that have run */
    traced *kernels; /* as those of the emission */
    traced *running; /* NULL: none yet */
    size_t runs;     /* of that kernel one after the other */
    size_t broken;   /* the line on which something does not follow, 0: all does */
    double *facts;   /* of this run */
    cm_retired last; /* the instruction before; its facts are added once the next is known */
    cm_decoded decoded;
} tracing;

static cm_status fail_at(const tracing *work, size_t line, const char *problem, cm_error *error)
{
    const cm_kernel_facts *kernel =
        work->running != NULL ? work->emission->kernels[work->running - work->kernels] : NULL;
    return cm_error_set(error, CM_BAD_INPUT, work->path, line, 0, "%s%s%s%s", problem,
                        kernel != NULL ? kernel->benchmark : "", kernel != NULL ? " " : "",
                        kernel != NULL ? kernel->kernel : "");
}

/* The kernel's runs are over: as many with N as with 2 N turns, or it trapped. */
static cm_status leave_kernel(tracing *work, size_t line, cm_error *error)
{
    if (work->running == NULL)
        return CM_OK;
    if (work->runs % 2 == 0)
        return fail_at(work, line, "a run of twice as many turns is missing before this line, of ", error);
    work->running->trapped = work->running->trapped || work->runs == 1;
    if (work->runs > 1 && work->broken != 0)
        return fail_at(work, work->broken,
                       "this instruction cannot follow the one before: lines are missing, in a run of ", error);
    work->broken = 0;
    return CM_OK;
}

/* A run begins: of the same kernel as before, of one that ran for another set of events, or of the next. */
static cm_status enter_run(tracing *work, const cm_retired *retired, cm_error *error)
{
    memset(work->facts, 0, cm_fact_count() * sizeof *work->facts);
    work->at = WITHIN;
    if (work->running != NULL && work->running->entry == retired->pc) {
        work->runs++;
        return CM_OK;
    }
    cm_status status = leave_kernel(work, retired->line, error);
    size_t at = 0;
    while (at < work->known && work->kernels[at].entry != retired->pc)
        at++;
    if (status == CM_OK && at == work->emission->kernel_count)
        status = cm_error_set(error, CM_BAD_INPUT, work->path, retired->line, 0,
                              "a run of another kernel than the %zu of %s: expected the trace of a program "
                              "that was written out with the same options",
                              at, work->emission->isa.text);
    if (status != CM_OK)
        return status;
    work->known += at == work->known;
    work->running = &work->kernels[at];
    work->running->entry = retired->pc;
    work->runs = 1;
    return CM_OK;
}

/* A run is over: the first one warms up. */
static void finish_run(tracing *work)
{
    const bool twice = work->runs % 2 == 1;
    work->at = BETWEEN;
    if (work->runs == 1)
        return;
    for (size_t i = 0; i < cm_fact_count(); i++)
        work->running->sums[i] += (twice ? 1.0 : -1.0) * work->facts[i];
    work->running->pairs += twice;
}

/* Takes an instruction of a run, or the mark behind it. */
static void take_within(tracing *work, const cm_retired *retired)
{
    cm_trace_add(&work->decoded, retired->pc, work->facts);
    cm_trace_add_order(&work->emission->isa, &work->decoded, work->last.word, retired->word, work->facts);
    if (work->broken == 0 && !cm_trace_may_follow(&work->emission->isa, &work->decoded, work->last.word, retired->pc))
        work->broken = retired->line;
    if (retired->word == work->end)
        finish_run(work);
}

/* Follows the trace by one instruction: begin, call, entry, run, end. */
static cm_status take_retired(const cm_retired *retired, void *data, cm_error *error)
{
    tracing *work = data;
    cm_status status = CM_OK;
    if (retired->word == work->begin) {
        if (work->at != BETWEEN)
            return fail_at(work, retired->line, "a run begins within a run: lines are missing, of ", error);
        work->at = AT_CALL;
    } else if (work->at == AT_CALL) {
        work->at = AT_ENTRY;
    } else if (work->at == AT_ENTRY) {
        status = enter_run(work, retired, error);
    } else if (work->at == WITHIN) {
        take_within(work, retired);
    }
    if (work->at == WITHIN)
        cm_trace_decode(&work->emission->isa, retired, &work->decoded);
    work->last = *retired;
    return status;
}

/* The trace is over: all kernels ran, the last one to its end. */
static cm_status check_end(tracing *work, size_t line, cm_error *error)
{
    const cm_emission *emission = work->emission;
    if (work->at != BETWEEN)
        return fail_at(work, line, "the trace ends within a run, behind the one before of ", error);
    if (work->running == NULL)
        return fail_at(work, 0, "no kernel runs in the trace: expected that of a program that --emit wrote", error);
    if (work->runs % 2 == 0)
        return fail_at(work, line, "the trace ends before the run of twice as many turns, of ", error);
    cm_status status = leave_kernel(work, line, error);
    if (status == CM_OK && work->known < emission->kernel_count)
        status = cm_error_set(error, CM_BAD_INPUT, work->path, line, 0,
                              "the trace ends after %zu of the %zu kernels of %s: expected a run of %s %s next",
                              work->known, emission->kernel_count, emission->isa.text,
                              emission->kernels[work->known]->benchmark, emission->kernels[work->known]->kernel);
    return status;
}

/* Prepares the instructions that mark runs, and the sums of facts. */
static cm_status begin_tracing(tracing *work, cm_error *error)
{
    const bool riscv = strcmp(work->emission->isa.family, "riscv") == 0;
    work->begin = riscv ? 0x3A102013 : 0xD2994E3F; /* slti zero, zero, 0x3a1; movz xzr, #0xca71 */
    work->end = riscv ? 0x3A202013 : 0xD2994E5F;   /* slti zero, zero, 0x3a2; movz xzr, #0xca72 */
    work->kernels = calloc(work->emission->kernel_count + 1, sizeof *work->kernels);
    work->facts = calloc(cm_fact_count(), sizeof *work->facts);
    bool enough = work->kernels != NULL && work->facts != NULL;
    for (size_t i = 0; i < work->emission->kernel_count && enough; i++) {
        work->kernels[i].sums = calloc(cm_fact_count(), sizeof *work->kernels[i].sums);
        enough = work->kernels[i].sums != NULL;
    }
    return enough ? CM_OK : cm_error_no_memory(error);
}

/* ---- verdicts ---- */

/* Compares the trace's facts of a kernel with the table's. */
static cm_status judge_kernel(const tracing *work, size_t index, const size_t *facts, size_t count,
                              cm_verified_kernel *verified, cm_error *error)
{
    const cm_kernel_facts *expected = work->emission->kernels[index];
    const traced *kernel = &work->kernels[index];
    const double turns = (double)work->emission->turns;
    char text[TEXT_SIZE] = "";
    verified->kernel = strdup(expected->kernel);
    verified->quantities = calloc(count + 1, sizeof *verified->quantities);
    if (verified->kernel == NULL || verified->quantities == NULL)
        return cm_error_no_memory(error);
    for (size_t i = 0; i < count; i++)
        verified->quantities[i] =
            (cm_verified_quantity){kernel->sums[facts[i]] / (turns * (double)kernel->pairs), expected->values[facts[i]],
                                   cm_fact_allowance(work->emission->facts, expected, facts[i], turns)};
    verified->available = !kernel->trapped;
    if (kernel->trapped)
        snprintf(text, sizeof text, "it traps there");
    else
        cm_verified_compare(verified, facts, count, count, text, sizeof text);
    verified->text = strdup(text);
    return verified->text != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Judges the kernels of a benchmark, from `first` on; *next is the first of the next benchmark. */
static cm_status judge_benchmark(const tracing *work, size_t first, size_t *next, cm_verification *verification,
                                 cm_error *error)
{
    const cm_emission *emission = work->emission;
    const cm_fact_table *table = emission->facts;
    const char *benchmark = emission->kernels[first]->benchmark;
    size_t *facts = calloc(table->primitive_count + 1, sizeof *facts);
    verification->benchmark = strdup(benchmark);
    verification->quantities = calloc(table->primitive_count + 1, sizeof *verification->quantities);
    verification->kernels = calloc(emission->kernel_count + 1, sizeof *verification->kernels);
    cm_status status = facts != NULL && verification->benchmark != NULL && verification->quantities != NULL &&
                               verification->kernels != NULL
                           ? CM_OK
                           : cm_error_no_memory(error);
    for (size_t i = 0; i < table->primitive_count && status == CM_OK; i++) {
        size_t fact = table->primitives[i], at = verification->quantity_count;
        if (!cm_trace_tells(table, fact))
            continue;
        facts[at] = fact;
        verification->quantities[at] = strdup(cm_fact_name(fact));
        if (verification->quantities[at] == NULL)
            status = cm_error_no_memory(error);
        verification->quantity_count = verification->primitive_count = at + 1;
    }
    for (*next = first; status == CM_OK && *next < emission->kernel_count &&
                        strcmp(emission->kernels[*next]->benchmark, benchmark) == 0;
         ++*next) {
        cm_verified_kernel *verified = &verification->kernels[verification->kernel_count++];
        status = judge_kernel(work, *next, facts, verification->quantity_count, verified, error);
        verification->failures += verified->available && !verified->ok;
    }
    free(facts);
    return status;
}

/* Judges the kernels of the trace, a verification for each benchmark. */
static cm_status judge_all(const tracing *work, cm_verification **verifications, size_t *count, cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t next = 0; next < work->emission->kernel_count && status == CM_OK;) {
        cm_verification *made = calloc(1, sizeof *made);
        if (made == NULL)
            return cm_error_no_memory(error);
        verifications[(*count)++] = made;
        status = judge_benchmark(work, next, &next, made, error);
    }
    return status;
}

cm_status cm_verifications_of_trace_create(const char *path, const cm_emit_options *options,
                                           cm_verification *verifications[CM_EMITTED_BENCHMARKS], size_t *count,
                                           cm_error *error)
{
    cm_emission emission;
    tracing work = {.emission = &emission, .path = path};
    size_t line = 0;
    *count = 0;
    cm_status status = cm_emission_open(options, &emission, error);
    CM_THEN(status, begin_tracing(&work, error));
    CM_THEN(status, cm_error_of_input(cm_trace_read(path, take_retired, &work, &line, error), error));
    CM_THEN(status, check_end(&work, line, error));
    CM_THEN(status, judge_all(&work, verifications, count, error));
    for (size_t i = 0; i < *count && status != CM_OK; i++)
        cm_verification_free(verifications[i]);
    *count = status == CM_OK ? *count : 0;
    for (size_t i = 0; work.kernels != NULL && i < work.emission->kernel_count; i++)
        free(work.kernels[i].sums);
    CM_FREE(work.kernels, work.facts);
    cm_emission_close(&emission);
    return status;
}
