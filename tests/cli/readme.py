"""README.md, the tutorial and a how-to: their commands run, and what they show is what comes out (howtos.py: the other how-tos).

They show a processor without AVX-512 and without hardware counters, which is pretended where it is another one. Lines about
the machine, and how many events there were, are not compared.
"""

import html
import os
import re
import shutil
import subprocess
import tempfile

import pages
import support

README, TUTORIAL, TABLE = (support.SOURCE / name for name in ("README.md", "docs/tutorial.md", "docs/howto/use-somebodys-table.md"))
# What stands for names in README.md's commands: `catmint COMMAND ...`.
NAMES = {"DIR...": "another sweep", "DIR": "another sweep", "ALL": "all", "OUT": "out", "EVENT": "BR_MISP_RETIRED", "FORMAT": "csv",
         "RESULTS.json": "results.json", "FORMULAS": "own.csv", "COUNTS.csv": "counts.csv", "FILE.csv": "sweep/branch.csv",
         "BEFORE": "results.json", "AFTER": "results.json", "NAME": "branch", "PAGE": "sweep", "SHELL": "bash", "TABLE": "table.csv",
         "./program": "true", "FILE": "ncu.csv", "MACHINE": str(support.SOURCE / "data/machines/a64fx.csv")}
LONG = "CATMINT_LONG" in os.environ  # as whoever runs them without further options
STATUSES = "measured|zero|noisy|unrepresentable|dependent|selected|unavailable"
# Not every definition fits a format; outputs of cat_collect lack what our kernels have; not every machine lets events be counted.
PARTLY = {"export", "import-cat", "doctor", "project"}
# What takes all cores to measure time has tests of its own: here its help is enough.
TIMED = {"roofline", "incore"}
NCU = """"ID","Kernel Name","Block Size","Grid Size","Device","sm__sass_thread_inst_executed_op_dadd_pred_on.sum"
"","","","","","inst"
"0","catmint_A_D_24(unsigned int)","(64, 1, 1)","(2, 1, 1)","0","25165824"
"""
MIX = "quantity,program\nperformance,1.5\noperations,1000\nfp_instructions,500\nbytes:L1,4000\nbytes:L2,800\nbytes:MEM,200\n"


def lines_of(text):
    """Without the lines about the machine, its neighbours and the PMU, and without numbers of events and of metrics, which grow."""
    text = re.sub(r"(?m)^PMU .*\n( .*\n)*", "", text)
    text = re.sub(r"(?m)^Machine .*\n", "", text)
    text = re.sub(r"(?m)^Interference .*\n( {14}.*\n)*", "", text)
    text = re.sub(r"(?m)^(# catmint: definitions of software:\S+ on ).*;", r"\1;", text)
    text = re.sub(rf"(?m)^(?:Events| {{6}}) +\d+ ({STATUSES})\b.*(?:\n {{30,}}.*)*", r"\1", text)
    text = re.sub(r"(?m)^(Not defined| {14}\d+:|[a-z-]+ +\d+ of \d+ ).*", "", text)
    text = re.sub(r"\d+ of \d+ metrics|\b\d+ (?=for PAPI|definitions are|were refused|formulas: |right$)", "", text)
    text = re.sub(r"(?m),\s+(?:each|\d+)\s+held\s+in\s.*\n(?: {14}.*\n)*", "\n", text)  # which programs judge a metric varies
    text = re.sub(r"held in \d+(?: to \d+)?\s+programs", "held in programs", text)
    if not LONG:  # fewer programs change how many these are, and nothing else that is shown
        text = re.sub(r"\d+(?= only where they are frequent)", "", text)
    return [line.rstrip() for line in support.without_rounding_noise(text).splitlines()]


def missing(shown, text):
    """The first shown line that is not in the text where it should be, None if there is none: `[...]` is any text."""
    lines, at, gap = lines_of(text), 0, True
    for line in lines_of(shown):
        if line == "[...]":
            gap = True
            continue
        begins = line.removesuffix("[...]")
        while gap and at < len(lines) and not is_line(lines[at], begins, line):
            at += 1
        if at == len(lines) or not is_line(lines[at], begins, line):
            return line
        at, gap = at + 1, False
    return None


