/* No programs, for processors that they cannot be written for. */
#include "programs/programs.h"

bool cm_emit_available(const cm_work *work, unsigned isa)
{
    (void)work;
    (void)isa;
    return false;
}

cm_status cm_emit(cm_program_emission *emission, unsigned isa, cm_error *error)
{
    (void)emission;
    (void)isa;
    return CM_FAIL(error, CM_UNSUPPORTED, "programs cannot be written for this processor");
}

void cm_emit_functions(unsigned char *start, size_t size)
{
    (void)start;
    (void)size;
}
