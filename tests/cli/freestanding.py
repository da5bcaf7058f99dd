"""Kernels without an operating system: what is emitted builds, and what they print is imported whole or not at all."""

import csv
import json
import re
import shutil
import subprocess

import support

COMPILERS = {
    "riscv": ("riscv64-unknown-elf-gcc", "riscv64-linux-gnu-gcc"),
    "aarch64": ("aarch64-linux-gnu-gcc",),
}
MOST_CODE = 32 << 10
MANY = "branch,mem-ops,instructions"


def checksum(text):
    total = 0
    for byte in text.encode():
        total = (total * 31 + byte) & 0xFFFF
    return total


def run(*lines):
    """A run's log: what `main.c` prints."""
    return "".join(f"catmint{body} * {checksum(body):x}\n" for body in (f" {number:x} {line}" for number, line in enumerate(lines)))


def counted(events, kernels, repetitions=2, turns=64, isa="rv32imc"):
    """A whole run: `kernels` have a count a turn for each event, or the cause of a trap."""
    lines = [f"begin 1 {isa} {turns:x} {repetitions:x}", "events " + " ".join(events)]
    for (benchmark, kernel), counts in kernels.items():
        if isinstance(counts, int):
            lines.append(f"trap {benchmark} {kernel} {counts:x}")
            continue
        for _ in range(repetitions):
            for factor in (1, 2):
                lines.append(f"count {benchmark} {kernel} {turns * factor:x} " + " ".join(f"{13 + int(turns * factor * count):x}" for count in counts))
    return run(*lines, "end")


def count_of(facts, fact="instructions"):
    return sum(float(found[1] or 1) for found in re.finditer(rf"(?<!\w)(?:([\d.]+)\*)?{fact}\b", facts))


