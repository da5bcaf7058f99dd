/* Parses the codes to sweep: --raw 'event=0x00-0xff,umask=0x00-0xff'. */
#ifndef CM_COUNTING_RAW_SPEC_H
#define CM_COUNTING_RAW_SPEC_H

#include "counting/raw/device.h"

enum { CM_RAW_SPANS = 64 };
#define CM_RAW_MOST_CODES (UINT64_C(1) << 24)

typedef struct cm_raw_span {
    uint64_t first, last;
} cm_raw_span;

/* The values of a field. */
typedef struct cm_raw_choice {
    const cm_raw_field *field;
    size_t span_count;
    cm_raw_span spans[CM_RAW_SPANS];
    uint64_t count; /* of values */
} cm_raw_choice;

typedef struct cm_raw_spec {
    const cm_raw_device *devices;
    size_t device;
    size_t choice_count;
    cm_raw_choice choices[CM_RAW_FIELDS];
    uint64_t count; /* of codes */
} cm_raw_spec;

/* Parses `[device:]field=values,...`; values are numbers and ranges `a-b` joined by `|`. `devices` must live as long as
 * the spec. Without a device, cpu is chosen, else the first. CM_BAD_ARGUMENT explains the error and lists devices and
 * fields. */
cm_status cm_raw_spec_parse(const char *text, const cm_raw_device *devices, size_t count, cm_raw_spec *spec,
                            cm_error *error);
/* The code with this number; the last field varies fastest. */
cm_raw_code cm_raw_spec_code(const cm_raw_spec *spec, uint64_t number);

#endif
