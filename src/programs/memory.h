/* What all programs of a set work on, and the memory that holds their code. */
#ifndef CM_PROGRAMS_MEMORY_H
#define CM_PROGRAMS_MEMORY_H

#include "programs/emit.h"

/* Small pages straight from the system, for no other data lies beside them. Zero-initialised: empty. */
typedef struct cm_program_pages {
    unsigned char *start;
    size_t size;
} cm_program_pages;

/* Zeros. CM_NO_MEMORY. */
cm_status cm_program_pages_map(size_t size, cm_program_pages *pages, cm_error *error);
void cm_program_pages_unmap(cm_program_pages *pages);
/* May be executed from then on, and no longer written. CM_UNSUPPORTED where the system forbids it. */
cm_status cm_program_pages_execute(const cm_program_pages *pages, cm_error *error);

/* Buffers and constants; `bits` and `functions` stay NULL. */
cm_status cm_program_memory_create(cm_program_pages *pages, cm_program_memory *memory, cm_error *error);

#endif
