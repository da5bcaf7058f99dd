/* Which codes are swept: --raw 'event=0x00-0xff,umask=0x00-0xff'. */
#ifndef CM_COUNTING_RAW_SPEC_H
#define CM_COUNTING_RAW_SPEC_H

#include "counting/raw/device.h"

enum { CM_RAW_SPANS = 64 };
#define CM_RAW_MOST_CODES (UINT64_C(1) << 24)

typedef struct cm_raw_span {
    uint64_t first, last;
} cm_raw_span;

/* The values that a field takes. */
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

/* `[device:]field=values,...`, values being numbers and ranges `a-b` joined by `|`; the devices must live as long as
 * the spec. Without a device it is the first one, but cpu before others. CM_BAD_ARGUMENT says what is wrong, and which
 * devices and fields there are. */
cm_status cm_raw_spec_parse(const char *text, const cm_raw_device *devices, size_t count, cm_raw_spec *spec,
                            cm_error *error);
/* The code with this number, the last field's values being next to each other. */
cm_raw_code cm_raw_spec_code(const cm_raw_spec *spec, uint64_t number);

#endif
