"""What a driver makes of GPU kernels, held against their facts: driver and disassembler are made up, the latter's listings, but for one, too: right, or with one fault."""

import os
import pathlib
import re
import textwrap

import support

DRIVER = pathlib.Path(os.environ["CATMINT_DRIVER"])  # what it makes of PTX is the PTX: a listing can be looked up by its entry

# Words of NVIDIA's own list of instructions.
AMD_ALONE = ("h_sqrt", "d_sqrt", "matrix_s", "s2_add", "s2_mul", "s2_fma")
NAMES = {"add": "ADD", "sub": "ADD", "mul": "MUL", "fma": "FMA"}
MOVE = "HFMA2 R4, -RZ, RZ, 0, 0"


def instruction(name):
    """Of a class of instructions; of integers, what a compiler may take as well."""
    kind, _, operation = name.rpartition("_")
    if kind in ("h", "h2", "b", "b2"):
        return f"H{NAMES[operation]}2{'.BF16_V2' if kind[0] == 'b' else ''} R5, R5, R0"
    if kind == "matrix":
        return "DMMA.8x8x4 R8, R4, R6, R8" if operation == "d" else "HMMA.16816.F32 R8, R4, R6, R8"
    if name in ("s_sqrt", "special"):
        return f"MUFU.{'SQRT' if name == 's_sqrt' else 'RCP'} R5, R5"
    if name == "convert":
        return "F2I.TRUNC.NTZ R6, R5"
    return f"{'F' if kind == 's' else 'D'}{NAMES[operation]} R5, R5, R0" if kind in ("s", "d") else "IMAD.IADD R7, R7, 0x1, R8"


def loops():
    """Instructions of each kernel's loop, by facts; where only every other thread is in the loop, it has twice as many."""
    found = {}
    for line in (support.SOURCE / "bases/gpu/facts.csv").read_text().splitlines():
        if line.startswith("gpu-flops,") and not line.startswith("gpu-flops,nothing,"):  # whose loop nobody enters
            _, kernel, _, facts = line.split(",")[:4]
            terms = [re.fullmatch(r"(?:([\d.]+)\*)?gpu_(\w+)", term) for term in facts.split(" + ")]
            found[kernel] = [(float(term[1] or 1), term[2]) for term in terms if term[2] not in ("int_add", "compare", "branch")]
    return {kernel: classes for kernel, classes in found.items() if not any(name in AMD_ALONE for _, name in classes)}


