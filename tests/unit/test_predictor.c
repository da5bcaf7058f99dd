#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/base.h"
#include "software_pmu/machine/flow.h"

enum { BRANCHES = 20000 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return *state >> 33;
}

/* What a branch does at its n-th time. */
static bool always(uint64_t n, uint64_t *random)
{
    (void)n, (void)random;
    return true;
}

static bool never(uint64_t n, uint64_t *random)
{
    (void)n, (void)random;
    return false;
}

static bool alternating(uint64_t n, uint64_t *random)
{
    (void)random;
    return n % 2 == 0;
}

static bool one_in_seven(uint64_t n, uint64_t *random)
{
    (void)random;
    return n % 7 == 0;
}

/* Beyond gshare's history of ten, within tage's. */
static bool one_in_thirty(uint64_t n, uint64_t *random)
{
    (void)random;
    return n % 30 == 0;
}

static bool half_and_half(uint64_t n, uint64_t *random)
{
    (void)random;
    return n < BRANCHES / 2;
}

static bool at_random(uint64_t n, uint64_t *random)
{
    (void)n;
    return next_random(random) % 2 == 0;
}

static double mispredicted(const char *name, bool (*behaviour)(uint64_t n, uint64_t *random))
{
    cm_predictor *predictor = NULL;
    assert_int_equal(cm_predictor_create(name, &predictor, NULL), CM_OK);
    uint64_t random = 42, wrong = 0;
    for (uint64_t n = 0; n < BRANCHES; n++) {
        bool taken = behaviour(n, &random);
        wrong += cm_predictor_predict(predictor, 0x401000) != taken;
        cm_predictor_learn(predictor, 0x401000, taken);
    }
    cm_predictor_free(predictor);
    return (double)wrong / BRANCHES;
}

/* Shares of mispredictions, with bounds: 0.001 leaves 20 for warming up; 0.49 to 0.51 is three standard deviations. */
static void behaviours_are_predicted_as_well_as_they_can_be(void **state)
{
    (void)state;
    static const struct {
        const char *predictor;
        bool (*behaviour)(uint64_t n, uint64_t *random);
        double least, most;
    } rows[] = {
        {"none", always, 1.0, 1.0},
        {"none", never, 0.0, 0.0},
        {"none", alternating, 0.5, 0.5},
        {"bimodal", always, 0.00005, 0.0001},
        {"bimodal", never, 0.0, 0.0},
        {"bimodal", half_and_half, 0.0, 0.001},
        {"bimodal", alternating, 0.5, 1.0},
        {"bimodal", one_in_seven, 0.14, 0.15},
        {"bimodal", at_random, 0.49, 0.51},
        {"gshare", always, 0.00005, 0.001},
        {"gshare", never, 0.0, 0.0},
        {"gshare", half_and_half, 0.0, 0.002},
        {"gshare", alternating, 0.0, 0.001},
        {"gshare", one_in_seven, 0.0, 0.002},
        {"gshare", one_in_thirty, 0.033, 0.034},
        {"gshare", at_random, 0.49, 0.51},
        {"tage", always, 0.00005, 0.0002},
        {"tage", never, 0.0, 0.0},
        {"tage", half_and_half, 0.0, 0.001},
        {"tage", alternating, 0.0, 0.001},
        {"tage", one_in_seven, 0.0, 0.002},
        {"tage", one_in_thirty, 0.0, 0.003},
        {"tage", at_random, 0.49, 0.51},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double share = mispredicted(rows[i].predictor, rows[i].behaviour);
        if (share < rows[i].least || share > rows[i].most)
            fail_msg("row %zu, %s: %g mispredicted", i, rows[i].predictor, share);
    }
}

/* A random branch beside a loop branch, a branch that repeats the random one, and one that is never taken: the branch
 * kernels count on it that only the random one is mispredicted. */
