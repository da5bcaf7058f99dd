#include <inttypes.h>

#include "counting/raw/raw.h"

enum { ALWAYS = 2, NIBBLE = 4 }; /* event and umask come first and are always written */

static bool is_shown(const cm_raw_device *device, size_t field, uint64_t value)
{
    const char *name = device->fields[field].name;
    return value != 0 || (field < ALWAYS && (strcmp(name, "event") == 0 || strcmp(name, "umask") == 0));
}

/* Whether the bits of a field are part of fields written before: fields share bits, as POWER's event is all of pmc,
 * unit and pmcxsel. */
static bool is_said(const cm_raw_field *field, uint64_t value, cm_raw_code *said)
{
    cm_raw_code own = {0};
    bool all = true;
    cm_raw_field_set(field, value, &own);
    for (size_t i = 0; i < CM_RAW_WORDS; i++) {
        all = all && (own.words[i] & ~said->words[i]) == 0;
        said->words[i] |= own.words[i];
    }
    return all;
}

char *cm_raw_name(const cm_raw_device *devices, const cm_raw_code *code, char text[CM_RAW_CODE_TEXT])
{
    const cm_raw_device *device = &devices[code->device];
    size_t used = (size_t)snprintf(text, CM_RAW_CODE_TEXT, "%s", device->name);
    char separator = ':';
    cm_raw_code said = {0};
    for (size_t i = 0; i < device->field_count && used < CM_RAW_CODE_TEXT; i++) {
        const cm_raw_field *field = &device->fields[i];
        uint64_t value = cm_raw_field_get(field, code);
        if (!is_shown(device, i, value) || (is_said(field, value, &said) && value != 0))
            continue;
        int digits = (int)(cm_raw_field_bits(field) / NIBBLE);
        digits = digits > NIBBLE ? NIBBLE : digits;
        if (digits == 3 && value <= 0xff)
            digits = 2; /* AMD's events have 12 bits, but rarely use the upper ones */
        used += (size_t)snprintf(text + used, CM_RAW_CODE_TEXT - used, "%c%s=0x%0*" PRIx64, separator, field->name,
                                 digits, value);
        separator = ',';
    }
    return text;
}

bool cm_raw_is_name(const char *text)
{
    const char *colon = strchr(text, ':'), *equals = colon != NULL ? strchr(colon, '=') : NULL;
    return colon != NULL && colon != text && isalpha((unsigned char)colon[1]) && equals != NULL &&
           isdigit((unsigned char)equals[1]) && strpbrk(text, "*?[") == NULL;
}

/* Reads "field=value" and moves *text behind it. */
static bool read_field(const cm_raw_device *device, const char **text, cm_raw_code *code)
{
    size_t length = strcspn(*text, "=");
    const cm_raw_field *field = cm_raw_field_find(device, *text, length);
    if (field == NULL || (*text)[length] != '=' || !isdigit((unsigned char)(*text)[length + 1]))
        return false;
    char *end = NULL;
    errno = 0;
    uint64_t value = strtoull(*text + length + 1, &end, 0);
    if (errno != 0 || value > cm_raw_field_most(field))
        return false;
    cm_raw_field_set(field, value, code);
    *text = end;
    return true;
}

bool cm_raw_name_parse(const cm_raw_device *devices, size_t count, const char *text, cm_raw_code *code)
{
    size_t length = strcspn(text, ":");
    *code = (cm_raw_code){0};
    while (code->device < count &&
           (strlen(devices[code->device].name) != length || memcmp(devices[code->device].name, text, length) != 0))
        code->device++;
    if (code->device == count || text[length] != ':')
        return false;
    text += length;
    do {
        text++;
        if (!read_field(&devices[code->device], &text, code))
            return false;
    } while (*text == ',');
    return *text == '\0';
}
