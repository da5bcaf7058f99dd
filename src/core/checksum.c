#include "core/files.h"

uint64_t cm_checksum(uint64_t sum, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    for (size_t i = 0; i < length; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}
