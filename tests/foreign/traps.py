"""Whether QEMU's minstret leaves out instructions that trap, as the architecture does. Ten lines of assembly show it."""

import re
import shutil
import subprocess

import support

# In between retires the first read, and nothing else: the difference is the exit status of QEMU's machine `virt`.
AROUND_A_CALL = """
        .globl  _start
_start: la      t0, 1f
        csrw    mtvec, t0
        li      t1, 0x100000            # the test device
        csrr    s0, minstret
        ecall
        .balign 4
1:      csrr    s1, minstret
        sub     s1, s1, s0
        slli    s1, s1, 16
        li      t0, 0x3333
        or      s1, s1, t0
        sw      s1, (t1)
        j       .
"""
COMPILERS = ("riscv64-unknown-elf-gcc", "riscv64-linux-gnu-gcc")


def retired_around_a_call(folder, bits):
    """None: a tool is not installed."""
    compiler, emulator = next(filter(shutil.which, COMPILERS), None), shutil.which(f"qemu-system-riscv{bits}")
    if compiler is None or emulator is None:
        return None
    source, program = folder / "around.S", folder / "around.elf"
    source.write_text(AROUND_A_CALL, encoding="utf-8")
    built = [subprocess.run([compiler, f"-march=rv{bits}ima{more}", f"-mabi={'lp64' if bits == 64 else 'ilp32'}", "-mcmodel=medany", "-nostdlib", "-static", "-no-pie",
                             "-Wl,-Ttext=0x80000000", "-o", program, source], capture_output=True, text=True, check=False) for more in ("_zicsr", "")]
    assert any(run.returncode == 0 for run in built), built[0].stderr
    return subprocess.run([emulator, "-M", "virt", "-bios", "none", "-display", "none", "-serial", "null", "-monitor", "none", "-icount", "shift=0",
                           "-kernel", program], check=False, timeout=60).returncode


class Traps(support.Case):
    def test_an_environment_call_does_not_retire(self):
        found = {bits: retired_around_a_call(self.folder, bits) for bits in (64, 32)}
        if None in found.values():
            self.skipTest("a compiler for riscv64 without an operating system, or QEMU's machine, is not installed")
        if 2 in found.values():
            version = subprocess.run(["qemu-system-riscv64", "--version"], capture_output=True, text=True, check=True).stdout
            self.skipTest(f"QEMU {re.search(r'[0-9.]+', version)[0]} counts an environment call, which does not retire, in minstret")
        self.assertEqual(found, {64: 1, 32: 1})


if __name__ == "__main__":
    support.main()
