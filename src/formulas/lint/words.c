/* Holds names of metrics against names of events: precision, width, direction and lines. */
#include "formulas/lint/lint.h"

enum { LINE = 64 };

static cm_status add_word_fault(const cm_quantity_check *check, const char *text, const char *event)
{
    const cm_formula_info *info = &check->formula->info;
    return cm_lint_add(check->lint, CM_FAULT_QUANTITY, info->line, info->column, info, text, event);
}

/* Whether one of the words stands in the name between characters that are neither letters nor digits. */
static bool has_word(const char *name, const char *const *words)
{
    for (; *words != NULL; words++) {
        size_t length = strlen(*words);
        for (const char *at = name; (at = strcasestr(at, *words)) != NULL; at++)
            if ((at == name || !isalnum((unsigned char)at[-1])) && !isalnum((unsigned char)at[length]))
                return true;
    }
    return false;
}

bool cm_lint_is_called(const char *metric, const char *word)
{
    size_t length = strlen(word);
    return strncasecmp(metric, word, length) == 0 && !isalnum((unsigned char)metric[length]) && metric[length] != '_';
}

/* The event of a term above the fraction bar; NULL: it is none. */
static const char *event_of(const cm_quantity_check *check, size_t term)
{
    const cm_quantity *quantity = &check->formulas->quantities[check->formula->numerator.quantities[term]];
    return quantity->kind == CM_QUANTITY_EVENT ? quantity->name : NULL;
}

/* ---- precision ---- */

/* The precision that a name says as SP, DP or HP; 0: none, or several. */
static char precision_of(const char *name)
{
    static const char *const single[] = {"SP", NULL}, *const twice[] = {"DP", NULL}, *const half[] = {"HP", NULL};
    bool s = has_word(name, single), d = has_word(name, twice), h = has_word(name, half);
    return s + d + h != 1 ? 0 : s ? 'S' : d ? 'D' : 'H';
}

static char precision_of_event(const char *event)
{
    static const char *const single[] = {"SINGLE", "FP32", "SP", NULL}, *const twice[] = {"DOUBLE", "FP64", "DP", NULL},
                             *const half[] = {"HALF", "FP16", "HP", NULL};
    bool s = has_word(event, single), d = has_word(event, twice), h = has_word(event, half);
    return s + d + h != 1 ? 0 : s ? 'S' : d ? 'D' : 'H';
}

/* Operations of one precision, counted by instructions of another, or in a group that is of another. */
static cm_status check_precision(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    /* The precision of a group's name, as in FLOPS_DP; 0: none. */
    const char *last = strrchr(formula->info.section, '_');
    char wanted = precision_of(formula->info.metric), group = last != NULL ? precision_of(last + 1) : 0;
    bool told = false, uops = strcasestr(formula->info.metric, "MUOPS/s") != NULL;
    if (wanted == 0 && uops) /* of the operations that the group counts */
        wanted = group;
    if (wanted == 0 || (!check->unit.operations && !uops) || formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++) {
        const char *event = event_of(check, i);
        char found = event != NULL ? precision_of_event(event) : 0;
        told = told || found != 0;
        if (found != 0 && found != wanted)
            return add_word_fault(check, "%.100s is of another precision", event);
    }
    return group != 0 && group != wanted && !told
               ? add_word_fault(check, "the group %.100s is of another precision, and so are its events",
                                formula->info.section)
               : CM_OK;
}

/* ---- packed instructions ---- */

