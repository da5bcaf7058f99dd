/* Innermost loops in assembly: from a label to the last jump back to it. */
#include "machines/ports/ports.h"

static const char *line_end(const char *line)
{
    return line + strcspn(line, "\n") + (strchr(line, '\n') != NULL);
}

/* Whether the line begins with "NAME:". */
static bool is_label(const char *line, const char *name, size_t length)
{
    return strncmp(line, name, length) == 0 && line[length] == ':';
}

/* The label that a branch jumps to: the last word of its line; length 0: it is no branch. */
static size_t target_of(const char *line, cm_port_isa isa, const char **target)
{
    const char *at = line + strspn(line, " \t"), *end = at + strcspn(at, "\n#");
    const bool x86 = isa == CM_PORT_X86_64 && at[0] == 'j';
    const bool arm = isa == CM_PORT_AARCH64 &&
                     (at[0] == 'b' || strncmp(at, "cb", 2) == 0 || strncmp(at, "tb", 2) == 0) &&
                     strncmp(at, "bic", 3) != 0 && strncmp(at, "bf", 2) != 0 && strncmp(at, "bl", 2) != 0;
    if ((!x86 && !arm) || end == at || line == at)
        return 0;
    while (end > at && isspace((unsigned char)end[-1]))
        end--;
    const char *start = end;
    while (start > at && !isspace((unsigned char)start[-1]) && start[-1] != ',')
        start--;
    *target = start;
    size_t length = (size_t)(end - start);
    return length > 1 && isdigit((unsigned char)start[0]) && end[-1] == 'b' ? length - 1 : length; /* "1b" is 1 */
}

/* The last such label between both places; NULL: none. */
static const char *find_back(const char *begin, const char *line, const char *name, size_t length)
{
    const char *found = NULL;
    for (const char *at = begin; at < line && *at != '\0'; at = line_end(at))
        if (is_label(at, name, length))
            found = at;
    return found;
}

static size_t line_number(const char *text, const char *at)
{
    size_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Adds a range, instead of an earlier one from the same label; not if it holds another loop. */
static cm_status add_range(cm_port_range made, cm_port_range **ranges, size_t *count, cm_error *error)
{
    for (size_t i = 0; i < *count; i++) {
        cm_port_range *other = &(*ranges)[i];
        if (other->first == made.first) {
            other->last = made.last;
            return CM_OK;
        }
        if (other->first > made.first && other->last <= made.last)
            return CM_OK;
    }
    return CM_APPEND(*ranges, *count, made) ? CM_OK : cm_error_no_memory(error);
}

/* Whether a line of the range leaves the function, which no loop does. */
static bool returns_within(const char *text, const cm_port_range *range)
{
    for (const char *line = text + range->first; line < text + range->last; line = line_end(line))
        if (strncmp(line + strspn(line, " \t"), "ret", 3) == 0)
            return true;
    return false;
}

/* The function's beginning and end; false: the text has none of that name. */
static bool find_function(const char *text, const char *function, const char **begin, const char **end)
{
    *begin = text;
    *end = text + strlen(text);
    if (function == NULL)
        return true;
    const char *at = text;
    while (*at != '\0' && !is_label(at, function, strlen(function)))
        at = line_end(at);
    if (*at == '\0')
        return false;
    *begin = at;
    for (at = line_end(at); *at != '\0'; at = line_end(at))
        if (strncmp(at + strspn(at, " \t"), ".size", 5) == 0) {
            *end = at;
            break;
        }
    return true;
}

cm_status cm_port_ranges_find(const char *text, cm_port_isa isa, const char *function, cm_port_range **ranges,
                              size_t *count, cm_error *error)
{
    const char *begin = NULL, *end = NULL;
    cm_status status = CM_OK;
    *ranges = NULL;
    *count = 0;
    if (!find_function(text, function, &begin, &end))
        return CM_FAIL(error, CM_BAD_INPUT, "the assembly has no function '%.100s'", function);
    for (const char *line = begin; line < end && status == CM_OK; line = line_end(line)) {
        const char *target = NULL;
        const size_t length = target_of(line, isa, &target);
        const char *label = length > 0 ? find_back(begin, line, target, length) : NULL;
        cm_port_range made = {.last = (size_t)(line_end(line) - text)};
        if (label == NULL)
            continue;
        made.first = (size_t)(label - text);
        made.line = line_number(text, label);
        snprintf(made.label, sizeof made.label, "%.*s", (int)length, target);
        if (!returns_within(text, &made))
            status = add_range(made, ranges, count, error);
    }
    if (status == CM_OK && *count == 0) {
        const cm_port_range whole = {(size_t)(begin - text), (size_t)(end - text), line_number(text, begin), ""};
        status = add_range(whole, ranges, count, error);
    }
    return status;
}
