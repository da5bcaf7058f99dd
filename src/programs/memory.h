/* The memory shared by all programs of a set, and the memory of their code. */
#ifndef CM_PROGRAMS_MEMORY_H
#define CM_PROGRAMS_MEMORY_H

#include "programs/emit.h"

/* Small pages straight from the system, with no other data beside them. Zero-initialised: empty. */
typedef struct cm_program_pages {
    unsigned char *start;
    size_t size;
} cm_program_pages;

/* Maps zeros. CM_NO_MEMORY. */
cm_status cm_program_pages_map(size_t size, cm_program_pages *pages, cm_error *error);
void cm_program_pages_unmap(cm_program_pages *pages);
/* Makes the pages executable, and no longer writable. CM_UNSUPPORTED if the system forbids it. */
cm_status cm_program_pages_execute(const cm_program_pages *pages, cm_error *error);

/* Creates buffers and constants; `bits` and `functions` stay NULL. */
cm_status cm_program_memory_create(cm_program_pages *pages, cm_program_memory *memory, cm_error *error);

#endif
