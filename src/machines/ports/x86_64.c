/* x86-64 in AT&T syntax: the last operand is the destination. */
#include "machines/ports/ports.h"

enum { RAX = 0, RDX = 2, RSP = 4, X86_VECTORS = 16, MASKS = 48, SPELLED = 32 };

static const char *const general[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

/* ---- operands ---- */

/* Reads "rax", "r9d", "xmm3", "k1" behind the percent sign; letter 0: another register. */
static cm_port_operand read_x86_register(const char *name)
{
    const char *stem = name + (name[0] == 'r' || name[0] == 'e');
    char *end = NULL;
    if ((name[0] == 'x' || name[0] == 'y' || name[0] == 'z') && strncmp(name + 1, "mm", 2) == 0)
        return (cm_port_operand){.letter = name[0], .reg = (uint8_t)(X86_VECTORS + strtoul(name + 3, &end, 10) % 32)};
    if (name[0] == 'k' && isdigit((unsigned char)name[1]))
        return (cm_port_operand){.letter = 'k', .reg = (uint8_t)(MASKS + (unsigned)(name[1] - '0') % 8)};
    if (name[0] == 'r' && isdigit((unsigned char)name[1]))
        return (cm_port_operand){.letter = 'r', .reg = (uint8_t)(strtoul(name + 1, &end, 10) % 16)};
    for (size_t i = 0; i < CM_COUNT_OF(general); i++)
        if (strncmp(stem, general[i], 2) == 0 || (stem[0] == general[i][0] && (stem[1] == 'l' || stem[1] == 'h')))
            return (cm_port_operand){.letter = 'r', .reg = (uint8_t)i};
    return (cm_port_operand){.letter = 0, .reg = CM_PORT_NONE};
}

/* Reads "-8(%rax,%rcx,8)". */
static void read_x86_address(const char *text, cm_port_address *address)
{
    const char *open = strchr(text, '('), *base = open != NULL ? strchr(open, '%') : NULL;
    const char *comma = open != NULL ? strchr(open, ',') : NULL;
    address->offset = cm_port_number(text);
    if (base != NULL && (comma == NULL || base < comma))
        address->base = read_x86_register(base + 1).reg;
    const char *index = comma != NULL ? strchr(comma, '%') : NULL;
    if (index == NULL)
        return;
    const char *scale = strchr(index, ',');
    address->index = read_x86_register(index + 1).reg;
    address->scale = scale != NULL ? (int)(cm_port_number(scale + 1) & 15) : 1;
}

/* The operand: a register, an immediate, memory, or a label, with its mask. */
static cm_port_operand read_x86_operand(const char *text, cm_port_instruction *one)
{
    const char *mask = strstr(text, "{%k");
    cm_port_operand operand = {.letter = 'l', .reg = CM_PORT_NONE};
    if (text[0] == '%')
        operand = read_x86_register(text + 1);
    else if (text[0] == '$')
        operand.letter = 'i';
    else if (strchr(text, '(') != NULL) {
        operand.letter = 'm';
        read_x86_address(text, &one->address);
    }
    if (mask != NULL) {
        operand.mask = (uint8_t)(MASKS + (unsigned)(mask[3] - '0') % 8);
        operand.merges = strstr(text, "{z}") == NULL;
    }
    return operand;
}

/* ---- mnemonics ---- */

/* The letter for the size of a general register, "q" of rax, "l" of r8d, "w" of cx, "b" of sil; 0: another one. */
static char size_of(const char *name)
{
    const size_t length = strlen(name);
    const char last = name[length > 0 ? length - 1 : 0];
    if (read_x86_register(name).letter != 'r')
        return 0;
    if (name[0] == 'r')
        return last == 'd' ? 'l' : last == 'w' || last == 'b' ? last : 'q';
    return name[0] == 'e' ? 'l' : last == 'l' || last == 'h' ? 'b' : 'w';
}

/* The same of the last operand that is a general register; 0: none is. */
static char size_among(const char *const *starts, const size_t *lengths, size_t count)
{
    char size = 0, word[8];
    for (size_t i = 0; i < count; i++) {
        snprintf(word, sizeof word, "%.*s", (int)lengths[i], starts[i]);
        const char letter = word[0] == '%' ? size_of(word + 1) : (char)0;
        size = letter != 0 ? letter : size;
    }
    return size;
}

/* Writes the mnemonic as compilers do: disassemblers leave out the letter for the size that a register tells, and some
 * compilers add one that is not needed. */
static void spell_mnemonic(const char *mnemonic, const char *const *starts, const size_t *lengths, size_t count,
                           char name[SPELLED])
{
    static const char *const sized[] = {
        "adc",       "add",       "and",  "andn",     "bextr",    "blsi",     "blsmsk",   "blsr",      "bsf",
        "bsr",       "bswap",     "bt",   "btc",      "btr",      "bts",      "bzhi",     "cmp",       "dec",
        "div",       "idiv",      "imul", "inc",      "lea",      "lzcnt",    "mov",      "movabs",    "mul",
        "mulx",      "neg",       "not",  "or",       "pdep",     "pext",     "pop",      "popcnt",    "push",
        "rcl",       "rcr",       "rol",  "ror",      "rorx",     "sal",      "sar",      "sarx",      "sbb",
        "shl",       "shld",      "shlx", "shr",      "shrd",     "shrx",     "sub",      "test",      "tzcnt",
        "xadd",      "xchg",      "xor",  "cvtsi2sd", "cvtsi2ss", "cvtsd2si", "cvtss2si", "cvttsd2si", "cvttss2si",
        "cvtusi2sd", "cvtusi2ss", NULL};
    static const char *const bare[] = {"callq", "jmpq", "leaveq", "retq", NULL};
    static const char *const less[] = {"cmovl", "cmovnl", NULL};
    const char *stem = mnemonic + (strncmp(mnemonic, "vcvt", 4) == 0);
    const char size = size_among(starts, lengths, count);
    if (size != 0 && cm_text_is_one_of(stem, sized))
        snprintf(name, SPELLED, "%.30s%c", mnemonic, size);
    else
        snprintf(name, SPELLED, "%s", mnemonic);
    const size_t last = strlen(name) - 1;
    const bool moves = strncmp(name, "cmov", 4) == 0 && name[last] == size && !cm_text_is_one_of(name, less);
    if (moves || cm_text_is_one_of(name, bare))
        name[last] = '\0';
}

/* ---- the use of operands ---- */

/* Whether it writes no operand. */
static bool x86_only_reads(const char *name)
{
    static const char *const prefixes[] = {"cmp",   "test",  "bt",     "ucomis", "comis",    "vucomis", "vcomis",
                                           "j",     "ptest", "vptest", "vtest",  "prefetch", "nop",     "kortest",
                                           "ktest", "ret",   "call",   "push",   NULL};
    return cm_port_begins(name, prefixes) && strncmp(name, "cmpp", 4) != 0 && strncmp(name, "cmps", 4) != 0;
}

/* Registers that an instruction reads and writes without naming them; with an operand it only reads that. */
typedef struct implied_registers {
    const char *name; /* before a letter for the size */
    size_t operands, read_count, write_count;
    uint8_t reads[2], writes[2];
} implied_registers;

static const implied_registers implied[] = {
    {"idiv", 1, 2, 2, {RAX, RDX}, {RAX, RDX}}, {"div", 1, 2, 2, {RAX, RDX}, {RAX, RDX}},
    {"imul", 1, 1, 2, {RAX}, {RAX, RDX}},      {"mul", 1, 1, 2, {RAX}, {RAX, RDX}},
    {"cqto", 0, 1, 1, {RAX}, {RDX}},           {"cltd", 0, 1, 1, {RAX}, {RDX}},
    {"cltq", 0, 1, 1, {RAX}, {RAX}},           {"cwtl", 0, 1, 1, {RAX}, {RAX}},
};

/* The registers that an instruction uses without naming them; NULL: none. */
static const implied_registers *find_implied(const char *name, size_t operands)
{
    for (size_t i = 0; i < CM_COUNT_OF(implied); i++) {
        const size_t length = strlen(implied[i].name);
        if (implied[i].operands == operands && strncmp(name, implied[i].name, length) == 0 &&
            strlen(name) <= length + 1)
            return &implied[i];
    }
    return NULL;
}

static bool reads_all(const char *name, size_t operands)
{
    return x86_only_reads(name) || find_implied(name, operands) != NULL;
}

/* Whether it reads its destination; `operands`: their number. */
static bool x86_reads_destination(const char *name, size_t operands, bool registers)
{
    static const char *const written[] = {"mov",   "lea",   "set",    "cvt",  "sqrt", "pshuf", "lddqu", "pop",
                                          "lzcnt", "tzcnt", "popcnt", "pabs", "pmov", "round", NULL};
    static const char *const kept[] = {"vfmadd",  "vfmsub",    "vfnmadd", "vfnmsub", "vpermi2",
                                       "vpermt2", "vpternlog", "vpdp",    "vgather", NULL};
    const bool merges = (strcmp(name, "movsd") == 0 || strcmp(name, "movss") == 0) && registers;
    if (name[0] == 'v' || name[0] == 'k')
        return cm_port_begins(name, kept);
    return operands < 3 && (merges || !cm_port_begins(name, written));
}

static bool x86_writes_flags(const char *name)
{
    static const char *const prefixes[] = {"add",     "sub",    "and",   "or",     "xor",     "cmp",    "test",
                                           "inc",     "dec",    "neg",   "shl",    "sal",     "sar",    "shr",
                                           "bt",      "imul",   "mul",   "adc",    "sbb",     "ucomis", "comis",
                                           "vucomis", "vcomis", "ptest", "vptest", "kortest", "ktest",  NULL};
    static const char *const others[] = {"addp", "adds", "subp", "subs", "andp", "andn", "orp",  "xorp",
                                         "mulp", "muls", "shlx", "shrx", "sarx", "cmpp", "mulx", NULL};
    return cm_port_begins(name, prefixes) && !cm_port_begins(name, others);
}

/* Whether its result does not depend on its operands: an exclusive or, or a difference, of a register with itself. */
static bool is_idiom(const char *name, const cm_port_operand *operands, size_t count)
{
    static const char *const prefixes[] = {"xor", "sub", "pxor", "psub", "pcmpgt", NULL};
    const char *stem = name + (name[0] == 'v');
    const bool of_floats = strncmp(stem, "subp", 4) == 0 || strncmp(stem, "subs", 4) == 0; /* NaN - NaN is no zero */
    return count >= 2 && cm_port_begins(stem, prefixes) && !of_floats && operands[0].letter != 'i' &&
           operands[0].letter != 'm' && operands[0].reg == operands[1].reg && operands[0].reg != CM_PORT_NONE;
}

/* The bytes that a vector register of this letter moves; a scalar or broadcast instruction moves one element. */
static unsigned bytes_of(const char *name, char letter)
{
    const size_t length = strlen(name);
    const bool scalar =
        (length > 2 && (strcmp(name + length - 2, "sd") == 0 || strcmp(name + length - 2, "ss") == 0)) ||
        strstr(name, "broadcast") != NULL || strstr(name, "movddup") != NULL;
    switch (letter) {
    case 'x': return scalar ? 8 : 16;
    case 'y': return scalar ? 8 : 32;
    case 'z': return scalar ? 8 : 64;
    default: return name[length - 1] == 'l' ? 4 : 8;
    }
}

/* ---- all ---- */

/* Follows the value of an address register: a copy, or a sum with a constant. */
static void follow_x86_value(const char *name, const char *first, const cm_port_operand *operands, size_t count,
                             cm_port_instruction *one)
{
    const cm_port_operand *last = &operands[count - 1];
    const bool sum = strncmp(name, "add", 3) == 0 && isalpha((unsigned char)name[3]) && name[4] == '\0';
    const bool difference = strncmp(name, "sub", 3) == 0 && isalpha((unsigned char)name[3]) && name[4] == '\0';
    if (last->letter != 'r')
        return;
    if (operands[0].letter == 'i' && (sum || difference)) {
        one->moved = last->reg;
        one->add = (difference ? -1 : 1) * cm_port_number(first + 1);
    } else if (strncmp(name, "inc", 3) == 0 || strncmp(name, "dec", 3) == 0) {
        one->moved = last->reg;
        one->add = name[0] == 'i' ? 1 : -1;
    } else if (operands[0].letter == 'r' && strncmp(name, "mov", 3) == 0 && strlen(name) == 4) {
        one->moved = operands[0].reg;
    } else if (strncmp(name, "lea", 3) == 0 && one->address.index == CM_PORT_NONE) {
        one->moved = one->address.base;
        one->add = one->address.offset;
    }
}

/* Notes the registers and flags that an instruction reads and writes, implied ones included. */
static void add_x86_registers(const char *name, const cm_port_operand *operands, size_t count, cm_port_instruction *one)
{
    const bool idiom = is_idiom(name, operands, count), reader = reads_all(name, count);
    const bool products = strncmp(name, "mulx", 4) == 0; /* of which it writes both halves */
    const implied_registers *others = find_implied(name, count);
    for (size_t i = 0; i < count; i++) {
        const cm_port_operand *operand = &operands[i];
        const bool last = (i + 1 == count || (products && i + 2 == count)) && !reader;
        const bool kept = operand->merges || x86_reads_destination(name, count, operands[0].letter != 'm');
        if (operand->mask != 0)
            cm_port_read(one, operand->mask);
        if (operand->letter != 'm' && !idiom && (!last || kept))
            cm_port_read(one, operand->reg);
        if (operand->letter != 'm' && last)
            cm_port_write(one, operand->reg);
    }
    for (size_t i = 0; others != NULL && i < others->read_count; i++)
        cm_port_read(one, others->reads[i]);
    for (size_t i = 0; others != NULL && i < others->write_count; i++)
        cm_port_write(one, others->writes[i]);
    if (products)
        cm_port_read(one, RDX);
    static const char *const flag_readers[] = {"j", "cmov", "set", "adc", "sbb", NULL};
    if (cm_port_begins(name, flag_readers) && strncmp(name, "jmp", 3) != 0)
        cm_port_read(one, CM_PORT_FLAGS);
    if (x86_writes_flags(name))
        cm_port_write(one, CM_PORT_FLAGS);
}

/* Loads and stores: memory as a source is loaded; as a destination it is stored, and loaded unless only moved to. */
static void add_x86_memory(const char *name, const cm_port_operand *operands, size_t count, cm_port_instruction *one)
{
    static const char *const others[] = {"lea", "prefetch", "nop", "data16", "cs", NULL};
    const bool address_alone = cm_port_begins(name, others);
    for (size_t i = 0; i < count; i++) {
        if (operands[i].letter != 'm')
            continue;
        cm_port_read(one, one->address.base);
        cm_port_read(one, one->address.index);
        one->stores = !address_alone && i + 1 == count && !reads_all(name, count);
        one->loads = !address_alone && (!one->stores || x86_reads_destination(name, count, false));
    }
    one->letter = 'r';
    for (size_t i = 0; i < count; i++)
        if (strchr("xyz", operands[i].letter) != NULL && operands[i].letter != 0 && operands[i].letter > one->letter)
            one->letter = operands[i].letter;
    one->address.bytes = bytes_of(name, one->letter);
    if (one->address.bytes < 16 && one->letter != 'r')
        one->letter = 'x';
}

void cm_port_decode_x86_64(const char *mnemonic, const char *text, cm_port_instruction *one)
{
    const char *starts[CM_PORT_OPERANDS];
    size_t lengths[CM_PORT_OPERANDS];
    const size_t count = cm_port_split(text, starts, lengths);
    cm_port_operand operands[CM_PORT_OPERANDS] = {{0}};
    char part[128], name[SPELLED];
    spell_mnemonic(mnemonic, starts, lengths, count, name);
    snprintf(one->form, sizeof one->form, "%s", name);
    for (size_t i = 0; i < count; i++) {
        snprintf(part, sizeof part, "%.*s", (int)lengths[i], starts[i]);
        operands[i] = read_x86_operand(part, one);
        cm_text_append(one->form, sizeof one->form, "", " %c", operands[i].letter != 0 ? operands[i].letter : '?');
    }
    /* A move between registers under a mask is work, while others only rename a register. */
    static const char *const moves[] = {"vmova", "vmovu", "vmovdq", NULL};
    if (count == 2 && cm_port_begins(name, moves) && operands[1].mask != 0 && operands[0].letter != 'm' &&
        operands[1].letter != 'm')
        cm_text_append(one->form, sizeof one->form, "", " k");
    add_x86_registers(name, operands, count, one);
    add_x86_memory(name, operands, count, one);
    if (count > 0)
        follow_x86_value(name, starts[0], operands, count, one);
    if (is_idiom(name, operands, count) && strlen(one->form) + 5 < sizeof one->form)
        snprintf(one->form, sizeof one->form, "%s idiom", name);
    one->fused = name[0] == 'j' && strncmp(name, "jmp", 3) != 0;
}
