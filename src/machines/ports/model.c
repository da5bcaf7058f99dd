/* Tables of ports: rows of kind,name,latency,uses,source. */
#include <catmint/data_path.h>

#include "counting/counting.h"
#include "formulas/events/events.h"
#include "machines/ports/ports.h"

enum { KIND, NAME, LATENCY, USES, SOURCE, MODEL_COLUMNS };

static const char *const model_columns[MODEL_COLUMNS] = {"kind", "name", "latency", "uses", "source"};
static const char *const kinds[] = {[CM_PORT_FORM] = "form", [CM_PORT_LOAD] = "load", [CM_PORT_STORE] = "store"};

static cm_status refuse_row(const cm_port_model *model, const cm_csv_row *row, size_t column, const char *expected,
                            cm_error *error)
{
    return cm_error_set(error, CM_BAD_INPUT, model->path, row->line, 0, "found %s '%.100s', expected %s",
                        model_columns[column], row->fields[column], expected);
}

/* ---- the machine ---- */

/* Reads the names of ports, with blanks between. */
static bool read_ports(const char *text, cm_port_model *model)
{
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (model->port_count == CM_PORTS_MOST || length >= CM_PORT_NAME)
            return false;
        memcpy(model->ports[model->port_count++], at, length);
        at += length;
    }
    return model->port_count > 0;
}

static bool read_number(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && *value >= 0.0 && *value <= 1000.0;
}

/* Takes a row of the machine: width, forward, turn, or ports. */
static cm_status take_machine(const cm_csv_row *row, cm_port_model *model, cm_error *error)
{
    const char *key = row->fields[NAME], *value = row->fields[USES];
    const struct {
        const char *key;
        double *number;
    } numbers[] = {{"width", &model->width}, {"forward", &model->forward}, {"turn", &model->turn}};
    for (size_t i = 0; i < CM_COUNT_OF(numbers); i++)
        if (strcmp(key, numbers[i].key) == 0)
            return read_number(value, numbers[i].number) ? CM_OK
                                                         : refuse_row(model, row, USES, "a number up to 1000", error);
    if (strcmp(key, "ports") == 0)
        return read_ports(value, model) ? CM_OK : refuse_row(model, row, USES, "at most 32 names of ports", error);
    if (strcmp(key, "isa") == 0) {
        model->isa = strcmp(value, "aarch64") == 0 ? CM_PORT_AARCH64 : CM_PORT_X86_64;
        return model->isa == CM_PORT_AARCH64 || strcmp(value, "x86_64") == 0
                   ? CM_OK
                   : refuse_row(model, row, USES, "x86_64 or aarch64", error);
    }
    if (strcmp(key, "identity") == 0)
        snprintf(model->identity, sizeof model->identity, "%s", value);
    else if (strcmp(key, "mca") == 0)
        snprintf(model->mca, sizeof model->mca, "%s", value);
    else
        return refuse_row(model, row, NAME, "isa, ports, width, forward, turn, identity or mca", error);
    return CM_OK;
}

/* ---- rows ---- */

/* The ports of "A|B"; 0: one has no such name. */
static uint32_t read_mask(const cm_port_model *model, const char *text, size_t length)
{
    uint32_t mask = 0;
    for (size_t at = 0; at < length;) {
        const size_t size = strcspn(text + at, "| ;");
        uint32_t found = 0;
        for (size_t i = 0; i < model->port_count; i++)
            if (strlen(model->ports[i]) == size && strncmp(model->ports[i], text + at, size) == 0)
                found = UINT32_C(1) << i;
        if (found == 0)
            return 0;
        mask |= found;
        at += size + 1;
    }
    return mask;
}

/* Takes the words that name some of the ports. */
static cm_status take_role(const cm_csv_row *row, cm_port_model *model, cm_error *error)
{
    const uint32_t mask = read_mask(model, row->fields[USES], strlen(row->fields[USES]));
    cm_port_role *role = &model->roles[model->role_count];
    if (row->fields[NAME][0] == '\0' || strlen(row->fields[NAME]) >= sizeof role->words)
        return refuse_row(model, row, NAME, "words, at most 23 bytes", error);
    if (mask == 0 || model->role_count == CM_PORT_ROLES)
        return refuse_row(model, row, USES, "ports, as in 'P0|P1', of at most 12 roles", error);
    memcpy(role->words, row->fields[NAME], strlen(row->fields[NAME]));
    role->mask = mask;
    model->role_count++;
    return CM_OK;
}

/* Reads "1 A|B; 0.5 C". */
static bool read_parts(const cm_port_model *model, const char *text, cm_port_row *row)
{
    for (const char *at = text + strspn(text, " "); *at != '\0'; at += strspn(at, "; ")) {
        char *end = NULL;
        const double cycles = strtod(at, &end);
        const char *names = end + strspn(end, " ");
        const size_t length = strcspn(names, "; ");
        const uint32_t mask = read_mask(model, names, length);
        if (end == at || cycles <= 0.0 || cycles > 1000.0 || mask == 0 || row->part_count == CM_PORT_PARTS)
            return false;
        row->parts[row->part_count++] = (cm_port_part){cycles, mask};
        at = names + length;
    }
    return true;
}

/* Reads "3", or "2:3": 2 to an instruction of the same row, 3 to others. */
static bool read_latency(const char *text, cm_port_row *row)
{
    char first[CM_PORT_NAME];
    const char *colon = strchr(text, ':');
    snprintf(first, sizeof first, "%.*s", colon != NULL ? (int)(colon - text) : (int)sizeof first - 1, text);
    return read_number(first, &row->next) && read_number(colon != NULL ? colon + 1 : text, &row->latency);
}

