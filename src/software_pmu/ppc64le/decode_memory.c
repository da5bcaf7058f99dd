/* Loads and stores, and their bytes: all 16 for lxvl, stxvl and variants, whose length is in a register; none for lswx
 * and stswx, which no little-endian processor executes. Instructions that only a hypervisor executes are not decoded.
 */
#include "software_pmu/ppc64le/decode.h"

/* The kind of a row's register, and of its access. */
enum { LOAD = 1, STORE = 2, ATOMIC = 4, SIMD = 8 };

typedef struct memory_row {
    uint16_t code;
    uint8_t bytes, flags;
} memory_row;

static void take_memory_row(const memory_row *row, cm_decoded *decoded)
{
    if ((row->flags & LOAD) != 0)
        cm_decoded_load(decoded, row->bytes);
    if ((row->flags & STORE) != 0)
        cm_decoded_store(decoded, row->bytes);
    decoded->accesses[0].locked = (row->flags & ATOMIC) != 0;
    if ((row->flags & SIMD) != 0)
        cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
}

static void take_memory_code(const memory_row *rows, size_t count, unsigned code, cm_decoded *decoded)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].code == code) {
            take_memory_row(&rows[i], decoded);
            return;
        }
}

/* ---- with a displacement, by opcode ---- */

static const memory_row displaced[] = {
    {32, 4, LOAD},         {33, 4, LOAD},
    {34, 1, LOAD},         {35, 1, LOAD}, /* lwz lwzu lbz lbzu */
    {36, 4, STORE},        {37, 4, STORE},
    {38, 1, STORE},        {39, 1, STORE}, /* stw stwu stb stbu */
    {40, 2, LOAD},         {41, 2, LOAD},
    {42, 2, LOAD},         {43, 2, LOAD},  /* lhz lhzu lha lhau */
    {44, 2, STORE},        {45, 2, STORE}, /* sth sthu */
    {48, 4, LOAD | SIMD},  {49, 4, LOAD | SIMD},
    {50, 8, LOAD | SIMD},  {51, 8, LOAD | SIMD}, /* lfs lfsu lfd lfdu */
    {52, 4, STORE | SIMD}, {53, 4, STORE | SIMD},
    {54, 8, STORE | SIMD}, {55, 8, STORE | SIMD}, /* stfs stfsu stfd stfdu */
    {56, 16, LOAD},                               /* lq */
};

/* ---- with a displacement, by opcode and its last two bits ---- */

enum { BY_TWO = 2 };
#define TWO(opcode, last) ((opcode) << BY_TWO | (last))

static const memory_row shared[] = {
    {TWO(57, 0), 16, LOAD | SIMD},  {TWO(57, 2), 8, LOAD | SIMD},
    {TWO(57, 3), 4, LOAD | SIMD}, /* lfdp lxsd lxssp */
    {TWO(58, 0), 8, LOAD},          {TWO(58, 1), 8, LOAD},
    {TWO(58, 2), 4, LOAD}, /* ld ldu lwa */
    {TWO(61, 0), 16, STORE | SIMD}, {TWO(61, 2), 8, STORE | SIMD},
    {TWO(61, 3), 4, STORE | SIMD}, /* stfdp stxsd stxssp */
    {TWO(62, 0), 8, STORE},         {TWO(62, 1), 8, STORE},
    {TWO(62, 2), 16, STORE}, /* std stdu stq */
};

static const memory_row load_vector = {0, 16, LOAD | SIMD}, store_vector = {0, 16, STORE | SIMD};
static const memory_row load_pair = {0, 32, LOAD | SIMD}, store_pair = {0, 32, STORE | SIMD};

/* ---- indexed: opcode 31, by its extended opcode ---- */