class Emit(support.Case):
    def emit(self, isa, *options, code=0, err=None):
        out = self.folder / isa
        self.expect(support.Run("kernels", "--emit", out, "--isa", isa, *options), code, out="", err=err)
        return out

    def kernels(self, out):
        with open(out / "kernels.csv", encoding="utf-8") as file:
            return {(row["benchmark"], row["kernel"]): row["facts"] for row in csv.DictReader(line for line in file if line[0] != "#")}

    def test_kernels_are_those_of_the_instruction_set(self):
        for isa, has, lacks in (
                ("rv32imc", {("mem-ops", "copy.4.8"), ("instructions", "flags.8")},
                 {("mem-ops", "load.8.8"), ("instructions", "lock_add.8"), ("cpu-flops", "integer.48")}),
                ("rv32imafc", {("cpu-flops", "S_ADD_SCAL.24"), ("mem-ops", "atomic.4.8"), ("mem-ops", "load_vector.4.8")},
                 {("cpu-flops", "D_ADD_SCAL.24"), ("mem-ops", "load_vector.8.8"), ("mem-ops", "atomic.8.8")}),
                ("rv64gc", {("cpu-flops", "D_ADD_SCAL.24"), ("mem-ops", "load.8.8")}, {("cpu-flops", "H_ADD_SCAL.24"), ("cpu-flops", "S_ADD_V128.24")}),
                ("rv64gc_zfh", {("cpu-flops", "H_ADD_SCAL.24")}, set()),
                ("aarch64", {("cpu-flops", "D_ADD_128.24"), ("core", "mret.1"), ("core", "lr_sc.4")},
                 {("mem-ops", "swap.8.8"), ("cpu-flops", "H_ADD_128.24"), ("core", "ecall.1"), ("core", "amo.8")}),
                ("aarch64+lse+fp16", {("mem-ops", "swap.8.8"), ("cpu-flops", "H_ADD_128.24"), ("core", "amo.8")}, {("instructions", "crc.8")})):
            kernels = self.kernels(self.emit(isa))
            self.assertEqual((has - set(kernels), lacks & set(kernels)), (set(), set()), isa)
            self.assertNotIn(("branch", "empty"), kernels)

    def test_facts_follow_from_the_instruction_set(self):
        narrow, wide = self.kernels(self.emit("rv32imac")), self.kernels(self.emit("rv64imac"))
        self.assertIn("32*load_bytes", narrow["instructions", "load.8"])
        self.assertIn("64*load_bytes", wide["instructions", "load.8"])
        self.assertEqual(narrow["branch", "b4"], wide["branch", "b4"])

    def test_what_cannot_be_emitted_is_said(self):
        for isa in ("rv32c", "rv16imc", "rv32imq", "rv32ic", "x86_64", "rv64gcv", "rv64gc_", "aarch64+", "riscv"):
            self.emit(isa, code=2, err=rf"'{re.escape(isa)}' is no instruction set to emit kernels for")
        for options, why in ((("--benchmark", "dcache"), "dcache cannot be emitted: expected some of cpu-flops, branch"),
                             (("--benchmark", "cpu-flops"), "rv32imc has no kernel of cpu-flops"),
                             (("--iterations", "100"), "a power of two of turns"), (("--counters", "30"), "at most 29 counters"),
                             (("--target", "linux"), "expected freestanding"), (("--select", "some"), "index, one-hot or mask"),
                             (("--verify",), "exclude each other")):
            self.emit("rv32imc", *options, code=2, err=why)
        self.assertFalse((self.folder / "rv32imc").exists())
        self.expect(support.Run("kernels", "--isa", "rv32imc"), 2, err="need --emit")
        self.expect(support.Run("kernels", "--emit", self.folder / "out"), 2, err="--emit needs --isa")

    def test_events_are_selected_as_the_core_wants(self):
        for way, codes, values in (("index", "17,0x11", "0x11 0x11"), ("one-hot", "0,31", "0x1 0x80000000"), ("mask", "3+5,0", "0x28 0x1")):
            first, second = codes.split(",")
            events = self.write("events.csv", f"code,event\n{first},LOADS\n{second},STORES\n")
            text = (self.emit("rv32imc", "--events", events, "--select", way) / "events.h").read_text()
            self.assertEqual(re.findall(r'EVENT\("\w+", (\w+)\)', text), values.split())
        for way, code in (("index", "x"), ("index", "1+2"), ("index", "0x100000000"), ("one-hot", "32"), ("mask", "3+"), ("mask", "-1")):
            events = self.write("events.csv", f"code,event\n1,A\n{code},B\n")
            self.emit("rv32imc", "--events", events, "--select", way, code=3, err=r"events\.csv:3: the code is")
        for name, why in (("A", "appears twice"), ("minstret", "the event minstret is counted beside each set of events"), ("B C", "a name without blanks")):
            events = self.write("events.csv", f"code,event\n1,A\n2,{name}\n")
            self.emit("rv32imc", "--events", events, code=3, err=rf"events\.csv:3: .*{why}")

    def test_a_hook_that_was_written_stays(self):
        out = self.emit("rv32imc")
        self.emit("rv32imc", "--iterations", "128")
        self.assertIn("CM_TURNS = 128", (out / "config.mk").read_text())
        (out / "hooks.c").write_text("/* mine */\n")
        self.emit("rv32imc", "--iterations", "256", code=4, err=r"hooks\.c")
        self.assertEqual((out / "hooks.c").read_text(), "/* mine */\n")
        self.assertIn("CM_TURNS = 128", (out / "config.mk").read_text())

    def test_it_builds_without_a_library(self):
        built = 0
        narrow, wide = ("rv32imc", "rv32imafc", "rv64im_zicsr", "aarch64"), ("rv64gc", "aarch64+lse+fp16+crc+aes+bf16")
        for isa, benchmarks in (*((isa, MANY) for isa in narrow + wide), *((isa, "core") for isa in wide)):
            out = self.emit(isa, "--benchmark", benchmarks)
            family = "aarch64" if isa.startswith("aarch64") else "riscv"
            clang = f"clang --target={family if family == 'aarch64' else 'riscv' + isa[2:4]}-unknown-elf"
            for compiler in (*filter(shutil.which, COMPILERS[family]), *([clang] if shutil.which("clang") and shutil.which("ld.lld") else ())):
                done = subprocess.run(["make", "-C", out, f"CC={compiler}"], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{isa}, {compiler}: {done.stderr}")
                with open(out / "catmint.elf", "rb") as file:
                    self.assertLessEqual(self.code_of(file.read()), MOST_CODE, f"{isa}, {compiler}")
                built += 1
        if built == 0:
            self.skipTest("no compiler for riscv or aarch64 is installed")

    @staticmethod
    def code_of(elf):
        """Bytes of instructions in an ELF file: of sections that are executed, less the names of kernels."""
        wide = elf[4] == 2
        at, size, count = (int.from_bytes(elf[40:48], "little"), 64, int.from_bytes(elf[60:62], "little")) if wide else (
            int.from_bytes(elf[32:36], "little"), 40, int.from_bytes(elf[48:50], "little"))
        total = 0
        for header in (elf[at + i * size:at + (i + 1) * size] for i in range(count)):
            flags, length = (int.from_bytes(header[8:16], "little"), int.from_bytes(header[32:40], "little")) if wide else (
                int.from_bytes(header[8:12], "little"), int.from_bytes(header[20:24], "little"))
            total += length if flags & 4 else 0
        return total


class Programs(support.Case):
    """Random programs beside kernels: composed by seed, imported as a validation, and judged."""

    def emit(self, command, *options):
        out = self.folder / command
        self.expect(support.Run(command, "--emit", out, "--isa", "rv32imc", *options), 0, out="")
        with open(out / "kernels.csv", encoding="utf-8") as file:
            return out, {(row["benchmark"], row["kernel"]): count_of(row["facts"]) for row in csv.DictReader(line for line in file if line[0] != "#")}

    def load(self, *logs, code=0, **expected):
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        logs = [self.write(f"log{i}", text) for i, text in enumerate(logs)]
        self.expect(support.Run("import", "--console", *logs, "--out", out), code, out="", **expected)
        return out

    def judged(self, out, code):
        document = self.expect(support.Run("validate", out, "--format", "json"), code).json()
        return next(metric for entry in document["benchmarks"] for metric in entry["metrics"] if metric["metric"] == "Instructions")

    def test_programs_hold_or_refute(self):
        _, kernels = self.emit("kernels", "--benchmark", "instructions")
        _, programs = self.emit("validate", "--seed", "7", "--programs", "8")
        self.assertEqual([kernel for _, kernel in programs], [f"program-{i}.7" for i in range(9)])
        first = counted(("minstret",), {key: (int(count),) for key, count in kernels.items()})
        right, wrong = ({key: (int(count * factor),) for key, count in programs.items()} for factor in (1, 2))
        out = self.load(first, counted(("minstret",), right), err="8 programs are in .*/validation, against which")
        self.assertEqual([path.name for path in sorted(out.glob("*.csv"))], ["events.csv", "instructions.csv"])
        held = self.judged(out, 0)
        self.assertEqual((held["verdict"], held["validation"]["programs"], held["validation"]["worst"]), ("held", 8, 0))
        document = self.expect(support.Run("analyze", out, "--format", "json"), 0).json()
        self.assertEqual(support.benchmark(document, "instructions")["benchmark"], "instructions")
        self.assertEqual(self.judged(self.load(first, counted(("minstret",), wrong)), 1)["verdict"], "refuted")

    def test_programs_are_those_of_one_seed(self):
        _, kernels = self.emit("kernels", "--benchmark", "instructions")
        _, programs = self.emit("validate", "--seed", "7", "--programs", "3")
        again, other = ((self.emit("validate", "--seed", seed, "--programs", "3")[0] / "programs.S").read_text() for seed in ("7", "8"))
        self.assertNotEqual(again.replace("_7", ""), other.replace("_8", ""))
        first = counted(("minstret",), {key: (int(count),) for key, count in kernels.items()})
        whole = {key: (int(count),) for key, count in programs.items()}
        for name, why in (("program-2.8", "not those of one seed"), ("program-9.7", "not those of one seed"), ("mine", "not those of one seed")):
            renamed = {(benchmark, name if kernel == "program-2.7" else kernel): counts for (benchmark, kernel), counts in whole.items()}
            out = self.load(first, counted(("minstret",), renamed), code=3, err=why)
            self.assertFalse(out.exists())
        self.load(counted(("minstret",), whole), code=3, err="no kernel was counted, only programs: name the logs of both")
        for words, why in ((("x", "--emit", "y", "--isa", "rv32imc"), "takes no directory of a sweep"), (("--emit", "y"), "--emit needs --isa"),
                           (("x", "--isa", "rv32imc"), "need --emit"), (("--emit", "y", "--isa", "rv16"), "no instruction set"),
                           (("--emit", "y", "--isa", "rv32imc", "--programs", "0"), "from 1 to 10000")):
            self.expect(support.Run("validate", *words), 2, out="", err=why)

    def test_it_builds(self):
        compiler = next(filter(shutil.which, COMPILERS["riscv"]), None)
        if compiler is None:
            self.skipTest("no compiler for riscv is installed")
        out, _ = self.emit("validate", "--programs", "4")
        done = subprocess.run(["make", "-C", out, f"CC={compiler}"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


class Console(support.Case):
    KERNELS = {("branch", "b2"): (7, 2), ("branch", "b3"): (6, 2), ("mem-ops", "load.4.8"): (13, 1)}

    def load(self, *texts, code=0, err=None, options=()):
        logs = [self.write(f"log{i}", text) for i, text in enumerate(texts)]
        self.out = self.folder / "out"
        shutil.rmtree(self.out, ignore_errors=True)
        return self.expect(support.Run("import", "--console", *logs, "--out", self.out, *options), code, out="", err=err)

    def table(self, benchmark):
        with open(self.out / f"{benchmark}.csv", encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if line[0] != "#"))
        return rows[0][3:], {(row[0], row[1]): [float(value) for value in row[3:]] for row in rows[1:]}

    def test_twice_the_turns_less_the_turns(self):
        self.load("boot\n" + counted(("minstret", "BR"), self.KERNELS) + "bye\r\n", options=("--name", "my core"), err="3 kernels, 2 repetitions, which agree")
        kernels, rows = self.table("branch")
        self.assertEqual((kernels, rows["iterations", "1"]), (["b2", "b3"], [64, 64]))
        self.assertEqual([rows["minstret", r] for r in "12"] + [rows["BR", "2"]], [[448, 384], [448, 384], [128, 128]])
        self.assertEqual(self.table("mem-ops")[1]["BR", "1"], [64])
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertEqual((manifest["pmu"], manifest["machine"], manifest["deterministic"], manifest["varying"], manifest["left_out"]),
                         ("my core", {"model_name": "my core", "architecture": "riscv32", "isa": "rv32imc"}, True, [], []))

    def test_runs_with_different_events_are_joined(self):
        one, two = counted(("minstret", "BR"), self.KERNELS), counted(("minstret", "LD"), self.KERNELS)
        self.load(one, two)
        self.assertEqual(sorted({event for event, _ in self.table("branch")[1]}), ["BR", "LD", "iterations", "minstret"])
        whole = (self.out / "branch.csv").read_bytes()
        self.load(one + two)
        self.assertEqual((self.out / "branch.csv").read_bytes(), whole)

    def test_what_varies_and_what_trapped_is_said(self):
        lines = ["begin 1 rv32imc 40 2", "events minstret MP"]
        for mispredicted in (20, 24):
            lines += [f"count branch b4 40 100 {mispredicted:x}", f"count branch b4 80 200 {2 * mispredicted:x}"]
        log = run(*lines, "trap mem-ops split_load.4.8 4", "end")
        self.load(log, code=1, err=r"split_load\.4\.8 is left out: it trapped, cause 4: misaligned load")
        manifest = json.loads((self.out / "manifest.json").read_text())
        self.assertEqual((manifest["deterministic"], manifest["varying"]), (True, ["MP"]))
        self.assertEqual(manifest["left_out"], [{"benchmark": "mem-ops", "kernel": "split_load.4.8", "reason": "it trapped, cause 4: misaligned load"}])
        self.assertFalse((self.out / "mem-ops.csv").exists())

    def test_one_repetition_will_do_where_sets_of_events_agree(self):
        """What always counts is counted with each set."""
        one, two, off = (counted(("minstret", event), {key: (counts[0] + more, 1) for key, counts in self.KERNELS.items()}, repetitions=1)
                         for event, more in (("A", 0), ("B", 0), ("C", 1)))
        for logs, deterministic in (((one,), False), ((one, two), True), ((one, off), False), ((one, two, off), False)):
            self.load(*logs)
            manifest = json.loads((self.out / "manifest.json").read_text())
            self.assertEqual((manifest["deterministic"], manifest["varying"]), (deterministic, ["minstret"] if off in logs else []))
            code, why = (0, "") if deterministic else (3, "one repetition of 'minstret' does not show noise")
            self.expect(support.Run("analyze", self.out, "--format", "json", "--benchmark", "mem-ops"), code, err=why)

    def test_logs_that_are_cut_or_garbled_are_refused(self):
        whole = counted(("minstret", "BR"), self.KERNELS)
        lines = whole.splitlines(keepends=True)
        other = lines[4].replace("catmint 4 count branch b2", "catmint 4 count branch b3")
        for text, why in ((whole[:-7], r"log0:15: the line is cut: it has no checksum"),
                          ("".join(lines[:-1]), r"log0:14: the run is cut: its line 'end' is missing"),
                          ("".join(lines[:5] + lines[6:]), r"log0:6: lines of the run are missing .* number 6, expected 5"),
                          ("".join(lines[1:]), r"log0:1: the run's line 'begin' is missing"),
                          (whole.replace("b2 40", "b2 41", 1), r"log0:3: the line is garbled"),
                          (whole.replace("catmint 5", "katmint 5", 1), r"log0:7: lines of the run are missing"),
                          ("".join(lines[:4]) + whole, r"log0:5: another run begins here"), ("", r"log0: .*no line of emitted kernels"),
                          ("hello\n", r"log0: .*no line of emitted kernels"), ("".join(lines[:4] + [other] + lines[5:]), r"log0:5: the line is garbled"),
                          (run("begin 2 rv32imc 40 2", "end"), r"log0:1: expected 'begin 1'"),
                          (run("begin 1 rv32imc 40 2", "events A", "count b k 40 1", "end"), r"log0:4: expected more runs"),
                          (run("begin 1 rv32imc 40 2", "events A", "count b k 80 1", "end"), r"log0:3: expected runs of the kernel with N"),
                          (run("begin 1 rv32imc 40 2", "events A", "count ../b k 40 1", "end"), r"log0:3: expected a benchmark"),
                          (run("begin 1 rv32imc 40 2", "count b k 40 1", "end"), r"log0:2: expected the turns, and a count of each event"),
                          (run("begin 1 rv32imc 40 2", "events A B A", "count b k 40 1 1 1", "end"), r"log0:2: expected names of events, each once"),
                          (run("begin 1 rv32imc 40 2", "end"), r"log0:2: expected a set of events before this line: the program has none of the number SET"),
                          (counted(("A",), {("branch", "b2"): 2, ("branch", "b3"): 5}), r"log0: no kernel was counted: b2, it trapped, cause 2: illegal instruction"),
                          (run("begin 1 rv32imc 40 2", "events A", "end"), r"log0: no kernel was counted$"),
                          (run("begin 1 rv32imc 40 2", "say b", "end"), r"log0:2: expected begin, events")):
            self.load(text, code=3, err=why)
            self.assertFalse(self.out.exists(), why)
        self.load(whole, counted(("minstret",), {("branch", "b2"): (7,)}, turns=128), code=3, err=r"log1:1: the run is of rv32imc with 128 turns")
        self.expect(support.Run("import", "--console", self.folder / "none", "--out", self.out), 3, err="none")
        self.expect(support.Run("import", "--console", "x", "--out", self.out, "--separator", "tab"), 2, err="no option for the layout of a table")
        self.expect(support.Run("import", "a", "b", "--out", self.out), 2, err="expected one TABLE")

    def test_nothing_strays_where_nothing_disturbs(self):
        """An event that counts one more in 64 turns, on some kernels, is wrong where runs repeat exactly, and may be right where they do not."""
        with open(support.SOURCE / "bases/branch.csv", encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if line[0] != "#"))
        retired = {("branch", row[0]): float(row[1 + rows[0][1:].index("CR")]) for row in rows[1:] if row[0] not in ("b4", "b4a", "b4b", "b5", "b5a", "b5b")}
        statuses = {}
        for disturbed in (0, 1):
            lines = ["begin 1 rv32imc 40 2", "events minstret BR"]
            for number, ((benchmark, kernel), value) in enumerate(sorted(retired.items())):
                for repetition in (0, 1):
                    for factor in (1, 2):
                        more = disturbed * repetition * factor
                        stray = factor - 1 if number % 5 == 0 else 0
                        lines.append(f"count {benchmark} {kernel} {64 * factor:x} {640 * factor + more:x} {int(64 * factor * value) + stray + more * (number == 1):x}")
            self.load(run(*lines, "end"))
            results = self.expect(support.Run("analyze", self.out, "--format", "json"), 0).json()
            statuses[disturbed] = {event["event"]: event["status"] for event in results["benchmarks"][0]["events"]}["BR"]
        self.assertEqual(statuses, {0: "unrepresentable", 1: "selected"})


if __name__ == "__main__":
    support.main()
