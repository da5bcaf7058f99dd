/* Devices that take codes, and their fields, as files of the system describe them. */
#include "counting/raw/raw.h"

#include <dirent.h>

enum { PATH_SIZE = 4096 };

static const char directory[] = "sys/bus/event_source/devices";

bool cm_raw_device_line(const char *root, const char *device, const char *leaf, char line[CM_RAW_LINE])
{
    char path[PATH_SIZE];
    if ((size_t)snprintf(path, sizeof path, "%s/%s/%s/%s", root, directory, device, leaf) >= sizeof path)
        return false;
    FILE *file = cm_input_stream(path);
    bool read = file != NULL && fgets(line, CM_RAW_LINE, file) != NULL;
    if (read)
        line[strcspn(line, "\n")] = '\0';
    if (file != NULL)
        fclose(file);
    return read;
}

static int is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Lists a directory by name; 0 if it cannot be read. Free with free_entries. */
static size_t list_entries(const char *root, const char *device, const char *leaf, struct dirent ***entries)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s/%s/%s/%s", root, directory, device, leaf);
    int count = (size_t)length < sizeof path ? scandir(path, entries, is_entry, alphasort) : -1;
    return count > 0 ? (size_t)count : 0;
}

static void free_entries(struct dirent **entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(entries[i]);
    if (count != 0)
        free(entries);
}

static int rank_field(const cm_raw_field *field)
{
    return strcmp(field->name, "event") == 0 ? 0 : strcmp(field->name, "umask") == 0 ? 1 : 2;
}

static int by_rank(const void *left, const void *right)
{
    const cm_raw_field *a = left, *b = right;
    return rank_field(a) != rank_field(b) ? rank_field(a) - rank_field(b) : strcmp(a->name, b->name);
}

/* Reads the fields; one in an unknown form is skipped. */
static void read_fields(const char *root, cm_raw_device *device)
{
    struct dirent **entries = NULL;
    size_t count = list_entries(root, device->name, "format", &entries);
    for (size_t i = 0; i < count && device->field_count < CM_RAW_FIELDS; i++) {
        char leaf[CM_RAW_LINE + sizeof "format/"], line[CM_RAW_LINE];
        snprintf(leaf, sizeof leaf, "format/%.255s", entries[i]->d_name);
        if (cm_raw_device_line(root, device->name, leaf, line) &&
            cm_raw_field_parse(entries[i]->d_name, line, &device->fields[device->field_count]))
            device->field_count++;
    }
    free_entries(entries, count);
    qsort(device->fields, device->field_count, sizeof *device->fields, by_rank);
}

cm_status cm_raw_each_entry(const char *root, const char *device, const char *leaf, cm_raw_visit visit, void *data,
                            cm_error *error)
{
    struct dirent **entries = NULL;
    errno = 0;
    size_t count = list_entries(root, device, leaf, &entries);
    cm_status status = count == 0 && errno == ENOMEM ? cm_error_no_memory(error) : CM_OK;
    for (size_t i = 0; status == CM_OK && i < count; i++)
        status = visit(root, entries[i]->d_name, data, error);
    free_entries(entries, count);
    return status;
}

bool cm_raw_device_read(const char *root, const char *name, cm_raw_device *device)
{
    char line[CM_RAW_LINE] = "";
    *device = (cm_raw_device){0};
    if (strlen(name) >= sizeof device->name || !cm_raw_device_line(root, name, "type", line))
        return false;
    strcpy(device->name, name);
    device->type = (uint32_t)strtoul(line, NULL, 10);
    if (cm_raw_device_line(root, name, "cpus", line) && strlen(line) < sizeof device->cpus)
        strcpy(device->cpus, line);
    read_fields(root, device);
    return device->field_count != 0 && rank_field(&device->fields[0]) == 0;
}

/* Collects the devices of cores. */
struct cores {
    cm_raw_device *devices;
    size_t *count;
};

/* Adds a device if it is a core's. */
static cm_status take_core(const char *root, const char *name, void *data, cm_error *error)
{
    struct cores *cores = data;
    (void)error;
    if (*cores->count == CM_RAW_DEVICES)
        return CM_OK;
    cm_raw_device *device = &cores->devices[*cores->count];
    bool read = cm_raw_device_read(root, name, device);
    *cores->count += read && (device->cpus[0] != '\0' || strcmp(name, "cpu") == 0);
    return CM_OK;
}

cm_status cm_raw_devices_read(const char *root, cm_raw_device devices[CM_RAW_DEVICES], size_t *count, cm_error *error)
{
    struct cores cores = {devices, count};
    *count = 0;
    return cm_raw_each_entry(root, ".", "", take_core, &cores, error);
}

cm_raw_device cm_raw_model_device(size_t parts)
{
    static const cm_raw_device two = {.name = "cpu",
                                      .field_count = 5,
                                      .fields = {{"event", 0, 2, {{0, 7}, {32, 35}}},
                                                 {"umask", 0, 1, {{8, 15}}},
                                                 {"cmask", 0, 1, {{24, 31}}},
                                                 {"edge", 0, 1, {{18, 18}}},
                                                 {"inv", 0, 1, {{23, 23}}}}};
    static const cm_raw_device one = {
        .name = "armv8_pmuv3_0", .field_count = 1, .fields = {{"event", 0, 1, {{0, 15}}}}};
    return parts == 2 ? two : one;
}