/* The elements of a packed instruction; 0: the name does not say, 1: it is a packed one of unknown width. */
static double lanes_of(const char *event, char precision)
{
    static const struct {
        const char *word;
        double bits;
    } widths[] = {{"128B", 128.0}, {"256B", 256.0}, {"512B", 512.0}, {"FP_256", 256.0}, {"SSE", 128.0}},
      sizes[] = {{"PACKED_SINGLE", 32.0}, {"PACKED_DOUBLE", 64.0}, {"PACKED_HALF", 16.0}};
    if (strncmp(event, "ASE_", 4) == 0) /* Arm's vectors of fixed length */
        return precision == 'S' ? 4.0 : precision == 'D' ? 2.0 : 0.0;
    for (size_t i = 0; i < CM_COUNT_OF(sizes); i++) {
        if (strcasestr(event, sizes[i].word) == NULL)
            continue;
        for (size_t k = 0; k < CM_COUNT_OF(widths); k++)
            if (strcasestr(event, widths[k].word) != NULL)
                return widths[k].bits / sizes[i].bits;
        return 1.0;
    }
    return 0.0;
}

/* The operations that the formula counts for a scalar instruction; NAN if it has none. */
static double scalar_weight(const cm_quantity_check *check)
{
    static const char *const scalar[] = {"SCALAR", NULL};
    for (size_t i = 0; i < check->formula->numerator.count; i++)
        if (event_of(check, i) != NULL && cm_text_has_part(event_of(check, i), scalar))
            return check->formula->numerator.coefficients[i];
    return NAN;
}

static bool is_of_operations(const cm_quantity_check *check)
{
    const char *metric = check->formula->info.metric;
    size_t length = strlen(metric);
    bool preset = check->formula->info.preset[0] != '\0' && length > 4 && strcasecmp(metric + length - 4, "_OPS") == 0;
    return preset || check->unit.operations || strncasecmp(metric, "Operational intensity", 21) == 0;
}

/* Operations of which a packed instruction does several. */
static cm_status check_lanes(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    if (!is_of_operations(check) || formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    double scalar = scalar_weight(check);
    bool intensity = !check->unit.operations && formula->info.preset[0] == '\0'; /* operations a byte */
    for (size_t i = 0; i < formula->numerator.count; i++) {
        const char *event = event_of(check, i);
        double lanes = event != NULL ? lanes_of(event, precision_of(formula->info.metric)) : 0.0;
        double each =
            intensity ? formula->numerator.coefficients[i] / scalar : cm_unit_per_event(&check->unit, formula, i);
        if (lanes == 0.0 || !isfinite(each))
            continue;
        if (each > 0.99 && each < 1.01)
            return add_word_fault(check, "%.100s counts packed instructions, each of which does several operations",
                                  event);
        if (lanes > 1.0 && each > 1.01 && fabs(each / lanes - 1.0) > 0.01 && each < 100.0)
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                               "%.100s counts packed instructions of %.0f operations each, not %.3g", event, lanes,
                               each);
    }
    return CM_OK;
}

/* ---- direction ---- */

static const char *const of_reads[] = {"RD",    "READ", "READS",    "LD",      "LOAD",
                                       "LOADS", "RXL",  "RECEIVED", "RECEIVE", NULL};
static const char *const of_writes[] = {"WR",      "WRITE", "WRITES",    "ST",      "STORE", "STORES",
                                        "TXL",     "EVICT", "EVICTS",    "EVICTED", "WB",    "VICTIM",
                                        "VICTIMS", "SENT",  "WRITEBACK", "SEND",    NULL};

/* 1: the name says reads, -1: writes, 0: both, neither, or lines that are filled for either. */
static int direction_of(const char *name)
{
    static const char *const fills[] = {"FILL", "FILLS", "REFILL", "REFILLS", NULL};
    if (has_word(name, fills))
        return 0;
    return (int)has_word(name, of_reads) - (int)has_word(name, of_writes);
}

/* The direction that a preset asks for. */
static int direction_of_preset(const char *preset)
{
    static const char *const reads[] = {"LDM", "DCR", "TCR", "LD_INS", NULL}, *const writes[] = {"STM", "DCW", "TCW",
                                                                                                 "SR_INS", NULL};
    return (int)has_word(preset, reads) - (int)has_word(preset, writes);
}

