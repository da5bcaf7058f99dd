#include "programs/programs.h"

#include <catmint/data_path.h>

#include "core/files.h"
#include "formulas/formulas.h"

enum { CLASS, NAME, OF, LOW, HIGH, SOURCE, COLUMNS };
static const char *const columns[COLUMNS] = {"class", "name", "of", "low", "high", "source"};

/* Ranges that span a larger factor are drawn log-uniformly. */
static const double decades_from = 5.0;

enum { EVERY = -1 };

typedef struct rate {
    ptrdiff_t class;   /* EVERY, or the class of the range */
    size_t value;      /* a fact, or an amount (numbered after the facts) */
    cm_expression *of; /* only in rows of EVERY */
    double low, high;
} rate;

typedef struct reading {
    cm_natural *natural;
    size_t rate_count, amount_count;
    rate *rates;
    char **amounts; /* names */
} reading;

/* ---- the file ---- */

static ptrdiff_t find_quantity(const reading *work, const char *name)
{
    ptrdiff_t fact = cm_fact_find(name);
    for (size_t i = 0; fact < 0 && i < work->amount_count; i++)
        if (strcmp(work->amounts[i], name) == 0)
            fact = (ptrdiff_t)(cm_fact_count() + i);
    return fact;
}

static ptrdiff_t resolve_name(const char *name, void *data)
{
    ptrdiff_t found = find_quantity(data, name);
    return found >= 0 ? found : CM_RESOLVED_NONE;
}

static cm_status add_name(char ***names, size_t *count, const char *name, cm_error *error)
{
    if (!CM_GROW_BY_ONE(*names, *count))
        return cm_error_no_memory(error);
    (*names)[*count] = strdup(name);
    return (*names)[(*count)++] != NULL ? CM_OK : cm_error_no_memory(error);
}

/* Rows of every class give the quantity that the range refers to; their names may be new. */
static cm_status read_common(reading *work, const cm_csv *csv, const cm_csv_row *row, rate *added, cm_error *error)
{
    const cm_expression_source source = {.names_are = "fact or amount"};
    added->class = EVERY;
    cm_status status = cm_expression_parse_field(csv, row, OF, &source, resolve_name, work, &added->of, error);
    CM_THEN(status, cm_expression_check_divisors(added->of, error));
    return status == CM_OK && find_quantity(work, row->fields[NAME]) < 0
               ? add_name(&work->amounts, &work->amount_count, row->fields[NAME], error)
               : status;
}

static cm_status read_class(cm_natural *natural, const cm_csv_row *row, rate *added, cm_error *error)
{
    const char *name = row->fields[CLASS];
    bool known = natural->class_count > 0 && strcmp(natural->classes[natural->class_count - 1], name) == 0;
    cm_status status = known ? CM_OK : add_name(&natural->classes, &natural->class_count, name, error);
    added->class = (ptrdiff_t)natural->class_count - 1;
    return status;
}

/* Adds the rate of a row. */
static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    reading *work = data;
    if (!CM_GROW_BY_ONE(work->rates, work->rate_count))
        return cm_error_no_memory(error);
    rate *added = &work->rates[work->rate_count++];
    *added = (rate){0};
    cm_status status = strcmp(row->fields[CLASS], "*") == 0 ? read_common(work, csv, row, added, error)
                                                            : read_class(work->natural, row, added, error);
    CM_THEN(status, cm_csv_number(csv, row, LOW, &added->low, error));
    CM_THEN(status, cm_csv_number(csv, row, HIGH, &added->high, error));
    ptrdiff_t value = status == CM_OK ? find_quantity(work, row->fields[NAME]) : 0;
    if (status == CM_OK && value < 0)
        status = CM_CSV_FAULT(csv, row->line, error, "'%s' is in no row of every class (*)", row->fields[NAME]);
    if (status == CM_OK && row->fields[SOURCE][0] == '\0')
        status = CM_CSV_FAULT(csv, row->line, error, "no source, expected one or 'estimate'");
    if (status == CM_OK && !(added->low <= added->high))
        status = CM_CSV_FAULT(csv, row->line, error, "low is above high");
    added->value = (size_t)value;
    return status;
}

/* ---- programs ---- */

/* The range of a quantity in a class, and the place of each program of the class in it: 0 to 1. */
typedef struct draws {
    const rate *range;
    double shares[CM_NATURAL_OF_A_CLASS];
} draws;

static double draw_rate(const rate *range, double share)
{
    bool by_decades = range->low > 0.0 && range->high > decades_from * range->low;
    return by_decades ? range->low * pow(range->high / range->low, share)
                      : range->low + share * (range->high - range->low);
}

