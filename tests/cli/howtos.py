"""The how-tos: each command of each page runs as it is shown, in the page's order, in a copy of the sources, whose path has a blank.

howtos.csv has what is not run, and why, and which commands end with another status than 0. A command that is in no row is run, so
that none slips through; a row that fits no command is a failure. readme.py does the same for README.md and the tutorial.
"""

import csv
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import audit_checkout
import pages
import support

sys.path.insert(0, str(support.SOURCE / "tests/house"))
import files  # noqa: E402

HOWTOS = support.SOURCE / "docs/howto"
DISCOVER = "catmint discover --format json --output results.json"
# Of these pages, whatever is built is built: a long test.
BUILT = ("build", "install", "use-the-library", "add-an-export-format", "add-a-benchmark", "add-an-architecture")
PAPI_TABLE = "CPU,hsw\nPRESET,PAPI_BR_CN,NOT_DERIVED,BR_INST_RETIRED:CONDITIONAL\nCPU,spr\nPRESET,PAPI_BR_INS,NOT_DERIVED,BR_INST_RETIRED:COND\n"
OWN_SECTION = "CPU,mine\nPRESET,PAPI_BR_CN,NOT_DERIVED,BR_INST_RETIRED:CONDITIONAL\n"
PROGRAM = "int main(int count, char **words)\n{\n    volatile int sum = 0;\n    for (int i = 0; i < 1000 * count; i++)\n        sum += words[0][0];\n    return 0;\n}\n"
# What a page wants to be installed; where it is not, the page is skipped.
TOOLS = {"audit-formulas": ("papi_avail",), "check-changes-of-formulas": ("git",), "count-a-program": ("cc", "qemu-x86_64"),
         "install": ("doxygen",), "test-a-pmu-before-silicon": ("aarch64-linux-gnu-gcc", "make", "qemu-system-aarch64"),
         "top-down": ("cc", "qemu-x86_64"), "use-from-cpp-and-fortran": ("c++", "qemu-x86_64"), "use-with-profilers": ("papi_avail",)}
# Where the texts that a page shows belong, by their number on the page: a file, or a file and the last line after which they stand.
PLACES = {
    "add-a-metric": {0: ("signatures/branch.csv", "")},
    "add-an-export-format": {0: "src/formats/plain/CMakeLists.txt", 1: "src/formats/plain/write.c",
                             2: ("src/formats/formats.c", "#include <string.h>")},
    "add-a-benchmark": {0: "bases/memory.csv", 1: "signatures/memory.csv", 2: ("bases/benchmarks.csv", "tlb,"), 3: ("bases/symbols.csv", ""),
                        4: ("bases/facts.csv", ""), 5: "cat-kernels/x86_64/memory.S", 6: ("cat-kernels/x86_64/kernels.c", "DECLARE("),
                        7: ("cat-kernels/x86_64/kernels.c", "             CODE_LINES)"), 10: ("tests/unit/test_data.c", '        {"tlb", 1e-1'),
                        11: ("tests/unit/test_data.c", '        {"instructions", 90')},
    "add-an-architecture": {0: "cat-kernels/foo64/CMakeLists.txt", 1: "cat-kernels/foo64/kernels.c", 2: "src/software_pmu/foo64/CMakeLists.txt"},
    "write-a-pmu-model": {0: "mine/events.csv", 2: "mine-too/events.csv"},
}
# Names that a page adds to a list: the file, the text before which it goes, the name.
NAMES = {"add-an-export-format": ("src/formats/formats.c", "&cm_format_csv", "&cm_format_plain, "),
         "add-a-benchmark": ("cat-kernels/x86_64/CMakeLists.txt", " mixture.S)", " memory.S"),
         "add-an-architecture": ("CMakeLists.txt", " riscv64)\nstring(REPLACE AMD64", " foo64")}
