/* What kernels.c, others.c and mini.c run: each algorithm works on arrays of the program's. */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include <stddef.h>

enum { ARRAYS = 7 };

typedef struct work {
    size_t size, step;
    double *arrays[ARRAYS];
} work;

typedef struct algorithm {
    const char *name;
    void (*run)(const work *on);
    int square;    /* arrays have size * size elements */
    size_t arrays; /* that it works on */
} algorithm;

/* others.c, mini.c; behind the last the name is NULL. */
extern const algorithm others[], minis[];

#endif
