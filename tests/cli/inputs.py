"""Where a file is meant, only a regular file is read: no pipe without a writer stops a command, no device feeds it for ever. What is
not there is refused the same way."""

import json
import os
import re
import resource
import shutil
import socket

import projecting
import rooflines
import support

ADDRESSES = 8 << 30  # bytes: a device that is read into memory would take more
NEEDED = 120  # seconds: what hangs is found then; nothing here takes long

# Command lines. FILE is what is no file; in FOLDER/NAME it is the file NAME of a folder. All else is sound.
ROWS = """
discover --benchmark branch --pmu software --events-file FILE
discover --benchmark branch --pmu software:MODEL/machine.csv
discover --benchmark branch --pmu software:MODEL/events.csv
discover --benchmark branch --pmu software --events BR_INST_RETIRED:COND --repetitions 2 --basis FILE
discover --benchmark branch --pmu software --events BR_INST_RETIRED:COND --repetitions 2 --signatures FILE
sweep --benchmark branch --pmu software --out OUT --events-file FILE
analyze FILE --benchmark branch
analyze TABLE --benchmark branch --basis FILE
analyze TABLE --benchmark branch --signatures FILE
analyze SWEEP/manifest.json
analyze SWEEP/branch.csv
validate SWEEP/manifest.json
validate SWEEP/branch.csv
validate SWEEP --benchmark branch --basis FILE
validate SWEEP --benchmark branch --signatures FILE
explain EVENT FILE --benchmark branch
explain EVENT TABLE --benchmark branch --basis FILE
explain EVENT TABLE --benchmark branch --signatures FILE
evaluate FILE --counts TABLE
evaluate FORMULAS --counts FILE
audit FILE --against RESULTS
audit FORMULAS --against FILE
audit FORMULAS --against RESULTS --map FILE
audit FORMULAS --against TABLE --benchmark branch --basis FILE
audit FORMULAS --against TABLE --benchmark branch --signatures FILE
audit --upstream UPSTREAM/src/papi_events.csv --cpu skx --against RESULTS
lint FILE
lint FORMULAS --base FILE
lint FORMULAS --known-events FILE
count --results FILE -- true
count --formulas FILE -- true
count --plan FILE -- true
project --from FILE --to MACHINE --mix MIX
project --from MACHINE --to FILE --mix MIX
project --from MACHINE --to MACHINE --mix FILE
roofline --out OUT --machine FILE
roofline --out OUT --machine ROOFLINE --points FILE
incore --results FILE
incore --known FILE
incore --assembly FILE
export FILE --to csv
export RESULTS --to csv --known-events FILE
export RESULTS --to papi --cpu x --patch FILE
report FILE --output PAGE
report RESULTS --output PAGE --audit FILE
report RESULTS --output PAGE --values FILE
report RESULTS --output PAGE --machine FILE
report RESULTS --output PAGE --machine ROOFLINE --points FILE
bundle SWEEP/branch.csv --output PAGE
bundle --check FILE
bundle --check FILE --signature RESULTS --signers RESULTS
bundle --check TABLE --signature FILE --signers RESULTS
bundle --check TABLE --signature RESULTS --signers FILE
bundle SWEEP --output PAGE --sign FILE
diff FILE RESULTS
diff RESULTS FILE
merge SWEEP/manifest.json --out OUT
import FILE --benchmark branch --out OUT
import-cat CAT/EVENT.branch --out OUT
import-ncu FILE --benchmark gpu-flops --out OUT
discover --benchmark branch --pmu software --events BR_INST_RETIRED:COND --repetitions 2 --basis BASIS --controls FILE
analyze TABLE --benchmark branch --basis BASIS --controls FILE
validate SWEEP --benchmark branch --basis BASIS --controls FILE
explain EVENT TABLE --benchmark branch --basis BASIS --controls FILE
audit FORMULAS --against TABLE --benchmark branch --basis BASIS --controls FILE
audit FORMULAS --pmu software:skylake --facts SWEEP/manifest.json
sweep --pmu software:skylake --out OUT --facts SWEEP/manifest.json
kernels --emit OUT --isa rv64gc --events FILE
import --console FILE --out OUT
kernels --verify --isa rv32imc --trace FILE
validate --emit OUT --isa rv64gc --events FILE
validate --trace FILE --isa rv64gc
measure FILE --pmu software:golden-cove
""".strip().split("\n")

