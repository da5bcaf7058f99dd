/* What a judgement on programs is made of. */
#ifndef CM_VALIDATION_JUDGE_H
#define CM_VALIDATION_JUDGE_H

#include <catmint/validation.h>

/* What a meaning, an expression over facts, is on a run of each program: values +- ranges, which are infinite where
 * nobody knows. CM_BAD_INPUT where it is no such expression; one of "" is known nowhere. */
cm_status cm_validation_means(const char *meaning, const cm_program_table *table, double *values, double *ranges,
                              cm_error *error);

/* The index of an event in the table; its event_count where it was not counted. */
size_t cm_program_table_find(const cm_program_table *table, const char *event);

/* How far the claim is off on each program, relative and beyond the meaning's range; NaN where a program says nothing:
 * the meaning is next to 0, or may be anything as large as itself. Errors as of cm_validation_judge. */
cm_status cm_validation_deviations(const cm_validated_claim *claim, const cm_program_table *table, double *deviations,
                                   cm_error *error);

#endif
