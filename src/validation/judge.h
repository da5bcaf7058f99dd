/* Parts of a judgement on programs. */
#ifndef CM_VALIDATION_JUDGE_H
#define CM_VALIDATION_JUDGE_H

#include <catmint/validation.h>

/* The value of a meaning, an expression over facts, on a run of each program: values +- ranges, infinite if unknown.
 * CM_BAD_INPUT if it is no such expression; "" has no known value anywhere. */
cm_status cm_validation_means(const char *meaning, const cm_program_table *table, double *values, double *ranges,
                              cm_error *error);

/* The index of an event in the table; its event_count if it was not counted. */
size_t cm_program_table_find(const cm_program_table *table, const char *event);

/* The deviation of the claim on each program, relative and beyond the meaning's range; NaN if the program decides
 * nothing: the meaning is next to 0, or its range is as large as itself. Errors as of cm_validation_judge. */
cm_status cm_validation_deviations(const cm_validated_claim *claim, const cm_program_table *table, double *deviations,
                                   cm_error *error);

#endif
