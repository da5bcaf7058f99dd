/* Files of PAPI's Counter Analysis Toolkit, one event each. */
#include "formats/cat/file.h"

#include "core/files.h"

enum { LINE_LIMIT = 1 << 16, VEC_SECTION_SIZE = 32, FLOPS_SECTION_SIZE = 32, NUMBER_SIZE = 64 };

/* Reads the next word of a line as a number of at least zero; moves *text behind it. */
static cm_status read_count(const char **text, double *value, cm_error *error)
{
    char word[NUMBER_SIZE];
    *text += strspn(*text, " \t");
    size_t length = strcspn(*text, " \t\r\n");
    if (length == 0)
        return CM_FAIL(error, CM_BAD_INPUT, "the line ends, expected a count");
    if (length >= sizeof word)
        return CM_FAIL(error, CM_BAD_INPUT, "\"%.40s...\" is not a count", *text);
    memcpy(word, *text, length);
    word[length] = '\0';
    cm_status status = cm_number_parse(word, value, error);
    if (status == CM_OK && *value < 0.0)
        return CM_FAIL(error, CM_BAD_INPUT, "%s is not a count: below zero", word);
    *text += length;
    return status;
}

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t\r\n")] == '\0';
}

static cm_status expect_end(const char *text, cm_error *error)
{
    if (is_blank(text))
        return CM_OK;
    return CM_FAIL(error, CM_BAD_INPUT, "unexpected text at the end of the line");
}

/* ---- .branch and .vec: one thread ---- */

struct reader {
    cm_cat_kind kind;
    cm_cat_file *file;
    size_t next;    /* .branch, .icache: kernel of the next line */
    size_t section; /* .vec: first kernel of the section; .instr: its group; SIZE_MAX: an unknown section */
    bool headed;    /* .instr: there was a heading, of any group */
    cm_cat_reads reads;
    char precision, algorithm[FLOPS_SECTION_SIZE]; /* .flops: of the section */
};

/* Stores the count of a kernel; CM_BAD_INPUT if it has one already. */
static cm_status keep_count(cm_cat_file *file, size_t kernel, double count, cm_error *error)
{
    if (file->counts == NULL)
        if (!CM_ALLOCATE(file->counts, CM_CAT_KERNELS))
            return cm_error_no_memory(error);
    if (file->present[kernel])
        return CM_FAIL(error, CM_BAD_INPUT, "an earlier line has the same kernel");
    file->threads = 1;
    file->present[kernel] = true;
    file->counts[kernel] = count;
    return CM_OK;
}

/* .branch and .icache: one count a line, in the order of the kernels. */
static cm_status take_next(struct reader *reader, const char *line, cm_error *error)
{
    double count = 0.0;
    if (reader->next == cm_cat_kernel_count(reader->kind))
        return CM_FAIL(error, CM_BAD_INPUT, "more than %s lines, expected one per kernel",
                       reader->kind == CM_CAT_BRANCH ? "eleven" : "96");
    cm_status status = read_count(&line, &count, error);
    CM_THEN(status, expect_end(line, error));
    return status == CM_OK ? keep_count(reader->file, reader->next++, count, error) : status;
}

/* A line such as "# DP FMA Vector AVX256" begins the section of the three kernels of that name. */
static void begin_vec_section(struct reader *reader, const char *line)
{
    char precision[VEC_SECTION_SIZE], operation[VEC_SECTION_SIZE], shape[VEC_SECTION_SIZE], width[VEC_SECTION_SIZE];
    static const char *const widths[] = {"", "AVX128", "AVX256", "AVX512"};
    reader->section = SIZE_MAX;
    int words = sscanf(line, "# %31s %31s %31s %31s", precision, operation, shape, width);
    if (words < 3 || strlen(precision) != 2 || precision[1] != 'P')
        return;
    const char *letter = strchr("HSD", precision[0]);
    bool fma = strcmp(operation, "FMA") == 0;
    if (letter == NULL || (!fma && strcmp(operation, "Non-FMA") != 0))
        return;
    size_t index = 0;
    bool found = words == 3 && strcmp(shape, "Scalar") == 0;
    for (size_t i = 1; !found && words == 4 && i < CM_COUNT_OF(widths); i++) {
        found = strcmp(width, widths[i]) == 0;
        index = i;
    }
    if (found)
        reader->section = (((fma ? 3 : 0) + (size_t)(letter - "HSD")) * 4 + index) * 3;
}

/* Reads "OPERATIONS COUNT" of a section. */
static cm_status take_vec(struct reader *reader, const char *line, cm_error *error)
{
    double expected = 0.0, count = 0.0;
    cm_status status = read_count(&line, &expected, error);
    CM_THEN(status, read_count(&line, &count, error));
    CM_THEN(status, expect_end(line, error));
    if (status != CM_OK)
        return status;
    for (size_t i = 0; reader->section != SIZE_MAX && i < 3; i++) {
        char name[CM_CAT_NAME_SIZE];
        const char *length = strchr(cm_cat_kernel(CM_CAT_VEC, reader->section + i, name), '.') + 1;
        if (strtod(length, NULL) == expected)
            return keep_count(reader->file, reader->section + i, count, error);
    }
    reader->file->unused++;
    return CM_OK;
}

