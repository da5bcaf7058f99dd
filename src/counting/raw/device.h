/* Devices that count by code, and the fields of their codes, as /sys/bus/event_source/devices/<device>/format has them.
 */
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
    CM_RAW_DEVICES = 8,
    CM_RAW_BITS = 64,
    CM_RAW_LINE = 256,
};

/* What perf_event_open takes, and a model. */
typedef struct cm_raw_code {
    size_t device;
    uint64_t words[CM_RAW_WORDS];
} cm_raw_code;

/* Bits of a word, from the field's lowest on. */
typedef struct cm_raw_range {
    unsigned low, high;
} cm_raw_range;

typedef struct cm_raw_field {
    char name[CM_RAW_NAME]; /* "event", "umask", "cmask" */
    unsigned word;          /* of the code */
    size_t range_count;
    cm_raw_range ranges[CM_RAW_RANGES];
} cm_raw_field;

typedef struct cm_raw_device {
    char name[CM_RAW_NAME]; /* "cpu", "cpu_atom", "armv8_pmuv3_0" */
    uint32_t type;          /* of its events for perf_event_open */
    char cpus[CM_RAW_NAME]; /* those that it counts on, "4-7"; "" for all */
    size_t field_count;
    cm_raw_field fields[CM_RAW_FIELDS]; /* event first, then umask, then the others by name */
} cm_raw_device;

/* A core's devices below `root` ("": this machine's own): those whose codes have a field `event`, called cpu, or with a
 * file `cpus`, by name. *count is 0 where there is none. */
cm_status cm_raw_devices_read(const char *root, cm_raw_device devices[CM_RAW_DEVICES], size_t *count, cm_error *error);
/* One device, whatever it counts for. False where its codes have no field `event`. */
bool cm_raw_device_read(const char *root, const char *name, cm_raw_device *device);
/* The first line of a file of a device, without its end; false where it cannot be read. */
bool cm_raw_device_line(const char *root, const char *device, const char *leaf, char line[CM_RAW_LINE]);
/* Calls `visit` for every entry of a device's folder `leaf`, by name; the device "." has all devices. */
typedef cm_status (*cm_raw_visit)(const char *root, const char *name, void *data, cm_error *error);
cm_status cm_raw_each_entry(const char *root, const char *device, const char *leaf, cm_raw_visit visit, void *data,
                            cm_error *error);
/* That of a model whose codes have so many parts (cm_model_code_parse). */
cm_raw_device cm_raw_model_device(size_t parts);

/* ---- field.c ---- */

/* "config:0-7,32-35". False where the text is none, or has more than 64 bits. */
bool cm_raw_field_parse(const char *name, const char *text, cm_raw_field *field);
unsigned cm_raw_field_bits(const cm_raw_field *field);
/* The largest value that the field can have. */
uint64_t cm_raw_field_most(const cm_raw_field *field);
void cm_raw_field_set(const cm_raw_field *field, uint64_t value, cm_raw_code *code);
uint64_t cm_raw_field_get(const cm_raw_field *field, const cm_raw_code *code);
/* NULL: the device has none of that name. */
const cm_raw_field *cm_raw_field_find(const cm_raw_device *device, const char *name, size_t length);

/* ---- name.c ---- */

enum { CM_RAW_CODE_TEXT = 512 };

/* "cpu:event=0xc7,umask=0x10": the event, the unit mask where the device has them, and every other field that is not 0.
 * Returns `text`. */
char *cm_raw_name(const cm_raw_device *devices, const cm_raw_code *code, char text[CM_RAW_CODE_TEXT]);
/* The way back; fields may stand in any order. False where the text is no code of one of these devices. */
bool cm_raw_name_parse(const cm_raw_device *devices, size_t count, const char *text, cm_raw_code *code);
/* Whether this may be the name of a code, of any device. */
bool cm_raw_is_name(const char *text);

#endif
