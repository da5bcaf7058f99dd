"""Runs the catmint program and looks at all that it says. Python's standard library only."""

import atexit
import csv
import ctypes
import fcntl
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import zlib

# Who starts tests in the background lets them ignore SIGINT, nohup SIGHUP, and the program they start would do so, too.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

PROGRAM = os.environ["CATMINT_PROGRAM"]
SOURCE = pathlib.Path(os.environ["CATMINT_SOURCE"])
SKIPPED = 77  # what ctest calls a skipped test
BRIEFLY = ("--programs", "4")  # what shows the same as 16 do
# Benchmarks of which tests want the definitions for a model: of golden-cove of all.
ENOUGH = {"skylake": ("--benchmark", "cpu-flops,branch,dcache,instructions,mem-ops,tlb"), "zen4": ("--benchmark", "cpu-flops,branch,dcache,dcache-write,mem-ops,tlb")}
RECORDED = {
    benchmark: SOURCE / "data/paper-events" / name for benchmark, name in (
        ("cpu-flops", "sapphire-rapids-cpu-flops.csv"), ("branch", "sapphire-rapids-branch.csv"),
        ("dcache", "sapphire-rapids-dcache.csv"), ("gpu-flops", "mi250x-gpu-flops.csv"))
}


def environment(**changes):
    kept = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "NO_COLOR", "TERM")}
    kept["CATMINT_DATA_DIR"] = str(SOURCE)
    kept["XDG_DATA_HOME"] = "/nonexistent/catmint-tests"  # never the user's
    kept["LC_ALL"] = "C.UTF-8"
    kept.update(changes)
    return kept


def preloading(library):
    """The environment in which that library is loaded before all others."""
    # The loader parts its list at blanks and colons, which folders may have in their names.
    folder = pathlib.Path(tempfile.mkdtemp(prefix="catmint-preload-", dir="/tmp"))
    atexit.register(shutil.rmtree, folder, True)
    link = folder / "library.so"
    link.symlink_to(library)
    return {"LD_PRELOAD": ":".join(filter(None, (str(link), os.environ.get("LD_PRELOAD")))),
            # The sanitizers' library is not the first one then, and does not mind.
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"}


def read_terminal(ours):
    """All that was written to a terminal whose other side is closed by now: one read may bring a part of it. Closes it."""
    chunks = []
    try:
        while chunk := os.read(ours, 65536):
            chunks.append(chunk)
    except OSError:
        pass  # nothing is left
    os.close(ours)
    return b"".join(chunks).decode()


@functools.cache
def small_caches():
    """This machine's processors with caches of 8 MiB at most, for hwloc: where the last one has 300, arrays that exceed it take a minute to fill."""
    cores = max(os.sched_getaffinity(0)) + 1
    return {"HWLOC_SYNTHETIC": f"pack:1 l3:1(size=8388608) l2:{cores}(size=524288) l1d:1(size=32768) l1i:1(size=32768) core:1 pu:1", "HWLOC_THISSYSTEM": "1"}


class Run:
    """One finished run: exit code, stdout, stderr."""

    def __init__(self, *arguments, cwd=None, timeout=1200, stdout=subprocess.PIPE, **changes):
        self.arguments = [str(argument) for argument in arguments]
        if self.arguments[:1] in (["roofline"], ["incore"]):
            changes = small_caches() | changes
        done = subprocess.run(["catmint", *self.arguments], executable=PROGRAM, cwd=cwd, env=environment(**changes), timeout=timeout,
                              stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, check=False)
        self.code = done.returncode
        self.out = (done.stdout or b"").decode("utf-8", "replace")
        self.err = done.stderr.decode("utf-8", "replace")

    def __str__(self):
        return f"catmint {' '.join(self.arguments)}: exit {self.code}\n--- stdout\n{self.out}--- stderr\n{self.err}"

    def json(self):
        return json.loads(self.out)


def plain_machine():
    """golden-cove's machine.csv without its habits."""
    folder = SOURCE / "data/pmu/golden-cove"
    habits = {line.split(",")[0] for line in (folder / "golden-cove-plain/machine.csv").read_text().splitlines()} - {"key"}
    return "".join(line for line in (folder / "machine.csv").read_text().splitlines(keepends=True) if line.split(",")[0] not in habits)


def make_model(folder, events, **changes):
    """A model of those events alone, on golden-cove's machine without habits, with these changes."""
    folder.mkdir(exist_ok=True)
    rows = ["event,description,expression", *(f"{name},an event,{expression}" for name, expression in events.items())]
    (folder / "events.csv").write_text("\n".join(rows) + "\n")
    machine = plain_machine().splitlines()
    machine = [line for line in machine if not line.startswith("architecture,")]  # of any processor
    kept = [f"{line.split(',')[0]},{changes.get(line.split(',')[0], line.split(',')[-1])}" if line[0] != "#" else line for line in machine]
    named = {line.split(",")[0] for line in kept}
    (folder / "machine.csv").write_text("\n".join([*kept, *(f"{key},{value}" for key, value in changes.items() if key not in named)]) + "\n")
    return folder


def catches(process, number):
    """Whether it has come so far that the signal would not just end it."""
    try:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    except OSError:
        return False
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return int(caught, 16) >> (number - 1) & 1 != 0


def wait_until_caught(process, number):
    while process.poll() is None and not catches(process, number):
        time.sleep(0.02)


def forbid_huge_pages(case):
    """Programs that are run from now on get small pages alone, until the test ends (PR_SET_THP_DISABLE of prctl)."""
    prctl = ctypes.CDLL(None).prctl
    case.assertEqual(prctl(41, 1, 0, 0, 0), 0)
    case.addCleanup(prctl, 41, 0, 0, 0, 0)


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="catmint-test-"))
        self.addCleanup(shutil.rmtree, self.folder, True)

    def write(self, name, content):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def expect(self, run, code, err=None, out=None):
        """Exit code, and patterns that stderr and stdout must hold; "" wants an empty one."""
        self.assertEqual(run.code, code, str(run))
        for pattern, text in ((err, run.err), (out, run.out)):
            if pattern == "":
                self.assertEqual(text, "", str(run))
            elif pattern is not None:
                self.assertRegex(text, re.compile(pattern, re.MULTILINE), str(run))
        return run


