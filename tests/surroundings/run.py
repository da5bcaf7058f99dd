"""Runs a test in a forced surrounding, and lets no skip pass that nobody has reviewed.

run.py TEST LIBRARY COMMAND...: every test of ctest runs through this. CATMINT_SURROUNDING names the surrounding (default
`plain`, the machine as it is); LIBRARY is pretended_kernel.c, built. A skip is a line `skipped: WHY`, or one of cmocka;
skips.csv lists those that are expected: any other is a failure, and a test with one in it does not count as passed."""

import csv
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
SKIPPED = 77
NOBODY = "65534"
AS_NOBODY = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
BUSY = 8
# What malloc gives lies in huge pages, where there are: faults of small ones are an eighth of a virtual machine's time.
HUGE_PAGES = "glibc.malloc.hugetlb=1"


class Run:
    """One command with its environment, changed by the surrounding before it starts."""

    def __init__(self, library, command):
        self.library, self.command, self.environment = library, command, dict(os.environ)
        self.busy, self.folders = 0, []

    def folder(self, prefix):
        self.folders.append(pathlib.Path(tempfile.mkdtemp(prefix=prefix, dir="/tmp")))
        self.folders[-1].chmod(0o755)
        return self.folders[-1]

    def pretend(self, kernel):
        # The loader parts its list at blanks and colons, which folders may have in their names.
        link = self.folder("catmint-kernel-") / "library.so"
        link.symlink_to(self.library)
        self.environment["LD_PRELOAD"] = ":".join(filter(None, (str(link), os.environ.get("LD_PRELOAD"))))
        self.environment["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0"
        self.environment["CATMINT_PRETENDED"] = kernel

    def move_to(self, folder):
        """A copy of the sources and the program, instead of those in the build tree."""
        source, built = folder / "source", folder / "program"
        shutil.copytree(SOURCE, source, symlinks=True, ignore=lambda at, names: [
            name for name in names if name == ".git" or (pathlib.Path(at) == SOURCE and name.startswith("build"))])
        self.command = [str(source) + part[len(str(SOURCE)):] if part.startswith(f"{SOURCE}/tests/") else part
                        for part in self.command]
        self.environment["CATMINT_SOURCE"] = str(source)
        program = self.environment.get("CATMINT_PROGRAM")
        if program is not None:
            shutil.copytree(pathlib.Path(program).parent.parent / "lib", built / "lib", symlinks=True)
            (built / "bin").mkdir()
            self.environment["CATMINT_PROGRAM"] = shutil.copy(program, built / "bin")
            self.environment["LD_LIBRARY_PATH"] = str(built / "lib")
        temporary = folder / "temporary"
        temporary.mkdir()
        self.environment["TMPDIR"] = str(temporary)

    def close(self):
        for folder in self.folders:
            shutil.rmtree(folder, True)


# ---- surroundings: each changes a run, or says why it cannot be had here ----

def plain(_):
    return None


def clash(run):
    """perf_event lists the events of a Sapphire Rapids, whose names are those of the software PMU, and refuses all."""
    run.environment["LIBPFM_FORCE_PMU"] = "spr"
    run.pretend("refusing")


def software(run):
    """perf_event counts the kernel's own events, and refuses those of the processor."""
    run.pretend("software")


def off(run):
    """The kernel has no perf_event, so PAPI's component is disabled."""
    run.pretend("off")


def succeeds(*command):
    return subprocess.run([*AS_NOBODY, *command], capture_output=True, check=False).returncode == 0


def ordinary(run):
    """Not root."""
    if os.geteuid() != 0:
        return None
    if shutil.which("setpriv") is None or not succeeds("true"):
        return "root cannot become an ordinary user here"
    python = next((path for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3") if succeeds(path, "-c", "")), None)
    if python is None:
        return "no ordinary user can run python3 here"
    run.command = [python if part == sys.executable else part for part in run.command]
    folder = run.folder("catmint-ordinary-")
    needed = [part for part in [*run.command, run.environment.get("CATMINT_PROGRAM", "")] if part.startswith("/")]
    if not succeeds("sh", "-c", 'for file; do test -r "$file" || exit 1; done', "sh", *needed, str(SOURCE)):
        run.move_to(folder)
    run.environment["TMPDIR"] = str(folder / "temporary")
    run.environment["HOME"] = str(folder)
    (folder / "temporary").mkdir(exist_ok=True)
    (folder / "temporary").chmod(0o777)
    run.command = [*AS_NOBODY, "--", *run.command]
    return None


def no_avx512(run):
    """Kernels that need AVX-512 or half precision cannot be run."""
    run.environment["CATMINT_WITHOUT_ISA"] = "AVX512F"


def load(run):
    """Busy processes beside the test."""
    run.busy = BUSY


def blanks(run):
    """Sources, program and temporary files lie in folders with blanks in their names."""
    run.move_to(run.folder("catmint with blanks "))


SURROUNDINGS = {"plain": plain, "clash": clash, "software": software, "off": off, "ordinary": ordinary,
                "no-avx512": no_avx512, "load": load, "blanks": blanks}


# ---- running ----

def end_with_parent(number=signal.SIGKILL):
    ctypes.CDLL(None).prctl(1, number)  # PR_SET_PDEATHSIG


def start_busy(count):
    """Processes that end with this one, and after half an hour in any case."""
    code = ("import os, time\nparent, end = os.getppid(), time.monotonic() + 1800\n"
            "while os.getppid() == parent and time.monotonic() < end:\n    sum(range(100000))\n")
    return [subprocess.Popen([sys.executable, "-I", "-S", "-c", code], stdin=subprocess.DEVNULL) for _ in range(count)]


def output_of(run):
    """Exit code and all that was written, which is passed on line by line."""
    lines = []
    process = subprocess.Popen(run.command, env=run.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, preexec_fn=end_with_parent)
    busy = start_busy(run.busy)
    try:
        for line in process.stdout:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
            lines.append(line.decode("utf-8", "replace").rstrip("\n"))
        return process.wait(), lines
    finally:
        for one in [process, *busy]:
            one.kill()
            one.wait()


def skips_in(lines):
    """The reasons of what was skipped: the texts behind `skipped:`; cmocka's skips without one have none."""
    skips, reasoned = [], False
    for line in lines:
        if line.startswith("[ RUN "):
            reasoned = False
        elif line.startswith("[====") and line.endswith("run."):
            break  # cmocka lists them again
        elif line.startswith("skipped: "):
            skips.append(line[len("skipped: "):])
            reasoned = True
        elif line.startswith("[  SKIPPED ] ") and not reasoned:
            skips.append(f"{line[len('[  SKIPPED ] '):]} gives no reason")
    return skips


def is_listed(surrounding, test, reason):
    with open(pathlib.Path(__file__).with_name("skips.csv"), newline="") as stream:
        rows = csv.DictReader(line for line in stream if not line.startswith("#"))
        return any(re.fullmatch(row["surrounding"], surrounding) and re.fullmatch(row["test"], test) and
                   re.search(row["reason"], reason) for row in rows)


def judge(surrounding, test, code, lines):
    """What ctest is told."""
    skips = skips_in(lines)
    if code == SKIPPED and not skips:
        skips = ["no reason is given"]
    unlisted = [reason for reason in skips if not is_listed(surrounding, test, reason)]
    for reason in unlisted:
        print(f"not in tests/surroundings/skips.csv: {surrounding},{test}: {reason}")
    if code < 0:
        print(f"ended by {signal.Signals(-code).name}")
    if code not in (0, SKIPPED):
        return code if code > 0 else 1
    return 1 if unlisted else SKIPPED if skips else 0


def seed_of_the_commit():
    """What random tests begin with: another number at each commit; CATMINT_SEED brings one back."""
    done = subprocess.run(["git", "-C", str(SOURCE), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    return str(int(done.stdout[:8] or "1", 16))


def main():
    test, library, *command = sys.argv[1:]
    surrounding = os.environ.get("CATMINT_SURROUNDING") or "plain"
    if surrounding not in SURROUNDINGS:
        sys.exit(f"CATMINT_SURROUNDING is {surrounding!r}, expected one of {', '.join(SURROUNDINGS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # and tidies up
    end_with_parent(signal.SIGTERM)
    run = Run(library, command)
    run.environment["CATMINT_SURROUNDING"] = surrounding
    run.environment["CATMINT_TEST"] = test
    run.environment.setdefault("CATMINT_SEED", seed_of_the_commit())
    run.environment.setdefault("GLIBC_TUNABLES", HUGE_PAGES)
    try:
        missing = SURROUNDINGS[surrounding](run)
        if missing is not None:
            print(f"skipped: {missing}")
            return judge(surrounding, test, SKIPPED, [f"skipped: {missing}"])
        code, lines = output_of(run)
    finally:
        run.close()
    return judge(surrounding, test, code, lines)


if __name__ == "__main__":
    sys.exit(main())
