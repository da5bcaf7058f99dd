/* A disassembler's text of a kernel: its instructions, and its loop. */
#ifndef CM_VERIFY_LISTING_H
#define CM_VERIFY_LISTING_H

#include <stdbool.h>
#include <stddef.h>

#include <catmint/error.h>

/* Pointers into the text. */
typedef struct cm_listed {
    unsigned long address;
    bool predicated;
    const char *name, *operands; /* "FADD.FTZ R5, R5, R0 ;" */
} cm_listed;

typedef struct cm_listing {
    size_t count;
    cm_listed *instructions;
    size_t loops;      /* backward branches; a branch to itself, which waits for ever, does not count */
    size_t first, end; /* of the last loop: its first instruction, and the one after its branch */
    size_t calls;
    size_t ways_past; /* branches and exits that skip the loop */
} cm_listing;

/* Reads the output of nvdisasm or of cuobjdump -sass. Free with cm_listing_clear, also after a failure. */
cm_status cm_listing_read(const char *text, cm_listing *listing, cm_error *error);
void cm_listing_clear(cm_listing *listing);

/* Whether the instruction is of that kind: "FADD" matches FADD, FADD.FTZ and FADD32I, but not FADD2. */
bool cm_listed_is(const cm_listed *instruction, const char *kind);

#endif