/* ---- .instr: older versions write "1024 524288 # INT_ADD_count: 524288 (1.000)", later ones "1048576 524288 524288
 * 1.000" below "# Int_ADD" ---- */

/* The group of "FP_ADD_count_ILP12" is FP_ADD_ILP12. */
static size_t group_of(const char *word, size_t length)
{
    static const char count[] = "_count";
    char name[NUMBER_SIZE];
    if (length >= sizeof name)
        return CM_CAT_KERNELS;
    memcpy(name, word, length);
    name[length] = '\0';
    char *found = strstr(name, count);
    if (found == NULL)
        return CM_CAT_KERNELS;
    memmove(found, found + strlen(count), strlen(found + strlen(count)) + 1);
    return cm_cat_instr_group(name, strlen(name));
}

/* The next kernel of a group without a count. */
static size_t place_run(const cm_cat_file *file, size_t group)
{
    for (size_t i = 0; group != CM_CAT_KERNELS && i < CM_CAT_RUNS; i++)
        if (!file->present[group * CM_CAT_RUNS + i])
            return group * CM_CAT_RUNS + i;
    return CM_CAT_KERNELS;
}

/* Begins the section of a heading. Both subtraction loops have "(ILP)" in theirs; the first has no parallelism. */
static void begin_instr_section(struct reader *reader, const char *line)
{
    static const char ilp[] = "_SUB(ILP)";
    char heading[NUMBER_SIZE];
    if (sscanf(line, "# %63s", heading) != 1)
        return;
    reader->headed = true;
    reader->section = cm_cat_instr_section(heading);
    char *found = strstr(heading, ilp);
    if (reader->section == CM_CAT_KERNELS || found == NULL)
        return;
    *strchr(found, '(') = '\0';
    size_t plain = cm_cat_instr_section(heading);
    if (plain != CM_CAT_KERNELS && !reader->file->present[plain * CM_CAT_RUNS])
        reader->section = plain;
}

/* Reads the rest of a line behind size and count: " # NAME_count: OPERATIONS (SHARE)". */
static cm_status take_named(const char *line, size_t *group, double *expected, cm_error *error)
{
    const char *word = line + strspn(line, " \t#"), *colon = strchr(word, ':');
    if (colon == NULL)
        return CM_FAIL(error, CM_BAD_INPUT, "expected \"SIZE COUNT # NAME_count: OPERATIONS (SHARE)\"");
    const char *operations = colon + 1 + strspn(colon + 1, " \t");
    *group = group_of(word, (size_t)(colon - word));
    bool overflowed = operations[0] == '-'; /* cat_collect computes it as an int */
    return overflowed ? CM_OK : read_count(&operations, expected, error);
}

/* Reads the rest of a line behind size and count: " OPERATIONS SHARE". */
static cm_status take_headed(const char *line, double *expected, cm_error *error)
{
    double share = 0.0;
    cm_status status = read_count(&line, expected, error);
    CM_THEN(status, read_count(&line, &share, error));
    return status == CM_OK ? expect_end(line, error) : status;
}

/* Reads a line of .instr, of older or later versions. */
static cm_status take_instructions(struct reader *reader, const char *line, cm_error *error)
{
    double size = 0.0, count = 0.0, expected = 0.0;
    size_t group = reader->section;
    cm_status status = read_count(&line, &size, error);
    CM_THEN(status, read_count(&line, &count, error));
    if (status == CM_OK && strchr(line, '#') == NULL && !reader->headed)
        return CM_FAIL(error, CM_BAD_INPUT,
                       "expected \"SIZE COUNT # NAME_count: OPERATIONS (SHARE)\", or \"# NAME\" above");
    CM_THEN(status, strchr(line, '#') != NULL ? take_named(line, &group, &expected, error)
                                              : take_headed(line, &expected, error));
    if (status != CM_OK)
        return status;
    size_t kernel = place_run(reader->file, group);
    if (kernel != CM_CAT_KERNELS && expected > 0.0)
        return keep_count(reader->file, kernel, count / expected, error);
    reader->file->unused++;
    return CM_OK;
}

/* ---- .flops: "# N RawEvtCnt ..." below "#Double-Precision GEMM" ---- */

static void begin_flops_section(struct reader *reader, const char *line)
{
    char precision[FLOPS_SECTION_SIZE], algorithm[FLOPS_SECTION_SIZE];
    if (sscanf(line, "#%31[A-Za-z]-Precision %31[^\r\n]", precision, algorithm) != 2)
        return;
    reader->precision = precision[0];
    strcpy(reader->algorithm, algorithm);
}

