/* The timed kernels of x86-64, as rows. */
#include "cat-kernels/x86_64/isa.h"
#include "machines/timed.h"

#define ISA_AVX (CM_ISA_SSE2 | CM_ISA_AVX)
#define ISA_AVX2 (ISA_AVX | CM_ISA_AVX2)
#define ISA_FMA (ISA_AVX | CM_ISA_FMA)
#define ISA_512 (ISA_FMA | CM_ISA_AVX512F)
#define ISA_FP16 (ISA_512 | CM_ISA_AVX512VL | CM_ISA_AVX512_FP16)

/* X(name, instructions a turn): kernels of one precision and set, at once (12) and in a chain (1). */
#define RATES(X, ...) X(add, __VA_ARGS__) X(mul, __VA_ARGS__) X(div, __VA_ARGS__) X(sqrt, __VA_ARGS__)
#define MIXTURES(X, ...) X(add_mul, __VA_ARGS__)
#define CHAINS(X, ...) X(add, __VA_ARGS__) X(mul, __VA_ARGS__) X(div, __VA_ARGS__) X(sqrt_mul, __VA_ARGS__)
#define STREAMS(X, ...)                                                                                                \
    X(load, __VA_ARGS__) X(store, __VA_ARGS__) X(copy, __VA_ARGS__) X(triad, __VA_ARGS__) X(schoenauer, __VA_ARGS__)
#define STREAMS_NT(X, ...) X(store_nt, __VA_ARGS__) X(copy_nt, __VA_ARGS__) X(triad_nt, __VA_ARGS__)
#define FMA(X, ...) X(fma, __VA_ARGS__)

/* F(letter, precision, set, name, bytes, instruction set, instruction set of fused ones). */
#define FAMILIES(F)                                                                                                    \
    F(d, CM_DOUBLE, SCALAR, "scalar", 8, CM_ISA_SSE2, ISA_FMA)                                                         \
    F(d, CM_DOUBLE, SSE, "SSE", 16, CM_ISA_SSE2, ISA_FMA)                                                              \
    F(d, CM_DOUBLE, AVX, "AVX", 32, ISA_AVX, ISA_FMA)                                                                  \
    F(d, CM_DOUBLE, AVX512, "AVX-512", 64, ISA_512, ISA_512)                                                           \
    F(s, CM_SINGLE, SCALAR, "scalar", 4, CM_ISA_SSE2, ISA_FMA)                                                         \
    F(s, CM_SINGLE, SSE, "SSE", 16, CM_ISA_SSE2, ISA_FMA)                                                              \
    F(s, CM_SINGLE, AVX, "AVX", 32, ISA_AVX, ISA_FMA)                                                                  \
    F(s, CM_SINGLE, AVX512, "AVX-512", 64, ISA_512, ISA_512)                                                           \
    F(h, CM_HALF, SCALAR, "scalar", 2, ISA_FP16, ISA_FP16)                                                             \
    F(h, CM_HALF, AVX512, "AVX-512", 64, ISA_FP16, ISA_FP16)

#define BODY(name) void cm_loop_##name(uint64_t turns, const cm_timed_memory *memory);
#define DECLARE_RATE(name, p, set) BODY(name##_##p##_##set##_12)
#define DECLARE_MIXTURE(name, p, set) BODY(name##_##p##_##set##_14)
#define DECLARE_CHAIN(name, p, set) BODY(name##_##p##_##set##_1)
#define DECLARE_STREAM(name, set) BODY(name##_##set)
#define DECLARE_FAMILY(p, precision, set, vectors, bytes, isa, isa_fma)                                                \
    RATES(DECLARE_RATE, p, set)                                                                                        \
    MIXTURES(DECLARE_MIXTURE, p, set) FMA(DECLARE_RATE, p, set) CHAINS(DECLARE_CHAIN, p, set) FMA(DECLARE_CHAIN, p, set)

BODY(clock)
FAMILIES(DECLARE_FAMILY)
STREAMS(DECLARE_STREAM, SCALAR)
STREAMS(DECLARE_STREAM, SSE)
STREAMS(DECLARE_STREAM, AVX)
STREAMS(DECLARE_STREAM, AVX512)
STREAMS_NT(DECLARE_STREAM, SSE)
STREAMS_NT(DECLARE_STREAM, AVX)
STREAMS_NT(DECLARE_STREAM, AVX512)
#define ACCESSES(X, ...) X(loads, __VA_ARGS__) X(stores, __VA_ARGS__)
ACCESSES(DECLARE_STREAM, SCALAR)
ACCESSES(DECLARE_STREAM, SSE)
ACCESSES(DECLARE_STREAM, AVX)
ACCESSES(DECLARE_STREAM, AVX512)
BODY(load_chain)
BODY(gather_AVX)
BODY(gather_chain_AVX)
BODY(gather_AVX512)
BODY(gather_chain_AVX512)

