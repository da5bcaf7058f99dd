/* The timed kernels of aarch64, as rows. SVE's have a row for each possible length of vectors, with one code. */
#include "cat-kernels/aarch64/isa.h"
#include "machines/timed.h"

#define ISA_FP16 (CM_ISA_ASIMD | CM_ISA_FP16)

/* X(name, ...): kernels of one precision and set, RATES of 24 instructions at once, CHAINS of one. */
#define RATES(X, ...)                                                                                                  \
    X(add, __VA_ARGS__)                                                                                                \
    X(mul, __VA_ARGS__) X(div, __VA_ARGS__) X(sqrt, __VA_ARGS__) X(add_mul, __VA_ARGS__) X(fma, __VA_ARGS__)
#define CHAINS(X, ...)                                                                                                 \
    X(add, __VA_ARGS__) X(mul, __VA_ARGS__) X(div, __VA_ARGS__) X(sqrt_mul, __VA_ARGS__) X(fma, __VA_ARGS__)
#define STREAMS(X, ...)                                                                                                \
    X(load, __VA_ARGS__) X(store, __VA_ARGS__) X(copy, __VA_ARGS__) X(triad, __VA_ARGS__) X(schoenauer, __VA_ARGS__)
#define STREAMS_NT(X, ...) X(store_nt, __VA_ARGS__) X(copy_nt, __VA_ARGS__) X(triad_nt, __VA_ARGS__)
#define ACCESSES(X, ...) X(loads, __VA_ARGS__) X(stores, __VA_ARGS__)
#define PRECISIONS(X) X(d) X(s) X(h)
#define SETS(X, ...) X(SCALAR, __VA_ARGS__) X(NEON, __VA_ARGS__) X(SVE, __VA_ARGS__)

#define BODY(name) void cm_loop_##name(uint64_t turns, const cm_timed_memory *memory);
#define DECLARE_RATE(name, p, set) BODY(name##_##p##_##set##_24)
#define DECLARE_CHAIN(name, p, set) BODY(name##_##p##_##set##_1)
#define DECLARE_BOTH(set, p) RATES(DECLARE_RATE, p, set) CHAINS(DECLARE_CHAIN, p, set)
#define DECLARE_PRECISION(p) SETS(DECLARE_BOTH, p)
#define DECLARE_STREAM(name, set) BODY(name##_##set)
#define DECLARE_STREAMS(set, unused) STREAMS(DECLARE_STREAM, set) ACCESSES(DECLARE_STREAM, set)

BODY(clock)
PRECISIONS(DECLARE_PRECISION)
SETS(DECLARE_STREAMS, )
STREAMS_NT(DECLARE_STREAM, NEON)
STREAMS_NT(DECLARE_STREAM, SVE)
BODY(load_chain)
BODY(gather_SVE)
BODY(gather_chain_SVE)

#define ROW_RATE(name, p, set, precision, vectors, bytes, isa)                                                         \
    {CM_TIMED_RATE, #name, precision, vectors, bytes, isa, 48, cm_loop_##name##_##p##_##set##_24},
#define ROW_CHAIN(name, p, set, precision, vectors, bytes, isa)                                                        \
    {CM_TIMED_CHAIN, #name, precision, vectors, bytes, isa, 48, cm_loop_##name##_##p##_##set##_1},
#define ROW_STREAM(name, set, vectors, bytes, isa)                                                                     \
    {CM_TIMED_STREAM, #name, CM_DOUBLE, vectors, bytes, isa, 0, cm_loop_##name##_##set},
#define ROW_ACCESS(name, set, vectors, bytes, isa)                                                                     \
    {CM_TIMED_RATE, #name, CM_DOUBLE, vectors, bytes, isa, 48, cm_loop_##name##_##set},
#define ROWS_OF(p, precision, set, vectors, bytes, isa)                                                                \
    RATES(ROW_RATE, p, set, precision, vectors, bytes, isa)                                                            \
    CHAINS(ROW_CHAIN, p, set, precision, vectors, bytes, isa)
#define ROWS_OF_MEMORY(...) STREAMS(ROW_STREAM, __VA_ARGS__) ACCESSES(ROW_ACCESS, __VA_ARGS__)
#define ROWS_OF_SVE(vectors, bytes, isa)                                                                               \
    ROWS_OF(d, CM_DOUBLE, SVE, vectors, bytes, isa)                                                                    \
    ROWS_OF(s, CM_SINGLE, SVE, vectors, bytes, isa)                                                                    \
    ROWS_OF(h, CM_HALF, SVE, vectors, bytes, isa)                                                                      \
    ROWS_OF_MEMORY(SVE, vectors, bytes, isa)                                                                           \
    STREAMS_NT(ROW_STREAM, SVE, vectors, bytes, isa){CM_TIMED_RATE, "gather", CM_DOUBLE, vectors,                      \
                                                     bytes,         isa,      24,        cm_loop_gather_SVE},          \
        {CM_TIMED_CHAIN, "gather", CM_DOUBLE, vectors, bytes, isa, 24, cm_loop_gather_chain_SVE},

/* clang-format off: lists that end in commas of their own */
static const cm_timed_kernel rows[] = {
    {CM_TIMED_CLOCK, "clock", CM_DOUBLE, "scalar", 8, 0, 48, cm_loop_clock},
    ROWS_OF(d, CM_DOUBLE, SCALAR, "scalar", 8, CM_ISA_ASIMD) ROWS_OF(s, CM_SINGLE, SCALAR, "scalar", 4, CM_ISA_ASIMD)
        ROWS_OF(h, CM_HALF, SCALAR, "scalar", 2, ISA_FP16) ROWS_OF_MEMORY(SCALAR, "scalar", 8, CM_ISA_ASIMD){
            CM_TIMED_CHAIN, "loads", CM_DOUBLE, "scalar", 8, 0, 48, cm_loop_load_chain},
    ROWS_OF(d, CM_DOUBLE, NEON, "NEON", 16, CM_ISA_ASIMD) ROWS_OF(s, CM_SINGLE, NEON, "NEON", 16, CM_ISA_ASIMD)
        ROWS_OF(h, CM_HALF, NEON, "NEON", 16, ISA_FP16) ROWS_OF_MEMORY(NEON, "NEON", 16, CM_ISA_ASIMD)
            STREAMS_NT(ROW_STREAM, NEON, "NEON", 16, CM_ISA_ASIMD) ROWS_OF_SVE("SVE-128", 16, CM_ISA_SVE_128)
                ROWS_OF_SVE("SVE-256", 32, CM_ISA_SVE_256) ROWS_OF_SVE("SVE-512", 64, CM_ISA_SVE_512)};
/* clang-format on */

const cm_timed_kernel *const cm_timed_kernels = rows;
const size_t cm_timed_kernel_count = CM_COUNT_OF(rows);
