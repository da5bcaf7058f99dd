/* Codes of events as models write them. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

#include "software_pmu/model/model.h"

/* LOW_EVENT: bits of the event that stand below the unit mask; those above it stand from bit 32 on, as AMD has them. */
enum { MOST_EVENT = 0xffff, MOST_PARTED_EVENT = 0xfff, MOST_UMASK = 0xff, LOW_EVENT = 0xff };

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

size_t cm_model_code_parse(const char *text, uint64_t *code)
{
    unsigned long event = 0, umask = 0;
    if (!read_part(&text, MOST_EVENT, &event))
        return 0;
    if (*text == '\0') {
        *code = event;
        return 1;
    }
    if (*text++ != ':' || event > MOST_PARTED_EVENT || !read_part(&text, MOST_UMASK, &umask) || *text != '\0')
        return 0;
    *code = (event & LOW_EVENT) | umask << 8 | (uint64_t)(event >> 8) << 32;
    return 2;
}
