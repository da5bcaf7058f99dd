/* A model's answers to raw codes: codes of its events count as the events, all others as a seed decides.
 *
 * Seed 0: all others count nothing. Else a sequence of splitmix64, begun with `seed * 0x9e3779b97f4a7c15 + code`
 * (modulo 2^64), decides; x1, x2 ... are its numbers. By x1 mod 1000: below 10 the code is refused; below 50 it is
 * another code's duplicate, event x2 mod n of the n events that have codes, in their order; below 65 it counts garbage:
 * 1 + x2 mod 3 events, each by a weight, the event by the next number mod n, the weight by the number after it: 1 + mod
 * 4 if that number's bit 32 is 0, else (2 + mod 19) / 100, but never less than 1 for the first; below 80 it counts
 * noise: event x2 mod n times a factor from 0 to 2 that differs in every run. All others count nothing. */
#ifndef CM_SOFTWARE_PMU_MODEL_CODES_H
#define CM_SOFTWARE_PMU_MODEL_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "software_pmu/model/model.h"

enum { CM_CODE_TERMS = 3 };

/* An answer: a sum of events. */
typedef struct cm_code_answer {
    size_t terms; /* 0: it counts nothing */
    size_t events[CM_CODE_TERMS];
    double weights[CM_CODE_TERMS];
    bool noisy;
    uint64_t noise; /* number from which its noise begins */
    cm_pmu_fault fault;
} cm_code_answer;

/* Zero-initialised: the model does not answer to codes. */
typedef struct cm_model_codes {
    uint64_t seed;
    size_t count;
    struct cm_coded {
        uint64_t code;
        size_t event;
    } * sorted, *listed; /* sorted by code; listed in the events' order */
    const cm_model_events *events;
} cm_model_codes;

/* CM_BAD_INPUT if no event has a code, or two different events have the same. Freed by cm_model_codes_clear. */
cm_status cm_model_codes_make(const cm_model_events *events, uint64_t seed, cm_model_codes *codes, cm_error *error);
void cm_model_codes_clear(cm_model_codes *codes);

/* False if the code is refused. */
bool cm_model_codes_find(const cm_model_codes *codes, uint64_t code, cm_code_answer *answer);
/* The event that has this code; SIZE_MAX: none. */
size_t cm_model_codes_event(const cm_model_codes *codes, uint64_t code);
/* The factor of a noisy code in the run with this number. */
double cm_code_noise(const cm_code_answer *answer, uint64_t run);

/* Gives the model this name, and makes it answer to codes from now on. Errors as for cm_model_codes_make. */
cm_status cm_pmu_model_answer_codes(cm_pmu_model *model, const char *name, uint64_t seed, cm_error *error);
/* NULL if the model does not answer to codes. */
const cm_model_codes *cm_pmu_model_codes(const cm_pmu_model *model);
/* The code's count for these facts, in the run with this number. */
int64_t cm_pmu_model_answer(const cm_pmu_model *model, const cm_code_answer *answer, const uint64_t *facts,
                            uint64_t run);

#endif
