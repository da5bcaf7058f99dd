#include "formulas/events/events.h"

enum { UMASK = 8, EDGE = 18, INV = 23, CMASK = 24, HIGH_EVENT = 32, BYTE = 0xff, MOST_HIGH = 0xf };

/* Reads `field=number` and moves *text to the comma or end behind it. */
static bool read_field(const char **text, const char **name, size_t *length, uint64_t *value)
{
    char *end = NULL;
    *name = *text;
    *length = strcspn(*text, "=,");
    const char *number = *text + *length + 1;
    if (*length == 0 || number[-1] != '=' || !isdigit((unsigned char)number[0]))
        return false;
    errno = 0;
    *value = strtoull(number, &end, 0);
    *text = end;
    return errno == 0 && (*end == ',' || *end == '\0');
}

static bool equals_word(const char *name, size_t length, const char *expected)
{
    return strlen(expected) == length && memcmp(name, expected, length) == 0;
}

/* Takes a field into the code. */
static void take_field(cm_event_code *code, const char *name, size_t length, uint64_t value)
{
    static const struct {
        const char *name;
        unsigned at;
        uint64_t most;
    } others[] = {{"edge", EDGE, 1}, {"inv", INV, 1}, {"cmask", CMASK, BYTE}};
    if (equals_word(name, length, "event")) {
        code->event = value;
    } else if (equals_word(name, length, "umask")) {
        code->umask = value;
        code->has_umask = true;
    } else {
        bool known = false;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (equals_word(name, length, others[i].name) && value <= others[i].most) {
                code->config |= value << others[i].at;
                known = true;
            }
        code->plain = false;
        code->packable &= known;
    }
}

/* Computes config, and whether it can hold all fields. */
static void pack_code(cm_event_code *code)
{
    if (!code->has_umask) {
        code->packable &= code->plain;
        code->config |= code->event;
        return;
    }
    uint64_t high = code->event >> UMASK;
    code->packable &= code->umask <= BYTE && high <= MOST_HIGH;
    code->config |= (code->event & BYTE) | code->umask << UMASK | high << HIGH_EVENT;
}

bool cm_event_code_parse(const char *text, cm_event_code *code)
{
    const char *name = NULL;
    size_t length = 0;
    uint64_t value = 0;
    *code = (cm_event_code){.device_length = strcspn(text, ":"), .plain = true, .packable = true};
    const char *at = text + code->device_length;
    if (code->device_length == 0 || at[0] != ':' || strncmp(at + 1, "event=", sizeof "event=" - 1) != 0)
        return false;
    do {
        at++;
        if (!read_field(&at, &name, &length, &value))
            return false;
        take_field(code, name, length, value);
    } while (*at == ',');
    pack_code(code);
    return true;
}
