/* The judge: forms of coefficients over events, against signatures. */
#include <math.h>

#include "judge_rows.h"

#include <catmint/report.h>
#include <catmint/tables.h>

#include "audit/audit.h"
#include "audit/claims.h"

enum { MOST_SYMBOLS = 32 };
static const double alpha = 5e-4, residual = 1e-2;

/* A benchmark's symbols, metrics and words. */
typedef struct benchmark {
    cm_signatures *signatures;
    cm_symbol_parts *parts;
    cm_known_metric known[MOST_SYMBOLS];
} benchmark;

static void load(const char *name, benchmark *loaded)
{
    char path[512];
    snprintf(path, sizeof path, CM_TEST_SOURCE_DIR "/signatures/%s%s.csv",
             strcmp(name, "gpu-flops") == 0 ? "" : "paper/", name);
    assert_int_equal(cm_signatures_load(path, &loaded->signatures, NULL), CM_OK);
    assert_true(loaded->signatures->symbol_count <= MOST_SYMBOLS);
    assert_int_equal(cm_symbol_parts_load(CM_TEST_SOURCE_DIR "/bases/symbol-parts.csv", name,
                                          loaded->signatures->symbol_count,
                                          (const char *const *)loaded->signatures->symbols, &loaded->parts, NULL),
                     CM_OK);
    for (size_t i = 0; i < loaded->signatures->metric_count; i++)
        loaded->known[i] =
            (cm_known_metric){loaded->signatures->metrics[i].metric, loaded->signatures->metrics[i].values, NULL};
}

static void unload(benchmark *loaded)
{
    cm_symbol_parts_free(loaded->parts);
    cm_signatures_free(loaded->signatures);
}

static const double *signature_of(const benchmark *in, const char *metric)
{
    for (size_t i = 0; i < in->signatures->metric_count; i++)
        if (strcmp(in->signatures->metrics[i].metric, metric) == 0)
            return in->signatures->metrics[i].values;
    fail_msg("no metric %s", metric);
    return NULL;
}

/* An event: "S_SCAL + 2 S_FMA_SCAL", spaces around every sign; "" counts nothing. */
static void represent(const benchmark *in, const char *text, double *values)
{
    for (size_t j = 0; j < in->signatures->symbol_count; j++)
        values[j] = 0.0;
    char copy[512];
    snprintf(copy, sizeof copy, "%s", text);
    double sign = 1.0, weight = 1.0;
    for (char *token = strtok(copy, " "); token != NULL; token = strtok(NULL, " ")) {
        char *end = NULL;
        double number = strtod(token, &end);
        if (strcmp(token, "+") == 0 || strcmp(token, "-") == 0) {
            sign = token[0] == '-' ? -1.0 : 1.0;
        } else if (*end == '\0') {
            weight = number;
        } else {
            size_t j = 0;
            while (j < in->signatures->symbol_count && strcmp(in->signatures->symbols[j], token) != 0)
                j++;
            assert_true(j < in->signatures->symbol_count);
            values[j] += sign * weight;
            sign = weight = 1.0;
        }
    }
}

static size_t fill(const judge_row *row, const benchmark *in, double values[MOST_TERMS][MOST_SYMBOLS],
                   cm_judge_term *terms)
{
    size_t count = 0;
    for (; count < MOST_TERMS &&
           (row->terms[count].counts != NULL || row->terms[count].status != 0 || row->terms[count].coefficient != 0.0);
         count++) {
        const judge_term *from = &row->terms[count];
        bool there = from->counts != NULL && strncmp(from->counts, "M_SCAL", 6) != 0;
        if (there)
            represent(in, from->counts, values[count]);
        terms[count] = (cm_judge_term){from->coefficient, from->status, from->residual, there ? values[count] : NULL};
    }
    return count;
}

static void check_measures(const judge_row *row, const benchmark *in, const cm_judgement *judgement, size_t number)
{
    char *text = NULL;
    cm_arena arena = {0};
    cm_finding_list findings = {.arena = &arena};
    const cm_deviation deviation = {in->parts,
                                    judgement->representation,
                                    signature_of(in, row->metric),
                                    judgement->tolerance,
                                    in->signatures->metric_count,
                                    in->known};
    assert_int_equal(cm_deviation_explain(&deviation, &findings, NULL), CM_OK);
    assert_int_equal(cm_findings_text(findings.items, findings.count, &text, NULL), CM_OK);
    if (strcmp(text, row->measures) != 0)
        fail_msg("row %zu: \"%s\", expected \"%s\"", number, text, row->measures);
    free(text);
    cm_arena_clear(&arena);
}