static const memory_row indexed[] = {
    {23, 4, LOAD},
    {55, 4, LOAD},
    {87, 1, LOAD},
    {119, 1, LOAD}, /* lwzx lwzux lbzx lbzux */
    {279, 2, LOAD},
    {311, 2, LOAD},
    {343, 2, LOAD},
    {375, 2, LOAD}, /* lhzx lhzux lhax lhaux */
    {341, 4, LOAD},
    {373, 4, LOAD},
    {21, 8, LOAD},
    {53, 8, LOAD}, /* lwax lwaux ldx ldux */
    {790, 2, LOAD},
    {534, 4, LOAD},
    {532, 8, LOAD}, /* lhbrx lwbrx ldbrx */
    {151, 4, STORE},
    {183, 4, STORE},
    {215, 1, STORE},
    {247, 1, STORE}, /* stwx stwux stbx stbux */
    {407, 2, STORE},
    {439, 2, STORE},
    {149, 8, STORE},
    {181, 8, STORE}, /* sthx sthux stdx stdux */
    {918, 2, STORE},
    {662, 4, STORE},
    {660, 8, STORE}, /* sthbrx stwbrx stdbrx */
    {52, 1, LOAD},
    {116, 2, LOAD},
    {20, 4, LOAD},
    {84, 8, LOAD}, /* lbarx lharx lwarx ldarx */
    {276, 16, LOAD},
    {694, 1, STORE},
    {726, 2, STORE},
    {150, 4, STORE}, /* lqarx stbcx. sthcx. stwcx. */
    {214, 8, STORE},
    {182, 16, STORE},                /* stdcx. stqcx. */
    {582, 4, LOAD | STORE | ATOMIC}, /* lwat */
    {614, 8, LOAD | STORE | ATOMIC}, /* ldat */
    {710, 4, LOAD | STORE | ATOMIC}, /* stwat */
    {742, 8, LOAD | STORE | ATOMIC}, /* stdat */
    {535, 4, LOAD | SIMD},
    {567, 4, LOAD | SIMD},
    {599, 8, LOAD | SIMD}, /* lfsx lfsux lfdx */
    {631, 8, LOAD | SIMD},
    {855, 4, LOAD | SIMD},
    {887, 4, LOAD | SIMD}, /* lfdux lfiwax lfiwzx */
    {791, 16, LOAD | SIMD},
    {663, 4, STORE | SIMD},
    {695, 4, STORE | SIMD}, /* lfdpx stfsx stfsux */
    {727, 8, STORE | SIMD},
    {759, 8, STORE | SIMD},
    {983, 4, STORE | SIMD},  /* stfdx stfdux stfiwx */
    {919, 16, STORE | SIMD}, /* stfdpx */
    {7, 1, LOAD | SIMD},
    {39, 2, LOAD | SIMD},
    {71, 4, LOAD | SIMD}, /* lvebx lvehx lvewx */
    {103, 16, LOAD | SIMD},
    {359, 16, LOAD | SIMD},
    {135, 1, STORE | SIMD}, /* lvx lvxl stvebx */
    {167, 2, STORE | SIMD},
    {199, 4, STORE | SIMD},
    {231, 16, STORE | SIMD}, /* stvehx stvewx stvx */
    {487, 16, STORE | SIMD}, /* stvxl */
    {333, 32, LOAD | SIMD},
    {461, 32, STORE | SIMD}, /* lxvpx stxvpx */
    {6, 0, SIMD},
    {38, 0, SIMD}, /* lvsl lvsr */
};

/* The same for VSX: the last bit is the register's. */
static const memory_row indexed_vsx[] = {
    {588, 8, LOAD},   {524, 4, LOAD},    {76, 4, LOAD},    {12, 4, LOAD},   /* lxsdx lxsspx lxsiwax lxsiwzx */
    {844, 16, LOAD},  {780, 16, LOAD},   {332, 8, LOAD},   {364, 4, LOAD},  /* lxvd2x lxvw4x lxvdsx lxvwsx */
    {812, 16, LOAD},  {876, 16, LOAD},   {268, 16, LOAD},  {300, 16, LOAD}, /* lxvh8x lxvb16x lxvx */
    {269, 16, LOAD},  {301, 16, LOAD},   {781, 1, LOAD},   {813, 2, LOAD},  /* lxvl lxvll lxsibzx lxsihzx */
    {13, 1, LOAD},    {45, 2, LOAD},     {77, 4, LOAD},    {109, 8, LOAD},  /* lxvrbx lxvrhx lxvrwx lxvrdx */
    {716, 8, STORE},  {652, 4, STORE},   {140, 4, STORE},                   /* stxsdx stxsspx stxsiwx */
    {972, 16, STORE}, {908, 16, STORE},  {940, 16, STORE},                  /* stxvd2x stxvw4x stxvh8x */
    {396, 16, STORE}, {1004, 16, STORE},                                    /* stxvx stxvb16x */
    {397, 16, STORE}, {429, 16, STORE},  {909, 1, STORE},  {941, 2, STORE}, /* stxvl stxvll stxsibx stxsihx */
    {141, 1, STORE},  {173, 2, STORE},   {205, 4, STORE},  {237, 8, STORE}, /* stxvrbx stxvrhx stxvrwx stxvrdx */
    {51, 0, 0},       {179, 0, 0},       {115, 0, 0},      {211, 0, 0},     /* mfvsrd mtvsrd mfvsrwz mtvsrwa */
    {243, 0, 0},      {307, 0, 0},       {403, 0, 0},      {435, 0, 0},     /* mtvsrwz mfvsrld mtvsrws mtvsrdd */
    {177, 0, 0},                                                            /* xxmfacc xxmtacc xxsetaccz */
};

