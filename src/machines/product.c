#include "machines/product.h"

#include <dlfcn.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/team.h"

enum { ROW_MAJOR = 101, AS_IT_IS = 111, TIMEOUT_SECONDS = 60 }; /* as CBLAS numbers them */

typedef void product_call(int order, int left, int right, int rows, int columns, int inner, double alpha,
                          const double *a, int a_stride, const double *b, int b_stride, double beta, double *c,
                          int c_stride);

static product_call *load(void)
{
    product_call *call = NULL;
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* of the process that was forked for this alone */
    void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
    if (library != NULL)
        *(void **)&call = dlsym(library, "cblas_dgemm");
    return call;
}

static cm_status look(cm_team_member *member, void *data, cm_error *error)
{
    (void)member;
    (void)data;
    return load() != NULL ? CM_OK : cm_error_set(error, CM_UNSUPPORTED, NULL, 0, 0, "OpenBLAS is not installed");
}

bool cm_product_is_there(void)
{
    const cm_team_job job = {.size = 1, .work = look, .timeout = TIMEOUT_SECONDS};
    return cm_team_run(&job, NULL, NULL) == CM_OK;
}

static void multiply(uint64_t turns, const cm_timed_memory *memory)
{
    static product_call *call; /* of this process */
    if (call == NULL)
        call = load();
    for (; call != NULL && turns > 0; turns--)
        call(ROW_MAJOR, AS_IT_IS, AS_IT_IS, CM_PRODUCT_SIZE, CM_PRODUCT_SIZE, CM_PRODUCT_SIZE, 1.0, memory->arrays[0],
             CM_PRODUCT_SIZE, memory->arrays[1], CM_PRODUCT_SIZE, 0.0, memory->arrays[2], CM_PRODUCT_SIZE);
}

/* Each element of a row and column is multiplied and added. */
const cm_timed_kernel cm_product_kernel = {.kind = CM_TIMED_RATE,
                                           .operation = "product",
                                           .precision = CM_DOUBLE,
                                           .vectors = "OpenBLAS",
                                           .bytes = 8,
                                           .count = CM_PRODUCT_SIZE * CM_PRODUCT_SIZE * CM_PRODUCT_SIZE,
                                           .body = multiply};
