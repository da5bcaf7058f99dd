/* aarch64: the first operand is the destination, unless it is stored or compared. */
#include "machines/ports/ports.h"

enum { STACK = 31, AARCH64_VECTORS = 32, PREDICATES = 64 };

/* ---- operands ---- */

/* Reads "x3", "v0.2d", "p1/m"; letter 0: no register. Zero registers have no number. */
static cm_port_operand read_aarch64_register(const char *name)
{
    const char letter = name[0];
    cm_port_operand operand = {.letter = 0, .reg = CM_PORT_NONE};
    if (strncmp(name, "sp", 2) == 0)
        return (cm_port_operand){.letter = 'x', .reg = STACK};
    if (strncmp(name, "xzr", 3) == 0 || strncmp(name, "wzr", 3) == 0)
        return (cm_port_operand){.letter = 'x', .reg = CM_PORT_NONE};
    if (letter == '\0' || strchr("xwvqdshbzp", letter) == NULL || !isdigit((unsigned char)name[1]))
        return operand;
    const unsigned number = (unsigned)strtoul(name + 1, NULL, 10) % 32;
    operand.letter = letter == 'w' ? 'x' : letter == 's' || letter == 'h' || letter == 'b' ? 'd' : letter;
    operand.reg = (uint8_t)(operand.letter == 'x' ? number
                            : letter == 'p'       ? PREDICATES + number % 16
                                                  : AARCH64_VECTORS + number);
    operand.merges = letter == 'p' && strstr(name, "/m") != NULL;
    return operand;
}

/* Reads "[x0, x1, lsl 3]", "[x0, 16]!"; true if the base is changed. */
static bool read_aarch64_address(const char *text, cm_port_instruction *one)
{
    const char *second = strchr(text, ','), *shift = strstr(text, "lsl");
    one->address.base = read_aarch64_register(text + 1).reg;
    one->address.scale = shift != NULL ? 1 << (strtol(shift + 3 + strspn(shift + 3, " #"), NULL, 10) & 7) : 1;
    if (second == NULL)
        return false;
    second += 1 + strspn(second + 1, " #");
    const cm_port_operand index = read_aarch64_register(second);
    if (index.letter != 0)
        one->address.index = index.reg;
    else
        one->address.offset = cm_port_number(second);
    return text[strlen(text) - 1] == '!';
}

/* The operand: a register, memory, an immediate, or a label; an address goes to the instruction. */
static cm_port_operand read_aarch64_operand(const char *text, cm_port_instruction *one)
{
    cm_port_operand operand = read_aarch64_register(text + strspn(text, "{ "));
    if (text[0] == '[') {
        operand = (cm_port_operand){.letter = 'm', .reg = CM_PORT_NONE};
        if (read_aarch64_address(text, one)) {
            one->updated = one->address.base;
            one->update = one->address.offset;
        }
    } else if (operand.letter == 0) {
        const bool number = text[0] == '#' || text[0] == '-' || isdigit((unsigned char)text[0]);
        operand = (cm_port_operand){.letter = number ? 'i' : 'l', .reg = CM_PORT_NONE};
    }
    return operand;
}

/* ---- all ---- */

/* Notes the registers and flags that an instruction reads and writes. */
static void add_aarch64_registers(const char *name, const cm_port_operand *operands, size_t count,
                                  cm_port_instruction *one)
{
    /* Readers write no register but those of addresses. */
    static const char *const readers[] = {"st", "cmp", "cmn", "tst", "fcmp", "ccmp",
                                          "cb", "tb",  "prf", "nop", "ret",  NULL};
    const bool pair = strncmp(name, "ldp", 3) == 0,
               reader = cm_port_begins(name, readers) ||
                        (name[0] == 'b' && (name[1] == '\0' || name[1] == '.' || strlen(name) == 3));
    static const char *const keeping[] = {"fmla", "fmls",  "fnmla", "mla", "mls",   "movk",  "bfi", "bfxil",
                                          "ins",  "fcmla", "inc",   "dec", "smlal", "umlal", NULL};
    static const char *const flag_readers[] = {"b.", "cs", "cinc", "cset", "ccmp", "fcsel", "adc", "sbc", NULL};
    static const char *const flag_writers[] = {"cmp",  "cmn",  "tst",   "fcmp",  "ccmp", "adds",
                                               "subs", "ands", "while", "ptest", NULL};
    bool kept = cm_port_begins(name, keeping);
    for (size_t i = 1; i < count; i++)
        kept = kept || operands[i].merges;
    for (size_t i = 0; i < count; i++) {
        const bool written = !reader && (i == 0 || (pair && i == 1));
        if (operands[i].letter == 'm')
            continue;
        if (!written || kept)
            cm_port_read(one, operands[i].reg);
        if (written)
            cm_port_write(one, operands[i].reg);
    }
    if (cm_port_begins(name, flag_readers) || (name[0] == 'b' && strlen(name) == 3 && strcmp(name, "bic") != 0))
        cm_port_read(one, CM_PORT_FLAGS);
    if (cm_port_begins(name, flag_writers))
        cm_port_write(one, CM_PORT_FLAGS);
}

/* Follows the value of an address register. */
static void follow_aarch64_value(const char *name, const char *third, const cm_port_operand *operands, size_t count,
                                 cm_port_instruction *one)
{
    if (count == 3 && operands[1].letter == 'x' && operands[2].letter == 'i' &&
        (strncmp(name, "add", 3) == 0 || strncmp(name, "sub", 3) == 0)) {
        one->moved = operands[1].reg;
        one->add = (name[0] == 's' ? -1 : 1) * cm_port_number(third + (third[0] == '#'));
    } else if (count == 2 && strcmp(name, "mov") == 0 && operands[1].letter == 'x') {
        one->moved = operands[1].reg;
    }
}

/* The access; a term behind the address changes its base. */
static size_t add_aarch64_memory(const char *name, const char *const *starts, const cm_port_operand *operands,
                                 size_t count, cm_port_instruction *one)
{
    for (size_t i = 0; i < count; i++) {
        if (operands[i].letter != 'm')
            continue;
        cm_port_read(one, one->address.base);
        cm_port_read(one, one->address.index);
        one->stores = name[0] == 's';
        one->loads = name[0] == 'l';
        one->letter = operands[0].letter;
        one->address.bytes = one->letter == 'q' || one->letter == 'z' || one->letter == 'v' ? 16 : 8;
        if (i + 1 < count && operands[i + 1].letter == 'i') {
            one->updated = one->address.base;
            one->update = cm_port_number(starts[i + 1] + (starts[i + 1][0] == '#'));
        }
        return i + 1;
    }
    return count;
}

void cm_port_decode_aarch64(const char *mnemonic, const char *text, cm_port_instruction *one)
{
    const char *starts[CM_PORT_OPERANDS];
    size_t lengths[CM_PORT_OPERANDS];
    size_t count = cm_port_split(text, starts, lengths);
    cm_port_operand operands[CM_PORT_OPERANDS] = {{0}};
    char part[128];
    for (size_t i = 0; i < count; i++) {
        snprintf(part, sizeof part, "%.*s", (int)lengths[i], starts[i]);
        operands[i] = read_aarch64_operand(part, one);
    }
    count = add_aarch64_memory(mnemonic, starts, operands, count, one);
    snprintf(one->form, sizeof one->form, "%s", mnemonic);
    for (size_t i = 0; i < count; i++)
        cm_text_append(one->form, sizeof one->form, "", " %c", operands[i].letter);
    add_aarch64_registers(mnemonic, operands, count, one);
    follow_aarch64_value(mnemonic, count > 2 ? starts[2] : "", operands, count, one);
}
