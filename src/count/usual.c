/* Sums of facts that are counted if neither metrics nor events are named, and all facts of programs by name. */
#include "count/count.h"
#include "software_pmu/machine/facts.h"
#include "verify/verify.h"

enum { PARTS = 5, NONE = CM_FACT_COUNT };

/* A sum of facts; of floating-point operations one a precision. */
typedef struct usual {
    const char *name;
    const char *words;   /* NULL: it is the sum of its facts */
    size_t facts[PARTS]; /* up to NONE, or to the end */
    cm_fp_precision precision;
} usual;

#define OPERATIONS "floating-point operations of this precision, each lane once, an FMA twice"

static const usual sums[] = {
    {"Instructions", NULL, {CM_FACT_INSTRUCTIONS, NONE}, 0},
    {"Branches",
     NULL,
     {CM_FACT_BRANCHES_COND, CM_FACT_BRANCHES_UNCOND, CM_FACT_BRANCHES_INDIRECT, CM_FACT_CALLS, CM_FACT_RETURNS},
     0},
    {"Mispredicted Branches",
     NULL,
     {CM_FACT_MISPREDICTED_COND, CM_FACT_MISPREDICTED_INDIRECT, CM_FACT_MISPREDICTED_RETURNS, NONE},
     0},
    {"DP Ops.", OPERATIONS, {NONE}, CM_FP_DOUBLE},
    {"SP Ops.", OPERATIONS, {NONE}, CM_FP_SINGLE},
    {"HP Ops.", OPERATIONS, {NONE}, CM_FP_HALF},
    {"Loads", NULL, {CM_FACT_LOADS, NONE}, 0},
    {"Stores", NULL, {CM_FACT_STORES, NONE}, 0},
    {"Bytes Loaded", NULL, {CM_FACT_LOAD_BYTES, NONE}, 0},
    {"Bytes Stored", NULL, {CM_FACT_STORE_BYTES, NONE}, 0},
    {"L1 Data Misses", NULL, {CM_FACT_L1D_LOAD_MISS, CM_FACT_L1D_STORE_MISS, NONE}, 0},
    {"L2 Data Misses", NULL, {CM_FACT_L2_LOAD_MISS, CM_FACT_L2_STORE_MISS, NONE}, 0},
    {"L3 Data Misses", NULL, {CM_FACT_L3_LOAD_MISS, CM_FACT_L3_STORE_MISS, NONE}, 0},
    {"L1 Instruction Misses", NULL, {CM_FACT_L1I_FETCH_MISS, NONE}, 0},
    {"Data TLB Misses", NULL, {CM_FACT_DTLB_LOAD_MISS, CM_FACT_DTLB_STORE_MISS, NONE}, 0},
    /* By name only: */
    {"L3 Data Accesses",
     NULL,
     {CM_FACT_L3_LOAD_HIT, CM_FACT_L3_LOAD_MISS, CM_FACT_L3_STORE_HIT, CM_FACT_L3_STORE_MISS, NONE},
     0},
    {"L3 Data Loads", NULL, {CM_FACT_L3_LOAD_HIT, CM_FACT_L3_LOAD_MISS, NONE}, 0},
    {"L3 Data Stores", NULL, {CM_FACT_L3_STORE_HIT, CM_FACT_L3_STORE_MISS, NONE}, 0},
    {"Cycles", NULL, {CM_FACT_CYCLES, NONE}, 0},
    {"L1 Data Load Misses", NULL, {CM_FACT_L1D_LOAD_MISS, NONE}, 0},
    {"L1 Data Store Misses", NULL, {CM_FACT_L1D_STORE_MISS, NONE}, 0},
    {"L3 Data Load Misses", NULL, {CM_FACT_L3_LOAD_MISS, NONE}, 0},
    {"L3 Data Store Misses", NULL, {CM_FACT_L3_STORE_MISS, NONE}, 0},
    {"Data TLB Load Misses", NULL, {CM_FACT_DTLB_LOAD_MISS, NONE}, 0},
    {"Data TLB Store Misses", NULL, {CM_FACT_DTLB_STORE_MISS, NONE}, 0},
    {"Instruction TLB Misses", NULL, {CM_FACT_ITLB_MISS, NONE}, 0},
};
enum { SUMS = CM_COUNT_OF(sums), BARE = 15 };

