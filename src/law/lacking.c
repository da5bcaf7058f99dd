/* Facts that the machine has none of. */
#include "law/state.h"

const size_t cm_law_served[CM_LAW_CHAINS][CM_LAW_LEVELS] = {
    {CM_FACT_L1D_LOAD_HIT, CM_FACT_L2_LOAD_HIT, CM_FACT_L3_LOAD_HIT, CM_FACT_L3_LOAD_MISS},
    {CM_FACT_L1D_STORE_HIT, CM_FACT_L2_STORE_HIT, CM_FACT_L3_STORE_HIT, CM_FACT_L3_STORE_MISS},
    {CM_FACT_L1I_FETCH_HIT, CM_FACT_L2_FETCH_HIT, CM_FACT_L3_FETCH_HIT, CM_FACT_L3_FETCH_MISS},
};

static bool does(const cm_kernel_facts *kernel, size_t fact, bool surely)
{
    return surely ? kernel->values[fact] > kernel->ranges[fact] : kernel->ranges[fact] > 0.0;
}

static bool is_swept(const cm_law *law, const char *benchmark)
{
    bool swept = false;
    for (size_t k = 0; k < law->setup.kernel_count && !swept; k++)
        swept = strcmp(law->setup.kernels[k].facts->benchmark, benchmark) == 0;
    return swept;
}

/* The kernels that ran. */
typedef struct sweep {
    const cm_kernel **kernels; /* one a kernel of the law, NULL if this catmint has none */
    unsigned isa;              /* instruction sets that these need */
} sweep;

/* The level of the cache that has the kernel's lines; 0: no certain one, or memory. */
static unsigned cache_of(const cm_kernel *kernel)
{
    const unsigned place = kernel->chain & CM_CHAIN_PLACE; /* of pages: 0: whichever, 1: L2 */
    const unsigned level = (kernel->chain & CM_CHAIN_PAGES) == 0 ? kernel->level : place == 0 ? 0 : place + 1;
    return level < CM_LAW_LEVELS ? level : 0;
}

/* Whether the machine has the cache of the level: that is known, or a kernel for it ran. */
static bool has_cache(const cm_law *law, const sweep *ran, unsigned level)
{
    const cm_listed_fact *hit = &law->setup.facts->facts[cm_law_served[0][level > 0 ? level - 1 : 0]];
    bool has = level == 0 || hit->here;
    for (size_t k = 0; k < law->setup.kernel_count && !has && !hit->elsewhere; k++)
        has = ran->kernels[k] != NULL && cache_of(ran->kernels[k]) == level;
    return has;
}

/* Whether the machine has the instructions and the cache for the kernel, so that it was left out for want of memory,
 * room, time or huge pages, which programs may have. */
static bool could_run(const cm_law *law, const sweep *ran, const cm_kernel_facts *kernel)
{
    const cm_kernel *own = cm_kernel_find(kernel->benchmark, kernel->kernel);
    return own != NULL && (own->isa & ~ran->isa) == 0 && has_cache(law, ran, cache_of(own));
}

static bool is_done(const cm_law *law, size_t fact, bool surely)
{
    bool done = false;
    for (size_t k = 0; k < law->setup.kernel_count && !done; k++)
        done = does(law->setup.kernels[k].facts, fact, surely);
    return done;
}

/* Whether all kernels that surely do the fact, or if there are none that may, are of benchmarks that were swept, and
 * none of them ran, nor could: the machine lacks the means. */
static bool is_lacking(const cm_law *law, const sweep *ran, size_t fact)
{
    const cm_fact_table *facts = law->setup.facts;
    bool surely = false;
    for (size_t k = 0; k < facts->kernel_count && !surely; k++)
        surely = does(&facts->kernels[k], fact, true);
    bool lacks = !is_done(law, fact, true) && (surely || !is_done(law, fact, false));
    for (size_t k = 0; k < facts->kernel_count && lacks; k++)
        lacks = !does(&facts->kernels[k], fact, surely) ||
                (is_swept(law, facts->kernels[k].benchmark) && !could_run(law, ran, &facts->kernels[k]));
    return lacks;
}

cm_status cm_law_find_lacking(cm_law *law, cm_error *error)
{
    law->lacking = calloc(cm_fact_count() + 1, sizeof *law->lacking);
    law->tried = calloc(cm_fact_count() + 1, sizeof *law->tried);
    law->sure = calloc(cm_fact_count() + 1, sizeof *law->sure);
    sweep ran = {.kernels = calloc(law->setup.kernel_count + 1, sizeof *ran.kernels)};
    if (law->lacking == NULL || law->tried == NULL || law->sure == NULL || ran.kernels == NULL) {
        free(ran.kernels);
        return cm_error_no_memory(error);
    }
    for (size_t k = 0; k < law->setup.kernel_count; k++) {
        const cm_kernel_facts *kernel = law->setup.kernels[k].facts;
        ran.kernels[k] = cm_kernel_find(kernel->benchmark, kernel->kernel);
        ran.isa |= ran.kernels[k] != NULL ? ran.kernels[k]->isa : 0;
    }
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        const cm_listed_fact *listed = &law->setup.facts->facts[fact];
        bool primitive = listed->kind != CM_FACT_UNLISTED && listed->kind != CM_FACT_DERIVED;
        /* Wrong paths have what right ones may have. */
        size_t right = listed->kind == CM_FACT_SPECULATIVE ? listed->like : fact;
        const cm_listed_fact *behind = &law->setup.facts->facts[right];
        bool lacks = behind->elsewhere || (!behind->here && is_lacking(law, &ran, right));
        law->lacking[fact] = !primitive || listed->elsewhere || lacks;
        law->sure[fact] = !law->lacking[fact] && is_done(law, fact, true);
    }
    free(ran.kernels);
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
