/* Small programs in the spirit of those that papers project: a stencil, a sparse conjugate gradient, a push of
 * particles, hydrodynamics and the transport of neutrons.
 *
 * usage: mini PROGRAM SIZE STEPS
 *
 * With OF_KERNELS they are algorithms of the program in kernels.c, by the names mini_PROGRAM: SIZE and STEPS are its
 * SIZE and STEP. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOMS = 16 };

static void *rooms[ROOMS];
static size_t taken;

static void *room(size_t count, size_t size)
{
    void *memory = taken < ROOMS ? calloc(count, size) : NULL;
    if (memory == NULL) {
        fputs("mini: out of memory\n", stderr);
        exit(1);
    }
    rooms[taken++] = memory;
    return memory;
}

/* The same numbers everywhere: a linear congruential generator, 0 to 1. */
static double draw(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / (double)(UINT64_C(1) << 53);
}

/* ---- a Jacobi sweep of seven points on a cube ---- */

static void smooth(double *restrict out, const double *restrict in, size_t n)
{
    for (size_t z = 1; z + 1 < n; z++)
        for (size_t y = 1; y + 1 < n; y++) {
            const size_t row = (z * n + y) * n;
            for (size_t x = 1; x + 1 < n; x++)
                out[row + x] = (1.0 / 6.0) * (in[row + x - 1] + in[row + x + 1] + in[row + x - n] + in[row + x + n] +
                                              in[row + x - n * n] + in[row + x + n * n]);
        }
}

static double stencil(size_t n, size_t steps)
{
    double *from = room(n * n * n, sizeof *from), *to = room(n * n * n, sizeof *to);
    for (size_t i = 0; i < n * n; i++)
        from[i] = to[i] = 1.0;
    for (size_t step = 0; step < steps; step++) {
        smooth(to, from, n);
        double *swapped = from;
        from = to;
        to = swapped;
    }
    return from[(n + 1) * n + n / 2];
}

/* ---- conjugate gradients on a sparse matrix: a cube whose points see their 26 neighbours ---- */

typedef struct matrix {
    size_t rows;
    int *begins, *columns;
    double *values;
} matrix;

static matrix build(size_t n)
{
    matrix made = {n * n * n, room(n * n * n + 1, sizeof(int)), room(27 * n * n * n, sizeof(int)),
                   room(27 * n * n * n, sizeof(double))};
    int filled = 0;
    for (size_t row = 0; row < made.rows; row++) {
        const long x = (long)(row % n), y = (long)(row / n % n), z = (long)(row / n / n), last = (long)n - 1;
        for (long k = z > 0 ? z - 1 : 0; k <= (z < last ? z + 1 : last); k++)
            for (long j = y > 0 ? y - 1 : 0; j <= (y < last ? y + 1 : last); j++)
                for (long i = x > 0 ? x - 1 : 0; i <= (x < last ? x + 1 : last); i++) {
                    made.columns[filled] = (int)((k * (long)n + j) * (long)n + i);
                    made.values[filled] = made.columns[filled] == (int)row ? 27.0 : -1.0;
                    filled++;
                }
        made.begins[row + 1] = filled;
    }
    return made;
}

static void multiply(double *restrict out, const matrix *by, const double *restrict in)
{
    for (size_t row = 0; row < by->rows; row++) {
        double sum = 0.0;
        for (int i = by->begins[row]; i < by->begins[row + 1]; i++)
            sum += by->values[i] * in[by->columns[i]];
        out[row] = sum;
    }
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* a becomes a + factor b. */
static void add(double *restrict a, double factor, const double *restrict b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] += factor * b[i];
}

