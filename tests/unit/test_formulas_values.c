/* Values of formulas, evaluated and by their linear forms, in each program's arithmetic. */
#include <math.h>

#include "formulas_text.h"

/* ---- values ---- */

/* The event E has 3, F 5, G 7, H 11, and any other quantity 2. */
static double value_of(const char *name)
{
    static const char names[] = "EFGH";
    static const double values[] = {3.0, 5.0, 7.0, 11.0};
    const char *found = strlen(name) == 1 ? strchr(names, name[0]) : NULL;
    return found != NULL ? values[found - names] : 2.0;
}

static double evaluate(const cm_formulas *set, size_t formula)
{
    double values[32], value = 0.0;
    cm_error error;
    assert_in_range(cm_formulas_quantity_count(set), 0, COUNT(values));
    for (size_t i = 0; i < cm_formulas_quantity_count(set); i++)
        values[i] = value_of(cm_formulas_quantity_name(set, i));
    if (cm_formulas_evaluate(set, formula, values, &value, &error) != CM_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.text);
    return value;
}

static double form_value(const cm_formulas *set, const cm_linear_form *form)
{
    double value = form->constant;
    for (size_t i = 0; i < form->count; i++) {
        assert_true(form->coefficients[i] != 0.0);
        value += form->coefficients[i] * value_of(cm_formulas_quantity_name(set, form->quantities[i]));
    }
    return value;
}

typedef struct valued {
    const char *formula;
    double value;
    cm_formula_shape shape;
} valued;

/* The value of the last formula of the file, computed twice: by evaluation and by its forms. */
static void expect_values(const char *before, const char *after, const valued *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char text[1024];
        cm_linear_form above, below;
        snprintf(text, sizeof text, "%s%s%s", before, rows[i].formula, after);
        cm_formulas *set = load(text);
        if (cm_formulas_fault_count(set) != 0)
            fail_msg("row %zu: %s", i, cm_formulas_fault(set, 0)->text);
        size_t last = cm_formulas_count(set) - 1;
        double value = evaluate(set, last);
        if (!(fabs(value - rows[i].value) <= 1e-12 * fabs(rows[i].value)))
            fail_msg("row %zu: %s is %.17g, expected %.17g", i, rows[i].formula, value, rows[i].value);
        cm_formula_shape shape = cm_formulas_shape(set, last, &above, &below);
        if (shape != rows[i].shape)
            fail_msg("row %zu: %s has shape %d", i, rows[i].formula, (int)shape);
        double quotient = shape != CM_FORMULA_OTHER ? form_value(set, &above) / form_value(set, &below) : value;
        if (!(fabs(quotient - value) <= 1e-12 * fabs(value)))
            fail_msg("row %zu: %s is %.17g by its forms", i, rows[i].formula, quotient);
        if (shape == CM_FORMULA_LINEAR && (below.count != 0 || below.constant != 1.0))
            fail_msg("row %zu: a linear form over something", i);
        cm_formulas_free(set);
    }
}

static void papi_arithmetic_is_papis(void **state)
{
    (void)state;
    static const valued rows[] = {
        {"NOT_DERIVED,E", 3, CM_FORMULA_LINEAR},
        {"derived_add,E,F,G", 15, CM_FORMULA_LINEAR},
        {"DERIVED_SUB,H,F,E,SDESC,short,NOTE,note", 3, CM_FORMULA_LINEAR},
        {"DERIVED_SUB,H", 11, CM_FORMULA_LINEAR},
        {"DERIVED_CMPD,E,F", 3, CM_FORMULA_LINEAR},
        {"DERIVED_PS,E,F", 5 * 2 / 3.0, CM_FORMULA_OTHER},
        {"DERIVED_ADD_PS,E,F,G", 12 * 2 / 3.0, CM_FORMULA_OTHER},
        {"DERIVED_POSTFIX,N0|N1|2|*|+|,E,F", 13, CM_FORMULA_LINEAR},
        {"DERIVED_POSTFIX,N0|3|*|2|/|,E", 4.5, CM_FORMULA_LINEAR},
        {"DERIVED_POSTFIX,N0|N1|-|N2|+|N3|-,H,E,F,G", 6, CM_FORMULA_LINEAR},
        {"DERIVED_POSTFIX,N0N1-,H,E", 8, CM_FORMULA_LINEAR},
        {"DERIVED_POSTFIX,N0|#|*|N1|/|,E,F", 3 * 2 / 5.0, CM_FORMULA_OTHER},
        {"DERIVED_POSTFIX,N0|N1|/|,E,F", 0.6, CM_FORMULA_RATIO},
        {"DERIVED_INFIX,N0-N1-N2,H,E,F", 11 - (3 - 5), CM_FORMULA_LINEAR},
        {"DERIVED_INFIX,(N0-N1)-N2,H,E,F", 3, CM_FORMULA_LINEAR},
        {"DERIVED_INFIX,N0/N1*2,H,E", 11 / 6.0, CM_FORMULA_RATIO},
        {"DERIVED_INFIX,N0*2+N1*3-N2*4-1,E,F,G", 3 * 2 + (5 * 3 - (7 * 4 - 1)), CM_FORMULA_LINEAR},
        {"DERIVED_ADD,PAPI_A,E", 8 + 3, CM_FORMULA_LINEAR},
        {"DERIVED_SUB,E,papi_a", 3 - 8, CM_FORMULA_LINEAR},
        {"DERIVED_POSTFIX,N0|N1|/|,E,PAPI_A", 3 / 8.0, CM_FORMULA_RATIO},
        {"DERIVED_ADD,E,,F", 8, CM_FORMULA_LINEAR},
        {"DERIVED_ADD,E,F,G,H,E,F,G,H,E,F,G,H,E,F", 78, CM_FORMULA_LINEAR},
    };
    expect_values("# a table\nCPU,x\nCPU,y\n  PRESET , PAPI_A , DERIVED_ADD,E,F\nPRESET,PAPI_B,", "\n", rows,
                  COUNT(rows));
}

