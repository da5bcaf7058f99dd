#include "counting/raw/raw.h"

static bool read_number(const char **text, unsigned most, unsigned *value)
{
    char *end = NULL;
    unsigned long read = isdigit((unsigned char)**text) ? strtoul(*text, &end, 10) : (unsigned long)most + 1;
    if (read > most)
        return false;
    *value = (unsigned)read;
    *text = end;
    return true;
}

static bool read_range(const char **text, cm_raw_range *range)
{
    if (!read_number(text, CM_RAW_BITS - 1, &range->low))
        return false;
    range->high = range->low;
    if (**text != '-')
        return true;
    ++*text;
    return read_number(text, CM_RAW_BITS - 1, &range->high) && range->high >= range->low;
}

/* Reads "config", "config1" or "config2" and the colon behind it. */
static bool read_word(const char **text, unsigned *word)
{
    static const char config[] = "config";
    if (strncmp(*text, config, sizeof config - 1) != 0)
        return false;
    *text += sizeof config - 1;
    *word = 0;
    if (**text != ':' && !read_number(text, CM_RAW_WORDS - 1, word))
        return false;
    return *(*text)++ == ':';
}

bool cm_raw_field_parse(const char *name, const char *text, cm_raw_field *field)
{
    *field = (cm_raw_field){0};
    if (strlen(name) >= sizeof field->name || !read_word(&text, &field->word))
        return false;
    strcpy(field->name, name);
    do {
        if (field->range_count == CM_RAW_RANGES || !read_range(&text, &field->ranges[field->range_count++]))
            return false;
    } while (*text++ == ',');
    return text[-1] == '\0' && cm_raw_field_bits(field) <= CM_RAW_BITS;
}

unsigned cm_raw_field_bits(const cm_raw_field *field)
{
    unsigned bits = 0;
    for (size_t i = 0; i < field->range_count; i++)
        bits += field->ranges[i].high - field->ranges[i].low + 1;
    return bits;
}

uint64_t cm_raw_field_most(const cm_raw_field *field)
{
    unsigned bits = cm_raw_field_bits(field);
    return bits < CM_RAW_BITS ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

void cm_raw_field_set(const cm_raw_field *field, uint64_t value, cm_raw_code *code)
{
    for (size_t i = 0; i < field->range_count; i++)
        for (unsigned bit = field->ranges[i].low; bit <= field->ranges[i].high; bit++, value >>= 1) {
            uint64_t mask = UINT64_C(1) << bit;
            uint64_t *word = &code->words[field->word];
            *word = (value & 1) != 0 ? *word | mask : *word & ~mask;
        }
}

uint64_t cm_raw_field_get(const cm_raw_field *field, const cm_raw_code *code)
{
    uint64_t value = 0;
    unsigned at = 0;
    for (size_t i = 0; i < field->range_count; i++)
        for (unsigned bit = field->ranges[i].low; bit <= field->ranges[i].high; bit++)
            value |= (code->words[field->word] >> bit & 1) << at++;
    return value;
}

const cm_raw_field *cm_raw_field_find(const cm_raw_device *device, const char *name, size_t length)
{
    for (size_t i = 0; i < device->field_count; i++)
        if (strlen(device->fields[i].name) == length && memcmp(device->fields[i].name, name, length) == 0)
            return &device->fields[i];
    return NULL;
}