/* Reads computed from writes, or the reverse. In metrics of Intel's a device's reads are the memory's writes. */
static cm_status check_direction(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    const char *preset = formula->info.preset;
    int wanted = preset[0] != '\0' ? direction_of_preset(preset) : direction_of(formula->info.metric);
    const char *against = NULL;
    bool foreign = strncmp(check->formulas->format, "perf", 4) == 0;
    if (wanted == 0 || foreign || formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++) {
        const char *event = event_of(check, i);
        int found = event != NULL ? direction_of(event) : 0;
        if (found == wanted)
            return CM_OK;
        if (found == -wanted && formula->numerator.coefficients[i] > 0.0)
            against = event;
    }
    return against == NULL ? CM_OK
           : wanted > 0    ? add_word_fault(check, "reads by its name, but %.100s counts writes", against)
                           : add_word_fault(check, "writes by its name, but %.100s counts reads", against);
}

/* Lines that leave a cache, counted by events that count none. */
static cm_status check_evicted(const cm_quantity_check *check)
{
    static const char *const evict[] = {"evict", "evicted", NULL}, *const leave[] = {"EVICT", "WB", "OUT",  "VICTIM",
                                                                                     "WRITE", "WR", "_CO_", "CASTOUT",
                                                                                     "DIRTY", NULL};
    const cm_formula *formula = check->formula;
    const char *event = NULL;
    if (!has_word(formula->info.metric, evict) || formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++) {
        const char *found = event_of(check, i);
        if (found != NULL && cm_text_has_part(found, leave))
            return CM_OK;
        event = found != NULL ? found : event;
    }
    return event != NULL ? add_word_fault(check, "no event counts lines that leave the cache, %.100s neither", event)
                         : CM_OK;
}

/* Fetches of code, of events that count prefetches of data, too. */
static cm_status check_prefetches(const cm_quantity_check *check)
{
    static const char *const prefetches[] = {"PF", "PREFETCH", "PREFETCHES", NULL}, *const code[] = {"L1I", "INST",
                                                                                                     "ICACHE", "CODE",
                                                                                                     NULL};
    const char *kind = strstr(check->formula->info.preset, "_IC");
    for (size_t i = 0; kind != NULL && i < check->formula->need_count; i++) {
        const cm_quantity *quantity = &check->formulas->quantities[check->formula->needs[i]];
        if (quantity->kind == CM_QUANTITY_EVENT && has_word(quantity->name, prefetches) &&
            !cm_text_has_part(quantity->name, code))
            return add_word_fault(check, "%.100s counts prefetches, too, which are of data", quantity->name);
    }
    return CM_OK;
}

/* Traffic of the memory, of events that count each load and store of cores. */
static cm_status check_memory(const cm_quantity_check *check)
{
    static const char *const memory[] = {"MEM_ACCESS", "LD_SPEC", "ST_SPEC", "LD_RETIRED", "ST_RETIRED", NULL},
                             *const caches[] = {"REMOTE", "L1", "L2", "L3", "LL", NULL};
    const cm_formula *formula = check->formula;
    if (strncasecmp(formula->info.metric, "Memory ", 7) != 0 || !check->unit.bytes ||
        formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++)
        if (event_of(check, i) != NULL && cm_text_has_part(event_of(check, i), memory) &&
            !cm_text_has_part(event_of(check, i), caches))
            return add_word_fault(check, "%.100s counts accesses of cores, of which few reach the memory",
                                  event_of(check, i));
    return CM_OK;
}

/* The domain of energy that a name says; NULL: none, or several. */
static const char *domain_of(const char *name)
{
    static const char *const domains[] = {"PKG", "PP0", "PP1", "DRAM", "CORE", "L3", "PLATFORM", NULL};
    const char *found = NULL;
    for (size_t i = 0; domains[i] != NULL; i++) {
        const char *const word[] = {domains[i], NULL};
        if (!has_word(name, word))
            continue;
        if (found != NULL)
            return NULL;
        found = domains[i];
    }
    return found;
}

