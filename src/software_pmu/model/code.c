/* Codes of events as models write them. */
#include "software_pmu/model/model.h"

/* LOW_EVENT: the event's bits below the unit mask; those above begin at bit 32, as in AMD's processors. */
enum { MOST_EVENT = 0xffff, MOST_PARTED_EVENT = 0xfff, MOST_UMASK = 0xff, LOW_EVENT = 0xff };

/* Reads a hexadecimal number of at most `most`, and moves `text` behind it. */
static bool read_part(const char **text, unsigned long most, unsigned long *value)
{
    const char *at = *text;
    char *end = NULL;
    if (at[0] != '0' || at[1] != 'x' || !isxdigit((unsigned char)at[2]))
        return false;
    errno = 0;
    *value = strtoul(at + 2, &end, 16);
    *text = end;
    return errno == 0 && *value <= most;
}

/* Reads `:cmask=1`, `:inv=1` or `:edge=1`, if the processor has them beside event and unit mask; each once, above 0. */
static bool read_field(const char **text, uint64_t *code)
{
    static const struct {
        const char *name;
        unsigned at;
        unsigned long most;
    } fields[] = {{":cmask=", 24, 0xff}, {":inv=", 23, 1}, {":edge=", 18, 1}};
    for (size_t i = 0; i < CM_COUNT_OF(fields); i++) {
        size_t length = strlen(fields[i].name);
        const char *number = *text + length;
        if (strncmp(*text, fields[i].name, length) != 0 || !isdigit((unsigned char)*number))
            continue;
        char *end = NULL;
        errno = 0;
        unsigned long value = strtoul(number, &end, 0);
        bool taken = (*code >> fields[i].at & fields[i].most) != 0;
        *code |= (uint64_t)value << fields[i].at;
        *text = end;
        return !taken && errno == 0 && value != 0 && value <= fields[i].most;
    }
    return false;
}

size_t cm_model_code_parse(const char *text, uint64_t *code)
{
    unsigned long event = 0, umask = 0;
    if (!read_part(&text, MOST_EVENT, &event))
        return 0;
    if (*text == '\0') {
        *code = event;
        return 1;
    }
    if (*text++ != ':' || event > MOST_PARTED_EVENT || !read_part(&text, MOST_UMASK, &umask))
        return 0;
    *code = (event & LOW_EVENT) | umask << 8 | (uint64_t)(event >> 8) << 32;
    while (*text != '\0')
        if (!read_field(&text, code))
            return 0;
    return 2;
}