static double gradient(size_t n, size_t steps)
{
    const matrix system = build(n);
    double *solution = room(system.rows, sizeof(double)), *rest = room(system.rows, sizeof(double));
    double *direction = room(system.rows, sizeof(double)), *image = room(system.rows, sizeof(double));
    for (size_t i = 0; i < system.rows; i++)
        rest[i] = direction[i] = 1.0;
    double length = dot(rest, rest, system.rows);
    for (size_t step = 0; step < steps; step++) {
        multiply(image, &system, direction);
        const double alpha = length / dot(direction, image, system.rows);
        add(solution, alpha, direction, system.rows);
        add(rest, -alpha, image, system.rows);
        const double shorter = dot(rest, rest, system.rows), beta = shorter / length;
        for (size_t i = 0; i < system.rows; i++)
            direction[i] = rest[i] + beta * direction[i];
        length = shorter;
    }
    return solution[system.rows / 2];
}

/* ---- charged particles in a magnetic field of one direction, and an electric field on a grid (Boris) ---- */

enum { CELLS = 4096 };

static void push(double *restrict x, double *restrict v, double *restrict w, const double *restrict field, size_t n)
{
    const double turn = 0.05, scale = 2.0 / (1.0 + turn * turn);
    for (size_t i = 0; i < n; i++) {
        const int cell = (int)x[i];
        const double inside = x[i] - cell, kick = field[cell] + inside * (field[cell + 1] - field[cell]);
        const double v1 = v[i] + kick, w1 = w[i];
        const double v2 = v1 + turn * w1, w2 = w1 - turn * v1;
        const double v3 = v1 + scale * turn * w2, w3 = w1 - scale * turn * v2;
        double at = x[i] + 0.1 * v3;
        at = at < 0.0 ? at + CELLS : at;
        at = at >= CELLS ? at - CELLS : at;
        v[i] = v3 + kick;
        w[i] = w3;
        x[i] = at;
    }
}

static double particles(size_t n, size_t steps)
{
    uint64_t seed = 1;
    double *x = room(n, sizeof *x), *v = room(n, sizeof *v), *w = room(n, sizeof *w);
    double *field = room(CELLS + 1, sizeof *field);
    for (size_t i = 0; i < n; i++) {
        x[i] = draw(&seed) * (CELLS - 1);
        v[i] = draw(&seed) - 0.5;
    }
    for (size_t i = 0; i <= CELLS; i++)
        field[i] = 0.01 * (double)(i % 64) - 0.3;
    for (size_t step = 0; step < steps; step++)
        push(x, v, w, field, n);
    return x[n / 2];
}

/* ---- the equations of Euler on a square, with Rusanov's fluxes, in one direction and then in the other ---- */

enum { FIELDS = 4 }; /* density, momenta, energy */

/* Advances a row of points whose neighbours are `next` away; `along` and `across` are the momenta's fields. */
static void advance(double *const fields[FIELDS], double *const fresh[FIELDS], size_t first, size_t n, size_t next,
                    int along, int across)
{
    const double gamma = 1.4, step = 0.1;
    const double *restrict r = fields[0] + first, *restrict m = fields[along] + first;
    const double *restrict t = fields[across] + first, *restrict e = fields[3] + first;
    double *restrict r1 = fresh[0] + first, *restrict m1 = fresh[along] + first;
    double *restrict t1 = fresh[across] + first, *restrict e1 = fresh[3] + first;
    for (size_t i = 1; i + 1 < n; i++) {
        double change[FIELDS] = {0};
        for (int side = 0; side < 2; side++) {
            const size_t a = side == 0 ? i - next : i, b = a + next;
            const double ua = m[a] / r[a], ub = m[b] / r[b];
            const double pa = (gamma - 1.0) * (e[a] - 0.5 * (m[a] * m[a] + t[a] * t[a]) / r[a]);
            const double pb = (gamma - 1.0) * (e[b] - 0.5 * (m[b] * m[b] + t[b] * t[b]) / r[b]);
            const double sa = fabs(ua) + sqrt(gamma * pa / r[a]), sb = fabs(ub) + sqrt(gamma * pb / r[b]);
            const double speed = 0.5 * (sa > sb ? sa : sb), sign = side == 0 ? step : -step;
            change[0] += sign * (0.5 * (m[a] + m[b]) - speed * (r[b] - r[a]));
            change[1] += sign * (0.5 * (m[a] * ua + pa + m[b] * ub + pb) - speed * (m[b] - m[a]));
            change[2] += sign * (0.5 * (t[a] * ua + t[b] * ub) - speed * (t[b] - t[a]));
            change[3] += sign * (0.5 * ((e[a] + pa) * ua + (e[b] + pb) * ub) - speed * (e[b] - e[a]));
        }
        r1[i] = r[i] + change[0];
        m1[i] = m[i] + change[1];
        t1[i] = t[i] + change[2];
        e1[i] = e[i] + change[3];
    }
}

