/* Programs with the rates of real software (bases/natural-programs.csv): each class has a range for every rate. */
#ifndef CM_PROGRAMS_NATURAL_H
#define CM_PROGRAMS_NATURAL_H

#include <stddef.h>

#include <catmint/error.h>

enum { CM_NATURAL_OF_A_CLASS = 40 };

typedef struct cm_natural {
    size_t class_count;
    char **classes;   /* names */
    size_t count;     /* programs: CM_NATURAL_OF_A_CLASS of each class, one class after the other */
    size_t *class_of; /* one a program */
    double *facts;    /* per instruction; cm_fact_count() a program, derived facts are 0 */
    double *turns;    /* one a program: turns of loops per instruction */
} cm_natural;

/* `path`: NULL for catmint's own. Makes the same programs every time. CM_BAD_INPUT with file and line. */
cm_status cm_natural_load(const char *path, cm_natural **natural, cm_error *error);
void cm_natural_free(cm_natural *natural);

#endif
