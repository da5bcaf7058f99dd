#include "events/events.h"

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>

#include <catmint/data_path.h>

#include "core/csv.h"
#include "core/error.h"

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

cm_status cm_processor_pmu(const char *identity, char *pmu, size_t size, cm_error *error)
{
    enum { CPU, MODEL, IDENTITY, COLUMNS };
    static const char *const columns[COLUMNS] = {"cpu", "model", "identity"};
    char *path = NULL;
    cm_csv *csv = NULL;
    bool more = true;
    pmu[0] = '\0';
    cm_status status = cm_data_path("data/upstream.csv", &path, error);
    if (status == CM_OK)
        status = cm_csv_open(path, &csv, error);
    if (status == CM_OK)
        status = cm_csv_expect(csv, COLUMNS, columns, true, error);
    while (status == CM_OK && more && pmu[0] == '\0') {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &more, error);
        if (status == CM_OK && more && cm_pattern_fits_whole(row.fields[IDENTITY], identity))
            snprintf(pmu, size, "%s", row.fields[CPU]);
    }
    cm_csv_close(csv);
    free(path);
    return status;
}