/* lmw and stmw: all registers from the first one on. */
static void decode_several(uint32_t word, cm_decoded *decoded)
{
    uint16_t bytes = (uint16_t)((32 - cm_code_bits(word, 25, 21)) * 4);
    if (cm_ppc_opcode(word) == 46)
        cm_decoded_load(decoded, bytes);
    else
        cm_decoded_store(decoded, bytes);
}

/* lswi and stswi: 0 bytes mean 32. */
static void string_of(uint32_t word, bool load, cm_decoded *decoded)
{
    uint16_t bytes = (uint16_t)cm_code_bits(word, 15, 11);
    if (load)
        cm_decoded_load(decoded, bytes != 0 ? bytes : 32);
    else
        cm_decoded_store(decoded, bytes != 0 ? bytes : 32);
}

/* Accesses at the sum of two registers. */
static void by_index(uint32_t word, cm_decoded *decoded)
{
    unsigned extended = cm_code_bits(word, 10, 1);
    if (extended == 597 || extended == 725)
        string_of(word, extended == 597, decoded);
    take_memory_code(indexed, CM_PPC_COUNT(indexed), extended, decoded);
    for (size_t i = 0; i < CM_PPC_COUNT(indexed_vsx); i++)
        if (indexed_vsx[i].code == extended) {
            take_memory_row(&indexed_vsx[i], decoded);
            cm_decoded_add(decoded, CM_FACT_SIMD_INSTRUCTIONS);
        }
}

void cm_ppc_decode_memory(uint32_t word, cm_decoded *decoded)
{
    unsigned opcode = cm_ppc_opcode(word), last = word & 3;
    switch (opcode) {
    case 6: take_memory_row((word & 15) != 0 ? &store_pair : &load_pair, decoded); break; /* lxvp stxvp */
    case 31: by_index(word, decoded); break;
    case 46:
    case 47: decode_several(word, decoded); break;
    case 61:
        if (last == 1)
            take_memory_row((word & 4) != 0 ? &store_vector : &load_vector, decoded); /* lxv stxv */
        /* fallthrough */
    case 57:
    case 58:
    case 62: take_memory_code(shared, CM_PPC_COUNT(shared), TWO(opcode, last), decoded); break;
    default: take_memory_code(displaced, CM_PPC_COUNT(displaced), opcode, decoded); break;
    }
}

/* ---- prefixed ---- */

static const memory_row prefixed[] = {
    {41, 4, LOAD},          {42, 8, LOAD | SIMD},   {43, 4, LOAD | SIMD}, /* plwa plxsd plxssp */
    {46, 8, STORE | SIMD},  {47, 4, STORE | SIMD},  {50, 16, LOAD | SIMD},
    {51, 16, LOAD | SIMD}, /* pstxsd pstxssp plxv */
    {54, 16, STORE | SIMD}, {55, 16, STORE | SIMD}, {56, 16, LOAD},
    {57, 8, LOAD}, /* pstxv plq pld */
    {58, 32, LOAD | SIMD},  {60, 16, STORE},        {61, 8, STORE},
    {62, 32, STORE | SIMD}, /* plxvp pstq pstd pstxvp */
};

void cm_ppc_decode_prefixed_memory(uint32_t suffix, bool mls, cm_decoded *decoded)
{
    if (mls)
        take_memory_code(displaced, CM_PPC_COUNT(displaced), cm_ppc_opcode(suffix), decoded);
    else
        take_memory_code(prefixed, CM_PPC_COUNT(prefixed), cm_ppc_opcode(suffix), decoded);
}
