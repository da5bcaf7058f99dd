/* Files of the kernel, below a root that need not be this machine's. */
#ifndef CM_DOCTOR_SOURCE_H
#define CM_DOCTOR_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

enum { CM_SOURCE_TEXT = 4096, CM_SOURCE_MOST_CPUS = 8192, CM_SOURCE_MOST_GAP = 64 };

/* The first line of a file, `path` relative to the root ("proc/loadavg"), without its newline; false where there is
 * none. */
bool cm_source_line(const char *root, const char *path, char *text, size_t size);
/* What stands behind `key` and blanks in the first line that begins with it. */
bool cm_source_value(const char *root, const char *path, const char *key, char *text, size_t size);
/* The number that the file begins with. */
bool cm_source_number(const char *root, const char *path, double *number);
bool cm_source_exists(const char *root, const char *path);
/* The first entry of a folder that fits the pattern (fnmatch). */
bool cm_source_find(const char *root, const char *folder, const char *pattern, char *name, size_t size);

/* CPUs in a list of the kernel's, "0-3,8"; 0 where it is none. */
size_t cm_source_count_cpus(const char *list);
/* How many of the files "sys/devices/system/cpu/cpu<N>/<leaf>" there are, and how many of those do not say `expected`;
 * `other` gets the first of these. With `expected` NULL, what the first says is expected of all. */
size_t cm_source_each_cpu(const char *root, const char *leaf, const char *expected, size_t *differing, char *other,
                          size_t size);

typedef bool cm_source_read(const char *text, double *number);

/* The least number that `leaf` ("memory.max") says in this process's control group and those around it, second version;
 * false where none limits. `read` takes the number from the file's line, false where it sets no limit. */
bool cm_source_group(const char *root, const char *leaf, cm_source_read *read, double *least);
/* The same of the first version, where each controller ("memory") has its own groups. */
bool cm_source_first_group(const char *root, const char *controller, const char *leaf, cm_source_read *read,
                           double *least);

#endif
