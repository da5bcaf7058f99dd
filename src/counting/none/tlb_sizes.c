/* No sizes of TLBs, for processors that do not report them. */
#include "counting/counting.h"

void cm_tlb_sizes_read(cm_tlb_sizes *sizes)
{
    *sizes = (cm_tlb_sizes){0};
}