/* The places of a quantity in its range in the programs of a class: one in each part of the range, as many parts as
 * programs, in random order. Random numbers begin by names, so that neither new facts nor new classes change the drawn
 * ones. */
static void draw_shares(const reading *work, const char *class, size_t value, double *shares)
{
    const char *name = value < cm_fact_count() ? cm_fact_name(value) : work->amounts[value - cm_fact_count()];
    uint64_t random = cm_checksum(cm_checksum(CM_CHECKSUM_START, class, strlen(class) + 1), name, strlen(name));
    for (size_t i = 0; i < CM_NATURAL_OF_A_CLASS; i++) {
        size_t other = cm_random_below(&random, i + 1);
        shares[i] = shares[other];
        shares[other] = ((double)i + cm_random_share(&random)) / CM_NATURAL_OF_A_CLASS;
    }
}

/* The draws of a class, for each row of every class. */
static void draw_class_rows(const reading *work, size_t class, draws *drawn)
{
    for (size_t i = 0; i < work->rate_count; i++) {
        drawn[i].range = &work->rates[i];
        for (size_t k = 0; k < work->rate_count; k++)
            if (work->rates[k].class == (ptrdiff_t) class && work->rates[k].value == work->rates[i].value)
                drawn[i].range = &work->rates[k];
        draw_shares(work, work->natural->classes[class], work->rates[i].value, drawn[i].shares);
    }
}

/* Each rate of a program is drawn from random numbers of its own, so that a changed rate changes no other one. */
static void make_program(const reading *work, const draws *drawn, size_t program, ptrdiff_t turns, double *values)
{
    cm_natural *natural = work->natural;
    for (size_t i = 0; i < work->rate_count; i++) {
        const rate *common = &work->rates[i];
        double share = drawn[i].shares[program % CM_NATURAL_OF_A_CLASS];
        if (common->class == EVERY)
            values[common->value] = draw_rate(drawn[i].range, share) * cm_expression_evaluate(common->of, values);
    }
    memcpy(natural->facts + program * cm_fact_count(), values, cm_fact_count() * sizeof *values);
    natural->class_of[program] = program / CM_NATURAL_OF_A_CLASS;
    natural->turns[program] = turns >= 0 ? values[turns] : 0.0;
}

/* Draws all programs of all classes. */
static cm_status make_programs(const reading *work, cm_error *error)
{
    cm_natural *natural = work->natural;
    size_t count = natural->class_count * CM_NATURAL_OF_A_CLASS;
    double *values = calloc(cm_fact_count() + work->amount_count + 1, sizeof *values);
    draws *drawn = calloc(work->rate_count + 1, sizeof *drawn);
    natural->facts = calloc(count * cm_fact_count() + 1, sizeof *natural->facts);
    natural->turns = calloc(count + 1, sizeof *natural->turns);
    natural->class_of = calloc(count + 1, sizeof *natural->class_of);
    bool made = values != NULL && drawn != NULL && natural->facts != NULL && natural->turns != NULL &&
                natural->class_of != NULL;
    ptrdiff_t turns = find_quantity(work, "turns");
    for (size_t i = 0; made && i < count; i++) {
        if (i % CM_NATURAL_OF_A_CLASS == 0)
            draw_class_rows(work, i / CM_NATURAL_OF_A_CLASS, drawn);
        make_program(work, drawn, i, turns, values);
    }
    free(drawn);
    natural->count = made ? count : 0;
    free(values);
    return made ? CM_OK : cm_error_no_memory(error);
}

cm_status cm_natural_load(const char *path, cm_natural **natural, cm_error *error)
{
    reading work = {.natural = calloc(1, sizeof *work.natural)};
    char *own = NULL;
    if (work.natural == NULL)
        return cm_error_no_memory(error);
    cm_status status = path == NULL ? cm_data_path("bases/natural-programs.csv", &own, error) : CM_OK;
    CM_THEN(status, cm_csv_each(path != NULL ? path : own, COLUMNS, columns, take_row, &work, error));
    CM_THEN(status, make_programs(&work, error));
    for (size_t i = 0; i < work.rate_count; i++)
        cm_expression_free(work.rates[i].of);
    cm_free_list(work.amounts, work.amount_count);
    CM_FREE(work.rates, own);
    CM_HAND_OVER(status, natural, work.natural, cm_natural_free);
    return status;
}

void cm_natural_free(cm_natural *natural)
{
    if (natural == NULL)
        return;
    cm_free_list(natural->classes, natural->class_count);
    CM_FREE(natural->class_of, natural->facts, natural->turns, natural);
}
