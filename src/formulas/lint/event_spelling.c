/* Events as formulas spell them: the name that a list has, and the rest, which only another program reads. */
#include "formulas/lint/lint.h"

static bool is_format(const cm_formulas *formulas, const char *format)
{
    return strcmp(formulas->format, format) == 0;
}

static bool begins_with(const char *text, const char *word)
{
    return strncmp(text, word, strlen(word)) == 0;
}

/* ---- perf ---- */

/* Registers that tools read like events: time stamps and energy. */
static bool is_register(const char *name)
{
    return strcmp(name, "TSC") == 0 || strstr(name, "ENERGY_STATUS") != NULL || begins_with(name, "MSR_EVENT");
}

/* Events of the kernel and of perf, which no list of a processor has: written in lower case with hyphens, or these. */
static bool is_kernels_own(const char *name)
{
    static const char *const words[] = {"cycles",     "instructions",  "branches",  "faults",      "cs",
                                        "migrations", "duration_time", "user_time", "system_time", "mem_load_aux"};
    return CM_IS_ONE(name, words) || is_register(name) || strchr(name, '-') != NULL || begins_with(name, "topdown") ||
           begins_with(name, "TOPDOWN") || begins_with(name, "PERF_METRICS") || begins_with(name, "tool") ||
           begins_with(name, "metric");
}

/* Takes the name out of cpu/NAME,cmask=1/ or NAME:u; false if it is not in lists of the core's events. */
static bool take_perf(const char *spelling, char *name, size_t size)
{
    const char *slash = strchr(spelling, '/');
    if (slash != NULL && !begins_with(spelling, "cpu"))
        return false;
    const char *begin = slash != NULL ? slash + 1 : spelling;
    size_t length = strcspn(begin, "/,");
    const char *colon = memchr(begin, ':', length);
    if (colon != NULL)
        length = (size_t)(colon - begin);
    if (length == 0 || length >= size || memchr(begin, '=', length) != NULL)
        return false;
    snprintf(name, size, "%.*s", (int)length, begin);
    return !is_kernels_own(name);
}

/* perfmon's EVENT:c1:e1, EVENT:u0x03 and EVENT:filter1=0x1; false for registers and topdown's metrics. */
static bool take_perfmon(const char *spelling, char *name, size_t size)
{
    size_t length = strcspn(spelling, ":");
    if (length == 0 || length >= size)
        return false;
    snprintf(name, size, "%.*s", (int)length, spelling);
    return !is_register(name) && !begins_with(name, "PERF_METRICS") && !begins_with(name, "TOPDOWN.SLOTS");
}

/* Whether the name is a code, as in r412e, which perf and libpfm4 take for any event. */
static bool is_code(const char *name)
{
    size_t length = strlen(name);
    return name[0] == 'r' && strspn(name + 1, "0123456789abcdefABCDEF") == length - 1 &&
           strcspn(name, "0123456789") < length;
}

bool cm_lint_event_name(const cm_formulas *formulas, const char *spelling, char *name, size_t size)
{
    if (is_format(formulas, "perf") || is_format(formulas, "perf-python"))
        return take_perf(spelling, name, size) && !is_code(name);
    if (is_format(formulas, "perfmon") || is_format(formulas, "likwid"))
        return take_perfmon(spelling, name, size);
    const char *mask = strstr(spelling, ":0x"); /* a unit mask in digits, which libpfm4 takes for any */
    snprintf(name, size, "%.*s", (int)(mask != NULL ? (size_t)(mask - spelling) : strlen(spelling)), spelling);
    const char *behind = strstr(name, "::");
    bool kernels = begins_with(name, "perf::") || begins_with(name, "PERF_COUNT_");
    return strlen(spelling) < size && strstr(spelling, ":::") == NULL && !kernels &&
           !is_code(behind != NULL ? behind + 2 : name);
}

/* ---- parts for other programs ---- */

/* NULL for one of perf's literals, else the fault. */
static const char *literal_fault(const char *name)
{
    static const char *const literals[] = {"#smt_on",    "#core_wide", "#num_cpus",        "#num_cpus_online",
                                           "#num_cores", "#num_dies",  "#num_packages",    "#system_tsc_freq",
                                           "#slots",     "#has_pmem",  "#SYSTEM_TSC_FREQ", "#SMT_on"};
    if (CM_IS_ONE(name, literals))
        return NULL;
    return "perf has no such literal; it has #smt_on, #core_wide, #num_cpus, #num_cpus_online, #num_cores, #num_dies, "
           "#num_packages, #system_tsc_freq and #slots";
}

