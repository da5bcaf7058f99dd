/* Differences between formats' expressions: precedence, functions and words. */
#include "formulas/formulas.h"

static const cm_operator catmint_operators[] = {
    {"<", CM_EXPRESSION_LESS, 1, false, true},      {"<=", CM_EXPRESSION_LESS_EQUAL, 1, false, true},
    {">", CM_EXPRESSION_GREATER, 1, false, true},   {">=", CM_EXPRESSION_GREATER_EQUAL, 1, false, true},
    {"==", CM_EXPRESSION_EQUAL, 1, false, true},    {"!=", CM_EXPRESSION_NOT_EQUAL, 1, false, true},
    {"+", CM_EXPRESSION_ADD, 2, false, false},      {"-", CM_EXPRESSION_SUBTRACT, 2, false, false},
    {"*", CM_EXPRESSION_MULTIPLY, 3, false, false}, {"/", CM_EXPRESSION_DIVIDE, 3, false, false},
    {NULL, CM_EXPRESSION_NUMBER, 0, false, false},
};

/* A minus binds tighter than a power, as in the calculator of LIKWID 5.2. */
static const cm_operator likwid_operators[] = {
    {"+", CM_EXPRESSION_ADD, 1, false, false},      {"-", CM_EXPRESSION_SUBTRACT, 1, false, false},
    {"*", CM_EXPRESSION_MULTIPLY, 2, false, false}, {"/", CM_EXPRESSION_DIVIDE, 2, false, false},
    {"%", CM_EXPRESSION_MODULO, 2, false, false},   {"^", CM_EXPRESSION_POWER, 3, true, false},
    {NULL, CM_EXPRESSION_NUMBER, 0, false, false},
};

static const cm_operator perf_operators[] = {
    {"|", CM_EXPRESSION_BIT_OR, 1, false, false},   {"^", CM_EXPRESSION_BIT_XOR, 2, false, false},
    {"&", CM_EXPRESSION_BIT_AND, 3, false, false},  {"<", CM_EXPRESSION_LESS, 4, false, false},
    {">", CM_EXPRESSION_GREATER, 4, false, false},  {"+", CM_EXPRESSION_ADD, 5, false, false},
    {"-", CM_EXPRESSION_SUBTRACT, 5, false, false}, {"*", CM_EXPRESSION_MULTIPLY, 6, false, false},
    {"/", CM_EXPRESSION_DIVIDE, 6, false, false},   {"%", CM_EXPRESSION_MODULO, 6, false, false},
    {NULL, CM_EXPRESSION_NUMBER, 0, false, false},
};

static const cm_operator perfmon_operators[] = {
    {"|", CM_EXPRESSION_BIT_OR, 1, false, false},         {"^", CM_EXPRESSION_BIT_XOR, 2, false, false},
    {"&", CM_EXPRESSION_BIT_AND, 3, false, false},        {"<", CM_EXPRESSION_LESS, 4, false, false},
    {"<=", CM_EXPRESSION_LESS_EQUAL, 4, false, false},    {">", CM_EXPRESSION_GREATER, 4, false, false},
    {">=", CM_EXPRESSION_GREATER_EQUAL, 4, false, false}, {"==", CM_EXPRESSION_EQUAL, 4, false, false},
    {"!=", CM_EXPRESSION_NOT_EQUAL, 4, false, false},     {"+", CM_EXPRESSION_ADD, 5, false, false},
    {"-", CM_EXPRESSION_SUBTRACT, 5, false, false},       {"*", CM_EXPRESSION_MULTIPLY, 6, false, false},
    {"/", CM_EXPRESSION_DIVIDE, 6, false, false},         {"%", CM_EXPRESSION_MODULO, 6, false, false},
    {NULL, CM_EXPRESSION_NUMBER, 0, false, false},
};

