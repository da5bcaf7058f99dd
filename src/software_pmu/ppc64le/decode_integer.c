/* The instructions on integers, and their kinds, as on x86-64 (software_pmu/x86_64/int_class.c): in general registers,
 * and in vector registers with VMX (opcode 4) and VSX (60).
 *
 * Rotations with a mask are shifts, remainders divisions, extensions and constants moves. Minima, maxima, averages,
 * differences, sums of products, packing, copies of one element, and prefixed instructions on vectors have no kind. */
#include "software_pmu/ppc64le/decode.h"

/* The codes of one kind. */
typedef struct code_list {
    uint16_t fact, count;
    const uint16_t *codes;
} code_list;

#define CODES(...)                                                                                                     \
    sizeof((const uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t), (const uint16_t[])                                     \
    {                                                                                                                  \
        __VA_ARGS__                                                                                                    \
    }
#define OF(operation) CM_FACT_INT_VECTOR + CM_INT_##operation

/* Instructions with a constant, and rotations, by opcode. */
static const code_list integer_opcodes[] = {
    {CM_FACT_INT_SCALAR_ADD, CODES(8, 12, 13, 14, 15)},        /* subfic addic addic. addi addis */
    {CM_FACT_INT_SCALAR_MUL, CODES(7)},                        /* mulli */
    {CM_FACT_INT_SCALAR_COMPARE, CODES(10, 11)},               /* cmpli cmpi */
    {CM_FACT_INT_SCALAR_SHIFT, CODES(20, 21, 23, 30)},         /* rlwimi rlwinm rlwnm rld* */
    {CM_FACT_INT_SCALAR_LOGIC, CODES(24, 25, 26, 27, 28, 29)}, /* ori oris xori xoris andi. andis. */
};

/* Opcode 31 by nine bits; the bit before them enables overflow. */
static const code_list by_nine[] = {
    {CM_FACT_INT_SCALAR_ADD, CODES(266, 10, 138, 202, 234, 40, 8, 136, 200, 232, 104)}, /* add* subf* neg */
    {CM_FACT_INT_SCALAR_MUL, CODES(235, 233)},                                          /* mullw mulld */
    {CM_FACT_INT_SCALAR_DIV, CODES(491, 459, 489, 457, 427, 395, 425, 393)},            /* divw and variants */
};

/* Opcode 31 by ten. */
static const code_list by_ten[] = {
    {CM_FACT_INT_SCALAR_MUL, CODES(75, 11, 73, 9)},      /* mulhw mulhwu mulhd mulhdu */
    {CM_FACT_INT_SCALAR_DIV, CODES(779, 267, 777, 265)}, /* modsw moduw modsd modud */
    {CM_FACT_INT_SCALAR_LOGIC,
     CODES(28, 60, 444, 412, 316, 476, 124, 284,              /* and andc or orc xor nand nor eqv */
           26, 58, 538, 570, 122, 378, 506, 154, 186,         /* cntlz* cnttz* popcnt* prty* */
           252, 508, 219, 155, 187, 220, 156, 188, 59, 571)}, /* bpermd cmpb br* cfuged pdepd pextd cntlzdm cnttzdm */
    {CM_FACT_INT_SCALAR_SHIFT, CODES(24, 536, 792, 824, 27, 539, 794, 826, 827, 890, 891)}, /* s* extswsli */
    {CM_FACT_INT_SCALAR_COMPARE, CODES(0, 32, 192, 224)},                                   /* cmp cmpl cmprb cmpeqb */
    {CM_FACT_INT_SCALAR_MOVE, CODES(954, 922, 986, 128, 384, 416, 448, 480)},               /* exts* setb setbc ... */
};

/* Opcode 4 by eleven bits. */
static const code_list vectors[] = {
    {OF(ADD), CODES(0, 64, 128, 192, 256, 320, 384, 512, 576, 640, 768, 832, 896)},                 /* vadd* */
    {OF(SUB), CODES(1024, 1088, 1152, 1216, 1280, 1344, 1408, 1536, 1600, 1664, 1792, 1856, 1920)}, /* vsub* */
    {OF(MUL), CODES(8, 72, 136, 200, 264, 328, 392, 456, 520, 584, 648, 712, 776, 840, 904, 968,    /* vmulo* vmule* */
                    137, 457, 649, 905, 713, 969)},                                          /* vmuluwm vmulld vmulh* */
    {OF(LOGIC), CODES(1028, 1092, 1156, 1220, 1284, 1348, 1412, 1668)},                      /* vand vandc vor ... */
    {OF(SHIFT), CODES(260, 324, 388, 1476, 516, 580, 644, 1732, 772, 836, 900, 964,          /* vsl* vsr* vsra* */
                      4, 68, 132, 196, 133, 389, 197, 453, 452, 708, 1036, 1100, 1860, 1796, /* vrl* vsl vsr vslo ... */
                      261, 517, 773, 5, 69, 325)},                                           /* of 128 bits */
    {OF(SHUFFLE), CODES(12, 76, 140, 268, 332, 396, 1676, 1932)},                            /* vmrg* */
    {OF(COMPARE), CODES(257, 321)},                                                          /* vcmpuq vcmpsq */
    {CM_FACT_AES_INSTRUCTIONS, CODES(1288, 1289, 1352, 1353, 1480)}, /* vcipher vncipher, last; vsbox */
};

/* Comparisons of vectors by ten bits, in front of which is the record bit. */
static const code_list vector_compares[] = {
    {OF(COMPARE), CODES(6, 70, 134, 199, 455, 518, 582, 646, 711, 647, 774, 838, 902, 967, 903, /* vcmpequ vcmpgtu, s */
                        7, 71, 135, 263, 327, 391)},                                            /* vcmpne vcmpnez */
};

/* Instructions of four registers by six bits. */
static const code_list of_four[] = {
    {CM_FACT_INT_SCALAR_MUL, CODES(48, 49, 51)}, /* maddhd maddhdu maddld */
    {OF(ADD), CODES(60, 61)},                    /* vaddeuqm vaddecuq */
    {OF(SUB), CODES(62, 63)},                    /* vsubeuqm vsubecuq */
    {OF(LOGIC), CODES(42)},                      /* vsel */
    {OF(SHUFFLE), CODES(43, 59, 44)},            /* vperm vpermr vsldoi */
};

/* Opcode 60 by eight. */
static const code_list integer_vsx[] = {
    {OF(LOGIC), CODES(130, 138, 146, 154, 162, 170, 178, 186)}, /* xxland xxlandc xxlor ... */
    {OF(SHUFFLE), CODES(18, 50, 26, 58)},                       /* xxmrghw xxmrglw xxperm xxpermr */
};
static const cm_decoded_row vsx_of_more[] = {
    {0xFC000030, 0xF0000030, OF(LOGIC)},   /* xxsel */
    {0xFC0004F8, 0xF0000010, OF(SHUFFLE)}, /* xxsldwi */
    {0xFC0004F8, 0xF0000050, OF(SHUFFLE)}, /* xxpermdi */
};

static bool take_integer_code(const code_list *lists, size_t count, unsigned code, cm_decoded *decoded)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            if (lists[i].codes[k] == code) {
                cm_decoded_add(decoded, lists[i].fact);
                return true;
            }
    return false;
}

