/* The algorithms of B. J. Gravelle's dissertation (1 to 8) as a program of its own, for whatever compiler and
 * processor:
 *
 *   kernels NAME SIZE STEP REPETITIONS [BATCHES [START]]
 *
 * With BATCHES it prints the seconds of one repetition, of each batch of them; they begin when the monotonic clock
 * shows START, so that programs on several cores run at the same time. The difference between two numbers of
 * repetitions is what the algorithm alone does. What is summed up is in a variable, so that code loads and stores what
 * the algorithm does, and a fence keeps repetitions apart. */
#include <math.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "algorithms.h"

enum { UNROLLED = 8, TRIALS = 32, PLACE = 72 };

static const double scalar = 1.0000001, soft = 1e-2, dt = 1e-3;

/* Algorithm 1 */
static void stream(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] + scalar * c[i];
}

/* Algorithm 2; the product has the sum in it, or a compiler would multiply once for all trials. */
static void crunch(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++) {
        double sum = a[i];
        for (int k = 0; k < TRIALS; k++)
            sum = sum * c[i] + b[i];
        a[i] = sum;
    }
}

static void crunch_single(const work *on)
{
    float *restrict a = (float *)on->arrays[0];
    const float *restrict b = (const float *)on->arrays[1], *restrict c = (const float *)on->arrays[2];
    for (size_t i = 0; i < on->size; i++) {
        float sum = a[i];
        for (int k = 0; k < TRIALS; k++)
            sum = sum * c[i] + b[i];
        a[i] = sum;
    }
}

/* Algorithm 3: as many operations whatever the step is. */
static void conflict(const work *on)
{
    const size_t size = on->size, step = on->step;
    double *restrict a = on->arrays[0];
    for (size_t again = 0; again < step; again++) {
        atomic_signal_fence(memory_order_seq_cst);
        for (size_t i = 0; i < size; i += step)
            a[i] = scalar * a[i];
    }
}

/* Algorithm 4 */
static void matrix(const work *on)
{
    const double *restrict a = on->arrays[0], *restrict b = on->arrays[1];
    double *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        for (size_t j = 0; j < on->size; j++) {
            double sum = c[i * on->size + j];
            for (size_t k = 0; k < on->size; k++)
                sum += a[i * on->size + k] * b[k * on->size + j];
            c[i * on->size + j] = sum;
        }
}

/* Part of a row times part of a transposed column. */
static inline void multiply(const double *restrict a, const double *restrict b, double *restrict c, size_t count)
{
    double sum = *c;
    for (size_t k = 0; k < count; k++)
        sum += a[k] * b[k];
    *c = sum;
}

/* Algorithm 5 */
static void transposed(const work *on)
{
    const size_t n = on->size;
    const double *restrict a = on->arrays[0], *restrict b = on->arrays[1];
    double *restrict c = on->arrays[2];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            multiply(a + i * n, b + j * n, c + i * n + j, n);
}

/* Algorithm 6, of a size that leaves no rest */
static void unrolled(const work *on)
{
    const size_t n = on->size;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j += UNROLLED) {
            const double *restrict a = on->arrays[0] + i * n, *restrict b = on->arrays[1] + j * n;
            double *restrict c = on->arrays[2] + i * n + j;
            double sums[UNROLLED];
#pragma GCC unroll 8
            for (size_t u = 0; u < UNROLLED; u++)
                sums[u] = c[u];
            for (size_t k = 0; k < n; k++)
#pragma GCC unroll 8
                for (size_t u = 0; u < UNROLLED; u++)
                    sums[u] += a[k] * b[u * n + k];
#pragma GCC unroll 8
            for (size_t u = 0; u < UNROLLED; u++)
                c[u] = sums[u];
        }
}

/* Algorithm 7 */
static void blocked(const work *on)
{
    const size_t n = on->size, step = on->step;
    const double *restrict a = on->arrays[0], *restrict b = on->arrays[1];
    double *restrict c = on->arrays[2];
    for (size_t ii = 0; ii < n; ii += step)
        for (size_t jj = 0; jj < n; jj += step)
            for (size_t kk = 0; kk < n; kk += step)
                for (size_t i = ii; i < ii + step; i++)
                    for (size_t j = jj; j < jj + step; j++)
                        multiply(a + i * n + kk, b + j * n + kk, c + i * n + j, step);
}

