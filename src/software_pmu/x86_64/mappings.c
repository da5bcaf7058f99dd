/* Addresses of code that can be read, from the system's list. */
#include "software_pmu/x86_64/step.h"

#include "core/files.h"

/* Appends a range, joined with the last one if they adjoin; false if memory runs out. */
static bool append_range(cm_mappings *mappings, uint64_t start, uint64_t end)
{
    if (mappings->count != 0 && mappings->items[mappings->count - 1].end == start) {
        mappings->items[mappings->count - 1].end = end;
        return true;
    }
    if (mappings->count == mappings->capacity) {
        size_t capacity = mappings->capacity != 0 ? 2 * mappings->capacity : 256;
        cm_mapping *items = cm_pages_map(capacity * sizeof *items);
        if (items == NULL)
            return false;
        for (size_t i = 0; i < mappings->count; i++)
            items[i] = mappings->items[i];
        cm_pages_unmap(mappings->items, mappings->capacity * sizeof *items);
        mappings->items = items;
        mappings->capacity = capacity;
    }
    mappings->items[mappings->count++] = (cm_mapping){start, end};
    return true;
}

/* Reads a line of /proc/self/maps, "START-END rwxp ...", character by character. */
typedef struct line_reader {
    uint64_t numbers[2];
    unsigned field;       /* 0 start, 1 end, 2 permissions, 3 the rest */
    unsigned permissions; /* characters of the permissions read */
    bool readable, executable;
} line_reader;

/* Reads a line of /proc/self/maps character by character: range and permissions. */
static void read_character(line_reader *line, char c)
{
    if (line->field < 2 && ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
        line->numbers[line->field] = line->numbers[line->field] << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    else if (line->field < 2)
        line->field++;
    else if (line->field == 2) {
        line->readable = line->readable || (line->permissions == 0 && c == 'r');
        line->executable = line->executable || (line->permissions == 2 && c == 'x');
        line->field += ++line->permissions == 4;
    }
}

/* Reads all executable ranges of the process. */
static void reload_mappings(cm_mappings *mappings)
{
    mappings->count = 0;
    int file = cm_input_descriptor(AT_FDCWD, "/proc/self/maps", 0);
    if (file < 0)
        return;
    char text[4096];
    line_reader line = {.field = 0};
    bool complete = true;
    ssize_t length;
    while (complete && (length = read(file, text, sizeof text)) > 0)
        for (ssize_t i = 0; i < length && complete; i++) {
            if (text[i] != '\n') {
                read_character(&line, text[i]);
                continue;
            }
            if (line.readable && line.executable)
                complete = append_range(mappings, line.numbers[0], line.numbers[1]);
            line = (line_reader){.field = 0};
        }
    close(file);
}

/* Readable bytes of code from `address` on; 0: it is in no range. */
static size_t find_bytes(const cm_mappings *mappings, uint64_t address)
{
    size_t low = 0, high = mappings->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (address >= mappings->items[middle].end)
            low = middle + 1;
        else if (address < mappings->items[middle].start)
            high = middle;
        else
            return (size_t)(mappings->items[middle].end - address);
    }
    return 0;
}

size_t cm_mappings_readable(cm_mappings *mappings, uint64_t address)
{
    size_t size = find_bytes(mappings, address);
    if (size != 0)
        return size;
    reload_mappings(mappings);
    return find_bytes(mappings, address);
}

void cm_mappings_clear(cm_mappings *mappings)
{
    cm_pages_unmap(mappings->items, mappings->capacity * sizeof *mappings->items);
    *mappings = (cm_mappings){NULL, 0, 0};
}