@functools.cache
def software_alone():
    """Options for definitions and tables that are known: where the kernel counts, if only its own events, these would be among them, and are left out."""
    listed = Run("events", "--format", "json").json()
    counts = listed["pmu"] == "hardware" or any(entry["component"] == "perf_event" and entry["enabled"] for entry in listed["components"])
    return ("--component", "sde") if counts else ()


def state_of_the_build():
    """A digest of the program, of its data, and of what the environment says to it."""
    digest = hashlib.sha256()
    libraries = (pathlib.Path(PROGRAM).parent.parent / "lib").glob("libcatmint*.so*")
    folders = (SOURCE / name for name in ("bases", "signatures", "data"))
    for path in sorted([pathlib.Path(PROGRAM), *libraries, *(path for folder in folders for path in folder.rglob("*") if path.is_file())]):
        digest.update(str(path).encode() + path.read_bytes())
    digest.update(str([os.environ.get(name) for name in ("CATMINT_SURROUNDING", "CATMINT_WITHOUT_ISA", "CATMINT_DATA_DIR")]).encode())
    return digest.hexdigest()[:16]


@functools.cache
def discovered(model):
    """A folder with `sweep` and `results.json` of all benchmarks, or of those that are ENOUGH, which the tests of a build share: whoever asks first makes it. Nobody changes it.
    Why this machine cannot is raised as a skip."""
    place = pathlib.Path(os.environ["CATMINT_SHARED"])
    if place.exists() and not os.access(place, os.W_OK):  # another user's
        own = tempfile.TemporaryDirectory(prefix="catmint-test-")
        atexit.register(own.cleanup)
        place = pathlib.Path(own.name)
    made = place / f"{model}-{state_of_the_build()}"
    place.mkdir(parents=True, exist_ok=True)
    with open(place / f"{model}.lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            for old in place.glob(f"{model}-*"):
                if time.time() - old.stat().st_mtime > 24 * 3600:
                    shutil.rmtree(old)
            with tempfile.TemporaryDirectory(dir=place) as folder:
                run = Run("discover", "--pmu", f"software:{model}", "--format", "json", *software_alone(), *BRIEFLY, *ENOUGH.get(model, ()), "--repetitions", "4", "--out", f"{folder}/sweep",
                          "--output", f"{folder}/results.json")
                if run.code == 4:
                    raise unittest.SkipTest(run.err.strip())
                assert run.code == 0, str(run)
                shutil.copytree(folder, made)
    return made


def discovered_document(model):
    """What came of all benchmarks."""
    return json.loads((discovered(model) / "results.json").read_text())


def model_events(model="golden-cove"):
    """Rows of a PMU model's events.csv."""
    lines = (SOURCE / f"data/pmu/{model}/events.csv").read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


def counted_events(model="golden-cove"):
    """Names of those that the software PMU counts: not of what no document settles."""
    return [event["event"] for event in model_events(model) if event["expression"] != "unknown"]


def measurements(name, events, repetitions=2):
    """A table of events that are sums of the ideal events of one of the paper's bases: {event: {symbol: coefficient}}."""
    lines = (SOURCE / f"bases/paper/{name}.csv").read_text().splitlines()
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    symbols, kernels = rows[0][1:], rows[1:]
    table = [",".join(["event", "repetition", "thread", *(kernel[0] for kernel in kernels)])]
    for event, parts in events.items():
        counts = [sum(weight * float(kernel[1 + symbols.index(symbol)]) for symbol, weight in parts.items())
                  for kernel in kernels]
        for repetition in range(repetitions):
            table.append(",".join([event, str(repetition), "0", *map(str, counts)]))
    return "\n".join(table) + "\n"


def benchmark(document, name):
    return next(entry for entry in document["benchmarks"] if entry["benchmark"] == name)


def sapphire_rapids():
    """What the paper's events of a Sapphire Rapids yield, in one document."""
    documents = [Run("analyze", "--method", "paper", RECORDED[name], "--benchmark", name, "--format", "json").json()
                 for name in ("cpu-flops", "branch", "dcache")]
    return documents[0] | {"benchmarks": [entry for document in documents for entry in document["benchmarks"]]}


def metric(document, name, metric_name):
    return next(entry for entry in benchmark(document, name)["metrics"] if entry["metric"] == metric_name)


def definition(entry):
    """Event to coefficient."""
    return {term["event"]: term["coefficient"] for term in entry["definition"]}


def usable(metric):
    """Whether the definition measures the metric, if only where that is frequent."""
    return metric["composable"] or bool(metric.get("valid_above"))


def composable(entry):
    """{metric: definition} of a benchmark."""
    return {metric["metric"]: definition(metric) for metric in entry["metrics"] if usable(metric)}


def without_rounding_noise(text):
    """Errors below 1e-13 differ from one BLAS to another: they read "tiny", padded as they were."""
    return re.sub(r"\b\d\.\d\de-(1[3-9]|[2-9]\d)\b|(?<=yes         )0(?=\s)",
                  lambda match: "tiny".ljust(len(match.group())) if match.group() != "0" else "tiny", text)


def cases_of(suite):
    """All of a suite, in its order."""
    return [case for part in suite for case in cases_of(part)] if isinstance(suite, unittest.TestSuite) else [suite]


class ByTurns(unittest.TestProgram):
    """Runs the cases whose turn it is: one of CATMINT_TURNS, which the commit chooses, and at least one of a script (docs/testing.md)."""

    def runTests(self):
        cases = cases_of(self.test)
        turns = min(int(os.environ.get("CATMINT_TURNS", "1")), len(cases)) or 1
        first = (int(os.environ.get("CATMINT_SEED", "0")) + zlib.crc32(os.environ.get("CATMINT_TEST", "").encode())) % turns
        self.test = unittest.TestSuite(cases[first::turns])
        if turns > 1:
            print(f"{self.test.countTestCases()} of {len(cases)} cases, the others at other commits; CATMINT_TURNS=1 runs all", file=sys.stderr)
        super().runTests()


def main():
    program = ByTurns(module="__main__", exit=False, verbosity=1)
    result = program.result
    for test, reason in result.skipped:
        print(f"skipped: {test}: {reason}", file=sys.stderr)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.testsRun > 0 and len(result.skipped) == result.testsRun else 0)