# What other nodes do meanwhile.
ELSEWHERE = {"catmint sweep --shard 1/4": [f"catmint sweep --shard {shard}/4 --out cluster" for shard in (2, 3, 4)]}
# As users call it, but with fewer benchmarks, repetitions and programs, and without the counters that this machine may have.
BRIEFLY = """#!/bin/bash
case "$1 $*" in
*--facts*) more= ;;
discover* | sweep*) more='--pmu=software {alone} --benchmark=cpu-flops,branch --repetitions=2' ;;
validate*) case $* in *--emit* | *--trace*) more= ;; *) more=--programs=4 ;; esac ;;
esac
[ "$1" != discover ] || more="$more --programs=1"
for option in $more; do
    case " $* " in *" ${{option%%=*}}"[\\ =]*) ;; *) set -- "$@" $option ;; esac
done
exec -a "$0" {program} "$@"
"""


def rows():
    """What howtos.csv says of commands: (page, how the command begins) to the outcome."""
    with open(support.SOURCE / "tests/cli/howtos.csv", encoding="utf-8", newline="") as stream:
        return {(row["page"], row["command"]): row["outcome"] for row in csv.DictReader(line for line in stream if not line.startswith("#"))}


def outcome_of(page, command):
    """That of the row which says most of the command."""
    return max(((len(begins), outcome) for (where, begins), outcome in rows().items() if where == page and command.startswith(begins)), default=(0, "0"))[1]


