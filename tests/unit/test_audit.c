/* The judge: forms of coefficients over events, against signatures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <catmint/tables.h>

#include "audit/explain.h"
#include "audit/judge.h"
#include "audit/unit.h"

enum { MOST_SYMBOLS = 32, MOST_TERMS = 8 };
static const double alpha = 5e-4, residual = 1e-2;

/* A benchmark's symbols, metrics and words. */
typedef struct benchmark {
    cm_signatures *signatures;
    cm_words *words;
    cm_known_metric known[MOST_SYMBOLS];
} benchmark;

static void load(const char *name, benchmark *loaded)
{
    char path[512];
    snprintf(path, sizeof path, CM_TEST_SOURCE_DIR "/signatures/%s%s.csv",
             strcmp(name, "gpu-flops") == 0 ? "" : "paper/", name);
    assert_int_equal(cm_signatures_load(path, &loaded->signatures, NULL), CM_OK);
    assert_true(loaded->signatures->symbol_count <= MOST_SYMBOLS);
    assert_int_equal(cm_words_load(CM_TEST_SOURCE_DIR "/bases/symbol-parts.csv", name, loaded->signatures->symbol_count,
                                   (const char *const *)loaded->signatures->symbols, &loaded->words, NULL),
                     CM_OK);
    for (size_t i = 0; i < loaded->signatures->metric_count; i++)
        loaded->known[i] =
            (cm_known_metric){loaded->signatures->metrics[i].metric, loaded->signatures->metrics[i].values};
}