static void likwid_arithmetic_is_likwids(void **state)
{
    (void)state;
    static const valued rows[] = {
        {"PMC0", 3, CM_FORMULA_LINEAR},
        {"1.E-06*(PMC0+2.0*PMC1)/time", 13e-6 / 2, CM_FORMULA_RATIO},
        {"PMC10-PMC1-PMC0", 7 - 5 - 3, CM_FORMULA_LINEAR},
        {"2^3^PMC0/PMC0*0+PMC1^2", 25, CM_FORMULA_OTHER},
        {"2^3^2*PMC0", 1536, CM_FORMULA_LINEAR},
        {"-2^2+PMC0", 7, CM_FORMULA_LINEAR},
        {"PMC10%PMC0", 1, CM_FORMULA_OTHER},
        {"PMC0/(PMC1-PMC1)", 0, CM_FORMULA_OTHER},
        {"sum(PMC0,PMC1,PMC10)/3", 5, CM_FORMULA_LINEAR},
        {"avg(PMC0,PMC1)+mean(PMC0,1)", 6, CM_FORMULA_LINEAR},
        {"median(PMC10,PMC0,PMC1)", 5, CM_FORMULA_OTHER},
        {"median(PMC10,PMC0,PMC1,1)*2", 8, CM_FORMULA_OTHER},
        {"median(PMC0)", 3, CM_FORMULA_OTHER},
        {"max(PMC0,PMC1,1)-min(PMC0,PMC1,1)", 4, CM_FORMULA_OTHER},
        {"abs(0-PMC0)+floor(2.7)+ceil(2.1)", 8, CM_FORMULA_OTHER},
        {"sqrt(4)*PMC0+log(exp(1))", 7, CM_FORMULA_LINEAR},
        {"1-(PMC0/PMC1)", 0.4, CM_FORMULA_RATIO},
        {"100*PMC0/(PMC0+PMC1)+1", 38.5, CM_FORMULA_RATIO},
        {"FIXC0:KERNEL+FIXC0", 4, CM_FORMULA_LINEAR}, /* H:FIXC0:KERNEL, which is another quantity than H */
        {"num_numadomains*inverseClock", 4, CM_FORMULA_OTHER},
    };
    expect_values("SHORT a group\n\nEVENTSET\nPMC0  E\nPMC1  F\nPMC10 G\nFIXC0:KERNEL H\n\nMETRICS\nOne [two/s] ",
                  "\n\nLONG\nany text (\n", rows, COUNT(rows));
}

