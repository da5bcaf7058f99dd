/* Facts that the machine has none of. */
#include "law/state.h"

static bool surely_does(const cm_kernel_facts *kernel, size_t fact)
{
    return kernel->values[fact] > kernel->ranges[fact];
}

static bool is_swept(const cm_law *law, const char *benchmark)
{
    bool swept = false;
    for (size_t k = 0; k < law->setup.kernel_count && !swept; k++)
        swept = strcmp(law->setup.kernels[k].facts->benchmark, benchmark) == 0;
    return swept;
}

/* Whether a kernel of the same sort ran, so that this one was left out for another reason than the machine. `ran`: one
 * a kernel of the law, NULL if this catmint has none. */
static bool could_run(const cm_law *law, const cm_kernel *const *ran, const cm_kernel_facts *kernel)
{
    const cm_kernel *own = cm_kernel_find(kernel->benchmark, kernel->kernel);
    bool could = false;
    for (size_t k = 0; own != NULL && k < law->setup.kernel_count && !could; k++)
        could = ran[k] != NULL && strcmp(own->benchmark, ran[k]->benchmark) == 0 && own->level == ran[k]->level &&
                ((own->chain ^ ran[k]->chain) & ~(unsigned)(CM_CHAIN_PLACE | CM_CHAIN_ZEROS)) == 0 &&
                (own->isa & ~ran[k]->isa) == 0;
    return could;
}

static bool is_done(const cm_law *law, size_t fact, bool surely)
{
    bool done = false;
    for (size_t k = 0; k < law->setup.kernel_count && !done; k++) {
        const cm_kernel_facts *kernel = law->setup.kernels[k].facts;
        done = surely ? surely_does(kernel, fact) : kernel->ranges[fact] > 0.0;
    }
    return done;
}

/* Whether all kernels that surely do the fact are of benchmarks that were swept, and none of them ran, nor could: the
 * machine lacks the means. */
static bool is_lacking(const cm_law *law, const cm_kernel *const *ran, size_t fact)
{
    const cm_fact_table *facts = law->setup.facts;
    bool sure = false, elsewhere = is_done(law, fact, true);
    for (size_t k = 0; k < facts->kernel_count && !elsewhere; k++) {
        const cm_kernel_facts *kernel = &facts->kernels[k];
        bool does = surely_does(kernel, fact);
        sure |= does;
        elsewhere = does && (!is_swept(law, kernel->benchmark) || could_run(law, ran, kernel));
    }
    return !elsewhere && (sure || !is_done(law, fact, false));
}

cm_status cm_law_find_lacking(cm_law *law, cm_error *error)
{
    law->lacking = calloc(cm_fact_count() + 1, sizeof *law->lacking);
    law->tried = calloc(cm_fact_count() + 1, sizeof *law->tried);
    law->sure = calloc(cm_fact_count() + 1, sizeof *law->sure);
    const cm_kernel **ran = calloc(law->setup.kernel_count + 1, sizeof *ran);
    if (law->lacking == NULL || law->tried == NULL || law->sure == NULL || ran == NULL) {
        free(ran);
        return cm_error_no_memory(error);
    }
    for (size_t k = 0; k < law->setup.kernel_count; k++)
        ran[k] = cm_kernel_find(law->setup.kernels[k].facts->benchmark, law->setup.kernels[k].facts->kernel);
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const cm_listed_fact *listed = &law->setup.facts->facts[fact];
        bool primitive = listed->kind != CM_FACT_UNLISTED && listed->kind != CM_FACT_DERIVED;
        bool here = listed->here || listed->kind == CM_FACT_SPECULATIVE;
        law->lacking[fact] = !primitive || listed->elsewhere || (!here && is_lacking(law, ran, fact));
        law->sure[fact] = !law->lacking[fact] && is_done(law, fact, true);
    }
    free(ran);
    return CM_OK;
}

size_t cm_law_unserved(const cm_law_metric *metric)
{
    const cm_law *law = metric->law;
    const double *weights = metric->weights;
    size_t unserved = SIZE_MAX;
    for (size_t c = 0; c < CM_LAW_CHAINS; c++)
        for (size_t i = 0; i < CM_LAW_LEVELS; i++) {
            const size_t *chain = cm_law_served[c], fact = chain[i];
            bool differs = false;
            for (size_t j = 0; j < CM_LAW_LEVELS; j++)
                differs |= !law->lacking[chain[j]] && weights[chain[j]] != weights[fact];
            if (differs && weights[fact] != 0.0 && law->setup.facts->facts[fact].here && !law->sure[fact])
                unserved = fact;
        }
    return unserved;
}
