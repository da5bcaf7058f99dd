"""Folders that catmint writes into: what is there is the old result or the new one, wherever the program is killed or the
disk is full."""

import json
import os
import shutil
import signal
import subprocess

import support
from writing_folders import CAT, FILES, NEW, OLD, SWEEP, Folders, contents, names, results

CALLS = os.environ["CATMINT_ENDING_CALLS"]
MOST = 40  # calls of one kind in one run
EACH, FIRST = 2, 1 + int(os.environ.get("CATMINT_SEED", "0")) % 2  # every second of them, the others at other commits
ONCE = (*SWEEP, "--repetitions", "1")  # as fast as can be: these are many


class Killed(Folders):
    COMMAND = ONCE

    def check_every_end(self, make, change, again, old, new, read=results, files=None):
        """Kills the changing command before each of its renames; what is read then is the old or the new result, and
        the command after that brings the new one."""
        found = []
        for number in range(FIRST, MOST, EACH):
            out = self.folder / f"out-{number}"
            make(out)
            run = support.Run(*change(out), **support.preloading(CALLS), CATMINT_END_AT=f"rename:{number}")
            self.assertIn(run.code, (0, 1, -signal.SIGKILL), str(run))
            state = read(out)
            self.assertIn(state, (old, new), f"killed before rename {number}")
            found.append(state == new)
            done = support.Run(*again(out))
            self.assertIn(done.code, (0, 1), f"killed before rename {number}: {done}")
            self.assertEqual(read(out), new, f"killed before rename {number}")
            if files is not None:
                self.assertEqual(names(out), files, f"killed before rename {number}")
            if run.code != -signal.SIGKILL:
                break
        else:
            self.fail("it never ended by itself")
        self.assertEqual(found, sorted(found))  # first the old, from one rename on the new
        self.assertGreater(found.count(False), 0)
        self.assertGreater(found.count(True), 1)

    def check_every_failure(self, call, make, change, old, new, read=results):
        done = 0
        for number in range(FIRST, MOST, EACH):
            out = self.folder / f"out-{number}"
            make(out)
            run = support.Run(*change(out), **support.preloading(CALLS), CATMINT_FAIL_AT=f"{call}:{number}")
            if run.code in (0, 1):
                self.assertEqual(read(out), new, str(run))
                done += 1
                if done == 4 / EACH:  # beyond the last call: only the last three, of folders, may fail
                    break
                continue
            self.expect(run, 4, r"No space left on device", out="")
            self.assertIn(read(out), (old, new), f"{call} {number} failed: {run}")

    def sweeps(self):
        old, new = self.swept("old", *OLD), self.swept("new", *NEW)
        make = lambda out: shutil.copytree(old, out)
        change = lambda out: (*ONCE, "--out", out, *NEW)
        again = lambda out: (*ONCE, "--out", out, *NEW, "--resume")
        return make, change, again, results(old), results(new)

    def test_a_sweep_that_is_killed(self):
        self.check_every_end(*self.sweeps(), files=FILES)

    def test_a_sweep_without_room(self):
        make, change, _, old, new = self.sweeps()
        self.check_every_failure("rename", make, change, old, new)

    def test_a_first_sweep_that_is_killed(self):
        new = results(self.swept("new", *NEW))
        for number in range(FIRST, MOST, EACH):
            out = self.folder / f"out-{number}"
            run = support.Run(*ONCE, "--out", out, *NEW, **support.preloading(CALLS), CATMINT_END_AT=f"rename:{number}")
            state = results(out)
            if state == new:
                self.expect(support.Run("import-cat", CAT / "run1", "--out", out), 2, r"it holds a sweep", out="")
            else:
                self.assertRegex(state, r"^3: catmint: .*holds an unfinished sweep: finish it with 'catmint sweep --resume'")
            self.sweep(out, *NEW, "--resume")
            self.assertEqual(results(out), new)
            self.assertEqual(names(out), FILES)
            if run.code == 0:
                break

    def test_a_sweep_that_is_killed_after_its_commit(self):
        """Its result is complete, though its journal still lies there: nobody speaks of it, and the next writer removes it."""
        make, change, _, _, new = self.sweeps()
        other, met = self.folder / "new", 0
        after = (  # what is done next, whether it takes the place of the result
            ((*ONCE, *OLD), True), ((*ONCE, *NEW), False), ((*ONCE, *NEW, "--resume"), False), (("merge", other), False))
        for call, number in [*(("rename", number) for number in range(1, 9)), ("unlink", 1)]:
            killed = self.folder / f"killed-{call}-{number}"
            make(killed)
            run = support.Run(*change(killed), **support.preloading(CALLS), CATMINT_END_AT=f"{call}:{number}")
            if run.code != -signal.SIGKILL or results(killed) != new:
                continue
            self.assertIn("journal", names(killed))
            met += 1
            self.expect(support.Run("analyze", killed, "--tau", "inf"), 0, "")
            self.expect(support.Run("merge", killed, "--out", self.folder / f"merged-{met}"), 0, out="")
            for command, replaces in after[(met + FIRST) % EACH::EACH]:  # by turns
                with self.subTest(call=call, number=number, command=command):
                    out = shutil.copytree(killed, self.folder / f"out-{met}-{after.index((command, replaces))}")
                    self.expect(support.Run(*command, "--out", out), 0, out="")
                    self.assertEqual(results(out) == new, not replaces)
                    self.assertEqual(names(out), FILES)
        self.assertGreater(met, 3)

    def test_a_journal_that_no_manifest_ends(self):
        """The same sweep again, killed while it counts, is unfinished, though the result there is of the same kind."""
        out = self.swept("out", *OLD)
        run = support.Run(*ONCE, "--out", out, *OLD, **support.preloading(CALLS), CATMINT_END_AT="fsync:2")
        self.assertEqual(run.code, -signal.SIGKILL, str(run))
        self.expect(support.Run("analyze", out, "--tau", "inf"), 0, r"ignoring the unfinished sweep here")
        self.sweep(out, *OLD, code=2, err=r"this directory holds an unfinished sweep")

    def test_files_that_grow_too_large(self):
        old, new = self.swept("old", *OLD), results(self.swept("new", *NEW))
        before, ends = contents(old), set()
        for blocks in (1, 2, 3, 4, 6, 8, 16, 1000):
            command = f"ulimit -f {blocks}; trap '' XFSZ; exec \"$@\""
            resume = ["--resume"] if (old / "journal").exists() else []
            done = subprocess.run(["bash", "-c", command, "-", support.PROGRAM, *ONCE, "--out", old, *NEW, *resume],
                                  env=support.environment(), capture_output=True, text=True, check=False)
            ends.add(done.returncode)
            if done.returncode == 0:
                self.assertEqual(results(old), new)
                continue
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertRegex(done.stderr, r"writing failed: File too large")
            after = contents(old)
            after.pop("journal", None)
            self.assertEqual(after, before)
        self.assertEqual(ends, {0, 4})

    def test_a_discover_that_is_killed(self):
        """Results, page and presets are of the sweep that is there, or whoever reads the directory says that they are not."""
        discover = lambda out, events: ("discover", "--pmu", "software", "--benchmark", "branch", "--component", "sde", "--repetitions", "2",
                                        "--programs", "0", "--out", out, "--events", events)
        old, new = "BR_INST_RETIRED:COND*", "BR_INST_RETIRED:COND"
        self.expect(support.Run(*discover(self.folder / "old", old)), 0)

        def swept_and_kept(out):
            run = support.Run("analyze", out, "--format", "json")
            kept = json.loads((out / "results.json").read_text())
            return [[event["event"] for event in document["benchmarks"][0]["events"]] for document in (run.json(), kept)], run.err
        ends = []
        for number in (4, 5, 15, 16):  # before and after the sweep's commit, before and after that of what follows from it
            with self.subTest(number):
                out = shutil.copytree(self.folder / "old", self.folder / f"out-{number}")
                run = support.Run(*discover(out, new), **support.preloading(CALLS), CATMINT_END_AT=f"rename:{number}")
                self.assertEqual(run.code, -signal.SIGKILL, str(run))
                (swept, kept), said = swept_and_kept(out)
                earlier, interrupted = "an earlier sweep than the one here led to results.json" in said, "was interrupted while it replaced results.json" in said
                self.assertTrue(interrupted or earlier == (swept != kept), f"{number}: {swept}, {kept}, {said}")
                ends.append((len(swept), earlier, interrupted))
        self.assertEqual(ends, [(3, False, False), (1, True, False), (1, True, False), (1, False, True)])
        self.expect(support.Run(*discover(out, new)), 0)
        (swept, kept), said = swept_and_kept(out)
        self.assertEqual((swept, said), (kept, ""))
        self.assertEqual([name for name in names(out) if name.startswith(".")], [".catmint-discover"])

    def test_a_merge_that_is_killed(self):
        old, other = self.swept("a", *OLD), self.swept("b", *OLD)
        parts = []
        for name, pattern in (("c", "BR_MISP_RETIRED:COND*"), ("d", "BR_INST_RETIRED:*")):
            parts.append(self.swept(name, "--events-file", self.write("list", pattern + "\n")))
        self.expect(support.Run("merge", *parts, "--out", self.folder / "new"), 0, out="")
        change = lambda out: ("merge", *parts, "--out", out)
        self.check_every_end(lambda out: shutil.copytree(old, out), change, change, results(other),
                             results(self.folder / "new"), files=FILES)

        def make_again(out):
            shutil.rmtree(out, True)
            shutil.copytree(old, out)
        self.check_every_failure("fsync", make_again, change, results(other), results(self.folder / "new"))

    def test_an_import_that_is_killed(self):
        def make(out, *sources):
            self.expect(support.Run("import-cat", *sources, "--out", out), 1, out="")
            return out

        def read(out):
            return support.Run("analyze", out, "--format", "json", "--tau", "inf").out
        runs = [CAT / f"run{number}" for number in (1, 2, 3)]
        change = lambda out: ("import-cat", *runs, "--out", out)
        self.check_every_end(lambda out: make(out, runs[0]), change, change, read(make(self.folder / "old", runs[0])),
                             read(make(self.folder / "new", *runs)), read=read,
                             files=["branch.csv", "cpu-flops.csv", "dcache.csv", "events.csv", "manifest.json"])

    def test_an_export_that_is_killed(self):
        export = self.exports()

        def make(out, counters="3"):
            self.assertIn(support.Run(*export(out, counters)).code, (0, 1))
            (out / "MINE.txt").write_text("SHORT mine\n")
            return out

        def visible(out):
            return {path.name: path.read_text() for path in out.glob("*.txt")}

        def read(out):
            # What lies there half done says nothing until it is finished, as the next export does.
            if (out / ".export-commit/.catmint-export").exists():
                self.expect(support.Run("lint", out), 3, r"an export into this directory was interrupted")
                return new
            return visible(out)
        old, new = visible(make(self.folder / "old")), visible(make(self.folder / "new", "8"))
        self.assertTrue(set(old) - set(new))
        change = lambda out: export(out, "8")
        self.check_every_end(make, change, change, old, new, read=read, files=sorted([*new, ".catmint-export"]))


if __name__ == "__main__":
    support.main()
