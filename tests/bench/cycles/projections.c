/* Programs that tests/bench/portable/projections.py projects, in cycles of a run by the clock. usage: projections NAME
 * RUNS REPETITIONS; without arguments it lists them. tests/bench/cycles.py compiles it, with others.c and mini.c. */
#define main main_of_kernels
#define now now_of_kernels
#include "../portable/kernels.c"
#undef main
#undef now

#include "clock.h"

/* The first size that projections.py has of each, of those in caches in L1. */
static const struct {
    const char *name;
    size_t size, step;
} cases[] = {{"stream", 1024, 1},        {"dot", 1024, 1},
             {"axpy", 1024, 1},          {"horner", 1024, 1},
             {"stencil", 1024, 1},       {"crunch", 1024, 1},
             {"bodies", 512, 1},         {"transposed", 64, 1},
             {"residual", 640, 1},       {"complex", 640, 1},
             {"jacobi", 640, 1},         {"interpolate", 640, 1},
             {"norm", 2048, 1},          {"logistic", 1024, 1},
             {"running", 768, 1},        {"filter", 768, 1},
             {"wave", 768, 1},           {"blend", 768, 1},
             {"quotient", 768, 1},       {"variance", 1152, 1},
             {"hypotenuse", 1152, 1},    {"pairs", 1152, 1},
             {"times_vector", 56, 1},    {"mini_stencil", 20, 4},
             {"mini_gradient", 8, 6},    {"mini_particles", 4096, 4},
             {"mini_transport", 200, 4}, {"mini_hydrodynamics", 48, 4}};

typedef struct item {
    const algorithm *which;
    work on;
} item;

static void run_turns(const void *what, long turns)
{
    const item *one = what;
    run(&one->on, one->which, (unsigned long)turns);
}

int main(int count, char **words)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (count != 4)
            puts(cases[i].name);
        if (count != 4 || strcmp(cases[i].name, words[1]) != 0)
            continue;
        item one = {find(cases[i].name), {cases[i].size, cases[i].step, {NULL}}};
        const size_t elements = one.on.size * (one.which->square ? one.on.size : 1);
        if (!fill(&one.on, one.which->arrays, elements, 0))
            return 2;
        print_cycles(run_turns, &one, atol(words[2]), atol(words[3]));
    }
    return 0;
}
