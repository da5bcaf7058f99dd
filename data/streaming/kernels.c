/* The 13 streaming kernels that J. Laukemann, G. Hager and G. Wellein hold compilers and models to ("Microarchitectural
 * comparison and in-core modeling of state-of-the-art CPUs", 2024, section II-C), each one loop. `catmint incore
 * --kernels` compiles this file for each of them, with its name defined. Stencils go through a grid as through one row:
 * the loop is that of an inner row. */
#include <stddef.h>
#include <stdint.h>

enum { ROW = 32, PLANE = 8 * ROW, UNROLLED = 128 };

struct memory {
    double *arrays[4];
    size_t bytes;
};

/* How far a stencil reaches beyond the elements that it computes. */
#if defined JACOBI_2D_5 || defined GAUSS_SEIDEL_2D_5
#define MARGIN (ROW + 1)
#elif defined JACOBI_3D_7
#define MARGIN (PLANE + 1)
#elif defined JACOBI_3D_11
#define MARGIN (PLANE + 2)
#elif defined JACOBI_3D_27
#define MARGIN (PLANE + ROW + 1)
#else
#define MARGIN 0
#endif
#define LOOP for (long i = MARGIN; i < MARGIN + n; i++)
#define SQUARE(b, at) ((b)[(at)-1] + (b)[at] + (b)[(at) + 1])
#define PLANE_OF(b, at) (SQUARE(b, (at)-ROW) + SQUARE(b, at) + SQUARE(b, (at) + ROW))

/* Visible, so that no compiler makes another one of it. */
double kernel(double *restrict a, const double *restrict b, const double *restrict c, const double *restrict d,
              double s, long n);
__attribute__((noinline)) double kernel(double *restrict a, const double *restrict b, const double *restrict c,
                                        const double *restrict d, double s, long n)
{
    double sum = 0.0;
    (void)a, (void)b, (void)c, (void)d, (void)s;
#if defined INIT
    LOOP a[i] = s;
#elif defined COPY
    LOOP a[i] = b[i];
#elif defined UPDATE
    LOOP a[i] = s * a[i];
#elif defined ADD
    LOOP a[i] = b[i] + c[i];
#elif defined STREAM_TRIAD
    LOOP a[i] = b[i] + s * c[i];
#elif defined SCHOENAUER_TRIAD
    LOOP a[i] = b[i] + c[i] * d[i];
#elif defined SUM
    LOOP sum += a[i];
#elif defined PI
    LOOP
    {
        double x = ((double)i + 0.5) * s;
        sum += 4.0 / (1.0 + x * x);
    }
#elif defined JACOBI_2D_5
    LOOP a[i] = s * (b[i - 1] + b[i + 1] + b[i - ROW] + b[i + ROW]);
#elif defined JACOBI_3D_7
    LOOP a[i] = s * (b[i] + b[i - 1] + b[i + 1] + b[i - ROW] + b[i + ROW] + b[i - PLANE] + b[i + PLANE]);
#elif defined JACOBI_3D_11
    LOOP a[i] = s * (b[i] + b[i - 1] + b[i + 1] + b[i - 2] + b[i + 2] + b[i - ROW] + b[i + ROW] + b[i - 2 * ROW] +
                     b[i + 2 * ROW] + b[i - PLANE] + b[i + PLANE]);
#elif defined JACOBI_3D_27
    LOOP a[i] = s * (PLANE_OF(b, i - PLANE) + PLANE_OF(b, i) + PLANE_OF(b, i + PLANE));
#elif defined GAUSS_SEIDEL_2D_5
    LOOP a[i] = s * (a[i - 1] + a[i + 1] + a[i - ROW] + a[i + ROW]);
#else
#error "no kernel is chosen"
#endif
    return sum;
}

void body(uint64_t turns, const struct memory *memory);
/* As many elements as leave nothing over, whatever the vectors and the unrolling. The pointer is read anew in each
 * turn: no call is taken out of the loop. */
void body(uint64_t turns, const struct memory *memory)
{
    double (*volatile call)(double *restrict, const double *restrict, const double *restrict, const double *restrict,
                            double, long) = kernel;
    long n = ((long)(memory->bytes / sizeof(double)) - 2 * MARGIN) / UNROLLED * UNROLLED;
    volatile double sum = 0.0;
    for (; turns > 0; turns--)
        sum = call(memory->arrays[0], memory->arrays[1], memory->arrays[2], memory->arrays[3], 0.25, n);
    (void)sum;
}
