/* Codes that are never counted: data/unsafe-codes.csv. */
#ifndef CM_COUNTING_RAW_UNSAFE_H
#define CM_COUNTING_RAW_UNSAFE_H

#include "counting/machine.h"
#include "counting/raw/spec.h"

enum { CM_UNSAFE_SPECS = 16, CM_UNSAFE_SOURCE = 128 };

/* The rows of the file for this machine and this device. */
typedef struct cm_unsafe_codes {
    size_t count;
    struct {
        cm_raw_spec spec;
        char source[CM_UNSAFE_SOURCE];
    } rows[CM_UNSAFE_SPECS];
} cm_unsafe_codes;

/* `device` must live as long as the codes. CM_BAD_INPUT explains the error in the file. */
cm_status cm_unsafe_codes_read(const char *path, const cm_machine *machine, const cm_raw_device *device,
                               cm_unsafe_codes *codes, cm_error *error);
/* The source that calls this code unsafe; NULL: none does. */
const char *cm_unsafe_codes_source(const cm_unsafe_codes *codes, const cm_raw_code *code);

#endif
