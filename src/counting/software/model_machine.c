/* machine.csv: the geometry of a model, key by key, each with its range. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/csv.h"
#include "core/error.h"
#include "counting/software/model.h"

typedef enum key_kind { KEY_SIZE, KEY_COUNT, KEY_SHARE, KEY_PREDICTOR } key_kind;

typedef struct machine_key {
    const char *name;
    key_kind kind;
    size_t offset; /* in cm_pmu_machine */
    double least, most;
    bool power_of_two;
} machine_key;

#define SIZE(field, least, most, power)                                                                                \
    {                                                                                                                  \
#field, KEY_SIZE, offsetof(cm_pmu_machine, field), least, most, power                                          \
    }
#define NUMBER(field, least, most)                                                                                     \
    {                                                                                                                  \
#field, KEY_COUNT, offsetof(cm_pmu_machine, field), least, most, false                                         \
    }

static const machine_key keys[] = {
    SIZE(line_size, 8, 4096, true),
    SIZE(page_size, 512, 0x1p30, true),
    SIZE(l1d_size, 0, 0x1p40, false),
    NUMBER(l1d_ways, 0, 1024),
    SIZE(l2_size, 0, 0x1p40, false),
    NUMBER(l2_ways, 0, 1024),
    SIZE(l3_size, 0, 0x1p40, false),
    NUMBER(l3_ways, 0, 1024),
    NUMBER(dtlb_entries, 0, 0x1p20),
    {"predictor", KEY_PREDICTOR, offsetof(cm_pmu_machine, predictor), 0, 0, false},
    NUMBER(wrong_path_window, 0, 4096),
    NUMBER(counters, 0, 4096),
    {"interference", KEY_SHARE, offsetof(cm_pmu_machine, interference), 0, 1, false},
};
enum { KEY_COUNT_ALL = sizeof keys / sizeof keys[0] };

static const char *const predictors[] = {"none", "bimodal", "gshare", "tage"};

static cm_status set_predictor(const cm_csv *csv, const cm_csv_row *row, char *predictor, cm_error *error)
{
    for (size_t i = 0; i < sizeof predictors / sizeof predictors[0]; i++) {
        if (strcmp(row->fields[1], predictors[i]) == 0) {
            strcpy(predictor, predictors[i]); /* the field holds 32 characters */
            return CM_OK;
        }
    }
    return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
                        "unknown predictor \"%.60s\", expected none, bimodal, gshare or tage", row->fields[1]);
}

static bool is_power_of_two(double value)
{
    int exponent;
    return frexp(value, &exponent) == 0.5;
}

static cm_status set_key(const cm_csv *csv, const cm_csv_row *row, const machine_key *key, cm_pmu_machine *machine,
                         cm_error *error)
{
    char *field = (char *)machine + key->offset;
    double value = 0.0;
    if (key->kind == KEY_PREDICTOR)
        return set_predictor(csv, row, field, error);
    cm_status status = cm_csv_number(csv, row, 1, &value, error);
    if (status != CM_OK)
        return status;
    bool whole = key->kind == KEY_SHARE || value == floor(value);
    if (!whole || value < key->least || value > key->most || (key->power_of_two && !is_power_of_two(value)))
        return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row->line, 0,
                            "%s is %s, expected %s from %.0f to %.0f", key->name, row->fields[1],
                            key->power_of_two        ? "a power of two"
                            : key->kind == KEY_SHARE ? "a number"
                                                     : "a whole number",
                            key->least, key->most);
    if (key->kind == KEY_SHARE)
        *(double *)(void *)field = value;
    else if (key->kind == KEY_SIZE)
        *(uint64_t *)(void *)field = (uint64_t)value;
    else
        *(unsigned *)(void *)field = (unsigned)value;
    return CM_OK;
}

/* A cache is sets x ways x lines, and a level that is there is larger than the one before it. */
static cm_status check_caches(const char *path, const cm_pmu_machine *machine, cm_error *error)
{
    const struct {
        const char *name;
        uint64_t size;
        unsigned ways;
    } levels[] = {{"l1d", machine->l1d_size, machine->l1d_ways},
                  {"l2", machine->l2_size, machine->l2_ways},
                  {"l3", machine->l3_size, machine->l3_ways}};
    uint64_t before = 0;
    for (size_t i = 0; i < 3; i++) {
        if (levels[i].size == 0)
            continue;
        if (levels[i].ways == 0 || levels[i].size % (levels[i].ways * machine->line_size) != 0)
            return cm_error_set(error, CM_BAD_INPUT, path, 0, 0,
                                "%s_size %llu is no multiple of %s_ways %u times line_size %llu", levels[i].name,
                                (unsigned long long)levels[i].size, levels[i].name, levels[i].ways,
                                (unsigned long long)machine->line_size);
        if (levels[i].size <= before || (i > 0 && before == 0))
            return cm_error_set(
                error, CM_BAD_INPUT, path, 0, 0,
                "%s_size is %llu, expected a cache larger than the level before it, and none without one",
                levels[i].name, (unsigned long long)levels[i].size);
        before = levels[i].size;
    }
    return CM_OK;
}

static cm_status read_keys(cm_csv *csv, cm_pmu_machine *machine, cm_error *error)
{
    static const char *const columns[] = {"key", "value"};
    bool seen[KEY_COUNT_ALL] = {false};
    cm_status status = cm_csv_expect(csv, 2, columns, false, error);
    while (status == CM_OK) {
        cm_csv_row row;
        bool found = false;
        status = cm_csv_next(csv, &row, &found, error);
        if (status != CM_OK || !found)
            break;
        size_t key = 0;
        while (key < KEY_COUNT_ALL && strcmp(keys[key].name, row.fields[0]) != 0)
            key++;
        if (key == KEY_COUNT_ALL || seen[key])
            return cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), row.line, 0, "%s key \"%.60s\"",
                                key == KEY_COUNT_ALL ? "unknown" : "repeated", row.fields[0]);
        seen[key] = true;
        status = set_key(csv, &row, &keys[key], machine, error);
    }
    for (size_t key = 0; status == CM_OK && key < KEY_COUNT_ALL; key++)
        if (!seen[key])
            status = cm_error_set(error, CM_BAD_INPUT, cm_csv_path(csv), 0, 0, "the key %s is missing", keys[key].name);
    return status;
}

cm_status cm_pmu_machine_load(const char *path, cm_pmu_machine *machine, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_pmu_machine read = {0};
    cm_status status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = read_keys(csv, &read, error);
    if (status == CM_OK)
        status = check_caches(path, &read, error);
    cm_csv_close(csv);
    if (status == CM_OK)
        *machine = read;
    return status;
}
