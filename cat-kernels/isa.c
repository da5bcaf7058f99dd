/* Names of instruction sets, and the sets that may be used. */
#include "cat-kernels/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEPARATORS ", "

/* The set of that name and those that build on it, 0 if there is none. */
static unsigned find_set(const char *name, size_t length)
{
    for (size_t i = 0; i < cm_isa_table_size; i++)
        if (strlen(cm_isa_table[i].name) == length && memcmp(cm_isa_table[i].name, name, length) == 0)
            return cm_isa_table[i].bit | cm_isa_table[i].above;
    return 0;
}

/* The sets that CATMINT_WITHOUT_ISA leaves out; its first unknown name goes to `unknown`, cut to `size`. */
static unsigned left_out(char *unknown, size_t size)
{
    const char *rest = getenv("CATMINT_WITHOUT_ISA");
    unsigned isa = 0;
    if (size != 0)
        unknown[0] = '\0';
    for (size_t length; rest != NULL && *(rest += strspn(rest, SEPARATORS)) != '\0'; rest += length) {
        length = strcspn(rest, SEPARATORS);
        unsigned found = find_set(rest, length);
        if (found == 0 && size != 0 && unknown[0] == '\0')
            snprintf(unknown, size, "%.*s", (int)(length < size ? length : size), rest);
        isa |= found;
    }
    return isa;
}

bool cm_isa_unknown(char *buffer, size_t size)
{
    char first[2];
    left_out(first, sizeof first);
    left_out(buffer, size);
    return first[0] != '\0';
}

char *cm_isa_names(unsigned isa, char *buffer, size_t size)
{
    size_t length = 0;
    if (size != 0)
        buffer[0] = '\0';
    for (size_t i = 0; i < cm_isa_table_size; i++) {
        if ((isa & cm_isa_table[i].bit) == 0 || length >= size)
            continue;
        int written = snprintf(buffer + length, size - length, "%s%s", length != 0 ? " " : "", cm_isa_table[i].name);
        length += written > 0 ? (size_t)written : 0;
    }
    return buffer;
}

static unsigned modelled_out;

void cm_isa_leave_out(unsigned isa)
{
    modelled_out = isa;
}

unsigned cm_isa_available(void)
{
    return cm_isa_offered() & ~left_out(NULL, 0) & ~modelled_out;
}
