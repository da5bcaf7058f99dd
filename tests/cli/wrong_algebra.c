/* For tests: preloaded (LD_PRELOAD), it multiplies wrongly, as OpenBLAS may on a processor that it does not know. */
#include <dlfcn.h>
#include <stdint.h>

typedef void product(int layout, int transposed, int m, int n, double alpha, const double *a, int lda, const double *x,
                     int stepx, double beta, double *y, int stepy);

product cblas_dgemv;

void cblas_dgemv(int layout, int transposed, int m, int n, double alpha, const double *a, int lda, const double *x,
                 int stepx, double beta, double *y, int stepy)
{
    product *real = (product *)(uintptr_t)dlsym(RTLD_NEXT, "cblas_dgemv");
    real(layout, transposed, m, n, 1.001 * alpha, a, lda, x, stepx, beta, y, stepy);
}
