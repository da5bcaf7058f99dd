/* Pieces of code for processors whose instructions are words of four bytes. */
#include "cat-kernels/code_words.h"

#include <stdbool.h>
#include <string.h>

enum { LINE_WORDS = 16, BRANCHES = 3, FILLERS = 6, WORD = 4, FIRST_LEAVE = LINE_WORDS - CM_CODE_LEAVES };

void cm_code_words_piece(const cm_code_words *of, unsigned char *at, const cm_code_ways *ways, unsigned kind)
{
    bool is_long = (kind & CM_CHAIN_LONG) != 0;
    size_t branches = is_long ? BRANCHES : 1, fillers = is_long ? FILLERS : 0, used = 0;
    uint32_t words[LINE_WORDS] = {of->count_down}, jump[CM_CODE_FAR];
    const unsigned char *from = at + (1 + branches + fillers) * WORD;
    size_t length = of->jump(ways->next - from, ways->offset, jump);
    size_t most = FIRST_LEAVE - 1 - branches - length;
    if (fillers > most)
        fillers = most;
    for (used = 1; used <= branches; used++)
        words[used] = of->branch(FIRST_LEAVE - used);
    for (size_t i = 0; i < fillers; i++)
        words[used++] = of->filler;
    memcpy(words + used, jump, length * WORD);
    of->leave(ways->offset, words + FIRST_LEAVE);
    memcpy(at, words, sizeof words);
}
