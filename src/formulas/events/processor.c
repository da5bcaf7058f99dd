#include "formulas/events/events.h"

#include <regex.h>

#include <catmint/data_path.h>

#include "core/csv.h"

bool cm_pattern_fits_whole(const char *pattern, const char *text)
{
    regex_t regex;
    regmatch_t match;
    if (pattern[0] == '\0' || regcomp(&regex, pattern, REG_EXTENDED) != 0)
        return false;
    bool fits = regexec(&regex, text, 1, &match, 0) == 0 && match.rm_so == 0 && text[match.rm_eo] == '\0';
    regfree(&regex);
    return fits;
}

/* Shows each row of data/upstream.csv to `take`, until it returns false. */
static cm_status each_processor(bool (*take)(const char *cpu, const char *identity, void *data), void *data,
                                cm_error *error)
{
    enum { CPU, MODEL, IDENTITY, COLUMNS };
    static const char *const columns[COLUMNS] = {"cpu", "model", "identity"};
    char *path = NULL;
    cm_csv *csv = NULL;
    cm_csv_row row;
    bool more = true;
    cm_status status = cm_data_path("data/upstream.csv", &path, error);
    CM_THEN(status, cm_csv_open(path, &csv, error));
    CM_THEN(status, cm_csv_expect(csv, COLUMNS, columns, true, error));
    while (more && cm_csv_more(csv, &row, &status, error))
        more = take(row.fields[CPU], row.fields[IDENTITY], data);
    cm_csv_close(csv);
    free(path);
    return status;
}

typedef struct wanted_identity {
    const char *identity;
    char *pmu;
    size_t size;
} wanted_identity;

/* Keeps the name of the first row that fits the identity. */
static bool take_identity(const char *cpu, const char *identity, void *data)
{
    const wanted_identity *wanted = data;
    const bool fits = cm_pattern_fits_whole(identity, wanted->identity);
    if (fits)
        snprintf(wanted->pmu, wanted->size, "%s", cpu);
    return !fits;
}

cm_status cm_processor_pmu(const char *identity, char *pmu, size_t size, cm_error *error)
{
    wanted_identity wanted = {identity, pmu, size};
    pmu[0] = '\0';
    return each_processor(take_identity, &wanted, error);
}

static bool offer_name(const char *cpu, const char *identity, void *data)
{
    (void)identity;
    cm_near_offer(data, cpu);
    return true;
}

cm_status cm_processor_offer(cm_near *near, cm_error *error)
{
    (void)cm_libpfm_offer_pmus(near);
    return each_processor(offer_name, near, error);
}

cm_status cm_processor_check(const char *pmu, cm_error *error)
{
    cm_near near = {.wanted = pmu};
    char offered[CM_NEAR_TEXT];
    if (cm_pattern_fits_whole("G[A-Z][0-9]{3}|gfx[0-9a-f]+", pmu) || !cm_libpfm_offer_pmus(&near))
        return CM_OK;
    cm_status status = each_processor(offer_name, &near, error);
    if (status != CM_OK || strcmp(near.name, pmu) == 0)
        return status;
    return CM_FAIL(error, CM_BAD_ARGUMENT, "'%.100s' is not a PMU of libpfm4, expected a name like 'skx'%s", pmu,
                   cm_near_text(&near, offered));
}
