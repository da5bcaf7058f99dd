/* The mixes of programs: a table quantity,<program>,..., or counts of facts, from which mix_facts.c makes a mix. */
#include "machines/projection/projection.h"

enum {
    OPERATIONS,
    INSTRUCTIONS,
    BITS,
    SECONDS,
    SPEED,
    SLOWEST,
    FASTEST,
    BYTES,
    MOVED = BYTES + CM_LEVELS,
    SPLIT = MOVED + CM_LEVELS,
    IN_CORE,
    STORE_SHARE,
    MIX_QUANTITIES
};

static const char *const mix_quantities[MIX_QUANTITIES] = {
    "operations",     "fp_instructions",    "vector_bits",         "seconds",
    "performance",    "performance:lowest", "performance:highest", "bytes:L1",
    "bytes:L2",       "bytes:L3",           "bytes:MEM",           "moved:L1",
    "moved:L2",       "moved:L3",           "moved:MEM",           "split_bytes",
    "in_core_cycles", "store_share"};

/* Adds a mix. The arena keeps the smaller arrays when the array is doubled. */
static cm_status add_mix(cm_mixes *mixes, cm_arena *arena, const cm_mix *mix, cm_error *error)
{
    if ((mixes->count & (mixes->count - 1)) == 0) {
        cm_mix *moved = cm_arena_allocate(arena, (mixes->count > 0 ? 2 * mixes->count : 1) * sizeof *moved);
        if (moved == NULL)
            return cm_error_no_memory(error);
        if (mixes->count > 0)
            memcpy(moved, mixes->items, mixes->count * sizeof *moved);
        mixes->items = moved;
    }
    mixes->items[mixes->count++] = *mix;
    return CM_OK;
}

/* ---- tables ---- */

/* The member of a mix for a quantity of the table. */
static double *place_of(cm_mix *mix, size_t quantity)
{
    double *const places[BYTES] = {
        &mix->operations,        &mix->instructions,       &mix->vector_bits,        &mix->seconds,
        &mix->performance.value, &mix->performance.lowest, &mix->performance.highest};
    if (quantity == SPLIT)
        return &mix->split_bytes;
    if (quantity == IN_CORE)
        return &mix->in_core_cycles;
    if (quantity == STORE_SHARE)
        return &mix->store_share;
    if (quantity >= MOVED)
        return &mix->moved[quantity - MOVED];
    return quantity < BYTES ? places[quantity] : &mix->bytes[quantity - BYTES];
}

static cm_mix unknown(const char *name, const char *file)
{
    cm_mix mix = {.name = name, .file = file, .model = "", .all_bytes = NAN, .seen = 1.0};
    for (size_t i = 0; i < MIX_QUANTITIES; i++)
        *place_of(&mix, i) = NAN;
    for (size_t i = 0; i < CM_WIDTHS; i++)
        mix.widths[i] = (cm_width_mix){NAN, NAN, NAN, NAN};
    return mix;
}

/* The number of the quantity that a row names; the error names the nearest one. */
static cm_status find_quantity(const cm_csv *csv, const cm_csv_row *row, size_t *quantity, cm_error *error)
{
    cm_near near = {.wanted = row->fields[0]};
    char offered[CM_NEAR_TEXT];
    for (size_t i = 0; i < MIX_QUANTITIES; i++) {
        *quantity = i;
        if (strcmp(row->fields[0], mix_quantities[i]) == 0)
            return CM_OK;
        cm_near_offer(&near, mix_quantities[i]);
    }
    return CM_CSV_FAULT(csv, row->line, error, "a mix has no quantity '%s'%s", near.wanted,
                        cm_near_text(&near, offered));
}

/* Reads one quantity of all programs; an empty field is not known. */
static cm_status read_row(const cm_csv *csv, const cm_csv_row *row, cm_mix *items, size_t lines[MIX_QUANTITIES],
                          cm_error *error)
{
    size_t quantity = 0;
    cm_status status = find_quantity(csv, row, &quantity, error);
    if (status == CM_OK)
        lines[quantity] = row->line;
    for (size_t i = 1; status == CM_OK && i < row->count; i++) {
        double *value = place_of(&items[i - 1], quantity);
        if (!isnan(*value))
            return CM_CSV_FAULT(csv, row->line, error, "'%s' appears twice", row->fields[0]);
        if (row->fields[i][0] != '\0')
            status = cm_csv_number(csv, row, i, value, error);
        if (status == CM_OK && *value < 0.0)
            return CM_CSV_FAULT(csv, row->line, error, "'%s' is below 0", row->fields[0]);
        if (status == CM_OK && *value > 1.0 && quantity == STORE_SHARE)
            return CM_CSV_FAULT(csv, row->line, error, "'%s' is above 1", row->fields[0]);
        if (status == CM_OK && *value == 0.0 &&
            (quantity == SECONDS || quantity == SPEED || quantity == SLOWEST || quantity == FASTEST))
            return CM_CSV_FAULT(csv, row->line, error, "'%s' of '%s' is 0, expected more than 0", row->fields[0],
                                items[i - 1].name);
    }
    return status;
}

/* Adds a mix for each program of the header. */
static cm_status read_header(const cm_csv *csv, cm_arena *arena, cm_mixes *mixes, cm_error *error)
{
    static const char *const columns[] = {"quantity"};
    cm_status status = cm_csv_expect(csv, 1, columns, true, error);
    cm_csv_row header = cm_csv_header(csv);
    const char *file = cm_arena_text(arena, cm_csv_path(csv));
    if (status == CM_OK && header.count < 2)
        return CM_CSV_FAULT(csv, header.line, error, "no program follows 'quantity'");
    for (size_t i = 1; status == CM_OK && i < header.count; i++) {
        const char *name = cm_arena_text(arena, header.fields[i]);
        cm_mix mix = unknown(name, file);
        mix.line = header.line;
        status = name != NULL && file != NULL ? add_mix(mixes, arena, &mix, error) : cm_error_no_memory(error);
    }
    return status;
}

