/* The functions of a processor that test_count.c counts, and what is known of them: some of their facts. */
#ifndef CATMINT_TESTS_FOREIGN_COUNT_H
#define CATMINT_TESTS_FOREIGN_COUNT_H

#include <stddef.h>
#include <stdint.h>

enum { COUNT_FACTS = 8 };

typedef struct count_row {
    const char *name;
    void (*function)(void *memory); /* aligned to 64 */
    struct {
        const char *fact;
        uint64_t count;
    } facts[COUNT_FACTS];
} count_row;

extern const count_row count_rows[];
extern const size_t count_row_count;

/* In every processor's count_functions.S: five instructions, none of which is a branch but the last, a fence, a nop. */
void count_nothing(void *memory);

#endif
