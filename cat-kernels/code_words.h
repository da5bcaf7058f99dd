/* Pieces of code for chains of code, for processors whose instructions have four bytes.
 *
 * A piece counts down, branches to its exit if nothing is left, once or three times, works a little and jumps. The exit
 * stands at the end of the piece's line: it writes the first piece of the next run, as an offset, and returns. If the
 * jump is too far for one instruction, as it may be at the end of a round, several instructions do it, and there are
 * fewer fillers. */
#ifndef CM_KERNELS_CODE_WORDS_H
#define CM_KERNELS_CODE_WORDS_H

#include <stddef.h>
#include <stdint.h>

#include "cat-kernels/registry.h"

enum { CM_CODE_LEAVES = 4, CM_CODE_FAR = 5 /* most words of a far jump */ };

typedef struct cm_code_words {
    uint32_t count_down, filler;
    /* A branch `words` ahead, taken if nothing is left. */
    uint32_t (*branch)(size_t words);
    /* Writes a jump by `distance` bytes, or to an offset of the buffer; returns its words. */
    size_t (*jump)(int64_t distance, uint64_t offset, uint32_t *words);
    void (*leave)(uint64_t offset, uint32_t *words);
} cm_code_words;

void cm_code_words_piece(const cm_code_words *of, unsigned char *at, const cm_code_ways *ways, unsigned kind);

#endif