static void check_repair(const judge_row *row, const cm_judge_case *asked, size_t number)
{
    double coefficients[MOST_TERMS];
    char text[256] = "";
    bool found = false;
    assert_int_equal(cm_judge_repair(asked, coefficients, &found, NULL), CM_OK);
    for (size_t i = 0, at = 0; found && i < asked->term_count; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%g", i > 0 ? " " : "", coefficients[i]);
    if (strcmp(text, row->repaired) != 0)
        fail_msg("row %zu: repaired \"%s\", expected \"%s\"", number, text, row->repaired);
}

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const judge_row *row = &rows[i];
        benchmark in;
        double values[MOST_TERMS][MOST_SYMBOLS];
        cm_judge_term terms[MOST_TERMS];
        cm_judgement judgement = {0};
        load(row->benchmark, &in);
        const cm_judge_case asked = {.symbol_count = in.signatures->symbol_count,
                                     .signature = signature_of(&in, row->metric),
                                     .alpha = alpha,
                                     .residual = residual,
                                     .factor = row->factor,
                                     .term_count = fill(row, &in, values, terms),
                                     .terms = terms,
                                     .constant = row->constant};
        assert_int_equal(cm_judge(&asked, &judgement, NULL), CM_OK);
        if (judgement.verdict != row->verdict)
            fail_msg("row %zu: verdict %d, expected %d", i, (int)judgement.verdict, (int)row->verdict);
        if (judgement.representation != NULL)
            check_measures(row, &in, &judgement, i);
        if (row->repaired != NULL)
            check_repair(row, &asked, i);
        cm_judgement_clear(&judgement);
        unload(&in);
    }
}

/* A definition that catmint itself calls composable is right, though it misses a little of one symbol. */
static void test_accepted(void **state)
{
    (void)state;
    static const double signature[] = {1, 1000}, event[] = {0, 1000}, other[] = {0.5, 1000};
    const cm_judge_term term = {1, CM_EVENT_SELECTED, 0, event}, second = {1, CM_EVENT_SELECTED, 0, other};
    cm_judge_case asked = {.symbol_count = 2,
                           .signature = signature,
                           .alpha = alpha,
                           .residual = residual,
                           .factor = 1,
                           .term_count = 1,
                           .terms = &term};
    cm_judgement judgement = {0};
    for (int accepted = 0; accepted < 3; accepted++) {
        asked.accepted = accepted > 0 ? event : NULL;
        asked.terms = accepted == 2 ? &second : &term;
        assert_int_equal(cm_judge(&asked, &judgement, NULL), CM_OK);
        assert_int_equal(judgement.verdict, accepted == 1 ? CM_VERDICT_RIGHT : CM_VERDICT_WRONG);
        cm_judgement_clear(&judgement);
    }
}

static void test_units(void **state)
{
    (void)state;
    static const struct {
        const char *unit, *metric;
        double factor;
    } units[] = {
        {"", "DP [MFLOP/s]", 1e-6},     {"", "Volume [GBytes]", 1e-9},
        {"", "Clock [MHz]", 1e-6},      {"", "Runtime [s]", 1},
        {"", "Ratio [%]", 100},         {"", "SP [MFLOP/s] (SP)", 1e-6},
        {"kop", "DP [MFLOP/s]", 1e-3},  {"MPKI", "misses", 1},
        {"instructions", "ins", 1},     {"%", "share", 100},
        {"100%", "share", 1},           {"1e-6MFLOP", "ops", 1},
        {"64Bytes", "lines", 1.0 / 64}, {"1Events", "events", 1},
        {"GFLOPS", "rate", 1e-9},       {"TB/s", "rate", 1e-12},
        {"", "PAPI_DP_OPS", NAN},       {"", "half [open", NAN},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        double factor = cm_unit_factor(units[i].unit, units[i].metric);
        if (!(fabs(factor - units[i].factor) <= 1e-12 * units[i].factor) && isnan(factor) + isnan(units[i].factor) != 2)
            fail_msg("row %zu: %g, expected %g", i, factor, units[i].factor);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_accepted),
        cmocka_unit_test(test_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