def is_line(line, begins, shown):
    """How many definitions have a range, if any, depends on the neighbours of the moment and on pages."""
    line, begins, shown = (re.sub(r" ?\(\d* only where they are frequent\)", "", text) for text in (line, begins, shown))
    return line == shown or begins != shown and line.startswith(begins)


class Documents(support.Case):
    discovered = None

    def setUp(self):
        super().setUp()
        support.forbid_huge_pages(self)  # else the memory that is free decides which kernels run
        # A copy of what scripts/discover needs: what it would install and build is there.
        self.tree, self.home = self.folder / "a clone", self.folder / "a home"
        self.home.mkdir()
        for name in ("scripts", "build/bin", "stubs"):
            (self.tree / name).mkdir(parents=True)
        shutil.copy(support.SOURCE / "scripts/discover", self.tree / "scripts")
        for name in ("scripts/install-packages", "stubs/cmake"):
            (self.tree / name).write_text("#!/bin/sh\n")
            (self.tree / name).chmod(0o755)
        options = " ".join(("--pmu software", *support.software_alone())) if support.software_alone() else ""
        # scripts/discover counts all, as often as tests that share sweeps do; README.md's table of commands counts one benchmark.
        few, branch = " ".join(support.BRIEFLY), f"{options} --benchmark branch --repetitions 2"
        for name, called, added in (("build/bin/catmint", '"$0"', {"discover": options if LONG else f"{options} {few} --repetitions 4"}),
                            ("stubs/catmint", "catmint", {"discover": f"{branch} {few}", "sweep": branch, "validate": few, "kernels --verify": "--benchmark branch"})):
            cases = "".join(f"'{command}'*) set -- \"$@\" {more} ;;\n" for command, more in added.items())
            (self.tree / name).write_text(f"#!/bin/bash\ncase $* in\n{cases}esac\nexec -a {called} '{support.PROGRAM}' \"$@\"\n")
            (self.tree / name).chmod(0o755)

    def run_lines(self, lines, *codes):
        """Both outputs of commands in the tree."""
        environment = support.environment(CATMINT_WITHOUT_ISA="AVX512F", HOME=str(self.home))
        del environment["XDG_DATA_HOME"]
        environment["PATH"] = f"{self.tree / 'stubs'}:{environment['PATH']}"
        done = subprocess.run(["bash", "-c", lines], cwd=self.tree, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertIn(done.returncode, codes or (0,), f"{lines}\n{done.stdout}")
        return done.stdout

    def discover(self, command):
        """What the command that both documents begin with prints; it runs once, and each has a copy of its folder."""
        if Documents.discovered is None:
            printed = self.run_lines(command)
            kept = tempfile.TemporaryDirectory()
            self.addClassCleanup(kept.cleanup)
            shutil.copytree(self.tree / "sweep", f"{kept.name}/sweep")
            Documents.discovered = (command, printed, kept)
        else:
            shutil.copytree(f"{Documents.discovered[2].name}/sweep", self.tree / "sweep")
        self.assertEqual(command, Documents.discovered[0])
        return Documents.discovered[1]

    def page_text(self):
        """What a reader sees of the report, a line a piece."""
        text = re.sub(r"(?s)<(style|script|svg).*?</\1>", "", (self.tree / "sweep/report.html").read_text())
        return html.unescape(re.sub(r"<[^>]*>", "\n", re.sub(r"</?(?:a|code|em|span|strong)\b[^>]*>", "", text)))

    def check(self, shown, texts):
        self.assertTrue(any(missing(shown, text) is None for text in texts),
                        f"not as shown, from '{missing(shown, texts[-1])}' on:\n{texts[-1]}")

    def test_readme(self):
        found = list(pages.blocks(README))
        summary, definitions = (text for kind, text in found if kind == "shown")
        discover, whole = (line.split("#")[0].strip() for kind, text in found if kind == "run" for line in text.splitlines())
        printed = self.discover(f"{discover} --out sweep")
        self.check(summary, [printed])
        self.assertLessEqual(len(printed[printed.index("Summary"):].splitlines()), 25)
        self.check(definitions, [self.run_lines("catmint analyze sweep")])
        self.assertEqual(whole, "scripts/test --quick")
        self.assertTrue(os.access(support.SOURCE / whole.split()[0], os.X_OK))

        shutil.copy(self.tree / "sweep/results.json", self.tree)
        (self.tree / "own.csv").write_text("metric,formula,unit,source\nAll Branches,BR_INST_RETIRED:ALL_BRANCHES,,\n")
        (self.tree / "counts.csv").write_text("event,run\nBR_INST_RETIRED:ALL_BRANCHES,7\n")
        (self.tree / "FILE.s").write_text("addq %rax, %rbx\n")
        (self.tree / "ncu.csv").write_text(NCU)
        (self.tree / "mix.csv").write_text(MIX)
        (self.tree / "table.csv").write_text("benchmark;kernel;E\nbranch;b1;1\n")
        commands = re.findall(r"`catmint (.*?)`", "".join(re.findall(r"(?m)^\| (`catmint .*?) \|", README.read_text())))
        self.assertGreater(len(commands), 10)
        for command in commands:
            with self.subTest(command):
                self.run_command(command)

    def run_command(self, command):
        words = [NAMES.get(word, word) for word in command.replace("[", "").replace("]", "").split()]
        if words[0] == "import-cat":
            words[1] = str(support.SOURCE / "tests/data/cat/run1")
        if words[0] == "project":
            words[-1] = "mix.csv"
        if words[0] in TIMED:
            words.append("--help")
        if words[0] in ("sweep", "import", "import-ncu"):
            words[-1] = f"another {words[0]}"
        codes = (0, 125) if words[0] in ("count", "topdown") else (0, 1) if words[0] in PARTLY else (0,)  # not everywhere can programs be counted
        self.run_lines("catmint " + " ".join(f"'{word}'" for word in words), *codes)

    def test_tutorial(self):
        """A stranger's ten minutes: every command, and all that is shown of what it prints or writes."""
        shutil.copytree(support.SOURCE / "docs/examples", self.tree / "docs/examples")
        texts = []
        for kind, text in pages.blocks(TUTORIAL):
            if kind == "shown":
                self.check(text, texts)
            elif text.startswith("scripts/discover"):
                texts = [self.discover(text.strip()), self.page_text()]
            elif text.startswith("PATH=") or "papi_avail" in text and shutil.which("papi_avail") is None:
                pass  # the first prints nothing; what PAPI loads is in cli.export_papi, too
            elif "catmint count" in text and (missing_part := self.cannot_count(text)):
                self.skipTest(f"all but the last step: {missing_part}")
            else:
                codes = [1] if "export" in text or "papi_avail" in text else [3] if "BR_MISP_RETIRE " in text else []  # two metrics have no preset; PAPI may count nothing
                texts = [self.run_lines(text, 0, *codes), self.page_text()]
                if (presets := self.tree / "presets.csv").exists():
                    texts.insert(0, presets.read_text())

    def cannot_count(self, lines):
        """Why programs cannot be counted here, None where they can."""
        if shutil.which("cc") is None:
            return "there is no compiler"
        out = self.run_lines(lines, 0, 125)
        return out if "the emulated PMU needs" in out else None

    def test_somebodys_table(self):
        """What is shown is a file of the example, or what the command before it prints."""
        shutil.copytree(support.SOURCE / "docs/examples/table", self.tree / "docs/examples/table")
        texts = [path.read_text() for path in (self.tree / "docs/examples/table").iterdir()]
        for kind, text in pages.blocks(TABLE):
            if kind == "shown":
                self.check(text, texts)
            else:
                texts = [self.run_lines(text)]


if __name__ == "__main__":
    support.main()