/* Takes a row of the table; errors name its field. */
static cm_status take_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv;
    cm_port_model *model = data;
    char pattern[512];
    size_t kind = 0;
    if (strcmp(row->fields[KIND], "machine") == 0)
        return take_machine(row, model, error);
    if (strcmp(row->fields[KIND], "role") == 0)
        return take_role(row, model, error);
    while (kind < CM_COUNT_OF(kinds) && strcmp(kinds[kind], row->fields[KIND]) != 0)
        kind++;
    if (kind == CM_COUNT_OF(kinds))
        return refuse_row(model, row, KIND, "machine, role, form, load or store", error);
    if (!CM_GROW_BY_ONE(model->rows, model->row_count))
        return cm_error_no_memory(error);
    cm_port_row *made = &model->rows[model->row_count];
    *made = (cm_port_row){.kind = (cm_port_kind)kind};
    if (!read_latency(row->fields[LATENCY], made))
        return refuse_row(model, row, LATENCY, "cycles, as in 3, or 2:3 if the same instruction waits 2", error);
    if (!read_parts(model, row->fields[USES], made))
        return refuse_row(model, row, USES, "cycles and ports, as in '1 P0|P1; 0.5 P2'", error);
    snprintf(pattern, sizeof pattern, "^(%.480s)$", row->fields[NAME]);
    const int code = regcomp(&made->pattern, pattern, REG_EXTENDED | REG_NOSUB);
    if (code == REG_ESPACE)
        return cm_error_no_memory(error);
    if (code != 0)
        return refuse_row(model, row, NAME, "an extended regular expression", error);
    model->row_count++;
    return CM_OK;
}

/* ---- loading ---- */

static cm_status check_model(const cm_port_model *model, cm_error *error)
{
    if (model->port_count > 0 && model->width > 0.0 && model->row_count > 0)
        return CM_OK;
    return cm_error_set(error, CM_BAD_INPUT, model->path, 0, 0,
                        "expected rows of the machine's ports and width, and of forms");
}

/* Loads the table at the path; the caller frees *model. */
static cm_status load_file(const char *path, cm_port_model **model, cm_error *error)
{
    cm_port_model *made = calloc(1, sizeof *made);
    if (made == NULL)
        return cm_error_no_memory(error);
    made->path = strdup(path);
    cm_status status = made->path != NULL ? CM_OK : cm_error_no_memory(error);
    CM_THEN(status, cm_csv_each(path, MODEL_COLUMNS, model_columns, take_row, made, error));
    CM_THEN(status, check_model(made, error));
    if (status == CM_OK) {
        const char *slash = strrchr(made->path, '/');
        const char *name = slash != NULL ? slash + 1 : made->path;
        snprintf(made->name, sizeof made->name, "%.*s", (int)strcspn(name, "."), name);
        *model = made;
    } else {
        cm_port_model_free(made);
    }
    return status;
}

/* Loads the table of that name, or the file if the name has a slash. */
static cm_status load_model(const char *name, cm_port_model **model, cm_error *error)
{
    char file[256], *path = NULL;
    if (strchr(name, '/') != NULL || strchr(name, '.') != NULL)
        return load_file(name, model, error);
    snprintf(file, sizeof file, "data/ports/%.200s.csv", name);
    if (cm_data_path(file, &path, error) != CM_OK)
        return CM_FAIL(error, CM_BAD_ARGUMENT,
                       "no ports of a processor '%.100s' are known: expected golden-cove, zen4, zen5, neoverse-v2, or "
                       "a table of your own, as in ./mine.csv",
                       name);
    cm_status status = load_file(path, model, error);
    free(path);
    return status;
}

cm_status cm_port_model_load_own(cm_port_model **model, cm_error *error)
{
    static const char *const names[] = {"golden-cove", "zen4", "zen5", "neoverse-v2"};
    char identity[128];
    cm_machine machine;
    cm_machine_read(&machine);
    snprintf(identity, sizeof identity, "%s-%u-%X-%u", machine.vendor, machine.family, machine.model, machine.stepping);
    *model = NULL;
    for (size_t i = 0; i < CM_COUNT_OF(names); i++) {
        cm_port_model *one = NULL;
        cm_status status = load_model(names[i], &one, error);
        if (status != CM_OK)
            return status;
        if (cm_pattern_fits_whole(one->identity, identity)) {
            *model = one;
            return CM_OK;
        }
        cm_port_model_free(one);
    }
    return CM_OK;
}

cm_status cm_port_model_choose(const char *name, cm_port_model **model, cm_error *error)
{
    if (name != NULL)
        return load_model(name, model, error);
    cm_status status = cm_port_model_load_own(model, error);
    if (status == CM_OK && *model == NULL)
        return CM_FAIL(error, CM_UNSUPPORTED,
                       "the ports of this processor are not known: name one that is, as in --machine zen5");
    return status;
}

void cm_port_model_free(cm_port_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->row_count; i++)
        regfree(&model->rows[i].pattern);
    CM_FREE(model->rows, model->path, model);
}

const cm_port_row *cm_port_row_find(const cm_port_model *model, cm_port_kind kind, const char *text)
{
    for (size_t i = 0; i < model->row_count; i++)
        if (model->rows[i].kind == kind && regexec(&model->rows[i].pattern, text, 0, NULL, 0) == 0)
            return &model->rows[i];
    return NULL;
}