class Pages(support.Case):
    """What runs the commands of a page in self.tree."""
    kept = None  # a folder with what pages share: results.json of the command that many begin with, and a sweep
    without = ()  # what the copy of the sources need not have: folders

    @classmethod
    def tearDownClass(cls):
        if cls.kept is not None:
            shutil.rmtree(cls.kept)

    def setUp(self):
        super().setUp()
        self.clone, self.home, self.exports = self.folder / "a clone", self.folder / "a home", []
        self.tree = self.clone
        self.home.mkdir()
        for name in files.files_of(support.SOURCE):
            if name.startswith(self.without):
                continue
            (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(support.SOURCE / name, self.tree / name)

    def briefly(self):
        """A program that is called as catmint is."""
        return BRIEFLY.format(program=shlex.quote(support.PROGRAM), alone="=".join(support.software_alone()))

    def run_command(self, command, codes=(0,)):
        environment = support.environment(HOME=str(self.home), CATMINT_DATA_DIR=str(self.clone), PATH=f"{self.clone}/build/bin:{os.environ['PATH']}")
        del environment["XDG_DATA_HOME"]
        done = subprocess.run(["bash", "-c", "\n".join([*self.exports, command])], cwd=self.tree, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if "the emulated PMU needs" in done.stdout:
            self.skipTest(done.stdout.strip())
        self.assertIn(done.returncode, codes, f"{command}\n{done.stdout[-4000:]}")
        if command.startswith("export "):
            self.exports.append(command)

    def run_once(self, command, made):
        """The command, whose file or folder pages share."""
        if Pages.kept is None:
            Pages.kept = pathlib.Path(tempfile.mkdtemp(prefix="catmint-howtos-"))
        if not (Pages.kept / made).exists():
            self.run_command(command)
            self.run_command(f"cp -r {made} {shlex.quote(str(Pages.kept))}")
        elif not (self.tree / made).exists():
            self.run_command(f"cp -r {shlex.quote(str(Pages.kept))}/{made} .")

    def place(self, path, text):
        """Writes a text that the page shows where the page says that it belongs."""
        name, after = (path, None) if isinstance(path, str) else path
        (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
        if after is not None:
            lines = (self.tree / name).read_text().splitlines(True)
            lines.insert(max(number for number, line in enumerate(lines) if line.startswith(after)) + 1, text)
            text = "".join(lines)
        (self.tree / name).write_text(text)

    def run_page(self, page):
        for tool in TOOLS.get(page, ()):
            if shutil.which(tool) is None:
                self.skipTest(f"{tool} is not installed")
        getattr(self, "prepare_" + page.replace("-", "_"), lambda: None)()
        if page in NAMES:
            name, before, added = NAMES[page]
            text = (self.tree / name).read_text()
            self.assertIn(before, text)
            (self.tree / name).write_text(text.replace(before, added + before))
        shown = 0
        for kind, text in pages.blocks(HOWTOS / f"{page}.md"):
            if kind == "shown":
                if shown in PLACES.get(page, {}):
                    self.place(PLACES[page][shown], text)
                shown += 1
                continue
            for command in pages.commands(text):
                outcome = outcome_of(page, command)
                if command == DISCOVER:
                    self.run_once(command, "results.json")
                elif outcome != "not run":
                    self.run_command(command, [int(code) for code in outcome.split()])
                    for other in next((others for begins, others in ELSEWHERE.items() if command.startswith(begins)), ()):
                        self.run_command(other)


class Howtos(Pages):
    """With what was built anyhow."""

    without = ("src/", "tests/unit/", "tests/cli/", "tests/fuzz/", "tests/house/", "tests/bench/", "debian/")

    def setUp(self):
        super().setUp()
        (self.tree / "build/bin").mkdir(parents=True)
        (self.tree / "build/bin/catmint").write_text(self.briefly())
        (self.tree / "build/bin/catmint").chmod(0o755)

    def compile(self, name):
        (self.folder / "program.c").write_text(PROGRAM)
        subprocess.run(["cc", "-O1", self.folder / "program.c", "-o", self.tree / name], check=True)

    def prepare_add_a_metric(self):
        self.run_once("catmint sweep --out sweep", "sweep")

    def prepare_audit_formulas(self):
        (self.tree / "papi/src").mkdir(parents=True)
        (self.tree / "papi/src/papi_events.csv").write_text(PAPI_TABLE)

    def prepare_check_changes_of_formulas(self):
        """A project that keeps formulas: files of PAPI, LIKWID and perf in one."""
        self.tree = self.folder / "change"
        for project in ("PAPI", "LIKWID", "perf"):
            for name, content in audit_checkout.TREES[project][0].items():
                (self.tree / name).parent.mkdir(parents=True, exist_ok=True)
                (self.tree / name).write_text(content)
        self.run_command("git init -q && git add . && git -c user.name=a -c user.email=a@b commit -qm all && git update-ref refs/remotes/origin/main HEAD")

    def prepare_count_a_program(self):
        self.compile("solver")

    def prepare_port_presets(self):
        self.run_once("catmint sweep --out sweep", "sweep")

    def prepare_top_down(self):
        self.compile("program")
        self.run_once(DISCOVER, "results.json")

    def prepare_use_from_cpp_and_fortran(self):
        library = pathlib.Path(os.environ["CATMINT_LIBRARY"])
        subprocess.run(["c++", "-O2", "-I", support.SOURCE / "include", "-I", os.environ["CATMINT_INCLUDE"], support.SOURCE / "docs/examples/regions.cpp",
                        "-o", self.tree / "regions", library, f"-Wl,-rpath,{library.parent}"], check=True)

    def prepare_write_a_pmu_model(self):
        (self.tree / "papi_events.csv").write_text(PAPI_TABLE + OWN_SECTION)

    def test_a_page_writes_nothing_into_the_sources(self):
        """Not into a user's sweep either, which git ignores."""
        self.assertFalse((self.tree / "sweep").exists())
        self.assertEqual([path for path in self.tree.rglob("*") if path.is_symlink()], [])

    def test_each_row_fits_a_command(self):
        for (page, begins), outcome in rows().items():
            found = [command for kind, text in pages.blocks(HOWTOS / f"{page}.md") if kind == "run" for command in pages.commands(text)]
            self.assertTrue(any(command.startswith(begins) for command in found), f"howtos.csv: {page} has no command '{begins}'")
            self.assertRegex(outcome, r"^(not run|\d+( \d+)*)$", f"howtos.csv: {page}: {begins}")


class Built(Pages):
    """One page after the other: each goes on from what is built."""

    def test_pages(self):
        for page in BUILT:
            with self.subTest(page):
                self.run_page(page)

    def prepare_add_an_export_format(self):
        brief = self.folder / "briefly"
        brief.write_text(self.briefly())
        self.run_command(f"bash {shlex.quote(str(brief))} discover --format json --output results.json")


def add_page(page):
    """A test of one page."""
    setattr(Howtos, "test_" + page.replace("-", "_"), lambda self: self.run_page(page))


for path in HOWTOS.glob("*.md"):
    if path.stem not in BUILT:
        add_page(path.stem)

if __name__ == "__main__":
    support.main()
