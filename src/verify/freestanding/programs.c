/* Composes random programs: some kinds of work, each in a number of its own, in random order. */
#include "core/system.h"
#include "verify/freestanding/freestanding.h"

enum { LEAST_KINDS = 3, MOST_KINDS = 8, MOST_OF_A_KIND = 12 };

/* The loop around the work. */
static const char loop[] =
    "2*instructions + int_scalar_add + branches_cond + branches_cond_taken + cond_executed + cond_executed_taken";

typedef struct composer {
    const cm_emit_isa *isa;
    cm_fact_table *table;
    cm_emitted_programs *programs;
    double *weights; /* of each work, cm_fact_count(); behind the last, of the loop */
} composer;

/* ---- works ---- */

static cm_status add_weights(composer *in, const char *text, const char *file, cm_error *error)
{
    const size_t facts = cm_fact_count(), at = in->programs->work_count;
    if (!CM_RESIZE(in->weights, (at + 1) * facts))
        return cm_error_no_memory(error);
    double *weights = in->weights + at * facts;
    memset(weights, 0, facts * sizeof *weights);
    return cm_meaning_parse(in->table, text, file, weights, error);
}

/* Reads a kind of work that the processor has, with its weight in each class. */
static cm_status take_work(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    composer *in = data;
    cm_emitted_programs *programs = in->programs;
    if (strcmp(row->fields[0], in->isa->family) != 0 || !cm_emit_isa_has(in->isa, row->fields[2]))
        return CM_OK;
    cm_status status = add_weights(in, row->fields[3], cm_csv_path(csv), error);
    char **grown = status == CM_OK ? cm_grow_by_one(programs->works, programs->work_count, sizeof *grown) : NULL;
    if (status == CM_OK && grown == NULL)
        return cm_error_no_memory(error);
    if (status != CM_OK)
        return status;
    programs->works = grown;
    grown[programs->work_count] = strdup(row->fields[1]);
    if (grown[programs->work_count] == NULL)
        return cm_error_no_memory(error);
    programs->work_count++;
    return CM_OK;
}

/* ---- programs ---- */

static void add_facts(const composer *in, size_t work, double *facts)
{
    for (size_t i = 0; i < cm_fact_count(); i++)
        facts[i] += in->weights[work * cm_fact_count() + i];
}

/* Derived facts are sums of the primitive ones. */
static void add_derived(const composer *in, double *facts)
{
    for (size_t d = 0; d < cm_fact_count(); d++) {
        const cm_listed_fact *fact = &in->table->facts[d];
        if (fact->kind != CM_FACT_DERIVED)
            continue;
        facts[d] = 0.0;
        for (size_t i = 0; i < in->table->primitive_count; i++)
            facts[d] += fact->coefficients[in->table->primitives[i]] * facts[in->table->primitives[i]];
    }
}

/* Draws the kinds and how often each stands there, and puts them in random order. */
static void draw_program(const composer *in, uint64_t *state, cm_emitted_program *program, FILE *description)
{
    const size_t kinds = LEAST_KINDS + cm_random_below(state, MOST_KINDS - LEAST_KINDS + 1);
    for (size_t k = 0; k < kinds; k++) {
        const size_t work = cm_random_below(state, in->programs->work_count);
        const size_t count = 1 + cm_random_below(state, MOST_OF_A_KIND);
        fprintf(description, "%s%zu %s", k > 0 ? ", " : "", count, in->programs->works[work]);
        for (size_t i = 0; i < count; i++)
            program->works[program->count++] = work;
    }
    for (size_t i = program->count; i > 1; i--) {
        const size_t other = cm_random_below(state, i), kept = program->works[i - 1];
        program->works[i - 1] = program->works[other];
        program->works[other] = kept;
    }
}

/* Composes a program from its number and the seed. */
static cm_status compose_program(const composer *in, size_t number, cm_emitted_program *program, cm_error *error)
{
    uint64_t state = in->programs->seed + ((uint64_t)number << 32);
    program->works = calloc(MOST_KINDS * MOST_OF_A_KIND + 1, sizeof *program->works);
    program->facts = calloc(cm_fact_count() + 1, sizeof *program->facts);
    FILE *description = cm_memory_stream(&program->description, NULL);
    bool named = asprintf(&program->name, "program-%zu.%llu", number, (unsigned long long)in->programs->seed) >= 0;
    program->name = named ? program->name : NULL;
    bool enough = named && description != NULL && program->works != NULL && program->facts != NULL;
    if (enough && number > 0) {
        draw_program(in, &state, program, description);
        for (size_t i = 0; i < program->count; i++)
            add_facts(in, program->works[i], program->facts);
        add_facts(in, in->programs->work_count, program->facts);
        add_derived(in, program->facts);
    }
    enough = (description == NULL || fclose(description) == 0) && enough;
    return enough ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_emitted_programs_create(const char *isa, uint64_t seed, size_t count, cm_emitted_programs **programs,
                                     cm_error *error)
{
    cm_emit_isa known;
    composer in = {.isa = &known, .programs = calloc(1, sizeof *in.programs)};
    if (in.programs == NULL)
        return cm_error_no_memory(error);
    *in.programs = (cm_emitted_programs){CM_EMITTED_PROGRAMS, .seed = seed};
    cm_status status = cm_emit_isa_parse(isa, &known, error);
    CM_THEN(status, cm_fact_table_load(NULL, known.architecture, &in.table, error));
    static const char *const columns[] = {"architecture", "work", "needs", "facts"};
    CM_THEN(status, cm_csv_each_data("cat-kernels/freestanding/works.csv", 4, columns, take_work, &in, error));
    CM_THEN(status, add_weights(&in, loop, "", error));
    if (status == CM_OK && (in.programs->items = calloc(count + 1, sizeof *in.programs->items)) == NULL)
        status = cm_error_no_memory(error);
    for (size_t i = 0; i <= count && status == CM_OK; i++)
        status = compose_program(&in, i, &in.programs->items[in.programs->count++], error);
    cm_fact_table_free(in.table);
    free(in.weights);
    CM_HAND_OVER(status, programs, in.programs, cm_emitted_programs_free);
    return status;
}

void cm_emitted_programs_free(cm_emitted_programs *programs)
{
    if (programs == NULL)
        return;
    for (size_t i = 0; i < programs->count; i++) {
        CM_FREE(programs->items[i].name, programs->items[i].description, programs->items[i].works,
                programs->items[i].facts);
    }
    cm_free_list(programs->works, programs->work_count);
    CM_FREE(programs->items, programs);
}
