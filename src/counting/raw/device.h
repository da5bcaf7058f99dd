/* Devices that count by code, and the fields of their codes, from /sys/bus/event_source/devices/<device>/format. */
#ifndef CM_COUNTING_RAW_DEVICE_H
#define CM_COUNTING_RAW_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <catmint/error.h>

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

#endif
