/* Pieces of code for chains of code, where instructions have four bytes: what the processors' have in common.
 *
 * A piece counts down, branches to what leaves where nothing is left, once or three times, works a little and jumps.
 * What leaves stands at the end of the piece's line: it writes where the next run goes on, as an offset, and returns.
 * Where the jump is too far for one instruction, as it may be at the end of a round, several do it, and there is less
 * to work. */
#ifndef CM_KERNELS_CODE_WORDS_H
#define CM_KERNELS_CODE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "cat-kernels/registry.h"

enum { CM_CODE_LEAVES = 4, CM_CODE_FAR = 5 /* words of a far jump, at most */ };

typedef struct cm_code_words {
    uint32_t count_down, filler;
    /* A branch where nothing is left, so many words on. */
    uint32_t (*branch)(size_t words);
    /* Words of a jump by `distance` bytes, or to an offset of the buffer. */
    size_t (*jump)(int64_t distance, uint64_t offset, uint32_t *words);
    void (*leave)(uint64_t offset, uint32_t *words);
} cm_code_words;

void cm_code_words_piece(const cm_code_words *of, unsigned char *at, const cm_code_ways *ways, unsigned kind);

#endif
