/* A table of formulas for the judge, over events whose counts are known, with the verdict on each. */
#ifndef JUDGE_ROWS_H
#define JUDGE_ROWS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "audit/audit.h"

enum { MOST_TERMS = 8 };

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
    cm_audit_verdict verdict;
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

#endif
