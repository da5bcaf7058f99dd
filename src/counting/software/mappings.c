#include "counting/software/mappings.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static bool append(cm_mappings *mappings, uint64_t start, uint64_t end)
{
    if (mappings->count != 0 && mappings->items[mappings->count - 1].end == start) {
        mappings->items[mappings->count - 1].end = end;
        return true;
    }
    if (mappings->count == mappings->capacity) {
        size_t capacity = mappings->capacity != 0 ? 2 * mappings->capacity : 32;
        cm_mapping *items = realloc(mappings->items, capacity * sizeof *items);
        if (items == NULL)
            return false;
        mappings->items = items;
        mappings->capacity = capacity;
    }
    mappings->items[mappings->count++] = (cm_mapping){start, end};
    return true;
}

static void reload(cm_mappings *mappings)
{
    mappings->count = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    if (file == NULL)
        return;
    char line[512];
    bool at_start = true; /* a path longer than the buffer continues a line */
    while (fgets(line, sizeof line, file) != NULL) {
        uint64_t start, end;
        char permissions[5];
        bool complete = at_start;
        at_start = false;
        for (const char *c = line; *c != '\0'; c++)
            at_start = *c == '\n';
        if (complete && sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &start, &end, permissions) == 3 &&
            permissions[0] == 'r' && permissions[2] == 'x' && !append(mappings, start, end))
            break;
    }
    fclose(file);
}

static size_t find(const cm_mappings *mappings, uint64_t address)
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
    size_t size = find(mappings, address);
    if (size != 0)
        return size;
    reload(mappings);
    return find(mappings, address);
}

void cm_mappings_clear(cm_mappings *mappings)
{
    free(mappings->items);
    *mappings = (cm_mappings){NULL, 0, 0};
}
