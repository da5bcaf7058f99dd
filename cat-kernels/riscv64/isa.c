/* The instruction sets that the CPU executes and whose registers the operating system saves: single letters by the
 * auxiliary vector, longer names by the system call riscv_hwprobe (Linux, Documentation/arch/riscv/hwprobe.rst), which
 * is there since Linux 6.4 and not in QEMU 7.2. */
#include "cat-kernels/riscv64/isa.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cat-kernels/registry.h"

enum { LENGTHS = CM_ISA_V_128 | CM_ISA_V_256 | CM_ISA_V_512 };

static const cm_isa_row rows[] = {
    {CM_ISA_D, CM_ISA_ZFH | CM_ISA_V | CM_ISA_ZVFH | LENGTHS, "D"},
    {CM_ISA_ZFH, 0, "ZFH"},
    {CM_ISA_V, CM_ISA_ZVFH | LENGTHS, "V"},
    {CM_ISA_ZVFH, 0, "ZVFH"},
    {CM_ISA_V_128, 0, "V-128"},
    {CM_ISA_V_256, 0, "V-256"},
    {CM_ISA_V_512, 0, "V-512"},
};

const cm_isa_row *const cm_isa_table = rows;
const size_t cm_isa_table_size = sizeof rows / sizeof rows[0];

void cm_riscv64_half(void);
void cm_riscv64_half_vector(void);
unsigned long cm_riscv64_vector_bytes(void);

/* linux/hwprobe.h, which older systems lack. */
enum { HWPROBE = 258, KEY_EXTENSIONS = 4 };
#define EXTENSION_ZFH (UINT64_C(1) << 27)
#define EXTENSION_ZVFH (UINT64_C(1) << 30)

static unsigned by_system_call(uint64_t extensions)
{
    return ((extensions & EXTENSION_ZFH) != 0 ? CM_ISA_ZFH : 0) |
           ((extensions & EXTENSION_ZVFH) != 0 ? CM_ISA_ZVFH : 0);
}

static void on_illegal(int number)
{
    (void)number;
    _exit(1);
}

/* Tries the instruction in a forked process, so that no handler of the program is disturbed. */
static bool executes(void (*instruction)(void))
{
    int status = 0;
    pid_t child = fork();
    if (child == 0) {
        signal(SIGILL, on_illegal);
        instruction();
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static unsigned by_trying(bool vectors)
{
    return (executes(cm_riscv64_half) ? CM_ISA_ZFH : 0) |
           (vectors && executes(cm_riscv64_half_vector) ? CM_ISA_ZVFH : 0);
}

/* Tried once a process: the answer does not change, and the trial takes a process. */
static unsigned half_precision(bool vectors)
{
    static atomic_uint found; /* bits found, and a bit that marks the trial as done */
    enum { KNOWN = 1 << 30 };
    struct {
        int64_t key;
        uint64_t value;
    } pair = {.key = KEY_EXTENSIONS};
    unsigned isa = atomic_load(&found);
    if (isa == 0) {
        bool answered = syscall(HWPROBE, &pair, 1, 0, 0, 0) == 0 && pair.key == KEY_EXTENSIONS;
        isa = KNOWN | (answered ? by_system_call(pair.value) : by_trying(vectors));
        atomic_store(&found, isa);
    }
    return isa & ~(unsigned)KNOWN;
}

static unsigned length(void)
{
    switch (cm_riscv64_vector_bytes()) {
    case 16: return CM_ISA_V_128;
    case 32: return CM_ISA_V_256;
    case 64: return CM_ISA_V_512;
    default: return 0;
    }
}

static bool has_letter(char letter)
{
    return (getauxval(AT_HWCAP) >> (letter - 'A') & 1) != 0;
}

unsigned cm_isa_offered(void)
{
    if (!has_letter('D'))
        return 0;
    bool vectors = has_letter('V');
    return CM_ISA_D | half_precision(vectors) | (vectors ? CM_ISA_V | length() : 0);
}