#define ROW_RATE(name, p, set, precision, vectors, bytes, isa)                                                         \
    {CM_TIMED_RATE, #name, precision, vectors, bytes, isa, 48, cm_loop_##name##_##p##_##set##_12},
#define ROW_MIXTURE(name, p, set, precision, vectors, bytes, isa)                                                      \
    {CM_TIMED_RATE, #name, precision, vectors, bytes, isa, 56, cm_loop_##name##_##p##_##set##_14},
#define ROW_CHAIN(name, p, set, precision, vectors, bytes, isa)                                                        \
    {CM_TIMED_CHAIN, #name, precision, vectors, bytes, isa, 48, cm_loop_##name##_##p##_##set##_1},
#define ROW_FAMILY(p, precision, set, vectors, bytes, isa, isa_fma)                                                    \
    RATES(ROW_RATE, p, set, precision, vectors, bytes, isa)                                                            \
    MIXTURES(ROW_MIXTURE, p, set, precision, vectors, bytes, isa)                                                      \
    FMA(ROW_RATE, p, set, precision, vectors, bytes, isa_fma)                                                          \
    CHAINS(ROW_CHAIN, p, set, precision, vectors, bytes, isa)                                                          \
    FMA(ROW_CHAIN, p, set, precision, vectors, bytes, isa_fma)
#define ROW_STREAM(name, set, vectors, bytes, isa)                                                                     \
    {CM_TIMED_STREAM, #name, CM_DOUBLE, vectors, bytes, isa, 0, cm_loop_##name##_##set},
#define ROW_ACCESS(name, set, vectors, bytes, isa)                                                                     \
    {CM_TIMED_RATE, #name, CM_DOUBLE, vectors, bytes, isa, 48, cm_loop_##name##_##set},
#define ROW_GATHER(set, vectors, bytes, isa)                                                                           \
    {CM_TIMED_RATE, "gather", CM_DOUBLE, vectors, bytes, isa, 24, cm_loop_gather_##set},                               \
        {CM_TIMED_CHAIN, "gather", CM_DOUBLE, vectors, bytes, isa, 24, cm_loop_gather_chain_##set},

static const cm_timed_kernel rows[] = {
    {CM_TIMED_CLOCK, "clock", CM_DOUBLE, "scalar", 8, CM_ISA_SSE2, 48, cm_loop_clock},
    FAMILIES(ROW_FAMILY) STREAMS(ROW_STREAM, SCALAR, "scalar", 8, CM_ISA_SSE2)
        STREAMS(ROW_STREAM, SSE, "SSE", 16, CM_ISA_SSE2) STREAMS_NT(ROW_STREAM, SSE, "SSE", 16, CM_ISA_SSE2)
            STREAMS(ROW_STREAM, AVX, "AVX", 32, ISA_AVX) STREAMS_NT(ROW_STREAM, AVX, "AVX", 32, ISA_AVX) STREAMS(
                ROW_STREAM, AVX512, "AVX-512", 64, ISA_512) STREAMS_NT(ROW_STREAM, AVX512, "AVX-512", 64, ISA_512)
                ACCESSES(ROW_ACCESS, SCALAR, "scalar", 8, CM_ISA_SSE2) ACCESSES(ROW_ACCESS, SSE, "SSE", 16, CM_ISA_SSE2)
                    ACCESSES(ROW_ACCESS, AVX, "AVX", 32, ISA_AVX) ACCESSES(ROW_ACCESS, AVX512, "AVX-512", 64, ISA_512){
                        CM_TIMED_CHAIN, "loads", CM_DOUBLE, "scalar", 8, CM_ISA_SSE2, 48, cm_loop_load_chain},
    ROW_GATHER(AVX, "AVX", 32, ISA_AVX2) ROW_GATHER(AVX512, "AVX-512", 64, ISA_512)};

const cm_timed_kernel *const cm_timed_kernels = rows;
const size_t cm_timed_kernel_count = CM_COUNT_OF(rows);