/* Weighs operations of all widths, an FMA two in each lane; of scalable vectors those of active lanes. */
static void weigh_operations(cm_fp_precision precision, double *weights)
{
    static const size_t bits[] = {[CM_FP_128] = 128, [CM_FP_256] = 256, [CM_FP_512] = 512};
    for (cm_fp_width width = CM_FP_SCALAR; width <= CM_FP_512; width++) {
        const double lanes = width == CM_FP_SCALAR ? 1.0 : (double)(bits[width] / ((size_t)16 << precision));
        for (cm_fp_operation operation = CM_FP_ADD; operation <= CM_FP_SQRT; operation++)
            weights[cm_fact_fp(precision, width, operation)] = lanes;
        weights[cm_fact_fp(precision, width, CM_FP_FMA)] = 2.0 * lanes;
    }
    weights[cm_fact_lanes(precision, false)] = 1.0;
    weights[cm_fact_lanes(precision, true)] = 2.0;
}

/* The weights of a sum, one a fact; NULL without memory. */
static const double *weigh_facts(cm_program_counts *counts, const usual *row)
{
    double *weights = cm_arena_allocate(&counts->arena, CM_FACT_COUNT * sizeof *weights);
    for (size_t i = 0; weights != NULL && i < CM_FACT_COUNT; i++)
        weights[i] = 0.0;
    if (weights != NULL && row->words != NULL)
        weigh_operations(row->precision, weights);
    for (size_t i = 0; weights != NULL && i < PARTS && row->facts[i] != NONE; i++)
        weights[row->facts[i]] = 1.0;
    return weights;
}

cm_status cm_count_add_usual(cm_program_counts *counts, cm_error *error)
{
    for (size_t i = 0; i < BARE; i++) {
        cm_counted_event event = {.name = sums[i].name, .asked = true, .weights = weigh_facts(counts, &sums[i])};
        if (event.weights == NULL || !CM_GROW_BY_ONE(counts->events, counts->event_count))
            return cm_error_no_memory(error);
        counts->events[counts->event_count++] = event;
    }
    return CM_OK;
}

/* Finds a sum, by its name in any spelling, or a fact. */
static cm_status find_sum_or_fact(cm_program_counts *counts, const char *name, const double **weights, int *fact,
                                  cm_error *error)
{
    char wanted[CM_NEAR_NAME], other[CM_NEAR_NAME];
    *weights = NULL;
    *fact = (int)cm_fact_find(name);
    cm_text_plain(name, wanted, sizeof wanted);
    for (size_t i = 0; i < SUMS && *fact < 0; i++)
        if (strcmp(cm_text_plain(sums[i].name, other, sizeof other), wanted) == 0) {
            *weights = weigh_facts(counts, &sums[i]);
            return *weights != NULL ? CM_OK : cm_error_no_memory(error);
        }
    return CM_OK;
}

cm_status cm_count_find_name(cm_program_counts *counts, const char *name, const double **weights, int *fact,
                             cm_error *error)
{
    cm_synonym synonym = {.words = ""};
    char plain[CM_NEAR_NAME];
    *weights = NULL;
    *fact = -1;
    if ((cm_perf_name_read(name, plain) & CM_MODE_KERNEL) != 0)
        return CM_OK;
    cm_status status = find_sum_or_fact(counts, plain, weights, fact, error);
    if (status != CM_OK || *weights != NULL || *fact >= 0)
        return status;
    status = cm_synonym_find(plain, &synonym, error);
    return status == CM_OK && cm_synonym_counts_one(&synonym)
               ? find_sum_or_fact(counts, synonym.counts, weights, fact, error)
               : status;
}

void cm_count_offer_sums(cm_near *near)
{
    for (size_t i = 0; i < SUMS; i++)
        cm_near_offer(near, sums[i].name);
}