class MachineCode(support.Case):
    def body(self, kernel, classes):
        return [instruction(name) for count, name in classes for _ in range(int(count) * (2 if kernel.startswith("masked") else 1))]

    def listing(self, body, before=(), behind=(), labels=True, loop=True, past="@P0 "):
        """As nvdisasm writes it, or cuobjdump, which has no labels."""
        text, address = [".text.kernel:"], 0
        lines = ["LDC R1, c[0x0][0x28]", MOVE, *before, *(["past"] if past is not None else []), None, *body, "UIADD3 UR4, UR4, -0x1, URZ", "branch" if loop else "NOP", *behind, "STG R5", "EXIT", "end", "NOP"]
        stores = f"{16 * (lines.index('STG R5') - 1):#x}"
        for line in lines:
            if line is None:
                start = address
                text += [".L_x_0:"] if labels else []
                continue
            if line == "end":
                text += [".L_x_1:"] if labels else []
                line = "BRA `(.L_x_1)" if labels else f"BRA {address:#x}"
            elif line == "past":
                line = past + ("BRA `(.L_x_2)" if labels else f"BRA {stores}")
            elif line == "STG R5":
                text += [".L_x_2:"] if labels else []
            elif line == "branch":
                line = "@P6 BRA `(.L_x_0)" if labels else f"@P6 BRA {start:#x}"
            text += [f"        /*{address:04x}*/                   {line} ;    /* 0x0000000000057221 */", "                          /* 0x000fe20000000f00 */"]
            address += 16
        return "\n".join(text) + "\n"

    def disassembler(self, name, listings):
        """A program of that name in a folder for PATH; what it shows is looked up by the entry."""
        folder = self.folder / name
        (folder / "listings").mkdir(parents=True)
        for kernel, text in listings.items():
            entry = "catmint_" + re.sub(r"\W", "_", kernel)
            (folder / "listings" / entry).write_text(text)
        program = folder / name
        program.write_text(textwrap.dedent(f"""\
            #!/bin/sh
            for last; do :; done
            while read -r visible entry name rest; do
                [ "$entry" = .entry ] && exec cat "{folder}/listings/${{name%(*}}"
            done < "$last"
            exit 1
            """))
        program.chmod(0o755)
        return folder

    def verify(self, path, how="", pmu="hardware"):
        drivers = self.folder / "drivers"
        drivers.mkdir(exist_ok=True)
        if not (drivers / "libcuda.so.1").exists():
            (drivers / "libcuda.so.1").symlink_to(DRIVER)
        return support.Run("kernels", "--verify", "--pmu", pmu, PATH=path, LD_LIBRARY_PATH=str(drivers), CATMINT_TEST_DRIVER=how, TMPDIR=str(self.folder))

    def with_system(self, folder):
        return f"{folder}:/usr/bin:/bin"

    def test_what_is_right(self):
        kernels = loops()
        for name, labels in (("nvdisasm", True), ("cuobjdump", False)):
            with self.subTest(name):
                listings = {kernel: self.listing(self.body(kernel, classes), labels=labels) for kernel, classes in kernels.items()}
                if labels:  # nvdisasm 13.0 of what driver 580.159.04 made for an H200
                    listings["masked_D.72"] = (support.SOURCE / "tests/data/gpu/masked_D.72.sass").read_text()
                folder = self.disassembler(name, listings)
                run = self.expect(self.verify(self.with_system(folder)), 0, err="", out=r"(?m)^72 kernels match their facts, 0 do not, 13 were not run")
                self.assertRegex(run.out, r"(?m)^S_ADD1_MUL3\.48 +right +12 FADD, 36 FMUL$")
        self.assertEqual([path.name for path in self.folder.glob("catmint-*")], [], "temporary files are removed")

    def test_each_fault_is_named(self):
        """One a kernel, in one run; all others are right."""
        right = {kernel: self.body(kernel, classes) for kernel, classes in loops().items()}
        both = right["S_ADD1_MUL3.48"]
        pair = [next(i for i, line in enumerate(both) if word in line) for word in ("FADD", "FMUL")]
        add = "FADD R5, R5, R0"
        faults = {
            "A_S.24": (self.listing([line.replace("FADD", "FMUL") for line in right["A_S.24"]]), "FADD 0 instead of 24, FMUL 24 instead of 0"),
            "A_S.48": (self.listing(right["A_S.48"][1:]), "FADD 47 instead of 48"),
            "A_S.96": (self.listing(right["A_S.96"][1:], before=[add]), "FADD 95 instead of 96, 1 FADD before the loop"),
            "S_S.24": (self.listing(right["S_S.24"][1:], behind=[add]), "FADD 23 instead of 24, 1 FADD behind the loop"),
            "S_ADD1_MUL3.48": (self.listing([line for i, line in enumerate(both) if i not in pair] + ["FFMA R5, R5, R2, R0"]),
                               "FADD 11 instead of 12, FMUL 35 instead of 36, FFMA 1 instead of 0"),
            "S_S.48": (self.listing([*right["S_S.48"][2:], "FADD2 R4, R4.F32x2.HI_LO, R0.F32x2.HI_LO"]), "FADD 46 instead of 48"),
            "A_H.24": (self.listing(right["A_H.24"][:12]), "HADD2 12 instead of 24"),
            "h2_mul.48": (self.listing(["HFMA2.MMA R5, R5, R0, -RZ"] * 24 + right["h2_mul.48"][:24]), "HMUL2 24 instead of 48, HFMA2 24 instead of 0"),
            "special.24": (self.listing([], loop=False), "no loop is left, MUFU.RCP 0 instead of 24"),
            "A_D.24": (self.listing(right["A_D.24"], behind=["@P6 BRA `(.L_x_0)"]), "2 loops instead of one"),
            "SQ_S.24": (self.listing([*right["SQ_S.24"], "CALL.REL.NOINC `(sqrt)"]), "1 calls of subroutines"),
            "masked_D.72": (self.listing(right["masked_D.72"], past=None), "no way past the loop"),
            "masked_S.96": (self.listing([f"@P0 {line}" for line in right["masked_S.96"]]), "24 FADD under a predicate, 24 FMUL under a predicate"),
            "F_D.12": ("garbage\n", "the disassembler shows no instruction"),
        }
        folder = self.disassembler("nvdisasm", {**{kernel: self.listing(body) for kernel, body in right.items()}, **{kernel: text for kernel, (text, _) in faults.items()}})
        run = self.expect(self.verify(self.with_system(folder)), 1, err=rf"^catmint: kernels that do not match their facts: {len(faults)}$")
        out = re.sub(r"\n {20,}", " ", run.out)
        for kernel, (_, said) in faults.items():
            with self.subTest(said):
                self.assertRegex(out, rf"(?m)^{re.escape(kernel)} +WRONG +{re.escape(said)}")
        self.assertEqual(out.count("WRONG"), len(faults))

    def test_what_stands_in_the_way(self):
        nothing = self.folder / "nothing"
        nothing.mkdir()
        self.expect(self.verify(str(nothing)), 4, out="", err=r"machine code is not checked: neither nvdisasm nor cuobjdump is in PATH; both come with NVIDIA's CUDA toolkit")
        failing = self.disassembler("nvdisasm", {})
        (failing / "nvdisasm").write_text("#!/bin/sh\nexit 7\n")
        self.expect(self.verify(self.with_system(failing)), 4, out="", err="nvdisasm does not take the driver.s code: exit status 7")
        (failing / "nvdisasm").chmod(0o644)
        self.expect(self.verify(str(failing)), 4, out="", err="nvdisasm cannot be run: Permission denied")
        self.expect(self.verify(str(nothing), how="refuses"), 4, out="", err="kernel A_H.24: the driver refuses the kernel: words of the driver")
        self.expect(self.verify(str(nothing), how="no-device"), 4, out="", err="the NVIDIA driver has no device")


if __name__ == "__main__":
    support.main()