static void perf_arithmetic_is_perfs(void **state)
{
    (void)state;
    static const valued rows[] = {
        {"E", 3, CM_FORMULA_LINEAR},
        {"M", 8, CM_FORMULA_LINEAR},
        {"H - G - F", -1, CM_FORMULA_LINEAR},
        {"3 | 4 ^ 6 & 3", 7, CM_FORMULA_LINEAR},
        {"E < F & G > F", 1, CM_FORMULA_OTHER},
        {"(E < F) * 2", 2, CM_FORMULA_OTHER},
        {"1 + 1 < 3", 1, CM_FORMULA_LINEAR},
        {"E % 2 * 5", 5, CM_FORMULA_OTHER},
        {"-E + F", 2, CM_FORMULA_LINEAR},
        {"E if #SMT_on else F", 3, CM_FORMULA_OTHER},
        {"E if 0 else F if 1 else G", 5, CM_FORMULA_LINEAR},
        {"d_ratio(E, F)", 0.6, CM_FORMULA_RATIO},
        {"d_ratio(E, 0 * F)", 0, CM_FORMULA_OTHER},
        {"min(E, F if 1 else 2) + max(E, F)", 8, CM_FORMULA_OTHER},
        {"cpu@E\\\\,cmask\\\\=1@ * has_event(E) * source_count(F)", 8, CM_FORMULA_OTHER},
        {"1 - M / H", 3 / 11.0, CM_FORMULA_RATIO},
        {"duration_time", 2, CM_FORMULA_LINEAR},
        {"E / M * 1e-3", 3 / 8e3, CM_FORMULA_RATIO},
    };
    expect_values(
        "[{\"EventName\": \"E\"}, {\"MetricName\": \"M\", \"MetricExpr\": \"E + F\"}, {\"MetricName\": \"x\", "
        "\"ScaleUnit\": \"100%\", \"MetricExpr\": \"",
        "\"}]", rows, COUNT(rows));
}

static void perfmon_arithmetic_is_perfmons(void **state)
{
    (void)state;
    static const valued rows[] = {
        {"a + 2 * b", 13, CM_FORMULA_LINEAR},
        {"100 * ( a / b )", 60, CM_FORMULA_RATIO},
        {"a if b <= 5 else 2", 3, CM_FORMULA_OTHER},
        {"min( a , b ) * c", 6, CM_FORMULA_OTHER},
        {"a / b * DURATIONTIMEINSECONDS", 1.2, CM_FORMULA_OTHER},
        {"a if smt_on else b", 3, CM_FORMULA_OTHER},
    };
    expect_values(
        "{\"Header\": {}, \"Metrics\": [{\"MetricName\": \"x\", \"Events\": [{\"Name\": \"E\", \"Alias\": "
        "\"a\"}, {\"Name\": \"F\", \"Alias\": \"b\"}], \"Constants\": [{\"Name\": \"TSC\", \"Alias\": \"c\"}], "
        "\"Formula\": \"",
        "\"}]}", rows, COUNT(rows));
}

static void arms_arithmetic_is_the_usual(void **state)
{
    (void)state;
    static const valued rows[] = {
        {"100 * (1 - E / F)", 40, CM_FORMULA_RATIO},
        {"m + (E - F) * 2 / 4", 7, CM_FORMULA_LINEAR},
    };
    expect_values("{\"product_configuration\": {}, \"events\": {\"E\": {}, \"F\": {}}, \"metrics\": {\"m\": "
                  "{\"formula\": \"E + F\"}, \"x\": {\"formula\": \"",
                  "\"}}}", rows, COUNT(rows));
}

/* Processors with two kinds of cores have two metrics of one name. */
static void metrics_of_perf_belong_to_units(void **state)
{
    (void)state;
    cm_formulas *set = load("[{\"MetricName\": \"clks\", \"MetricExpr\": \"E\", \"Unit\": \"cpu_core\"},\n"
                            "{\"MetricName\": \"clks\", \"MetricExpr\": \"F\", \"Unit\": \"cpu_atom\"},\n"
                            "{\"MetricName\": \"twice\", \"MetricExpr\": \"2 * clks\", \"Unit\": \"cpu_atom\", "
                            "\"BriefDescription\": \"both\", \"ScaleUnit\": \"1GHz\"}]");
    const cm_formula_info *info = cm_formulas_info(set, 2);
    assert_string_equal(cm_formulas_format(set), "perf");
    assert_true(evaluate(set, 2) == 10.0);
    assert_string_equal(info->section, "cpu_atom");
    assert_string_equal(info->description, "both");
    assert_string_equal(info->unit, "GHz");
    assert_string_equal(info->text, "2 * clks");
    assert_int_equal(info->line, 3);
    assert_int_equal(info->column, 40);
    cm_formulas_free(set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(papi_arithmetic_is_papis),     cmocka_unit_test(likwid_arithmetic_is_likwids),
        cmocka_unit_test(perf_arithmetic_is_perfs),     cmocka_unit_test(perfmon_arithmetic_is_perfmons),
        cmocka_unit_test(arms_arithmetic_is_the_usual), cmocka_unit_test(metrics_of_perf_belong_to_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
