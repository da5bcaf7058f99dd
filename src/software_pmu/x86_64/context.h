/* The registers of the stepped code, as the switch between it and its host reads and writes them. Assembly includes it,
 * too, hence the offsets as macros. */
#ifndef CM_SOFTWARE_PMU_X86_64_CONTEXT_H
#define CM_SOFTWARE_PMU_X86_64_CONTEXT_H

#define CM_CONTEXT_GPR 0
#define CM_CONTEXT_FLAGS 128
#define CM_CONTEXT_HOST_RSP 136
#define CM_CONTEXT_VECTOR 144
#define CM_CONTEXT_VECTOR_MASK 152
#define CM_CONTEXT_HOST_MXCSR 156
#define CM_CONTEXT_HOST_X87_CONTROL 160
#define CM_CONTEXT_HAS_XSAVEOPT 164
#define CM_CONTEXT_HAS_AVX 165

/* A code cache begins with one page of switch code and one page of data, which begins with these words. */
#define CM_CACHE_PAGE 4096
#define CM_CACHE_CONTEXT 0
#define CM_CACHE_SLOT 8
#define CM_CACHE_SCRATCH 16

#ifndef __ASSEMBLER__

#include <stddef.h>
#include <stdint.h>

/* In the order of their encoding. */
enum { CM_RAX, CM_RCX, CM_RDX, CM_RBX, CM_RSP, CM_RBP, CM_RSI, CM_RDI, CM_GPR_COUNT = 16 };

typedef struct cm_context {
    uint64_t gpr[CM_GPR_COUNT], flags, host_rsp;
    unsigned char *vector; /* XSAVE area, standard format: x87, SSE, AVX and AVX-512 state */
    uint32_t vector_mask;  /* the features of XCR0 among them */
    uint32_t host_mxcsr;
    uint16_t host_x87_control, padding;
    uint8_t has_xsaveopt, has_avx;
} cm_context;

_Static_assert(offsetof(cm_context, flags) == CM_CONTEXT_FLAGS, "as the assembly has it");
_Static_assert(offsetof(cm_context, host_rsp) == CM_CONTEXT_HOST_RSP, "as the assembly has it");
_Static_assert(offsetof(cm_context, vector) == CM_CONTEXT_VECTOR, "as the assembly has it");
_Static_assert(offsetof(cm_context, vector_mask) == CM_CONTEXT_VECTOR_MASK, "as the assembly has it");
_Static_assert(offsetof(cm_context, host_mxcsr) == CM_CONTEXT_HOST_MXCSR, "as the assembly has it");
_Static_assert(offsetof(cm_context, host_x87_control) == CM_CONTEXT_HOST_X87_CONTROL, "as the assembly has it");
_Static_assert(offsetof(cm_context, has_xsaveopt) == CM_CONTEXT_HAS_XSAVEOPT, "as the assembly has it");
_Static_assert(offsetof(cm_context, has_avx) == CM_CONTEXT_HAS_AVX, "as the assembly has it");

/* The switch, to be copied to the start of a code cache: it is independent of its position, except for the data page
 * right behind it. enter(context, slot) loads the context and jumps to the slot; the slot ends with a jump to exit,
 * which stores the context and returns from enter. Offsets are from the template's start. */
extern const unsigned char cm_switch_template[];
extern const uint32_t cm_switch_size;
extern const uint32_t cm_switch_enter;
extern const uint32_t cm_switch_exit;
extern const uint32_t cm_switch_enter_integer; /* the same for code that touches no vector, x87 or MMX state */
extern const uint32_t cm_switch_exit_integer;

#endif
#endif