/* Reads all rows; the line of a missing quantity is the header's. */
static cm_status read_rows(cm_csv *csv, cm_mix *items, size_t lines[MIX_QUANTITIES], cm_error *error)
{
    cm_status status = CM_OK;
    for (size_t i = 0; i < MIX_QUANTITIES; i++)
        lines[i] = cm_csv_header(csv).line;
    for (bool found = true; status == CM_OK && found;) {
        cm_csv_row row;
        status = cm_csv_next(csv, &row, &found, error);
        if (status == CM_OK && found)
            status = read_row(csv, &row, items, lines, error);
    }
    return status;
}

/* Checks the quantities that every projection needs, and derives the speed from the seconds if the mix does not give
 * it. `lines`: of a table, NULL: none. */
static cm_status finish_mix(cm_mix *mix, const size_t lines[MIX_QUANTITIES], cm_error *error)
{
    cm_project_figure *speed = &mix->performance;
    if (!(mix->operations > 0.0))
        return cm_error_set(error, CM_BAD_INPUT, mix->file, lines != NULL ? lines[OPERATIONS] : 0, 0,
                            "'%s' has no floating-point operations: no roofline says how fast it is", mix->name);
    if (!(mix->instructions > 0.0))
        return cm_error_set(error, CM_BAD_INPUT, mix->file, lines != NULL ? lines[INSTRUCTIONS] : 0, 0,
                            "'%s' has no floating-point instructions: no roofline says how fast it is", mix->name);
    bool any = !isnan(mix->all_bytes);
    for (size_t i = 0; i < CM_LEVELS; i++)
        any = any || !isnan(mix->bytes[i]);
    if (!any)
        return cm_error_set(error, CM_BAD_INPUT, mix->file, lines != NULL ? lines[BYTES] : 0, 0,
                            "'%s' has no bytes of any level, expected bytes:L1, bytes:L2, bytes:L3 or bytes:MEM",
                            mix->name);
    if (isnan(speed->value) && mix->seconds > 0.0)
        speed->value = mix->operations / mix->seconds / 1e9;
    speed->lowest = isnan(speed->lowest) ? speed->value : speed->lowest;
    speed->highest = isnan(speed->highest) ? speed->value : speed->highest;
    return CM_OK;
}

/* Reads the mixes of a table. */
static cm_status read_mix_table(const char *path, cm_arena *arena, cm_mixes *mixes, cm_error *error)
{
    cm_csv *csv = NULL;
    size_t lines[MIX_QUANTITIES];
    const size_t before = mixes->count;
    cm_status status = cm_csv_open(path, &csv, error);
    CM_THEN(status, read_header(csv, arena, mixes, error));
    CM_THEN(status, read_rows(csv, mixes->items + before, lines, error));
    for (size_t i = before; status == CM_OK && i < mixes->count; i++)
        status = finish_mix(&mixes->items[i], lines, error);
    cm_csv_close(csv);
    return status;
}

/* ---- counts ---- */

/* The file's name, with the region's if there are several. */
static const char *name_of_column(const char *path, cm_arena *arena, const cm_table *table, size_t column)
{
    char name[256];
    const char *file = cm_name_of_file(path, arena);
    if (file == NULL || table->value_columns == 1)
        return file;
    snprintf(name, sizeof name, "%.120s: %.120s", file, table->value_names[column]);
    return cm_arena_text(arena, name);
}

/* The part of "emulated:zen4" after the colon. */
static const char *model_of(const cm_table *table, cm_arena *arena)
{
    static const char prefix[] = "emulated:";
    const bool emulated = table->counted_by != NULL && strncmp(table->counted_by, prefix, sizeof prefix - 1) == 0;
    return cm_arena_text(arena, emulated ? table->counted_by + sizeof prefix - 1 : "");
}

/* Adds a mix for each program, run or region of a file of counts. */
static cm_status read_counts(const char *path, cm_arena *arena, cm_mixes *mixes, cm_error *error)
{
    cm_table *table = NULL;
    cm_status status = cm_counts_table_load(path, &table, error);
    for (size_t i = 0; status == CM_OK && i < table->value_columns; i++) {
        cm_mix mix = unknown(name_of_column(path, arena, table, i), cm_arena_text(arena, path));
        mix.model = model_of(table, arena);
        if (mix.name == NULL || mix.file == NULL || mix.model == NULL)
            status = cm_error_no_memory(error);
        CM_THEN(status, cm_mix_from_facts(table, i, &mix, error));
        CM_THEN(status, finish_mix(&mix, NULL, error));
        CM_THEN(status, add_mix(mixes, arena, &mix, error));
    }
    cm_table_free(table);
    return status;
}

/* A file that cannot be opened as a table is read as counts, which reports its faults. */
static cm_status find_kind(const char *path, bool *is_mix, cm_error *error)
{
    cm_csv *csv = NULL;
    cm_status status = cm_is_json(path) ? CM_BAD_INPUT : cm_csv_open(path, &csv, error);
    *is_mix = status == CM_OK && strcmp(cm_csv_header(csv).fields[0], "quantity") == 0;
    cm_csv_close(csv);
    return status == CM_NO_MEMORY ? status : CM_OK;
}

cm_status cm_mixes_read(const char *path, cm_arena *arena, cm_mixes *mixes, cm_error *error)
{
    bool is_mix;
    cm_status status = find_kind(path, &is_mix, error);
    if (status != CM_OK)
        return status;
    return is_mix ? read_mix_table(path, arena, mixes, error) : read_counts(path, arena, mixes, error);
}
