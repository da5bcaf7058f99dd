/* Codes that must not be counted on this machine. */
#include "counting/raw/raw.h"

enum { VENDOR, FAMILY, MODELS, CODES, SOURCE, COLUMNS };

/* Whether the model is in the list, such as "85|106"; "*" lists all. */
static bool is_listed(const char *models, unsigned model)
{
    if (strcmp(models, "*") == 0)
        return true;
    for (const char *at = models; *at != '\0';) {
        char *end = NULL;
        if (strtoul(at, &end, 10) == model && end != at)
            return true;
        at = end + strcspn(end, "|");
        at += *at == '|';
    }
    return false;
}

static bool is_of(const cm_csv_row *row, const cm_machine *machine)
{
    return strcmp(row->fields[VENDOR], machine->vendor) == 0 &&
           strtoul(row->fields[FAMILY], NULL, 10) == machine->family && is_listed(row->fields[MODELS], machine->model);
}

typedef struct reading {
    const cm_machine *machine;
    const cm_raw_device *device;
    cm_unsafe_codes *codes;
} reading;

/* Adds a row of the machine to the codes. */
static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    const reading *in = data;
    cm_unsafe_codes *codes = in->codes;
    cm_error reason = {0};
    if (!is_of(row, in->machine))
        return CM_OK;
    if (codes->count == CM_UNSAFE_SPECS)
        return CM_CSV_FAULT(csv, row->line, error, "more than %d rows are this machine's", CM_UNSAFE_SPECS);
    const cm_raw_device widest = cm_raw_model_device(2);
    cm_raw_spec spec;
    cm_status status = cm_raw_spec_parse(row->fields[CODES], in->device, 1, &codes->rows[codes->count].spec, &reason);
    if (status != CM_OK && cm_raw_spec_parse(row->fields[CODES], &widest, 1, &spec, NULL) == CM_OK)
        return CM_OK; /* the device's fields cannot hold such a code */
    if (status != CM_OK)
        return CM_CSV_FAULT(csv, row->line, error, "%s", reason.text);
    snprintf(codes->rows[codes->count].source, CM_UNSAFE_SOURCE, "%s", row->fields[SOURCE]);
    codes->count++;
    return CM_OK;
}

cm_status cm_unsafe_codes_read(const char *path, const cm_machine *machine, const cm_raw_device *device,
                               cm_unsafe_codes *codes, cm_error *error)
{
    static const char *const columns[COLUMNS] = {"vendor", "family", "models", "codes", "source"};
    reading in = {machine, device, codes};
    *codes = (cm_unsafe_codes){0};
    return cm_csv_each(path, COLUMNS, columns, take_row, &in, error);
}

static bool contains_value(const cm_raw_choice *choice, uint64_t value)
{
    for (size_t i = 0; i < choice->span_count; i++)
        if (value >= choice->spans[i].first && value <= choice->spans[i].last)
            return true;
    return false;
}

const char *cm_unsafe_codes_source(const cm_unsafe_codes *codes, const cm_raw_code *code)
{
    for (size_t i = 0; i < codes->count; i++) {
        const cm_raw_spec *spec = &codes->rows[i].spec;
        size_t fitting = 0;
        while (fitting < spec->choice_count &&
               contains_value(&spec->choices[fitting], cm_raw_field_get(spec->choices[fitting].field, code)))
            fitting++;
        if (fitting == spec->choice_count)
            return codes->rows[i].source;
    }
    return NULL;
}
