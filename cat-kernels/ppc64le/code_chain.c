/* Pieces of code for chains of code (code_words.h). r3 counts down; the exit writes the offset to cm_kernel_data (r4);
 * r5 is the buffer, r6 and r7 are scratch registers. */
#include "cat-kernels/code_words.h"

#include <string.h>

enum { REACH = 1 << 25, WORD = 4 };

static const uint32_t b = 0x48000000, beq = 0x41820000, lis = 0x3CC00000, ori = 0x60C60000, blr = 0x4E800020;
static const uint32_t add_base = 0x7CC62A14, mtctr = 0x7CC903A6, bctr = 0x4E800420, std = 0xF8C40000;

static uint32_t put_branch(size_t words)
{
    return beq | (uint32_t)words * WORD;
}

static void load_offset(uint64_t offset, uint32_t *words)
{
    words[0] = lis | (uint32_t)(offset >> 16 & 0xFFFF);
    words[1] = ori | (uint32_t)(offset & 0xFFFF);
}

/* A jump near or far, in so many words as it returns. */
static size_t write_jump(int64_t distance, uint64_t offset, uint32_t *words)
{
    if (distance >= -REACH && distance < REACH) {
        words[0] = b | ((uint32_t)distance & 0x3FFFFFC);
        return 1;
    }
    load_offset(offset, words);
    words[2] = add_base;
    words[3] = mtctr;
    words[4] = bctr;
    return CM_CODE_FAR;
}

static void write_exit(uint64_t offset, uint32_t *words)
{
    load_offset(offset, words);
    words[2] = std;
    words[3] = blr;
}

/* addic. 3,3,-1; addi 7,7,1 */
static const cm_code_words words_of = {0x3463FFFF, 0x38E70001, put_branch, write_jump, write_exit};

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