/* Energy and power of one domain, of the counter of another. */
static cm_status check_domain(const cm_quantity_check *check)
{
    static const char *const energy[] = {"energy", "power", NULL}, *const counter[] = {"ENERGY", NULL};
    const cm_formula *formula = check->formula;
    bool alone = !check->dimension->minus.there; /* the rest of a package is no domain */
    const char *wanted = alone && has_word(formula->info.metric, energy) ? domain_of(formula->info.metric) : NULL;
    for (size_t i = 0; wanted != NULL && i < formula->numerator.count; i++) {
        const char *event = event_of(check, i), *found = NULL;
        if (event != NULL && has_word(event, counter))
            found = domain_of(event);
        if (found != NULL && strcmp(found, wanted) != 0)
            return add_word_fault(check, "%.100s is of another domain", event);
    }
    return CM_OK;
}

/* ---- lines ---- */

/* The bytes of a line of the processors whose formulas projects have in this directory. */
static double line_size(const char *place)
{
    static const struct {
        const char *directory;
        double bytes;
    } others[] = {{"/arm64fx/", 256.0}, {"/a64fx/", 256.0},   {"/s390/", 256.0},   {"/power8/", 128.0},
                  {"/power9/", 128.0},  {"/powerpc/", 128.0}, {"/applem1/", 128.0}};
    for (size_t i = 0; i < CM_COUNT_OF(others); i++)
        if (strstr(place, others[i].directory) != NULL)
            return others[i].bytes;
    return LINE;
}

/* Whether the event counts lines by its name, and no pieces of them. */
static bool counts_lines(const cm_quantity_check *check, const char *event, double bytes)
{
    char number[16];
    unsigned said = cm_vocabulary_of(check->vocabulary, event);
    snprintf(number, sizeof number, "%.0f", bytes);
    return (said & (CM_WORD_LINES | CM_WORD_MISSES)) != 0 && (said & CM_WORD_BYTES) == 0 &&
           strstr(event, number) == NULL;
}

/* Traffic in lines that are shorter than the processor's, or between caches longer than these. */
static cm_status check_lines(const cm_quantity_check *check)
{
    const cm_formula *formula = check->formula;
    const char *metric = formula->info.metric;
    const char *format = check->formulas->format, *groups = strstr(check->formulas->place, "groups/");
    double line = line_size(check->formulas->place);
    bool caches =
        strcmp(format, "likwid") == 0 && groups != NULL && metric[0] == 'L' && isdigit((unsigned char)metric[1]);
    if (strncmp(format, "roc", 3) == 0 || !check->unit.bytes || formula->shape == CM_FORMULA_OTHER)
        return CM_OK;
    for (size_t i = 0; i < formula->numerator.count; i++) {
        const char *event = event_of(check, i);
        double each = round(cm_unit_per_event(&check->unit, formula, i));
        bool short_of_line = each == 32.0 || 4.0 * each <= line; /* some count twice for a line */
        bool size = event != NULL && (each == 32.0 || each == 64.0 || each == 128.0 || each == 256.0);
        if (size && ((caches && each > line && each > 64.0) || (short_of_line && counts_lines(check, event, each))))
            return cm_lint_add(check->lint, CM_FAULT_QUANTITY, formula->info.line, formula->info.column, &formula->info,
                               "%.0f bytes per line, but the processor's lines have %.0f", each, line);
    }
    return CM_OK;
}

cm_status cm_lint_check_words(const cm_quantity_check *check)
{
    static cm_status (*const checks[])(const cm_quantity_check *) = {check_precision, check_lanes,  check_direction,
                                                                     check_evicted,   check_memory, check_prefetches,
                                                                     check_domain,    check_lines};
    cm_status status = CM_OK;
    for (size_t i = 0; i < CM_COUNT_OF(checks) && status == CM_OK; i++)
        status = checks[i](check);
    return status;
}
