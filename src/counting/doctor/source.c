#include "counting/doctor/doctor.h"

#include <dirent.h>
#include <fnmatch.h>

#include "core/files.h"

enum { PATH_SIZE = 4096 };

static bool below(const char *root, const char *path, char whole[PATH_SIZE])
{
    return (size_t)snprintf(whole, PATH_SIZE, "%s/%s", root, path) < PATH_SIZE;
}

static FILE *open_below(const char *root, const char *path)
{
    char whole[PATH_SIZE];
    return below(root, path, whole) ? cm_input_stream(whole) : NULL;
}

bool cm_source_line(const char *root, const char *path, char *text, size_t size)
{
    FILE *file = open_below(root, path);
    if (file == NULL)
        return false;
    bool read = fgets(text, (int)size, file) != NULL;
    fclose(file);
    if (read)
        text[strcspn(text, "\n")] = '\0';
    return read;
}

bool cm_source_value(const char *root, const char *path, const char *key, char *text, size_t size)
{
    char line[CM_SOURCE_TEXT];
    size_t length = strlen(key);
    bool found = false;
    FILE *file = open_below(root, path);
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, key, length) != 0)
            continue;
        const char *value = line + length + strspn(line + length, " \t:");
        snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
        found = true;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

bool cm_source_number(const char *root, const char *path, double *number)
{
    char text[CM_SOURCE_TEXT], *end = text;
    if (!cm_source_line(root, path, text, sizeof text))
        return false;
    *number = strtod(text, &end);
    return end != text;
}

bool cm_source_exists(const char *root, const char *path)
{
    char whole[PATH_SIZE];
    return below(root, path, whole) && access(whole, F_OK) == 0;
}

bool cm_source_find(const char *root, const char *place, const char *pattern, char *name, size_t size)
{
    char whole[PATH_SIZE];
    DIR *directory = below(root, place, whole) ? opendir(whole) : NULL;
    bool found = false;
    for (struct dirent *entry; directory != NULL && !found && (entry = readdir(directory)) != NULL;)
        if (entry->d_name[0] != '.' && fnmatch(pattern, entry->d_name, 0) == 0) {
            snprintf(name, size, "%s", entry->d_name);
            found = true;
        }
    if (directory != NULL)
        closedir(directory);
    return found;
}

size_t cm_source_count_cpus(const char *list)
{
    size_t count = 0;
    while (*list >= '0' && *list <= '9') {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (last < first || last - first >= CM_SOURCE_MOST_CPUS)
            return 0;
        count += last - first + 1;
        list = *end == ',' ? end + 1 : end;
    }
    return count;
}

size_t cm_source_each_cpu(const char *root, const char *leaf, const char *expected, size_t *differing, char *other,
                          size_t size)
{
    size_t count = 0, missing = 0;
    char first[256] = "", text[256], path[256];
    *differing = 0;
    for (size_t cpu = 0; cpu < CM_SOURCE_MOST_CPUS && missing < CM_SOURCE_MOST_GAP; cpu++) {
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%zu/%s", cpu, leaf);
        missing++;
        if (!cm_source_line(root, path, text, sizeof text))
            continue;
        missing = 0;
        if (count++ == 0 && expected == NULL)
            snprintf(first, sizeof first, "%s", text);
        if (strcmp(text, expected != NULL ? expected : first) != 0 && (*differing)++ == 0)
            snprintf(other, size, "%s", text);
    }
    return count;
}

/* The least number in the group and its parents. */
static bool least_in(const char *root, const char *hierarchy, char *group, const char *leaf, cm_source_read *read,
                     double *least)
{
    bool found = false;
    if (strcmp(group, "/") == 0)
        group[0] = '\0';
    for (char *last = group; last != NULL;) {
        char path[CM_SOURCE_TEXT + 128], text[128];
        double number;
        snprintf(path, sizeof path, "sys/fs/cgroup%s%s/%s", hierarchy, group, leaf);
        if (cm_source_line(root, path, text, sizeof text) && read(text, &number) && (!found || number < *least)) {
            *least = number;
            found = true;
        }
        last = strrchr(group, '/');
        if (last != NULL)
            *last = '\0';
    }
    return found;
}

bool cm_source_group(const char *root, const char *leaf, cm_source_read *read, double *least)
{
    char group[CM_SOURCE_TEXT];
    return cm_source_value(root, "proc/self/cgroup", "0::", group, sizeof group) &&
           least_in(root, "", group, leaf, read, least);
}

/* Whether a line of /proc/self/cgroup, "4:cpu,cpuacct:/one", has the controller; *group points to its group. */
static bool has_controller(char *line, const char *controller, char **group)
{
    char *names = strchr(line, ':'), *end = names != NULL ? strchr(names + 1, ':') : NULL, *rest = NULL;
    if (end == NULL)
        return false;
    *end = '\0';
    *group = end + 1;
    for (char *name = strtok_r(names + 1, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        if (strcmp(name, controller) == 0)
            return true;
    return false;
}

bool cm_source_first_group(const char *root, const char *controller, const char *leaf, cm_source_read *read,
                           double *least)
{
    char line[CM_SOURCE_TEXT], hierarchy[64], *group = NULL;
    bool found = false;
    FILE *file = open_below(root, "proc/self/cgroup");
    snprintf(hierarchy, sizeof hierarchy, "/%s", controller);
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        found = has_controller(line, controller, &group) && least_in(root, hierarchy, group, leaf, read, least);
    }
    if (file != NULL)
        fclose(file);
    return found;
}