/* Reads "SIZE COUNT ..." of a section. */
static cm_status take_flops(struct reader *reader, const char *line, cm_error *error)
{
    double size = 0.0, count = 0.0;
    cm_status status = read_count(&line, &size, error);
    CM_THEN(status, read_count(&line, &count, error));
    if (status != CM_OK)
        return status;
    size_t kernel = cm_cat_flops_kernel(reader->precision, reader->algorithm, size);
    if (kernel != CM_CAT_KERNELS)
        return keep_count(reader->file, kernel, count, error);
    reader->file->unused++;
    return CM_OK;
}

/* ---- .data.reads and .data.writes ---- */

/* Reads a size and the counts of all threads. */
static cm_status take_read(struct reader *reader, const char *line, cm_error *error)
{
    double size = 0.0, counts[CM_CAT_THREADS];
    size_t threads = 0;
    cm_status status = read_count(&line, &size, error);
    while (status == CM_OK && !is_blank(line)) {
        if (threads == CM_CAT_THREADS)
            return CM_FAIL(error, CM_BAD_INPUT, "there are more than %d threads", CM_CAT_THREADS);
        status = read_count(&line, &counts[threads++], error);
    }
    if (status == CM_OK && threads == 0)
        return CM_FAIL(error, CM_BAD_INPUT, "the line holds no count, expected one per thread");
    return status == CM_OK ? cm_cat_reads_add(&reader->reads, size, threads, counts, error) : status;
}

static bool of_chains(cm_cat_kind kind)
{
    return kind == CM_CAT_READS || kind == CM_CAT_WRITES;
}

/* Reads a line of any kind of file. */
static cm_status take_line(struct reader *reader, const char *line, cm_error *error)
{
    bool comment = line[0] == '#';
    if (is_blank(line))
        return CM_OK;
    if (comment && reader->kind == CM_CAT_VEC)
        begin_vec_section(reader, line);
    else if (comment && reader->kind == CM_CAT_INSTR)
        begin_instr_section(reader, line);
    else if (comment && reader->kind == CM_CAT_FLOPS)
        begin_flops_section(reader, line);
    else if (comment && of_chains(reader->kind))
        return cm_cat_reads_comment(&reader->reads, line, error);
    if (comment)
        return CM_OK;
    switch (reader->kind) {
    case CM_CAT_BRANCH:
    case CM_CAT_ICACHE: return take_next(reader, line, error);
    case CM_CAT_VEC: return take_vec(reader, line, error);
    case CM_CAT_INSTR: return take_instructions(reader, line, error);
    case CM_CAT_FLOPS: return take_flops(reader, line, error);
    case CM_CAT_READS:
    case CM_CAT_WRITES:
    case CM_CAT_KINDS: break;
    }
    return take_read(reader, line, error);
}

/* The number of lines tells which kernels the lines of .icache are. */
static cm_status place_fetches(const struct reader *reader, cm_error *error)
{
    cm_cat_file *file = reader->file;
    for (size_t i = reader->next; i > 0; i--) {
        size_t kernel = 0;
        if (!cm_cat_fetch_kernel(i - 1, reader->next, &kernel))
            return CM_FAIL(error, CM_BAD_INPUT, "%zu %s, expected 48 or 96", reader->next,
                           cm_plural(reader->next, "line", "lines"));
        if (kernel == i - 1)
            continue;
        file->counts[kernel] = file->counts[i - 1];
        file->present[kernel] = true;
        file->present[i - 1] = false;
    }
    return CM_OK;
}

/* Reads all lines; errors name the line. */
static cm_status read_lines(struct reader *reader, const char *path, cm_error *error)
{
    cm_text_lines lines;
    cm_status status = cm_text_lines_open(path, LINE_LIMIT, &lines, error);
    while (cm_text_lines_more(&lines, &status, error)) {
        cm_error fault = {0};
        status = take_line(reader, lines.text, &fault);
        if (status != CM_OK)
            cm_error_set(error, status, path, lines.number, 0, "%s", fault.text);
    }
    cm_text_lines_close(&lines);
    return status;
}

cm_status cm_cat_file_read(const char *path, cm_cat_kind kind, cm_cat_file *file, cm_error *error)
{
    *file = (cm_cat_file){0};
    struct reader reader = {.kind = kind, .file = file, .section = SIZE_MAX};
    cm_status status = read_lines(&reader, path, error);
    if (status == CM_OK && of_chains(kind))
        status = cm_cat_reads_place(&reader.reads, file, error);
    if (status == CM_OK && kind == CM_CAT_ICACHE)
        status = place_fetches(&reader, error);
    cm_cat_reads_clear(&reader.reads);
    return status;
}

void cm_cat_file_clear(cm_cat_file *file)
{
    free(file->counts);
    *file = (cm_cat_file){0};
}
