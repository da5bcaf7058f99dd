/* Instruction sets that a model's processor does not execute. */
#include "cat-kernels/registry.h"
#include "software_pmu/model/model.h"

typedef struct look_up {
    const char *model;
    unsigned *left_out;
} look_up;

/* Whether the list, with blanks between, has the name. */
static bool has_set(const char *sets, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = sets; (at = strstr(at, name)) != NULL; at += length)
        if ((at == sets || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Takes the table's sets that the model's row lacks; none if the row is of another architecture than the kernels. */
static cm_status take_sets_row(const cm_csv *csv, const cm_csv_row *row, void *data, cm_error *error)
{
    (void)csv, (void)error;
    const look_up *in = data;
    unsigned missing = 0;
    bool ours = false;
    if (strcmp(row->fields[0], in->model) != 0)
        return CM_OK;
    for (size_t i = 0; i < cm_isa_table_size; i++) {
        bool has = has_set(row->fields[1], cm_isa_table[i].name);
        missing |= has ? 0 : cm_isa_table[i].bit;
        ours = ours || has;
    }
    *in->left_out = ours ? missing : 0;
    return CM_OK;
}

cm_status cm_model_left_out(const char *model, unsigned *left_out, cm_error *error)
{
    static const char *const columns[] = {"model", "sets"};
    look_up in = {model, left_out};
    *left_out = 0;
    return cm_csv_each_data("data/instruction-sets.csv", sizeof columns / sizeof columns[0], columns, take_sets_row,
                            &in, error);
}