/* PAPI turns infix into postfix, and pops an operator from its stack only for a weaker one. */
static const cm_operator papi_operators[] = {
    {"+", CM_EXPRESSION_ADD, 1, true, false},      {"-", CM_EXPRESSION_SUBTRACT, 1, true, false},
    {"*", CM_EXPRESSION_MULTIPLY, 2, true, false}, {"/", CM_EXPRESSION_DIVIDE, 2, true, false},
    {NULL, CM_EXPRESSION_NUMBER, 0, false, false},
};

static const cm_function no_functions[] = {{NULL, CM_EXPRESSION_NUMBER, CM_FUNCTION_UNARY}};

static const cm_function extremes[] = {
    {"min", CM_EXPRESSION_MIN, CM_FUNCTION_FOLD},
    {"max", CM_EXPRESSION_MAX, CM_FUNCTION_FOLD},
    {NULL, CM_EXPRESSION_NUMBER, CM_FUNCTION_UNARY},
};

static const cm_function likwid_functions[] = {
    {"min", CM_EXPRESSION_MIN, CM_FUNCTION_FOLD},    {"max", CM_EXPRESSION_MAX, CM_FUNCTION_FOLD},
    {"sum", CM_EXPRESSION_ADD, CM_FUNCTION_FOLD},    {"avg", CM_EXPRESSION_ADD, CM_FUNCTION_MEAN},
    {"mean", CM_EXPRESSION_ADD, CM_FUNCTION_MEAN},   {"median", CM_EXPRESSION_MEDIAN, CM_FUNCTION_MEDIAN},
    {"abs", CM_EXPRESSION_ABS, CM_FUNCTION_UNARY},   {"floor", CM_EXPRESSION_FLOOR, CM_FUNCTION_UNARY},
    {"ceil", CM_EXPRESSION_CEIL, CM_FUNCTION_UNARY}, {"sqrt", CM_EXPRESSION_SQRT, CM_FUNCTION_UNARY},
    {"log", CM_EXPRESSION_LOG, CM_FUNCTION_UNARY},   {"exp", CM_EXPRESSION_EXP, CM_FUNCTION_UNARY},
    {NULL, CM_EXPRESSION_NUMBER, CM_FUNCTION_UNARY},
};

static const cm_function perf_functions[] = {
    {"min", CM_EXPRESSION_MIN, CM_FUNCTION_BINARY},       {"max", CM_EXPRESSION_MAX, CM_FUNCTION_BINARY},
    {"d_ratio", CM_EXPRESSION_RATIO, CM_FUNCTION_BINARY}, {"source_count", CM_EXPRESSION_NAME, CM_FUNCTION_WORD},
    {"has_event", CM_EXPRESSION_NAME, CM_FUNCTION_WORD},  {"strcmp_cpuid_str", CM_EXPRESSION_NAME, CM_FUNCTION_WORD},
    {NULL, CM_EXPRESSION_NUMBER, CM_FUNCTION_UNARY},
};

const cm_dialect *cm_dialect_get(cm_expression_dialect dialect)
{
    static const cm_dialect dialects[] = {
        [CM_EXPRESSION_CATMINT] = {catmint_operators, extremes, "", NULL, true, true, true, false, false},
        [CM_EXPRESSION_LIKWID] = {likwid_operators, likwid_functions, ":=", NULL, false, false, true, false, false},
        [CM_EXPRESSION_PERF] = {perf_operators, perf_functions, ".:@?", ".-", true, false, true, false, true},
        [CM_EXPRESSION_PERFMON] = {perfmon_operators, extremes, ".:", ".-", true, false, true, true, false},
        [CM_EXPRESSION_PAPI] = {papi_operators, no_functions, "", "", false, false, false, false, false},
    };
    return &dialects[dialect];
}

bool cm_dialect_reserves(cm_expression_dialect dialect, const char *word)
{
    const cm_dialect *its = cm_dialect_get(dialect);
    bool reserved = its->conditionals && (strcmp(word, "if") == 0 || strcmp(word, "else") == 0);
    for (const cm_function *function = its->functions; !reserved && function->name != NULL; function++)
        reserved = strcmp(word, function->name) == 0;
    return reserved;
}