/* Whether events of the file are of one of the types of cores of a hybrid processor. */
static bool is_hybrid(const cm_formulas *formulas)
{
    for (size_t i = 0; i < formulas->quantity_count; i++)
        if (begins_with(formulas->quantities[i].name, "cpu_core/") ||
            begins_with(formulas->quantities[i].name, "cpu_atom/"))
            return true;
    return false;
}

/* The fault of a name with a device, which is behind `slash`; NULL if there is none. */
static const char *device_fault(const char *name, const char *slash, bool hybrid)
{
    if (slash == name)
        return "an '@' before the name, without the device that perf expects there";
    if (strchr(slash + 1, '/') == NULL)
        return "no '@' behind the event, which perf expects after that before it";
    if (!begins_with(name, "cpu"))
        return NULL;
    if (begins_with(slash + 1, "UNC_"))
        return "an event of a unit outside the cores on the cores' device";
    if (is_register(slash + 1) || begins_with(slash + 1, "TSC/"))
        return "no event of the cores' device";
    return hybrid && begins_with(name, "cpu/") ? "a hybrid processor has no device 'cpu', but cpu_core and cpu_atom"
                                               : NULL;
}

/* The fault of a name in a formula of perf; NULL if there is none. */
static const char *perf_fault(const char *name, cm_quantity_kind kind, bool hybrid, bool one_core)
{
    const char *colon = strchr(name, ':'), *slash = strchr(name, '/');
    if (name[0] == '#')
        return literal_fault(name);
    if (strchr(name, '(') != NULL)
        return NULL;
    if (strstr(name, "_OPCODE") != NULL && strstr(name, "opc=") == NULL)
        return "an event of a filter, without its filter";
    if (slash != NULL)
        return device_fault(name, slash, hybrid || one_core);
    /* The letters that perf takes behind a colon: which of user, kernel and others count, and how precisely. */
    if (colon != NULL && (colon[1] == '\0' || colon[1 + strspn(colon + 1, "ukhGHpPSDIWebR")] != '\0'))
        return "perfmon's way to write options, which perf cannot read; perf's is cpu@EVENT\\,cmask\\=1@";
    bool core = kind == CM_QUANTITY_EVENT && strchr(name, '.') != NULL && !begins_with(name, "UNC_");
    return hybrid && core ? "no device before the event, which the file's other events have" : NULL;
}

/* The first place of a name in the formula. */
static cm_expression_location place_of(const cm_formula *formula, size_t quantity)
{
    for (size_t i = 0; i < cm_expression_node_count(formula->expression); i++) {
        const cm_expression_node *node = cm_expression_get_node(formula->expression, i);
        if (node->kind == CM_EXPRESSION_NAME && node->name == quantity)
            return node->location;
    }
    return (cm_expression_location){formula->info.line, formula->info.column};
}

/* An index of a unit behind an alias, as in a[0]. */
static cm_status check_indices(cm_lint *lint, const cm_formula *formula)
{
    const char *at = strchr(formula->info.text, '[');
    if (at == NULL)
        return CM_OK;
    return cm_lint_add(
        lint, CM_FAULT_FOREIGN, formula->info.line, 0, &formula->info,
        "an index behind an alias: only one of several units would be counted, where the others are sums of all");
}

cm_status cm_lint_check_spelling(cm_lint *lint, const cm_formulas *formulas, const cm_formula *formula)
{
    cm_status status = CM_OK;
    /* A file for one type of cores of a hybrid processor has its name, as perfmon calls them. */
    bool hybrid = is_format(formulas, "perf") && is_hybrid(formulas),
         one_core = strstr(formulas->place, "cove_core") != NULL || strstr(formulas->place, "mont_core") != NULL;
    if (is_format(formulas, "perfmon"))
        return check_indices(lint, formula);
    if (!is_format(formulas, "perf"))
        return CM_OK;
    for (size_t i = 0; i < cm_expression_name_count(formula->expression) && status == CM_OK; i++) {
        size_t index = cm_expression_name_index(formula->expression, i);
        const cm_quantity *quantity = &formulas->quantities[index];
        const char *fault =
            quantity->kind != CM_QUANTITY_METRIC ? perf_fault(quantity->name, quantity->kind, hybrid, one_core) : NULL;
        cm_expression_location place = place_of(formula, index);
        if (fault != NULL)
            status = cm_lint_add(lint, CM_FAULT_FOREIGN, place.line, place.column, &formula->info, "'%.100s': %s",
                                 quantity->name, fault);
    }
    return status;
}
