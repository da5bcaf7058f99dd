/* The inside of the room: findings, and the kernel's files that they are read from. */
#ifndef CM_DOCTOR_DOCTOR_H
#define CM_DOCTOR_DOCTOR_H

#include <jansson.h>

#include <catmint/doctor.h>

/* ---- findings.c: records findings of the checks ---- */

struct cm_doctor {
    struct cm_doctor_finding *findings;
    size_t count;
    bool short_of_memory;
};

/* Records a finding; formats its text, and does not copy `advice` (a literal). A lack of memory shows at the end. */
void cm_doctor_note(cm_doctor *doctor, cm_doctor_severity severity, const char *name, const char *advice,
                    const char *format, ...) CM_PRINTF(5, 6);

/* Each checks the files below `root`. */
void cm_doctor_check_access(cm_doctor *doctor, const char *root);
void cm_doctor_check_cores(cm_doctor *doctor, const char *root);
void cm_doctor_check_containers(cm_doctor *doctor, const char *root);
void cm_doctor_check_memory(cm_doctor *doctor, const char *root);

/* ---- json.c: findings as JSON, in the sweep's manifest and in the report ---- */

/* [{"finding", "severity", "text", "advice"}, ...]; NULL without memory. */
json_t *cm_doctor_json(const cm_doctor *doctor);

/* ---- source.c: reads files of the kernel below a root, which need not be this machine's ---- */

enum { CM_SOURCE_TEXT = 4096, CM_SOURCE_MOST_CPUS = 8192, CM_SOURCE_MOST_GAP = 64 };

/* Reads a file's first line, without its newline, `path` relative to the root ("proc/loadavg"); false: none. */
bool cm_source_line(const char *root, const char *path, char *text, size_t size);
/* Reads the text behind `key` and blanks in the first line that begins with `key`. */
bool cm_source_value(const char *root, const char *path, const char *key, char *text, size_t size);
/* Reads the number at the beginning of the file. */
bool cm_source_number(const char *root, const char *path, double *number);
bool cm_source_exists(const char *root, const char *path);
/* Finds the first entry of a directory that fits the pattern (fnmatch). */
bool cm_source_find(const char *root, const char *directory, const char *pattern, char *name, size_t size);

/* The number of CPUs in a list of the kernel's, "0-3,8"; 0 if the text is none. */
size_t cm_source_count_cpus(const char *list);
/* Returns the number of files "sys/devices/system/cpu/cpu<N>/<leaf>"; *differing is the number of those with another
 * text than `expected`, and `other` the first such text. With `expected` NULL, all are compared with the first. */
size_t cm_source_each_cpu(const char *root, const char *leaf, const char *expected, size_t *differing, char *other,
                          size_t size);

typedef bool cm_source_read(const char *text, double *number);

/* The least number of `leaf` ("memory.max") in this process's control group and its parents, second version; false if
 * none limits. `read` parses the file's line, and returns false if it sets no limit. */
bool cm_source_group(const char *root, const char *leaf, cm_source_read *read, double *least);
/* The same for the first version, in which each controller ("memory") has its own groups. */
bool cm_source_first_group(const char *root, const char *controller, const char *leaf, cm_source_read *read,
                           double *least);

#endif