SAID_BY_OTHERS = [row for row in ROWS if re.search("--sign(ature|ers)? FILE", row)]  # ssh-keygen says what is not there
OUTPUTS = {"--out", "--output", "--plots", "--root", "--emit"}
CODES = {"count": 125, "diff": 2}


def bind(path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(path))


def nothing(_):
    pass


OTHERS = (lambda path: path.symlink_to("/dev/zero"), os.mkdir, bind)


class Inputs(support.Case):
    def make(self):
        """What stands for the words of a row."""
        sweep = self.folder / "SWEEP"
        self.expect(support.Run("sweep", "--benchmark", "branch", "--pmu", "software", "--events", "BR_INST_RETIRED:COND", "--repetitions", "2", "--out", sweep), 0)
        self.expect(support.Run("analyze", sweep, "--format", "json", "--output", self.folder / "results.json"), 0)
        shutil.copytree(support.SOURCE / "data/pmu/zen4", self.folder / "MODEL")
        for name in ("CAT", "UPSTREAM/src"):
            (self.folder / name).mkdir(parents=True)
        return {
            "TABLE": support.RECORDED["branch"], "BASIS": support.SOURCE / "bases/branch.csv", "MACHINE": support.SOURCE / "data/machines/zen4.csv",
            "MIX": self.write("mix.csv", projecting.mix(projecting.MIX, "here", "there")),
            "ROOFLINE": self.write("roofline.json", json.dumps(rooflines.machine())), "RESULTS": self.folder / "results.json",
            "FORMULAS": self.write("formulas.csv", "metric,formula,unit,source\nTwice,2 * EVENT,,\n"), "OUT": self.folder / "out", "PAGE": self.folder / "page",
        }

    def refused(self, row, words, make):
        """One row with one thing that is no file, which is gone afterwards."""
        place = re.search(r"\S*FILE|[A-Z]+/\S+", row)[0]
        path = self.folder / place.partition(":")[2] if ":" in place else self.folder / place
        kept = path.with_name(path.name + ".kept")
        if path.exists():
            path.rename(kept)
        make(path)
        line = []
        for word in row.split():
            folder = re.sub(r"(SWEEP|MODEL|CAT|UPSTREAM)(/\S*)?", lambda found: str(self.folder / found[1]), word)
            line.append(str(path) if word == "FILE" else folder if folder != word else words.get(word, word))
        try:
            run = support.Run(*line, timeout=NEEDED)
        finally:
            if path.is_dir():
                path.rmdir()
            else:
                path.unlink(missing_ok=True)
            if kept.exists():
                kept.rename(path)
        self.expect(run, CODES.get(line[0], 3), err=rf"(?m)^catmint: .*/{re.escape(path.name)}: ", out="")

    def test_no_file(self):
        words = self.make()
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, limits)
        for i, row in enumerate(ROWS):
            for make in (os.mkfifo, OTHERS[i % len(OTHERS)], nothing)[:1 if "--repetitions" in row else 3 if " FILE" in row and row not in SAID_BY_OTHERS else 2]:
                with self.subTest(row=row, make=make):
                    self.refused(row, words, make)

    def test_too_large(self):
        """Documents are held in memory, so they have an end; a file with a hole takes no room on the disk."""
        file = self.write("large.json", "{")
        os.truncate(file, 3 << 30)
        limits = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, limits[1]))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_AS, limits)
        for words in (("export", file, "--to", "csv"), ("import", file, "--benchmark", "branch", "--out", self.folder / "out"),
                      ("analyze", file, "--benchmark", "branch"), ("lint", file)):
            self.expect(support.Run(*words, timeout=NEEDED), 3, err=r"(?m)^catmint: .*/large\.json:", out="")

    def test_every_option_that_names_a_file_has_a_row(self):
        commands = re.findall(r"(?m)^  ([a-z-]+) ", support.Run("--help").out)
        for command in commands:
            rows = [row.split() for row in ROWS if row.split()[0] == command]
            text = support.Run(command, "--help").out
            for option in re.findall(r"(?m)^  (--[a-z-]+) (?:FILE|PATH|DIR|MACHINE|KEY)\b", text):
                if option not in OUTPUTS:
                    self.assertTrue(any(option in row for row in rows), f"{command} {option}")
            if re.search(r"usage: .*(DIR|FILE|TABLE|FORMULAS|RESULTS|BEFORE|BUNDLE)", text.splitlines()[0]):
                self.assertTrue(rows, command)


if __name__ == "__main__":
    support.main()
