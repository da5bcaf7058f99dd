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

enum { ARRAYS = 7, UNROLLED = 8, TRIALS = 32, DEGREE = 8, GENERATIONS = 6, ROW = 64, PLACE = 72 };

typedef struct work {
    size_t size, step;
    double *arrays[ARRAYS];
} work;

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

/* Four that people run beside them. */
static volatile double kept, kept_too;

static void dot(const work *on)
{
    const double *restrict a = on->arrays[0], *restrict b = on->arrays[1];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++)
        sum += a[i] * b[i];
    kept = sum;
}

static void axpy(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++)
        a[i] += 1e-9 * b[i];
}

static void horner(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        const double x = b[i];
        double value = 1.0;
        for (int power = 0; power < DEGREE; power++)
            value = value * x + 0.5;
        a[i] = value;
    }
}

static void stencil(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 1; i + 1 < on->size; i++)
        a[i] = 0.3 * (b[i - 1] + b[i] + b[i + 1]);
}

/* Others that people run, for projections of programs that nobody looked at before. */
static void residual(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2], *restrict d = on->arrays[3];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] - c[i] * d[i];
}

static void complex_product(const work *on)
{
    double *restrict real = on->arrays[0], *restrict imaginary = on->arrays[1];
    const double *restrict a = on->arrays[2], *restrict b = on->arrays[3], *restrict c = on->arrays[4],
                           *restrict d = on->arrays[5];
    for (size_t i = 0; i < on->size; i++) {
        real[i] = a[i] * c[i] - b[i] * d[i];
        imaginary[i] = a[i] * d[i] + b[i] * c[i];
    }
}

/* Five points of rows that lie one behind the other. */
static void jacobi(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = ROW; i + ROW < on->size; i++)
        a[i] = 0.2 * (b[i - ROW] + b[i - 1] + b[i] + b[i + 1] + b[i + ROW]);
}

static void interpolate(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] + 0.375 * (c[i] - b[i]);
}

static void norm(const work *on)
{
    const double *restrict a = on->arrays[0];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++)
        sum += a[i] * a[i];
    kept = sum;
}

static void logistic(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        double x = 0.25 * b[i];
        for (int generation = 0; generation < GENERATIONS; generation++)
            x = 3.6 * x * (1.0 - x);
        a[i] = x;
    }
}

/* ---- chains and others ---- */

static void variance(const work *on)
{
    const double *restrict a = on->arrays[0];
    double sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < on->size; i++) {
        sum += a[i];
        squares += a[i] * a[i];
    }
    kept = sum;
    kept_too = squares;
}

static void running(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    double sum = 0.0;
    for (size_t i = 0; i < on->size; i++) {
        sum += b[i];
        a[i] = sum;
    }
}

static void filter(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    double smooth = b[0];
    for (size_t i = 0; i < on->size; i++) {
        smooth = 0.875 * smooth + 0.125 * b[i];
        a[i] = smooth;
    }
}

static void wave(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 1; i + 1 < on->size; i++)
        a[i] = 2.0 * b[i] - c[i] + 0.25 * (b[i - 1] - 2.0 * b[i] + b[i + 1]);
}

static void blend(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2], *restrict d = on->arrays[3];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] * c[i] + (1.0 - b[i]) * d[i];
}

static void quotient(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = b[i] / c[i];
}

static void hypotenuse(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < on->size; i++)
        a[i] = sqrt(b[i] * b[i] + c[i] * c[i]);
}

/* A polynomial by pairs, which wait for one another less than in Horner's order. */
static void pairs(const work *on)
{
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1];
    for (size_t i = 0; i < on->size; i++) {
        const double x = b[i], square = x * x;
        a[i] = (1.0 + 0.5 * x) + square * (0.25 + 0.125 * x) +
               square * square * ((0.0625 + 0.03125 * x) + square * (0.015625 + 0.0078125 * x));
    }
}

/* Of a matrix and a vector. */
static void times_vector(const work *on)
{
    const size_t n = on->size;
    double *restrict a = on->arrays[0];
    const double *restrict b = on->arrays[1], *restrict c = on->arrays[2];
    for (size_t i = 0; i < n; i++) {
        double sum = 0.0;
        for (size_t j = 0; j < n; j++)
            sum += b[i * n + j] * c[j];
        a[i] = sum;
    }
}

static const struct {
    const char *name;
    void (*run)(const work *on);
    int square;
    size_t arrays; /* that it works on */
} algorithms[] = {
    {"stream", stream, 0, 3},
    {"crunch", crunch, 0, 3},
    {"crunch_single", crunch_single, 0, 3},
    {"conflict", conflict, 0, 1},
    {"matrix", matrix, 1, 3},
    {"transposed", transposed, 1, 3},
    {"unrolled", unrolled, 1, 3},
    {"blocked", blocked, 1, 3},
    {"bodies", bodies, 0, 7},
    {"dot", dot, 0, 2},
    {"axpy", axpy, 0, 2},
    {"horner", horner, 0, 2},
    {"stencil", stencil, 0, 2},
    {"residual", residual, 0, 4},
    {"complex", complex_product, 0, 6},
    {"jacobi", jacobi, 0, 2},
    {"interpolate", interpolate, 0, 3},
    {"norm", norm, 0, 1},
    {"logistic", logistic, 0, 2},
    {"variance", variance, 0, 1},
    {"running", running, 0, 2},
    {"filter", filter, 0, 2},
    {"wave", wave, 0, 3},
    {"blend", blend, 0, 4},
    {"quotient", quotient, 0, 3},
    {"hypotenuse", hypotenuse, 0, 3},
    {"pairs", pairs, 0, 2},
    {"times_vector", times_vector, 1, 3},
};
enum { ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

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

static void run(const work *on, size_t which, unsigned long repetitions)
{
    for (; repetitions > 0; repetitions--) {
        atomic_signal_fence(memory_order_seq_cst);
        algorithms[which].run(on);
    }
}

int main(int count, char **words)
{
    size_t which = 0;
    while (which < ALGORITHMS && (count < 5 || strcmp(words[1], algorithms[which].name) != 0))
        which++;
    if (which == ALGORITHMS)
        return 2;
    work on = {strtoul(words[2], NULL, 10), strtoul(words[3], NULL, 10), {NULL}};
    const size_t elements = on.size * (algorithms[which].square ? on.size : 1);
    const unsigned long repetitions = strtoul(words[4], NULL, 10);
    if (!fill(&on, algorithms[which].arrays, elements, algorithms[which].run == crunch_single))
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