/* Algorithm 8: arrays 0 to 2 are positions, 3 to 5 velocities, 6 masses. A body meets itself, too. */
static void bodies(const work *on)
{
    const double *restrict px = on->arrays[0], *restrict py = on->arrays[1], *restrict pz = on->arrays[2];
    const double *restrict mass = on->arrays[6];
    for (size_t j = 0; j < on->size; j++) {
        const double x = px[j], y = py[j], z = pz[j];
        double ax = 0.0, ay = 0.0, az = 0.0;
        for (size_t k = 0; k < on->size; k++) {
            double dx = px[k] - x, dy = py[k] - y, dz = pz[k] - z;
            double distance = sqrt(dx * dx + dy * dy + dz * dz + soft);
            double weight = mass[k] / (distance * distance * distance);
            ax += weight * dx;
            ay += weight * dy;
            az += weight * dz;
        }
        on->arrays[3][j] += ax * dt;
        on->arrays[4][j] += ay * dt;
        on->arrays[5][j] += az * dt;
    }
    for (size_t axis = 0; axis < 3; axis++) {
        double *restrict position = on->arrays[axis];
        const double *restrict velocity = on->arrays[axis + 3];
        for (size_t j = 0; j < on->size; j++)
            position[j] += velocity[j] * dt;
    }
}

static const algorithm own[] = {
    {"stream", stream, 0, 3},     {"crunch", crunch, 0, 3},   {"crunch_single", crunch_single, 0, 3},
    {"conflict", conflict, 0, 1}, {"matrix", matrix, 1, 3},   {"transposed", transposed, 1, 3},
    {"unrolled", unrolled, 1, 3}, {"blocked", blocked, 1, 3}, {"bodies", bodies, 0, 7},
};
enum { OWN = sizeof own / sizeof own[0] };

/* Numbers from 0.5 to 1.5, which floats read alike. Each array begins on a line of its own place in the page: loads
 * would wait for stores to the same one. The program's end frees them. */
static int fill(work *on, size_t arrays, size_t elements, int single)
{
    for (size_t array = 0; array < arrays; array++) {
        on->arrays[array] = aligned_alloc(4096, (elements * sizeof(double) + 3 * 4096 - 1) / 4096 * 4096);
        if (on->arrays[array] == NULL)
            return 0;
        on->arrays[array] += array * PLACE;
        for (size_t i = 0; i < elements; i++)
            if (single)
                ((float *)on->arrays[array])[i] = 0.5F + (float)(i % 17) / 16.0F;
            else
                on->arrays[array][i] = 0.5 + (double)(i % 17) / 16.0;
    }
    return 1;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void run(const work *on, const algorithm *which, unsigned long repetitions)
{
    for (; repetitions > 0; repetitions--) {
        atomic_signal_fence(memory_order_seq_cst);
        which->run(on);
    }
}

static const algorithm *find(const char *name)
{
    for (size_t i = 0; i < OWN; i++)
        if (strcmp(name, own[i].name) == 0)
            return &own[i];
    const algorithm *const tables[] = {others, minis};
    for (size_t i = 0; i < 2; i++)
        for (const algorithm *other = tables[i]; other->name != NULL; other++)
            if (strcmp(name, other->name) == 0)
                return other;
    return NULL;
}

int main(int count, char **words)
{
    const algorithm *which = count < 5 ? NULL : find(words[1]);
    if (which == NULL)
        return 2;
    work on = {strtoul(words[2], NULL, 10), strtoul(words[3], NULL, 10), {NULL}};
    const size_t elements = on.size * (which->square ? on.size : 1);
    const unsigned long repetitions = strtoul(words[4], NULL, 10);
    if (!fill(&on, which->arrays, elements, which->run == crunch_single))
        return 2;
    if (count == 5)
        run(&on, which, repetitions);
    while (count > 6 && now() < strtod(words[6], NULL))
        continue;
    for (unsigned long batch = count > 5 ? strtoul(words[5], NULL, 10) : 0; batch > 0; batch--) {
        const double begin = now();
        run(&on, which, repetitions);
        printf("%.9g\n", (now() - begin) / (double)repetitions);
    }
    return 0;
}
