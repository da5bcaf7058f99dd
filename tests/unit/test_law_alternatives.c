/* What the law holds definitions against, on kernels of x86-64. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "law/state.h"
#include "verify/verify.h"

/* A range by a difference that no program has would say nothing: each is of what programs do more. */
static void differences_are_there_in_programs(void **state)
{
    (void)state;
    cm_fact_table *facts = NULL;
    cm_natural *natural = NULL;
    cm_law *law = NULL;
    assert_int_equal(cm_fact_table_load(NULL, "x86_64", &facts, NULL), CM_OK);
    assert_int_equal(cm_natural_load(NULL, &natural, NULL), CM_OK);
    cm_law_kernel *kernels = calloc(facts->kernel_count, sizeof *kernels);
    double *weights = calloc(cm_fact_count(), sizeof *weights);
    size_t count = 0;
    for (size_t k = 0; k < facts->kernel_count; k++)
        if (strcmp(facts->kernels[k].benchmark, "dcache") == 0)
            kernels[count++].facts = &facts->kernels[k];
    const cm_law_setup setup = {facts, natural, kernels, count, weights, 1, 1e-5};
    assert_int_equal(cm_meaning_parse(facts, "l2_load_hit", NULL, weights, NULL), CM_OK);
    assert_int_equal(cm_law_create(&setup, &law, NULL), CM_OK);
    size_t differences = 0;
    for (size_t a = 0; a < law->total; a++) {
        int more = 0;
        if (law->alternatives[a].sort != CM_LAW_DIFFERENCE)
            continue;
        for (size_t p = 0; p < natural->count; p++) {
            double amount = law->programs[a * natural->count + p];
            more += (amount > 0.0) - (amount < 0.0);
        }
        assert_true(more >= 0);
        differences++;
    }
    assert_true(differences > 10);
    cm_law_free(law);
    free(weights);
    free(kernels);
    cm_natural_free(natural);
    cm_fact_table_free(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_there_in_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