static void unload(benchmark *loaded)
{
    cm_words_free(loaded->words);
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

/* What the x86 events count: an FMA twice. */
#define FP(precision, width) precision "_" width " + 2 " precision "_FMA_" width
#define FP_ONCE(precision, width) precision "_" width " + " precision "_FMA_" width

typedef struct judge_term {
    double coefficient;
    const char *counts;
    cm_event_status status;
    double residual;
} judge_term;

typedef struct judge_row {
    const char *benchmark, *metric;
    double factor;
    cm_verdict verdict;
    const char *measures;
    double constant;
    judge_term terms[MOST_TERMS];
    const char *repaired; /* coefficients, "": none; NULL: not looked at */
} judge_row;

#define E CM_EVENT_SELECTED, 0
#define RIGHT CM_VERDICT_RIGHT, ""
#define WRONG CM_VERDICT_WRONG
#define CPU "cpu-flops"
#define D4(a, b, c, d)                                                                                                 \
    {                                                                                                                  \
        {a, FP("D", "SCAL"), E}, {b, FP("D", "128"), E}, {c, FP("D", "256"), E},                                       \
        {                                                                                                              \
            d, FP("D", "512"), E                                                                                       \
        }                                                                                                              \
    }
#define S4(a, b, c, d)                                                                                                 \
    {                                                                                                                  \
        {a, FP("S", "SCAL"), E}, {b, FP("S", "128"), E}, {c, FP("S", "256"), E},                                       \
        {                                                                                                              \
            d, FP("S", "512"), E                                                                                       \
        }                                                                                                              \
    }
#define SD(a, b, c, d, e, f, g, h)                                                                                     \
    {                                                                                                                  \
        {a, FP("S", "SCAL"), E}, {b, FP("S", "128"), E}, {c, FP("S", "256"), E}, {d, FP("S", "512"), E},               \
            {e, FP("D", "SCAL"), E}, {f, FP("D", "128"), E}, {g, FP("D", "256"), E},                                   \
        {                                                                                                              \
            h, FP("D", "512"), E                                                                                       \
        }                                                                                                              \
    }

static const judge_row rows[] = {
    {CPU, "DP Ops.", 1, RIGHT, 0, D4(1, 2, 4, 8), "1 2 4 8"},
    {CPU, "SP Ops.", 1, RIGHT, 0, S4(1, 4, 8, 16), "1 4 8 16"},
    {CPU, "FP Ops.", 1, RIGHT, 0, SD(1, 4, 8, 16, 1, 2, 4, 8), NULL},
    {CPU, "FP Instrs.", 1, RIGHT, 0, SD(1, 1, 1, 1, 1, 1, 1, 1), NULL},
    /* weights */
    {CPU, "DP Ops.", 1, WRONG, "counts 256-bit 0.5x", 0, D4(1, 2, 2, 8), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "counts scalar 1.2x", 0, D4(1.2, 2, 4, 8), "1 2 4 8"},
    {CPU, "FP Ops.", 1, WRONG, "counts scalar double precision 1.2x", 0, SD(1, 4, 8, 16, 1.2, 2, 4, 8), NULL},
    {CPU, "SP Ops.", 1, WRONG, "has the weights of DP Ops.", 0, S4(1, 2, 4, 8), "1 4 8 16"},
    {CPU, "SP Ops.", 1, WRONG, "has 128-bit and 256-bit swapped", 0, S4(1, 8, 4, 16), "1 4 8 16"},
    {CPU, "DP Ops.", 1, WRONG, "2x", 0, D4(2, 4, 8, 16), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "-1x", 0, D4(-1, -2, -4, -8), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "measures DP Instrs.", 0, D4(1, 1, 1, 1), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "measures 3x DP Instrs.", 0, D4(3, 3, 3, 3), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "counts 512-bit -1x", 0, D4(1, 2, 4, -8), "1 2 4 8"},
    {CPU, "FP Ops.", 1, WRONG, "has single precision and double precision swapped", 0, SD(1, 2, 4, 8, 1, 4, 8, 16),
     NULL},
    /* terms */
    {CPU, "DP Ops.", 1, WRONG, "misses 512-bit", 0, D4(1, 2, 4, 0), "1 2 4 8"},
    {CPU, "DP Ops.", 1, WRONG, "misses all but scalar", 0, {{1, FP("D", "SCAL"), E}}, ""},
    {CPU, "DP Ops.", 1, WRONG, "misses 256-bit and 512-bit; counts 128-bit 0.5x", 0, D4(1, 1, 0, 0), "1 2 4 8"},
    {CPU, "FP Ops.", 1, WRONG, "measures DP Ops.", 0, D4(1, 2, 4, 8), ""},
    {CPU, "DP Ops.", 1, WRONG, "counts single precision instead of double precision", 0, S4(1, 2, 4, 8), ""},
    {CPU, "DP Ops.", 1, WRONG, "measures SP Ops.", 0, S4(1, 4, 8, 16), ""},
    {CPU,
     "DP Ops.",
     1,
     WRONG,
     "counts 512-bit single precision too",
     0,
     {{1, FP("D", "SCAL"), E},
      {2, FP("D", "128"), E},
      {4, FP("D", "256"), E},
      {8, FP("D", "512"), E},
      {1, FP("S", "512"), E}},
     "1 2 4 8 0"},
    {CPU,
     "DP Ops.",
     1,
     WRONG,
     "misses 512-bit; counts 512-bit single precision too",
     0,
     {{1, FP("D", "SCAL"), E}, {2, FP("D", "128"), E}, {4, FP("D", "256"), E}, {8, FP("S", "512"), E}},
     ""},
    {CPU,
     "DP Ops.",
     1,
     WRONG,
     "subtracts scalar single precision",
     0,
     {{1, FP("D", "SCAL"), E},
      {2, FP("D", "128"), E},
      {4, FP("D", "256"), E},
      {8, FP("D", "512"), E},
      {-1, FP("S", "SCAL"), E}},
     "1 2 4 8 0"},
    /* FMA */
    {CPU,
     "DP Ops.",
     1,
     WRONG,
     "counts FMA once",
     0,
     {{1, FP_ONCE("D", "SCAL"), E},
      {2, FP_ONCE("D", "128"), E},
      {4, FP_ONCE("D", "256"), E},
      {8, FP_ONCE("D", "512"), E}},
     ""},
    {CPU,
     "DP Ops.",
     1,
     WRONG,
     "counts scalar FMA once",
     0,
     {{1, FP_ONCE("D", "SCAL"), E}, {2, FP("D", "128"), E}, {4, FP("D", "256"), E}, {8, FP("D", "512"), E}},
     ""},
    {CPU, "DP Ops.", 1, WRONG, "misses FMA", 0, {{1, "D_SCAL + 2 D_128 + 4 D_256 + 8 D_512", E}}, ""},
    {CPU, "DP FMA Instrs.", 1, WRONG, "measures DP Instrs.", 0, D4(1, 1, 1, 1), ""},
    /* what counts nothing, and what is not there */
    {CPU, "DP Ops.", 1, WRONG, "counts nothing on these kernels", 0, {{1, NULL, CM_EVENT_ZERO, 0}}, ""},
    {CPU,
     "DP Ops.",
     1,
     RIGHT,
     0,
     {{1, FP("D", "SCAL"), E},
      {2, FP("D", "128"), E},
      {4, FP("D", "256"), E},
      {8, FP("D", "512"), E},
      {5, NULL, CM_EVENT_ZERO, 0}},
     "1 2 4 8 0"},
    {CPU, "DP Ops.", 1, WRONG, "", 3, D4(1, 2, 4, 8), "1 2 4 8"},
    {CPU,
     "DP Ops.",
     1,
     CM_VERDICT_EVENT_NOISY,
     "",
     0,
     {{1, FP("D", "SCAL"), E}, {2, FP("D", "128"), CM_EVENT_NOISY, 0}, {1, "M_SCAL", CM_EVENT_UNREPRESENTABLE, 0}},
     NULL},
    {CPU,
     "DP Ops.",
     1,
     CM_VERDICT_UNREPRESENTABLE_EVENT,
     "",
     0,
     {{1, FP("D", "SCAL"), E}, {2, NULL, CM_EVENT_UNREPRESENTABLE, 0}},
     ""},
    {CPU,
     "DP Ops.",
     1,
     RIGHT,
     0,
     {{1, FP("D", "SCAL"), E},
      {2, FP("D", "128"), E},
      {4, FP("D", "256"), E},
      {8, FP("D", "512"), E},
      {0, NULL, CM_EVENT_NOISY, 0}},
     NULL},
    /* the same event twice, and one that is a combination of others */
    {CPU,
     "DP Instrs.",
     1,
     RIGHT,
     0,
     {{0.5, FP("D", "SCAL"), E},
      {0.5, FP("D", "SCAL"), E},
      {1, FP("D", "128"), E},
      {1, FP("D", "256"), E},
      {1, FP("D", "512"), E}},
     "1 0 1 1 1"},
    /* factors */
    {CPU, "DP Ops.", 1e-6, RIGHT, 0, D4(1e-6, 2e-6, 4e-6, 8e-6), "1 2 4 8"},
    {CPU, "DP Ops.", 1e-6, WRONG, "1000x", 0, D4(1e-3, 2e-3, 4e-3, 8e-3), "1 2 4 8"},
    {CPU, "DP Ops.", NAN, RIGHT, 0, D4(1e-9, 2e-9, 4e-9, 8e-9), NULL},
    {CPU, "DP Ops.", NAN, WRONG, "2x", 0, D4(2e-9, 4e-9, 8e-9, 16e-9), NULL},
    /* tolerances: half of alpha is nothing, twice alpha is something, unless the event itself is not exact */
    {CPU, "DP Ops.", 1, RIGHT, 0, D4(1.00025, 2, 4, 8), NULL},
    {CPU, "DP Ops.", 1, WRONG, "counts scalar 1.001x", 0, D4(1.001, 2, 4, 8), "1 2 4 8"},
    {CPU,
     "DP Ops.",
     1,
     RIGHT,
     0,
     {{1.001, FP("D", "SCAL"), CM_EVENT_SELECTED, 1e-3},
      {2, FP("D", "128"), E},
      {4, FP("D", "256"), E},
      {8, FP("D", "512"), E}},
     NULL},
    /* branch */
    {"branch", "Conditional Branches Not Taken", 1, RIGHT, 0, {{1, "CR", E}, {-1, "T", E}}, "1 -1"},
    {"branch", "Conditional Branches Not Taken", 1, WRONG, "-1x", 0, {{-1, "CR", E}, {1, "T", E}}, "1 -1"},
    {"branch", "Conditional Branches Taken", 1, WRONG, "counts unconditional branches too", 0, {{1, "T + D", E}}, ""},
    {"branch", "Unconditional Branches", 1, RIGHT, 0, {{1, "CR + D", E}, {-1, "CR", E}}, "1 -1"},
    {"branch", "Unconditional Branches", 1, WRONG, "measures All Branches", 0, {{1, "CR + D", E}}, ""},
    {"branch", "Correctly Predicted Branches", 1, WRONG, "measures All Branches", 0, {{1, "CR + D", E}}, ""},
    /* no words: sums over symbols of operations */
    {"gpu-flops", "HP Add Ops.", 1, WRONG, "measures HP Add and Sub Ops.", 0, {{1, "A_H + S_H", E}}, ""},
    {"gpu-flops", "HP Add Ops.", 1, WRONG, "counts half precision multiplications too", 0, {{1, "A_H + M_H", E}}, ""},
    {"gpu-flops", "HP Sub Ops.", 1, WRONG, "measures HP Add Ops.", 0, {{1, "S_S - S_S + M_H - M_H + A_H", E}}, ""},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

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
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    const cm_deviation deviation = {in->words,
                                    judgement->representation,
                                    signature_of(in, row->metric),
                                    judgement->tolerance,
                                    in->signatures->metric_count,
                                    in->known};
    assert_int_equal(cm_deviation_explain(&deviation, stream, NULL), CM_OK);
    fclose(stream);
    if (strcmp(text, row->measures) != 0)
        fail_msg("row %zu: \"%s\", expected \"%s\"", number, text, row->measures);
    free(text);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows), cmocka_unit_test(test_accepted),
                                       cmocka_unit_test(test_units)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
