/* A session's raw codes: a component of their own, "raw", whose events are named by their codes. */
#ifndef CM_COUNTING_RAW_RAW_H
#define CM_COUNTING_RAW_RAW_H

#include "counting/counting.h"
#include "formulas/events/events.h"

/* ---- device ---- */

/* Devices that count by code, and the fields of their codes, from /sys/bus/event_source/devices/<device>/format. */

enum {
    CM_RAW_WORDS = 3, /* config, config1, config2 */
    CM_RAW_FIELDS = 48,
    CM_RAW_RANGES = 8,
    CM_RAW_NAME = 64,
    CM_RAW_CPUS = 256,
    CM_RAW_DEVICES = 8,
    CM_RAW_BITS = 64,
    CM_RAW_LINE = 256,
};

/* A code for perf_event_open or a model. */
typedef struct cm_raw_code {
    size_t device;
    uint64_t words[CM_RAW_WORDS];
} cm_raw_code;

/* Bits of a word, in order from the field's lowest. */
typedef struct cm_raw_range {
    unsigned low, high;
} cm_raw_range;

typedef struct cm_raw_field {
    char name[CM_RAW_NAME]; /* "event", "umask", "cmask" */
    unsigned word;          /* index in the code */
    size_t range_count;
    cm_raw_range ranges[CM_RAW_RANGES];
} cm_raw_field;

typedef struct cm_raw_device {
    char name[CM_RAW_NAME]; /* "cpu", "cpu_atom", "armv8_pmuv3_0" */
    uint32_t type;          /* of the device for perf_event_open */
    char cpus[CM_RAW_CPUS]; /* the processors it counts, "4-7"; "" for all */
    size_t field_count;
    cm_raw_field fields[CM_RAW_FIELDS]; /* event first, then umask, then the others by name */
} cm_raw_device;

/* Reads the core devices below `root` ("": this machine), by name: those with a field `event` that are named cpu or
 * have a file `cpus`. *count is 0 if there are none. */
cm_status cm_raw_devices_read(const char *root, cm_raw_device devices[CM_RAW_DEVICES], size_t *count, cm_error *error);
/* Reads one device of any kind. False if its codes have no field `event`. */
bool cm_raw_device_read(const char *root, const char *name, cm_raw_device *device);
/* Reads the first line of a file of a device, without its end; false if it cannot be read. */
bool cm_raw_device_line(const char *root, const char *device, const char *leaf, char line[CM_RAW_LINE]);
/* Calls `visit` for every entry of a device's directory `leaf`, by name; the device "." has all devices. */
typedef cm_status (*cm_raw_visit)(const char *root, const char *name, void *data, cm_error *error);
cm_status cm_raw_each_entry(const char *root, const char *device, const char *leaf, cm_raw_visit visit, void *data,
                            cm_error *error);
/* The device of a model whose codes have so many parts (cm_model_code_parse). */
cm_raw_device cm_raw_model_device(size_t parts);

/* ---- field.c ---- */

/* Parses "config:0-7,32-35". False if the text is no such field, or has more than 64 bits. */
bool cm_raw_field_parse(const char *name, const char *text, cm_raw_field *field);
unsigned cm_raw_field_bits(const cm_raw_field *field);
/* The largest value of the field. */
uint64_t cm_raw_field_most(const cm_raw_field *field);
void cm_raw_field_set(const cm_raw_field *field, uint64_t value, cm_raw_code *code);
uint64_t cm_raw_field_get(const cm_raw_field *field, const cm_raw_code *code);
/* NULL if the device has no such field. */
const cm_raw_field *cm_raw_field_find(const cm_raw_device *device, const char *name, size_t length);

/* ---- name.c ---- */

enum { CM_RAW_CODE_TEXT = 512 };

/* Writes "cpu:event=0xc7,umask=0x10": the event, the unit mask if the device has one, and every other field that is not
 * 0. Returns `text`. */
char *cm_raw_name(const cm_raw_device *devices, const cm_raw_code *code, char text[CM_RAW_CODE_TEXT]);
/* Parses such a name; fields may be in any order. False if the text is no code of one of these devices. */
bool cm_raw_name_parse(const cm_raw_device *devices, size_t count, const char *text, cm_raw_code *code);
/* Whether this may be the name of a code, of any device. */
bool cm_raw_is_name(const char *text);

/* ---- Parses the codes to sweep: --raw 'event=0x00-0xff,umask=0x00-0xff' ---- */

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
    size_t device, choice_count;
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

/* ---- Codes that are never counted: data/unsafe-codes.csv ---- */

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

/* ---- raw ---- */

#define CM_RAW_COMPONENT "raw"

struct cm_raw {
    size_t component; /* of the session */
    size_t device_count;
    cm_raw_device devices[CM_RAW_DEVICES];
    cm_unsafe_codes unsafe; /* of the device that is swept */
};

/* Adds the component, unless the session has it: the model's, if it answers to codes, else with this machine's devices
 * below `root` (NULL: ""). CM_UNSUPPORTED if there are none. */
cm_status cm_raw_open(cm_counting *counting, const char *root, cm_error *error);
/* Frees the session's data of the component. */
void cm_raw_close(cm_counting *counting);

/* Adds an event of that code, unless the session has it, without trying it; `description` may be NULL. */
cm_status cm_raw_add_event(cm_counting *counting, const cm_raw_code *code, const char *description, size_t *event,
                           cm_error *error);

/* ---- set.c: codes counted at the same time ---- */

typedef struct cm_raw_set cm_raw_set;

/* As the functions of counting/counting.h, but return codes are those of errno. */
int cm_raw_set_create(const cm_counting *counting, cm_raw_set **set);
int cm_raw_set_add(cm_raw_set *set, const cm_raw_code *code);
int cm_raw_set_start(cm_raw_set *set);
int cm_raw_set_read(cm_raw_set *set, long long *counts);
int cm_raw_set_stop(cm_raw_set *set, long long *counts);
void cm_raw_set_free(cm_raw_set *set);

/* ---- aliases.c ---- */

/* Names of codes from libpfm4's table of the processor, if libpfm4 is installed and knows the processor. */

/* The table of the PMU that counts on cores of this type (data/core-pmus.csv); if `core_pmu` is "", because cores are
 * alike, that of this processor. *list stays NULL if there is none. Free with cm_libpfm_list_free. */
cm_status cm_code_aliases_create(const cm_machine *machine, const char *core_pmu, cm_libpfm_list **list,
                                 cm_error *error);

/* The next name of the code from *at on; moves *at behind it. NULL: there are no more. Codes with more than an event
 * and a unit mask have none. */
const char *cm_code_alias_next(const cm_libpfm_list *list, const cm_raw_device *device, const cm_raw_code *code,
                               size_t *at);

#endif
