/* Pieces of code for chains of code. In each, `iterations` (rdi) counts down. The exit has the address of the next
 * run's first piece in rax, and writes it to cm_kernel_data (rsi) as an offset: that is `leave`. A piece with a jump
 * jumps over its exit:
 *
 *     dec %rdi; jz 1f; fillers; jmp next; 1: lea next(%rip), %rax; leave
 *
 * Instead of fillers it may load from beside the pieces, or call a routine there: one that returns at once, or the one
 * that all pieces share, which jumps to the address in r11: so that no predictor takes another branch for the random
 * one, and more than fits into a piece is done beside code that misses.
 *
 * A straight piece fills its line, and its exit is elsewhere:
 *
 *     lea next(%rip), %rax; dec %rdi; jz leave; fillers
 *
 * The last piece of a straight chain has a jump instead of fillers. Fillers write r8 alone, or are branches like the
 * first, so that no branch is a piece. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "cat-kernels/registry.h"

enum { JZ_SHORT = 0x74, BRANCHES = 3, FEW = 6, WIDE = 4, NARROW = 2, RET = 0xC3 };

static const unsigned char lea[] = {0x48, 0x8D, 0x05}, dec[] = {0x48, 0xFF, 0xCF}, jz[] = {0x0F, 0x84}, jmp[] = {0xE9},
                           add[] = {0x49, 0x83, 0xC0, 0x01}, mov[10] = {0x49, 0xB8, 0x01}, call[] = {0xE8},
                           load[] = {0x4C, 0x8B, 0x05};

/* sub 8(%rsi), %rax; mov %rax, (%rsi); ret */
static const unsigned char leaves[] = {0x48, 0x2B, 0x46, 0x08, 0x48, 0x89, 0x06, 0xC3};

/* jmp *%r11 */
static const unsigned char shared[] = {0x41, 0xFF, 0xE3};

static void append_bytes(unsigned char **at, const void *bytes, size_t size)
{
    memcpy(*at, bytes, size);
    *at += size;
}

/* Writes an operation and its distance to `to`, from its own end on. */
static void put_relative(unsigned char **at, const void *operation, size_t size, const unsigned char *to)
{
    append_bytes(at, operation, size);
    int32_t distance = (int32_t)(to - (*at + sizeof distance));
    append_bytes(at, &distance, sizeof distance);
}

static void put_times(unsigned char **at, size_t times, const void *bytes, size_t size)
{
    for (size_t i = 0; i < times; i++)
        append_bytes(at, bytes, size);
}

/* A piece without a branch to the next but for the exit; the last one jumps. */
static void write_straight(unsigned char *at, const unsigned char *next, const unsigned char *leave, bool last)
{
    put_relative(&at, lea, sizeof lea, next);
    append_bytes(&at, dec, sizeof dec);
    put_relative(&at, jz, sizeof jz, leave);
    if (last) {
        put_relative(&at, jmp, sizeof jmp, next);
        return;
    }
    put_times(&at, WIDE, mov, sizeof mov);
    put_times(&at, NARROW, add, sizeof add);
}

/* Bytes of the load or call that replaces fillers. */
static size_t size_of_other(unsigned kind)
{
    size_t loads = (kind & CM_CHAIN_LOADING) != 0 ? sizeof load + sizeof(int32_t) : 0;
    return loads + ((kind & (CM_CHAIN_RANDOM | CM_CHAIN_CALLING)) != 0 ? sizeof call + sizeof(int32_t) : 0);
}

/* The load, the call and the random branch of a piece, as its kind demands. */
static void put_other(unsigned char **at, const cm_code_ways *ways, unsigned kind)
{
    if ((kind & CM_CHAIN_LOADING) != 0)
        put_relative(at, load, sizeof load, ways->beside);
    if ((kind & CM_CHAIN_CALLING) != 0) {
        put_relative(at, call, sizeof call, ways->beside);
        *ways->beside = RET;
    }
    if ((kind & CM_CHAIN_RANDOM) == 0)
        return;
    put_relative(at, call, sizeof call, ways->last);
    if (ways->beside == ways->last)
        memcpy(ways->beside, shared, sizeof shared);
}

/* Writes a piece that jumps, with its exit. */
static void write_jump(unsigned char *at, const cm_code_ways *ways, unsigned kind)
{
    bool is_long = (kind & CM_CHAIN_LONG) != 0;
    size_t branches = is_long ? BRANCHES : 1, fillers = is_long ? FEW : 0;
    const unsigned char *leave =
        at + sizeof dec + 2 * branches + fillers * sizeof add + size_of_other(kind) + sizeof jmp + sizeof(int32_t);
    append_bytes(&at, dec, sizeof dec);
    for (size_t i = 0; i < branches; i++)
        append_bytes(&at, (unsigned char[]){JZ_SHORT, (unsigned char)(leave - (at + 2))}, 2);
    put_times(&at, fillers, add, sizeof add);
    put_other(&at, ways, kind);
    put_relative(&at, jmp, sizeof jmp, ways->next);
    put_relative(&at, lea, sizeof lea, ways->next);
    append_bytes(&at, leaves, sizeof leaves);
}

static void write_piece(unsigned char *at, const cm_code_ways *ways, unsigned kind)
{
    if ((kind & CM_CHAIN_STRAIGHT) != 0)
        write_straight(at, ways->next, ways->leave, ways->next < at);
    else
        write_jump(at, ways, kind);
}

static void write_leave(unsigned char *at)
{
    append_bytes(&at, leaves, sizeof leaves);
}

static const cm_code_writer writer = {write_piece, write_leave, sizeof leaves, 0};
const cm_code_writer *const cm_kernel_code_writer = &writer;
