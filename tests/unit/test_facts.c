#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "software_pmu/machine/facts.h"

static void every_name_leads_back_to_its_fact(void **state)
{
    (void)state;
    for (size_t fact = 0; fact < cm_fact_count(); fact++)
        assert_int_equal(cm_fact_find(cm_fact_name(fact)), fact); /* so no name stands twice either */
    assert_null(cm_fact_name(cm_fact_count()));
    assert_int_equal(cm_fact_find("instruction"), -1);
    assert_int_equal(cm_fact_find(""), -1);
    assert_int_equal(cm_fact_find("fp_h_64_add"), -1);
}

static void floating_point_names_are_spelled_out(void **state)
{
    (void)state;
    static const char *const precisions[] = {"h", "s", "d"};
    static const char *const widths[] = {"scalar", "128", "256", "512", "v128", "v256", "v512"};
    static const char *const operations[] = {"", "_add", "_sub", "_mul", "_div", "_sqrt", "_fma", "_other"};
    for (unsigned p = 0; p < 3; p++)
        for (unsigned w = 0; w < CM_FP_WIDTHS; w++)
            for (unsigned o = 0; o < 8; o++) {
                char name[64];
                snprintf(name, sizeof name, "fp_%s_%s%s", precisions[p], widths[w], operations[o]);
                assert_int_equal(cm_fact_find(name),
                                 cm_fact_fp((cm_fp_precision)p, (cm_fp_width)w, (cm_fp_operation)o));
            }
}

static void names_stand_where_the_enumeration_says(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        cm_fact fact;
    } rows[] = {
        {"instructions", CM_FACT_INSTRUCTIONS},
        {"store_bytes", CM_FACT_STORE_BYTES},
        {"branches_uncond", CM_FACT_BRANCHES_UNCOND},
        {"returns", CM_FACT_RETURNS},
        {"mispredicted_cond", CM_FACT_MISPREDICTED_COND},
        {"cond_executed", CM_FACT_COND_EXECUTED},
        {"l1d_load_hit", CM_FACT_L1D_LOAD_HIT},
        {"l2_store_miss", CM_FACT_L2_STORE_MISS},
        {"l3_load_miss", CM_FACT_L3_LOAD_MISS},
        {"dtlb_store_miss", CM_FACT_DTLB_STORE_MISS},
        {"tsc_cycles", CM_FACT_TSC_CYCLES},
        {"fp_d_v512_other", CM_FACT_FP_END},
        {"fp_s_128_dpp", CM_FACT_FP_S_128_DPP},
        {"fp_d_128_dpp", CM_FACT_FP_D_128_DPP},
        {"mispredicted_cond_ntaken", CM_FACT_MISPREDICTED_COND_NTAKEN},
        {"uncond_executed", CM_FACT_UNCOND_EXECUTED},
        {"split_stores", CM_FACT_SPLIT_STORES},
        {"nops", CM_FACT_NOPS},
        {"fp_conversions", CM_FACT_FP_CONVERSIONS},
        {"fp_h_scalar_complex", CM_FACT_FP_H_SCALAR_COMPLEX},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(cm_fact_find(rows[i].name), rows[i].fact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_leads_back_to_its_fact),
        cmocka_unit_test(floating_point_names_are_spelled_out),
        cmocka_unit_test(names_stand_where_the_enumeration_says),
    };
    return cmocka_run_group_tests_name("facts", tests, NULL, NULL);
}
