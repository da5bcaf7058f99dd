/* Sets of codes as users write them. */
#include "counting/raw/raw.h"

#include <inttypes.h>

static cm_status wrong(const char *text, const char *expected, cm_error *error)
{
    return CM_FAIL(error, CM_BAD_ARGUMENT, "codes \"%.200s\": expected %s", text, expected);
}

static cm_status unknown(const char *noun, const char *text, size_t length, const cm_raw_device *devices, size_t count,
                         cm_error *error)
{
    char known[256] = "";
    for (size_t i = 0; i < count; i++)
        cm_text_append(known, sizeof known, ", ", "%s", devices[i].name);
    return CM_FAIL(error, CM_BAD_ARGUMENT, "unknown %s '%.*s' of codes, expected one of %s", noun,
                   (int)(length < 80 ? length : 80), text, known);
}

static cm_status unknown_field(const cm_raw_device *device, const char *text, size_t length, cm_error *error)
{
    char known[256] = "";
    for (size_t i = 0; i < device->field_count; i++)
        cm_text_append(known, sizeof known, ", ", "%s", device->fields[i].name);
    return CM_FAIL(error, CM_BAD_ARGUMENT, "codes of %s have no field '%.*s', expected one of %s", device->name,
                   (int)(length < 80 ? length : 80), text, known);
}

static bool read_value(const char **text, uint64_t *value)
{
    char *end = NULL;
    if (!isdigit((unsigned char)**text))
        return false;
    errno = 0;
    *value = strtoull(*text, &end, 0);
    *text = end;
    return errno == 0;
}

static bool read_span(const char **text, cm_raw_span *span)
{
    if (!read_value(text, &span->first))
        return false;
    span->last = span->first;
    if (**text != '-')
        return true;
    ++*text;
    return read_value(text, &span->last) && span->last >= span->first;
}

/* Reads the values of a field. */
static cm_status read_spans(const char *whole, const char **text, cm_raw_choice *choice, cm_error *error)
{
    do {
        ++*text; /* the equals sign or the bar */
        cm_raw_span span;
        if (choice->span_count == CM_RAW_SPANS || !read_span(text, &span))
            return wrong(whole, "numbers and ranges, as in event=0x00-0xff,umask=0x01|0x10", error);
        if (span.last > cm_raw_field_most(choice->field))
            return CM_FAIL(error, CM_BAD_ARGUMENT, "%s=0x%" PRIx64 ": the field has %u bits", choice->field->name,
                           span.last, cm_raw_field_bits(choice->field));
        if (span.last - span.first >= CM_RAW_MOST_CODES)
            return wrong(whole, "at most 16,777,216 codes", error);
        choice->spans[choice->span_count++] = span;
        choice->count += span.last - span.first + 1;
    } while (**text == '|');
    return CM_OK;
}

/* Reads one field with its values. */
static cm_status read_choice(const char *whole, const char **text, cm_raw_spec *spec, cm_error *error)
{
    const cm_raw_device *device = &spec->devices[spec->device];
    size_t length = strcspn(*text, "=,");
    cm_raw_choice *choice = &spec->choices[spec->choice_count];
    *choice = (cm_raw_choice){.field = cm_raw_field_find(device, *text, length)};
    if (choice->field == NULL)
        return unknown_field(device, *text, length, error);
    if ((*text)[length] != '=')
        return wrong(whole, "'=' behind each field", error);
    for (size_t i = 0; i < spec->choice_count; i++)
        if (spec->choices[i].field == choice->field)
            return wrong(whole, "each field once", error);
    *text += length;
    cm_status status = read_spans(whole, text, choice, error);
    if (status == CM_OK && choice->count > CM_RAW_MOST_CODES / spec->count)
        return wrong(whole, "at most 16,777,216 codes", error);
    spec->count *= choice->count;
    spec->choice_count++;
    return status;
}

/* Chooses the device named before the colon, or the default. */
static cm_status choose_device(const char **text, size_t count, cm_raw_spec *spec, cm_error *error)
{
    size_t length = strcspn(*text, ":");
    if ((*text)[length] == '\0') {
        for (size_t i = 0; i < count; i++)
            if (strcmp(spec->devices[i].name, "cpu") == 0)
                spec->device = i;
        return CM_OK;
    }
    for (size_t i = 0; i < count; i++)
        if (strlen(spec->devices[i].name) == length && memcmp(spec->devices[i].name, *text, length) == 0) {
            spec->device = i;
            *text += length + 1;
            return CM_OK;
        }
    return unknown("device", *text, length, spec->devices, count, error);
}

cm_status cm_raw_spec_parse(const char *text, const cm_raw_device *devices, size_t count, cm_raw_spec *spec,
                            cm_error *error)
{
    const char *at = text;
    *spec = (cm_raw_spec){.devices = devices, .count = 1};
    cm_status status = choose_device(&at, count, spec, error);
    while (status == CM_OK) {
        status = read_choice(text, &at, spec, error);
        if (status != CM_OK || *at == '\0')
            return status;
        if (*at++ != ',')
            return wrong(text, "fields joined by commas, as in event=0x00-0xff,umask=0x01|0x10", error);
    }
    return status;
}

static uint64_t value_of(const cm_raw_choice *choice, uint64_t number)
{
    size_t i = 0;
    while (number > choice->spans[i].last - choice->spans[i].first)
        number -= choice->spans[i].last - choice->spans[i].first + 1, i++;
    return choice->spans[i].first + number;
}

cm_raw_code cm_raw_spec_code(const cm_raw_spec *spec, uint64_t number)
{
    cm_raw_code code = {.device = spec->device};
    for (size_t i = spec->choice_count; i-- > 0; number /= spec->choices[i].count)
        cm_raw_field_set(spec->choices[i].field, value_of(&spec->choices[i], number % spec->choices[i].count), &code);
    return code;
}
