#include "verify/verify.h"

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t{");
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return *at == '\n' ? at + 1 : at;
}

/* Reads "/" "*0150*" "/ @!P0 BRA ..." at `at`; false, with nothing read, if it is no instruction. */
static bool read_instruction(const char *at, cm_listed *read)
{
    char *end = NULL;
    if (strncmp(at, "/*", 2) != 0 || strspn(at + 2, "0123456789abcdef") < 4)
        return false;
    read->address = strtoul(at + 2, &end, 16);
    if (strncmp(end, "*/", 2) != 0)
        return false;
    at = skip_blanks(end + 2);
    read->predicated = *at == '@';
    if (read->predicated)
        at = skip_blanks(at + strcspn(at, " \t\n"));
    read->name = at;
    read->operands = at + strcspn(at, " \t;\n");
    return *at >= 'A' && *at <= 'Z';
}

/* Reads all instructions. */
static cm_status read_all(const char *text, cm_listing *listing, cm_error *error)
{
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        cm_listed read;
        if (!read_instruction(skip_blanks(line), &read))
            continue;
        if (!CM_APPEND(listing->instructions, listing->count, read))
            return cm_error_no_memory(error);
    }
    return CM_OK;
}

/* The first instruction after the line that has only this label; NULL: there is no such line. */
static const char *find_label(const char *text, const char *label, size_t length)
{
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        const char *at = skip_blanks(line);
        if (strncmp(at, label, length) == 0 && at[length] == ':')
            return at;
    }
    return NULL;
}

/* The target of a branch, a label, "BRA `(.L_x_0)", or an address, "BRA 0xf0"; the branch itself if neither is
 * recognised. */
static size_t find_target(const char *text, const cm_listing *listing, size_t branch)
{
    const char *from = listing->instructions[branch].operands;
    size_t length = strcspn(from, ";\n");
    const char *label = memmem(from, length, "`(", 2), *number = memmem(from, length, "0x", 2);
    const char *place = label != NULL ? find_label(text, label + 2, strcspn(label + 2, ")\n")) : NULL;
    unsigned long address = label == NULL && number != NULL ? strtoul(number, NULL, 16) : 0;
    for (size_t i = 0; i < listing->count && (label != NULL ? place != NULL : number != NULL); i++) {
        const cm_listed *found = &listing->instructions[i];
        if (label != NULL ? found->name > place : found->address >= address)
            return i;
    }
    return branch;
}

/* Finds the loops, and the branches and exits that skip them. */
static void find_loops(const char *text, cm_listing *listing)
{
    for (size_t i = 0; i < listing->count; i++) {
        listing->calls += cm_listed_is(&listing->instructions[i], "CALL");
        if (!cm_listed_is(&listing->instructions[i], "BRA"))
            continue;
        size_t target = find_target(text, listing, i);
        if (target >= i)
            continue;
        listing->loops++;
        listing->first = target;
        listing->end = i + 1;
    }
    for (size_t i = 0; i < listing->first; i++)
        listing->ways_past +=
            cm_listed_is(&listing->instructions[i], "EXIT") ||
            (cm_listed_is(&listing->instructions[i], "BRA") && find_target(text, listing, i) >= listing->end);
}

cm_status cm_listing_read(const char *text, cm_listing *listing, cm_error *error)
{
    *listing = (cm_listing){0};
    cm_status status = read_all(text, listing, error);
    if (status == CM_OK)
        find_loops(text, listing);
    return status;
}

void cm_listing_clear(cm_listing *listing)
{
    free(listing->instructions);
    *listing = (cm_listing){0};
}

bool cm_listed_is(const cm_listed *instruction, const char *kind)
{
    size_t length = strlen(kind);
    if (strncmp(instruction->name, kind, length) != 0)
        return false;
    const char *rest = instruction->name + length;
    rest += *rest == '_';
    rest += strncmp(rest, "32I", 3) == 0 ? 3 : 0;
    return strchr(". \t;\n", *rest) != NULL; /* also the NUL */
}
