/* Pieces of code for chains of code. In each, `iterations` (x0) counts down. The exit has the address of the next run's
 * first piece in x2, and writes it to cm_kernel_data (x1) as an offset from the buffer (x3). A piece jumps over its
 * exit:
 *
 *     subs x0, x0, #1; b.eq 1f; fillers; b next; 1: adrp x2, next; add x2, x2, :lo12:next; exit
 *
 * If `next` is too far for that jump, as it may be at the end of a round, br x2 jumps, and there are two fillers fewer.
 *
 * Fillers write x5 alone, or are branches like the first, so that no branch is a piece. There are no straight pieces:
 * they would have more instructions than those of x86-64, and rows of their own. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cat-kernels/registry.h"

enum { REACH = 1 << 27, LINE = 64, BRANCHES = 3, FEW = 6, FEW_FAR = 4, WORD = 4, PAGE_SHIFT = 12 };

static const uint32_t subs = 0xF1000400, b_eq = 0x54000000, add_filler = 0x910004A5, b = 0x14000000, adrp = 0x90000002,
                      add_low = 0x91000042, br = 0xD61F0040;

/* sub x2, x2, x3; str x2, [x1]; ret */
static const uint32_t leaves[] = {0xCB030042, 0xF9000022, 0xD65F03C0};

static void append_word(unsigned char **at, uint32_t word)
{
    memcpy(*at, &word, sizeof word);
    *at += sizeof word;
}

static void put_times(unsigned char **at, size_t times, uint32_t word)
{
    for (size_t i = 0; i < times; i++)
        append_word(at, word);
}

static void put_leave(unsigned char *at)
{
    memcpy(at, leaves, sizeof leaves);
}

/* Writes the address into x2, by its page and its offset in the page. */
static void put_address(unsigned char **at, const unsigned char *address)
{
    uint64_t pages = ((uintptr_t)address >> PAGE_SHIFT) - ((uintptr_t)*at >> PAGE_SHIFT);
    append_word(at, adrp | (uint32_t)(pages & 3) << 29 | (uint32_t)(pages >> 2 & 0x7FFFF) << 5);
    append_word(at, add_low | (uint32_t)((uintptr_t)address & ((1u << PAGE_SHIFT) - 1)) << 10);
}

/* Writes one piece with its exit. */
static void write_piece(unsigned char *at, const cm_code_ways *ways, unsigned kind)
{
    enum { JUMP = 1, FAR_JUMP = 3 };
    bool is_long = (kind & CM_CHAIN_LONG) != 0;
    bool far = ways->next - at >= REACH - LINE || at - ways->next >= REACH - LINE;
    size_t branches = is_long ? BRANCHES : 1, jump = far ? FAR_JUMP : JUMP;
    size_t fillers = !is_long ? 0 : far ? FEW_FAR : FEW;
    append_word(&at, subs);
    for (size_t i = 0; i < branches; i++) /* over the branches behind it, the fillers and the jump */
        append_word(&at, b_eq | (uint32_t)(branches - i + fillers + jump) << 5);
    put_times(&at, fillers, add_filler);
    if (far) {
        put_address(&at, ways->next);
        append_word(&at, br);
    } else {
        append_word(&at, b | ((uint32_t)((ways->next - at) / WORD) & 0x3FFFFFF));
    }
    put_address(&at, ways->next);
    put_leave(at);
}

static const cm_code_writer writer = {write_piece, put_leave, sizeof leaves, REACH - LINE};
const cm_code_writer *const cm_kernel_code_writer = &writer;