static double hydrodynamics(size_t n, size_t steps)
{
    double *fields[FIELDS], *fresh[FIELDS];
    for (int i = 0; i < FIELDS; i++) {
        fields[i] = room(n * n, sizeof(double));
        fresh[i] = room(n * n, sizeof(double));
    }
    for (size_t i = 0; i < n * n; i++) {
        fields[0][i] = 1.0;
        fields[3][i] = i % n < n / 2 ? 2.5 : 2.0;
    }
    for (int i = 0; i < FIELDS; i++)
        memcpy(fresh[i], fields[i], n * n * sizeof(double));
    for (size_t step = 0; step < steps; step++) {
        for (size_t row = 1; row + 1 < n; row++)
            advance(fields, fresh, row * n, n, 1, 1, 2);
        for (size_t row = 1; row + 1 < n; row++)
            advance(fresh, fields, row * n, n, n, 2, 1);
    }
    return fields[0][(n / 2) * n + n / 2];
}

/* ---- neutrons that fly, scatter and are absorbed in a slab of two materials, one after the other ---- */

static double transport(size_t n, size_t steps)
{
    static const double total[] = {1.0, 2.5}, absorbed[] = {0.3, 0.6};
    uint64_t seed = 1;
    double *tally = room(256, sizeof *tally), sum = 0.0;
    for (size_t i = 0; i < n * steps; i++) {
        double x = 0.0, direction = 1.0, weight = 1.0;
        while (x >= 0.0 && x < 8.0 && weight > 0.05) {
            const int material = (int)x & 1;
            x -= direction * log(1.0 - draw(&seed)) / total[material];
            if (x < 0.0 || x >= 8.0)
                break;
            const double lost = weight * absorbed[(int)x & 1];
            tally[(int)(x * 32.0)] += lost;
            weight -= lost;
            direction = 2.0 * draw(&seed) - 1.0;
        }
    }
    for (int i = 0; i < 256; i++)
        sum += tally[i];
    return sum;
}

#ifdef OF_KERNELS
#include "algorithms.h"

static volatile double kept;

#define ONCE(name)                                                                                                     \
    static void name##_once(const work *on)                                                                            \
    {                                                                                                                  \
        kept = name(on->size, on->step);                                                                               \
        while (taken > 0)                                                                                              \
            free(rooms[--taken]);                                                                                      \
    }

ONCE(stencil)
ONCE(gradient)
ONCE(particles)
ONCE(hydrodynamics)
ONCE(transport)

const algorithm minis[] = {
    {"mini_stencil", stencil_once, 0, 0},     {"mini_gradient", gradient_once, 0, 0},
    {"mini_particles", particles_once, 0, 0}, {"mini_hydrodynamics", hydrodynamics_once, 0, 0},
    {"mini_transport", transport_once, 0, 0}, {NULL, NULL, 0, 0},
};
#else
static const struct {
    const char *name;
    double (*run)(size_t size, size_t steps);
} programs[] = {{"stencil", stencil},
                {"gradient", gradient},
                {"particles", particles},
                {"hydrodynamics", hydrodynamics},
                {"transport", transport}};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 4 && i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(argv[1], programs[i].name) == 0) {
            printf("%.12g\n", programs[i].run(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10)));
            return 0;
        }
    fputs("usage: mini PROGRAM SIZE STEPS\n", stderr);
    return 2;
}
#endif
