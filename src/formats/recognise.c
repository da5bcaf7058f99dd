/* The formats of files of formulas, and how each is recognised. */
#include <ctype.h>
#include <string.h>

#include "core/error.h"
#include "core/text_lines.h"
#include "formulas/formulas.h"

const char *cm_formula_format_name(cm_formula_format format)
{
    static const char *const names[] = {
        [CM_FORMULAS_AUTO] = "",         [CM_FORMULAS_CSV] = "csv",   [CM_FORMULAS_PAPI] = "PAPI",
        [CM_FORMULAS_LIKWID] = "LIKWID", [CM_FORMULAS_PERF] = "perf", [CM_FORMULAS_PERFMON] = "perfmon"};
    return names[format];
}

const char *cm_formula_fault_kind_name(cm_formula_fault_kind kind)
{
    static const char *const names[] = {
        [CM_FAULT_SYNTAX] = "syntax",
        [CM_FAULT_UNKNOWN_COUNTER] = "unknown counter",
        [CM_FAULT_NUMBER] = "number",
        [CM_FAULT_STACK] = "stack",
        [CM_FAULT_CIRCLE] = "circle",
        [CM_FAULT_USES_FAULTY] = "uses faulty",
        [CM_FAULT_DUPLICATE] = "duplicate",
        [CM_FAULT_ONE_TERM] = "one term",
        [CM_FAULT_TERMS] = "terms",
        [CM_FAULT_PRESETS] = "presets",
        [CM_FAULT_DIVISION] = "division",
        [CM_FAULT_UNUSED] = "unused",
        [CM_FAULT_UNTERMINATED] = "unterminated",
        [CM_FAULT_IGNORED] = "ignored",
        [CM_FAULT_MISREAD] = "misread",
    };
    return names[kind];
}

static bool begins_with(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && !isalnum((unsigned char)text[length]) && text[length] != '_';
}

/* CM_FORMULAS_AUTO where the line does not tell. */
static cm_formula_format look_at_line(const char *text)
{
    static const struct {
        const char *word;
        cm_formula_format format;
    } words[] = {
        {"CPU", CM_FORMULAS_PAPI},       {"PRESET", CM_FORMULAS_PAPI},         {"EVENT", CM_FORMULAS_PAPI},
        {"SHORT", CM_FORMULAS_LIKWID},   {"EVENTSET", CM_FORMULAS_LIKWID},     {"METRICS", CM_FORMULAS_LIKWID},
        {"LONG", CM_FORMULAS_LIKWID},    {"REQUIRE_NOHT", CM_FORMULAS_LIKWID}, {"metric", CM_FORMULAS_CSV},
        {"\"metric\"", CM_FORMULAS_CSV},
    };
    text += strspn(text, " \t");
    if (text[0] == '[')
        return CM_FORMULAS_PERF;
    if (text[0] == '{')
        return CM_FORMULAS_PERFMON;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (begins_with(text, words[i].word))
            return words[i].format;
    return CM_FORMULAS_AUTO;
}

cm_status cm_formulas_recognise(const char *path, cm_formula_format *format, cm_error *error)
{
    cm_text_lines lines;
    cm_formula_format found = CM_FORMULAS_AUTO;
    size_t first = 0;
    cm_status status = cm_text_lines_open(path, CM_FORMULAS_FILE, &lines, error);
    while (status == CM_OK && found == CM_FORMULAS_AUTO) {
        status = cm_text_lines_next(&lines, error);
        if (status != CM_OK || lines.text == NULL)
            break;
        if (lines.text[0] == '#' || lines.text[strspn(lines.text, " \t")] == '\0')
            continue;
        found = look_at_line(lines.text);
        if (first == 0)
            first = lines.number;
    }
    cm_text_lines_close(&lines);
    if (status != CM_OK)
        return status;
    if (found == CM_FORMULAS_AUTO)
        return cm_error_set(
            error, CM_BAD_INPUT, path, first, 0,
            "not a file of formulas, expected a PAPI table (CPU and PRESET lines), a LIKWID group (EVENTSET, METRICS), "
            "metrics of perf or perfmon (JSON), or a CSV file with the columns metric,formula,unit,source");
    *format = found;
    return CM_OK;
}