static void a_random_branch_does_not_spoil_its_neighbours(void **state)
{
    (void)state;
    cm_predictor *predictor = NULL;
    assert_int_equal(cm_predictor_create("tage", &predictor, NULL), CM_OK);
    uint64_t random = 7, wrong[4] = {0};
    for (unsigned n = 0; n < BRANCHES; n++) {
        bool coin = next_random(&random) % 2 == 0;
        bool taken[4] = {coin, coin, false, true};
        for (unsigned branch = 0; branch < 4; branch++) {
            wrong[branch] += cm_predictor_predict(predictor, 0x401000 + 16 * branch) != taken[branch];
            cm_predictor_learn(predictor, 0x401000 + 16 * branch, taken[branch]);
        }
    }
    cm_predictor_free(predictor);
    assert_in_range(wrong[0], BRANCHES * 48 / 100, BRANCHES * 52 / 100);
    assert_in_range(wrong[1], 0, BRANCHES / 100); /* it is in the history */
    assert_in_range(wrong[2], 0, BRANCHES / 1000);
    assert_in_range(wrong[3], 1, BRANCHES / 1000);
}

/* Mispredictions of sixty random branches and of as many indirect ones, from `base` on. */
static uint64_t mispredicted_from(const char *name, uint64_t base)
{
    cm_predictor *predictor = NULL;
    assert_int_equal(cm_predictor_create(name, &predictor, NULL), CM_OK);
    uint64_t random = 11, wrong = 0;
    for (unsigned n = 0; n < BRANCHES; n++) {
        uint64_t address = base + 7 * (n % 60);
        bool taken = next_random(&random) % 3 == 0;
        wrong += cm_predictor_predict(predictor, address) != taken;
        cm_predictor_learn(predictor, address, taken);
        wrong += !cm_predictor_indirect(predictor, address + 3, taken);
    }
    cm_predictor_free(predictor);
    return wrong;
}

/* The system draws them anew for each process. */
static void addresses_do_not_matter(void **state)
{
    (void)state;
    static const char *const names[] = {"none", "bimodal", "gshare", "tage"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (uint64_t base = 0x401000; base < UINT64_C(1) << 47; base = 5 * base + 0x1000)
            if (mispredicted_from(names[i], base) != mispredicted_from(names[i], 0x401000))
                fail_msg("%s, from 0x%llx on", names[i], (unsigned long long)base);
}

static void indirect_branches_go_where_they_went(void **state)
{
    (void)state;
    cm_predictor *predictor = NULL;
    assert_int_equal(cm_predictor_create("none", &predictor, NULL), CM_OK);
    static const struct {
        uint64_t address, target;
        bool right;
    } rows[] = {{1, 100, false}, {1, 100, true}, {2, 100, false}, {1, 100, true}, {1, 101, false}, {1, 101, true}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (cm_predictor_indirect(predictor, rows[i].address, rows[i].target) != rows[i].right)
            fail_msg("row %zu", i);
    cm_predictor_free(predictor);
}

static void returns_match_the_last_sixteen_calls(void **state)
{
    (void)state;
    cm_predictor *predictor = NULL;
    assert_int_equal(cm_predictor_create("none", &predictor, NULL), CM_OK);
    assert_false(cm_predictor_return(predictor, 1));
    for (uint64_t call = 1; call <= 20; call++)
        cm_predictor_call(predictor, call);
    for (uint64_t call = 20; call >= 5; call--)
        assert_true(cm_predictor_return(predictor, call));
    assert_false(cm_predictor_return(predictor, 4));
    cm_predictor_call(predictor, 9);
    assert_false(cm_predictor_return(predictor, 8));
    cm_predictor_free(predictor);
}

static void an_unknown_predictor_is_refused(void **state)
{
    (void)state;
    cm_predictor *predictor = NULL;
    cm_error error;
    assert_int_equal(cm_predictor_create("oracle", &predictor, &error), CM_BAD_ARGUMENT);
    assert_non_null(strstr(error.text, "'oracle'"));
    assert_int_equal(cm_predictor_create("", &predictor, NULL), CM_BAD_ARGUMENT);
    assert_null(predictor);
    cm_predictor_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaviours_are_predicted_as_well_as_they_can_be),
        cmocka_unit_test(a_random_branch_does_not_spoil_its_neighbours),
        cmocka_unit_test(addresses_do_not_matter),
        cmocka_unit_test(indirect_branches_go_where_they_went),
        cmocka_unit_test(returns_match_the_last_sixteen_calls),
        cmocka_unit_test(an_unknown_predictor_is_refused),
    };
    return cmocka_run_group_tests_name("predictor", tests, NULL, NULL);
}
