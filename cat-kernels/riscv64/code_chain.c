/* Pieces of code for chains of code (code_words.h). a0 counts down; the exit writes the offset to cm_kernel_data (a1);
 * t1 and t2 are scratch registers. */
#include "cat-kernels/code_words.h"

enum { REACH = 1 << 20, WORD = 4 };

static const uint32_t jal = 0x0000006F, beqz = 0x00050063, auipc = 0x00000317, jr = 0x00030067;
static const uint32_t lui = 0x00000337, xori = 0x00034313, sd = 0x0065B023, ret = 0x00008067;

/* Forwards, by less than 2 KiB. */
static uint32_t put_branch(size_t words)
{
    uint32_t d = (uint32_t)words * WORD;
    return beqz | (d >> 5 & 0x3F) << 25 | (d >> 1 & 0xF) << 8 | (d >> 11 & 1) << 7;
}

/* The upper part of a value that two instructions make; the second adds the lower part with its sign. */
static uint32_t upper(uint64_t value)
{
    return (uint32_t)(value + 0x800) & 0xFFFFF000;
}

/* A jump near or far, in so many words as it returns. */
static size_t write_jump(int64_t distance, uint64_t offset, uint32_t *words)
{
    uint32_t d = (uint32_t)distance;
    (void)offset;
    if (distance >= -REACH && distance < REACH) {
        words[0] = jal | (d >> 20 & 1) << 31 | (d >> 1 & 0x3FF) << 21 | (d >> 11 & 1) << 20 | (d >> 12 & 0xFF) << 12;
        return 1;
    }
    words[0] = auipc | upper(d);
    words[1] = jr | d << 20;
    return 2;
}

static void write_exit(uint64_t offset, uint32_t *words)
{
    uint32_t low = (uint32_t)offset, inverted = (low & 0x800) != 0 ? UINT32_MAX : 0;
    words[0] = lui | ((low ^ inverted) & 0xFFFFF000);
    words[1] = xori | low << 20; /* inverts the upper part if the lower one is negative */
    words[2] = sd;
    words[3] = ret;
}

/* addi a0,a0,-1; addi t2,t2,1 */
static const cm_code_words words_of = {0xFFF50513, 0x00138393, put_branch, write_jump, write_exit};

static void write_piece(unsigned char *at, const cm_code_ways *ways, unsigned kind)
{
    cm_code_words_piece(&words_of, at, ways, kind);
}

/* Does nothing: each piece has its own exit. */
static void write_leave(unsigned char *at)
{
    (void)at;
}

static const cm_code_writer writer = {write_piece, write_leave, 0, REACH};
const cm_code_writer *const cm_kernel_code_writer = &writer;
