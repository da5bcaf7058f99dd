/* Events that are made up, and a metric for which they may be solved. */
#ifndef SOLVING_SCENE_H
#define SOLVING_SCENE_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/solving/problem.h"

/* A kernel each for four symbols, a hundred of each in an iteration; behind them controls. */
enum { SYMBOLS = 4, MOST_EVENTS = 6, CONTROLS = 3, ROWS = SYMBOLS + CONTROLS };

typedef struct scene {
    cm_problem problem;
    cm_target target;
    cm_usable_event events[MOST_EVENTS];
    double x[MOST_EVENTS][SYMBOLS], mean[MOST_EVENTS][ROWS], error[ROWS];
    double payloads[SYMBOLS], iterations[ROWS], low[ROWS], limits[ROWS], symbol_limits[SYMBOLS];
    size_t selected[SYMBOLS];
} scene;

/* The first four events are selected. */
static void lay_out(scene *it, const double x[][SYMBOLS], size_t count, const double *signature)
{
    *it = (scene){.problem = {.symbols = SYMBOLS,
                              .fitted = SYMBOLS,
                              .rows = SYMBOLS,
                              .tolerance = 0.01,
                              .amplification = 10,
                              .event_count = count,
                              .selected_count = SYMBOLS}};
    for (size_t j = 0; j < SYMBOLS; j++) {
        it->payloads[j] = 100;
        it->iterations[j] = 1e5;
        it->low[j] = 100 * signature[j];
        it->selected[j] = j;
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(it->x[i], x[i], sizeof it->x[i]);
        double squares = 0;
        for (size_t j = 0; j < SYMBOLS; j++) {
            it->mean[i][j] = 100 * x[i][j];
            squares += x[i][j] * x[i][j];
        }
        it->events[i] = (cm_usable_event){i, 0, 0, sqrt(squares), it->x[i], it->mean[i], it->error, NULL, NULL};
    }
    it->problem.payloads = it->payloads;
    it->problem.iterations = it->iterations;
    it->problem.events = it->events;
    it->problem.selected = it->selected;
    it->target = (cm_target){.signature = signature,
                             .low = it->low,
                             .high = it->low,
                             .symbol_limits = it->symbol_limits,
                             .limits = it->limits};
    cm_target_limit(&it->problem, &it->target);
}

#endif
