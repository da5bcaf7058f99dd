/* The rules of the method with one of them changed, as CATMINT_MUTATION says: what truth.mutants runs. */
#include <stdlib.h>
#include <string.h>

#include "analysis/rules.h"
#include "law/counted.h"

/* What the linker takes for cm_the_rules (--wrap): a variable, which is set before anything is read. */
extern cm_rules __wrap_cm_the_rules;
cm_rules __wrap_cm_the_rules;
extern const cm_rules __real_cm_the_rules;

bool __real_cm_law_allows(const cm_law_verdict *verdict);
bool __wrap_cm_law_allows(const cm_law_verdict *verdict);

static bool with_law = true;

bool __wrap_cm_law_allows(const cm_law_verdict *verdict)
{
    return !with_law || __real_cm_law_allows(verdict);
}

/* "lawless": the law allows everything. */
static void mutate(const char *mutation)
{
    cm_rules *rules = &__wrap_cm_the_rules;
    with_law = strcmp(mutation, "lawless") != 0;
    mutation += with_law ? 0 : strlen("lawless");
    if (strcmp(mutation, "round counts") == 0)
        rules->quantum = 0.25;
    else if (strcmp(mutation, "no controls") == 0)
        rules->with_controls = false;
    else if (strcmp(mutation, "controls in the verdict only") == 0)
        rules->solve_with_controls = false;
    else if (strcmp(mutation, "round freely") == 0)
        rules->round_freely = true;
    else if (strcmp(mutation, "tolerance x 3") == 0)
        rules->tolerances = 3.0;
    else if (strcmp(mutation, "disturbed runs like others") == 0)
        rules->apart = 1e300;
    else if (mutation[0] != '\0')
        abort();
}

static void __attribute__((constructor)) begin(void)
{
    const char *mutation = getenv("CATMINT_MUTATION");
    __wrap_cm_the_rules = __real_cm_the_rules;
    mutate(mutation != NULL ? mutation : "");
}
