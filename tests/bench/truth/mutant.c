/* The rules of the method with one of them changed, as CATMINT_MUTATION says: what truth.mutants runs. */
#include <stdlib.h>
#include <string.h>

/* Constants elsewhere, a variable here: it is set before anything is read. */
#define cm_the_rules cm_rules_elsewhere
#include "analysis/rules.h"
#undef cm_the_rules

#define cm_the_rules cm_rules_as_they_are
#include "analysis/rules.c"
#undef cm_the_rules

extern cm_rules cm_the_rules;
cm_rules cm_the_rules;

static void mutate(const char *mutation)
{
    cm_rules *rules = &cm_the_rules;
    if (strcmp(mutation, "round counts") == 0)
        rules->quantum = 0.25;
    else if (strcmp(mutation, "no controls") == 0)
        rules->with_controls = false;
    else if (strcmp(mutation, "controls in the verdict only") == 0)
        rules->solve_with_controls = false;
    else if (strcmp(mutation, "relative to the widest") == 0)
        rules->relative_to_widest = true;
    else if (strcmp(mutation, "round freely") == 0)
        rules->round_freely = true;
    else if (strcmp(mutation, "alternatives unjudged") == 0)
        rules->judge_others = false;
    else if (strcmp(mutation, "tolerance x 3") == 0)
        rules->tolerances = 3.0;
    else if (mutation[0] != '\0')
        abort();
}

static void __attribute__((constructor)) begin(void)
{
    const char *mutation = getenv("CATMINT_MUTATION");
    cm_the_rules = cm_rules_as_they_are;
    mutate(mutation != NULL ? mutation : "");
}
