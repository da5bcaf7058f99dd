/* The addresses that loads and stores of wrong paths are taken to have. What an instruction reads there depends on
 * values that nothing computes; but most addresses go on as they went. So each instruction's last address, and the
 * step to it from the one before, are kept, and on a wrong path it is expected one step further, and a step further
 * each time that the same path comes to it again. */
#ifndef CM_SOFTWARE_PMU_MACHINE_EXPECTED_H
#define CM_SOFTWARE_PMU_MACHINE_EXPECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Accesses that are kept; one more may take the place of another. */
enum { CM_EXPECTED_PLACES = 1 << 14 };

typedef struct cm_expected_access {
    uint64_t instruction; /* times two, plus one for stores; 0: the place is free */
    uint64_t address;
    int64_t step;
    uint32_t bytes;
    uint32_t path, ahead; /* steps taken on that path */
} cm_expected_access;

typedef struct cm_expected {
    uint32_t path; /* wrong paths so far */
    cm_expected_access places[CM_EXPECTED_PLACES];
} cm_expected;

/* The program accesses `bytes` from `address` on by the instruction at that address. */
void cm_expected_note(cm_expected *expected, uint64_t instruction, bool store, uint64_t address, size_t bytes);
/* A wrong path comes to the instruction; NULL: it never had such an access. */
const cm_expected_access *cm_expected_next(cm_expected *expected, uint64_t instruction, bool store);

#endif