/* Arithmetic and logic between registers. */
static void of_registers(uint32_t word, cm_decoded *decoded)
{
    enum { OR = 444, SELECT = 15, ADDEX = 170, YIELD = 0x7F7BDB78 };
    unsigned ten = cm_code_bits(word, 10, 1);
    if (word == YIELD)
        cm_decoded_add(decoded, CM_FACT_PAUSES);
    else if ((ten & 31) == SELECT || (ten == OR && cm_ppc_field(word, 21) == cm_ppc_field(word, 11)))
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_MOVE);
    else if ((ten & 255) == ADDEX)
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_ADD);
    else if (!take_integer_code(by_ten, CM_PPC_COUNT(by_ten), ten, decoded))
        take_integer_code(by_nine, CM_PPC_COUNT(by_nine), ten & 511, decoded);
}

static void of_vectors(uint32_t word, cm_decoded *decoded)
{
    enum { VOR = 1156 };
    unsigned eleven = cm_code_bits(word, 10, 0);
    bool moves = eleven == VOR && cm_ppc_field(word, 16) == cm_ppc_field(word, 11);
    if (!moves && !take_integer_code(vectors, CM_PPC_COUNT(vectors), eleven, decoded) &&
        !take_integer_code(vector_compares, CM_PPC_COUNT(vector_compares), eleven & 1023, decoded))
        take_integer_code(of_four, CM_PPC_COUNT(of_four), eleven & 63, decoded);
}

static void of_vsx(uint32_t word, cm_decoded *decoded)
{
    enum { XXLOR = 146 };
    unsigned eight = cm_code_bits(word, 10, 3), same = (word >> 1 ^ word >> 2) & 1;
    bool moves = eight == XXLOR && cm_ppc_field(word, 16) == cm_ppc_field(word, 11) && same == 0;
    if (!moves && !take_integer_code(integer_vsx, CM_PPC_COUNT(integer_vsx), eight, decoded))
        cm_decoded_find(word, vsx_of_more, CM_PPC_COUNT(vsx_of_more), decoded);
}

void cm_ppc_decode_integer(uint32_t word, cm_decoded *decoded)
{
    enum { ADDI = 14, ADDIS = 15, NOP = 0x60000000 };
    unsigned opcode = cm_ppc_opcode(word);
    bool constant = (opcode == ADDI || opcode == ADDIS) && cm_ppc_field(word, 16) == 0;
    if (opcode == 31)
        of_registers(word, decoded);
    else if (opcode == 4)
        of_vectors(word, decoded);
    else if (opcode == 60)
        of_vsx(word, decoded);
    else if (opcode == 19 && cm_ppc_field(word, 1) == 2) /* addpcis */
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_ADDRESS);
    else if (constant) /* li, lis */
        cm_decoded_add(decoded, CM_FACT_INT_SCALAR_MOVE);
    else if (word != NOP)
        take_integer_code(integer_opcodes, CM_PPC_COUNT(integer_opcodes), opcode, decoded);
}