/* Writes a sum of facts as "2*loads + stores". */
static void write_sum(const double *weights, FILE *stream)
{
    bool first = true;
    for (size_t fact = 0; fact < cm_fact_count(); fact++) {
        char number[CM_NUMBER_SIZE] = "";
        if (weights[fact] == 0.0)
            continue;
        if (fabs(weights[fact]) != 1.0)
            snprintf(number, sizeof number, "%g*", fabs(weights[fact]));
        fprintf(stream, "%s%s%s",
                weights[fact] < 0.0 ? first ? "-" : " - "
                : first             ? ""
                                    : " + ",
                number, cm_fact_name(fact));
        first = false;
    }
}

/* Lists a sum with its words. */
static cm_status list_sum(const usual *row, cm_fact_visit *visit, void *data, cm_error *error)
{
    char words[512], name[CM_NEAR_NAME];
    cm_synonym synonym;
    cm_status status = cm_synonym_of_count(row->name, &synonym, error);
    const char *others = status == CM_OK ? synonym.words : "", *before = "; also ";
    snprintf(words, sizeof words, "%s", row->words != NULL ? row->words : cm_fact_name(row->facts[0]));
    for (size_t i = 1; row->words == NULL && i < PARTS && row->facts[i] != NONE; i++)
        cm_text_append(words, sizeof words, "", " + %s", cm_fact_name(row->facts[i]));
    for (; cm_synonym_next(&others, name); before = " ")
        cm_text_append(words, sizeof words, "", "%s%s", before, name);
    if (status == CM_OK)
        visit(row->name, words, data);
    return status;
}

/* Lists a fact of programs with its words, and the sum that it is. */
static cm_status list_fact(const cm_fact_table *table, size_t fact, cm_fact_visit *visit, void *data, cm_error *error)
{
    const cm_listed_fact *listed = &table->facts[fact];
    char *text = NULL;
    FILE *stream = cm_memory_stream(&text, NULL);
    if (stream == NULL)
        return cm_error_no_memory(error);
    if (listed->words != NULL)
        fputs(listed->words, stream);
    if (listed->words != NULL && listed->coefficients != NULL)
        fputs(": ", stream);
    if (listed->coefficients != NULL)
        write_sum(listed->coefficients, stream);
    cm_status status = fclose(stream) == 0 ? CM_OK : cm_error_no_memory(error);
    if (status == CM_OK)
        visit(cm_fact_name(fact), text, data);
    free(text);
    return status;
}

typedef struct listing {
    cm_fact_visit *visit;
    void *data;
} listing;

/* Lists a fact that only programs have. */
static cm_status list_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const listing *list = data;
    if (cm_fact_find(row->fields[0]) < 0)
        return CM_CSV_FAULT(csv, row->line, error, "unknown fact '%s'", row->fields[0]);
    list->visit(row->fields[0], row->fields[1], list->data);
    return CM_OK;
}

cm_status cm_count_each_fact(cm_fact_visit *visit, void *data, cm_error *error)
{
    static const char *const columns[] = {"fact", "words"};
    cm_fact_table *table = NULL;
    cm_status status = cm_fact_table_load(NULL, NULL, &table, error);
    for (size_t i = 0; status == CM_OK && i < SUMS; i++)
        status = list_sum(&sums[i], visit, data, error);
    for (size_t fact = 0; status == CM_OK && fact < cm_fact_count(); fact++)
        if (table->facts[fact].kind != CM_FACT_UNLISTED && strncmp(cm_fact_name(fact), "gpu_", strlen("gpu_")) != 0)
            status = list_fact(table, fact, visit, data, error);
    cm_fact_table_free(table);
    listing list = {visit, data};
    return status == CM_OK ? cm_csv_each_data("data/fact-words.csv", 2, columns, list_row, &list, error) : status;
}

bool cm_count_lacks_lanes(const cm_counted_event *event, const uint64_t *facts)
{
    return event->weights != NULL &&
           event->weights[CM_FACT_FP_LANES] + event->weights[CM_FACT_FP_LANES + 2] +
                   event->weights[CM_FACT_FP_LANES + 4] >
               0.0 &&
           facts[CM_FACT_FP_LANES_UNKNOWN] > 0;
}
