/* Reads a retirement trace. */
#include "verify/freestanding/freestanding.h"

enum { MOST_AT_ONCE = 16 };

/* Columns of one of the instructions that retire at once. */
typedef struct lane {
    size_t pc, word, valid; /* SIZE_MAX: there is none */
} lane;

typedef struct lanes {
    size_t count;
    lane items[MOST_AT_ONCE];
} lanes;

/* A column by its names: as they are, or with a number behind them. */
static size_t find_column(const cm_csv *csv, const char *const names[2], size_t number, bool numbered)
{
    size_t found = SIZE_MAX;
    for (size_t i = 0; i < 2 && found == SIZE_MAX; i++) {
        char name[64];
        snprintf(name, sizeof name, numbered ? "%s%zu" : "%s", names[i], number);
        found = cm_csv_find_column(csv, name);
    }
    return found;
}

static bool find_lane(const cm_csv *csv, size_t number, bool numbered, lane *found)
{
    static const char *const pc[2] = {"pc", "rvfi_pc_rdata"}, *const word[2] = {"instruction", "rvfi_insn"},
                             *const valid[2] = {"valid", "rvfi_valid"};
    *found = (lane){find_column(csv, pc, number, numbered), find_column(csv, word, number, numbered),
                    find_column(csv, valid, number, numbered)};
    return found->pc != SIZE_MAX && found->word != SIZE_MAX;
}

/* Finds the columns of each instruction that a row has. */
static cm_status find_lanes(const cm_csv *csv, lanes *found, cm_error *error)
{
    if (find_lane(csv, 0, false, &found->items[0]))
        found->count = 1;
    while (found->count < MOST_AT_ONCE && find_lane(csv, found->count, true, &found->items[found->count]))
        found->count++;
    if (found->count > 0)
        return CM_OK;
    return CM_CSV_FAULT(csv, cm_csv_header(csv).line, error,
                        "expected columns pc and instruction, or rvfi_pc_rdata and rvfi_insn, each with a number if "
                        "several retire at once: pc0,instruction0,pc1,instruction1");
}

/* Reads a hexadecimal number of at most `most`. */
static cm_status read_hexadecimal(const cm_csv *csv, const cm_csv_row *row, size_t column, uint64_t most,
                                  uint64_t *value, cm_error *error)
{
    const char *text = row->fields[column];
    size_t prefix = strncmp(text, "0x", 2) == 0 ? 2 : 0, digits = strspn(text + prefix, "0123456789abcdefABCDEF");
    errno = 0;
    *value = strtoull(text + prefix, NULL, 16);
    if (digits > 0 && text[prefix + digits] == '\0' && errno == 0 && *value <= most)
        return CM_OK;
    return CM_CSV_FAULT(csv, row->line, error, "column '%s': expected hexadecimal digits, found '%.40s'",
                        cm_csv_header(csv).fields[column], text);
}

/* Passes an instruction on, unless its lane is not valid. */
static cm_status take_lane(const cm_csv *csv, const cm_csv_row *row, const lane *from, cm_trace_take take, void *data,
                           cm_error *error)
{
    uint64_t pc = 0, word = 0, valid = 1;
    cm_status status = from->valid != SIZE_MAX ? read_hexadecimal(csv, row, from->valid, 1, &valid, error) : CM_OK;
    if (status != CM_OK || valid == 0)
        return status;
    status = read_hexadecimal(csv, row, from->pc, UINT64_MAX, &pc, error);
    CM_THEN(status, read_hexadecimal(csv, row, from->word, UINT32_MAX, &word, error));
    return status == CM_OK ? take(&(cm_retired){pc, (uint32_t)word, row->line}, data, error) : status;
}

cm_status cm_trace_read(const char *path, cm_trace_take take, void *data, size_t *line, cm_error *error)
{
    cm_csv *csv = NULL;
    lanes found = {0};
    cm_csv_row row;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, find_lanes(csv, &found, error));
    while (cm_csv_more(csv, &row, &status, error)) {
        for (size_t i = 0; status == CM_OK && i < found.count; i++)
            status = take_lane(csv, &row, &found.items[i], take, data, error);
        *line = status == CM_OK ? row.line : *line;
    }
    cm_csv_close(csv);
    return status;
}
