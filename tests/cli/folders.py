"""Folders that catmint writes into: nobody else's files are touched, and what is there is the old result or the new one,
wherever the program is killed or the disk is full."""

import json
import os
import shutil
import signal
import subprocess

import support

CALLS = os.environ["CATMINT_ENDING_CALLS"]
CAT = support.SOURCE / "tests/data/cat"
MOST = 40  # calls of one kind in one run
SWEEP = ("sweep", "--pmu", "software", "--benchmark", "branch,cpu-flops", "--repetitions", "2", "--component", "sde")
OLD, NEW = ("--events", "BR_INST_RETIRED:*"), ("--events", "BR_MISP_RETIRED:*")
FILES = ["branch.csv", "cpu-flops.csv", "events.csv", "manifest.json"]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def contents(folder):
    """Of all files below: what was there before must be there after, byte for byte."""
    return {str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in folder.rglob("*") if path.is_symlink() or path.is_file()}


def results(folder, *arguments):
    """All that analyze says, without what differs from run to run; or why it says nothing."""
    run = support.Run("analyze", folder, "--format", "json", *arguments)
    if run.code != 0:
        return f"{run.code}: {run.err}"
    return [(entry["benchmark"], entry["kernels"], sorted(event["event"] for event in entry["events"]))
            for entry in run.json()["benchmarks"]]


class Folders(support.Case):
    def sweep(self, out, *arguments, code=0, err=None, **changes):
        return self.expect(support.Run(*SWEEP, "--out", out, *arguments, **changes), code, err, out="")

    def swept(self, name, *arguments):
        self.sweep(self.folder / name, *arguments)
        return self.folder / name

    def check_every_end(self, make, change, again, old, new, read=results, files=None):
        """Kills the changing command before each of its renames; what is read then is the old or the new result, and
        the command after that brings the new one."""
        found = []
        for number in range(1, MOST):
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
        self.assertGreater(found.count(False), 1)
        self.assertGreater(found.count(True), 2)

    def check_every_failure(self, call, make, change, old, new, read=results):
        done = 0
        for number in range(1, MOST):
            out = self.folder / f"out-{number}"
            make(out)
            run = support.Run(*change(out), **support.preloading(CALLS), CATMINT_FAIL_AT=f"{call}:{number}")
            if run.code in (0, 1):
                self.assertEqual(read(out), new, str(run))
                done += 1
                if done == 4:  # beyond the last call: only the last three, of folders, may fail
                    break
                continue
            self.expect(run, 4, r"No space left on device", out="")
            self.assertIn(read(out), (old, new), f"{call} {number} failed: {run}")

    # ---- sweep ----

    def sweeps(self):
        old, new = self.swept("old", *OLD), self.swept("new", *NEW)
        make = lambda out: shutil.copytree(old, out)
        change = lambda out: (*SWEEP, "--out", out, *NEW)
        again = lambda out: (*SWEEP, "--out", out, *NEW, "--resume")
        return make, change, again, results(old), results(new)

    def test_a_sweep_that_is_killed(self):
        self.check_every_end(*self.sweeps(), files=FILES)

    def test_a_sweep_without_room(self):
        make, change, _, old, new = self.sweeps()
        self.check_every_failure("rename", make, change, old, new)

    def test_a_first_sweep_that_is_killed(self):
        new = results(self.swept("new", *NEW))
        for number in range(1, MOST):
            out = self.folder / f"out-{number}"
            run = support.Run(*SWEEP, "--out", out, *NEW, **support.preloading(CALLS), CATMINT_END_AT=f"rename:{number}")
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
            ((*SWEEP, *OLD), True), ((*SWEEP, *NEW), False), ((*SWEEP, *NEW, "--resume"), False), (("merge", other), False))
        for call, number in [*(("rename", number) for number in range(1, 9)), ("unlink", 1)]:
            killed = self.folder / f"killed-{call}-{number}"
            make(killed)
            run = support.Run(*change(killed), **support.preloading(CALLS), CATMINT_END_AT=f"{call}:{number}")
            if run.code != -signal.SIGKILL or results(killed) != new:
                continue
            self.assertIn("journal", names(killed))
            met += 1
            self.expect(support.Run("analyze", killed), 0, "")
            self.expect(support.Run("merge", killed, "--out", self.folder / f"merged-{met}"), 0, out="")
            for command, replaces in after:
                with self.subTest(call=call, number=number, command=command):
                    out = shutil.copytree(killed, self.folder / f"out-{met}-{after.index((command, replaces))}")
                    self.expect(support.Run(*command, "--out", out), 0, out="")
                    self.assertEqual(results(out) == new, not replaces)
                    self.assertEqual(names(out), FILES)
        self.assertGreater(met, 3)

    def test_a_journal_that_no_manifest_ends(self):
        """The same sweep again, killed while it counts, is unfinished, though the result there is of the same kind."""
        out = self.swept("out", *OLD)
        run = support.Run(*SWEEP, "--out", out, *OLD, **support.preloading(CALLS), CATMINT_END_AT="fsync:2")
        self.assertEqual(run.code, -signal.SIGKILL, str(run))
        self.expect(support.Run("analyze", out), 0, r"ignoring the unfinished sweep here")
        self.sweep(out, *OLD, code=2, err=r"this directory holds an unfinished sweep")

    def test_files_that_grow_too_large(self):
        old, new = self.swept("old", *OLD), results(self.swept("new", *NEW))
        before, ends = contents(old), set()
        for blocks in (1, 2, 3, 4, 6, 8, 16, 1000):
            command = f"ulimit -f {blocks}; trap '' XFSZ; exec \"$@\""
            resume = ["--resume"] if (old / "journal").exists() else []
            done = subprocess.run(["bash", "-c", command, "-", support.PROGRAM, *SWEEP, "--out", old, *NEW, *resume],
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

    # ---- merge ----

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

    def test_rows_are_counted(self):
        parts = []
        for number in (1, 2):
            self.sweep(self.folder / "shards", *OLD, "--shard", f"{number}/2")
            parts.append(self.folder / f"shards/shard-{number}-of-2")
        table = (parts[1] / "branch.csv").read_text().splitlines(keepends=True)
        event = table[-1].split(",")[0]
        first, second = [line for line in table if line.startswith(f"{event},")]
        rows = (  # the table, what is said
            ([line for line in table if line != second], rf"branch\.csv: event {event} has 1 rows, expected 2 repetitions x 1 threads"),
            ([line for line in table if not line.startswith(event)], rf"branch\.csv: event {event} has 0 rows"),
            ([*table, second], rf"branch\.csv:\d+: the row appears twice, event {event}"),
            ([*table, second.replace(",2,0,", ",3,0,")], rf"branch\.csv:\d+: a repetition that the sweep did not have, event {event}"),
            ([*table, second.replace(",2,0,", ",2,1,")], rf"branch\.csv:\d+: a thread that the sweep did not have, event {event}"),
            ([*table, second.replace(event, "ANOTHER")], r"branch\.csv:\d+: events\.csv beside it does not list the event of the row, event ANOTHER"),
            ([*[line for line in table if line not in (first, second)], second, first], None),
        )
        for lines, said in rows:
            with self.subTest(said):
                shutil.rmtree(self.folder / "changed", True)
                shutil.copytree(parts[1], self.folder / "changed")
                (self.folder / "changed/branch.csv").write_text("".join(lines))
                run = support.Run("merge", parts[0], self.folder / "changed", "--out", self.folder / "merged")
                self.expect(run, 3, r"changed/branch\.csv: it differs from the file that manifest\.json lists", out="")
                manifest = json.loads((self.folder / "changed/manifest.json").read_text())
                del manifest["files"]  # an older catmint wrote none
                (self.folder / "changed/manifest.json").write_text(json.dumps(manifest))
                run = support.Run("merge", parts[0], self.folder / "changed", "--out", self.folder / "merged")
                self.expect(run, 0 if said is None else 3, said, out="")
                self.assertEqual((self.folder / "merged").exists(), said is None)

    # ---- import ----

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

    # ---- export ----

    def exports(self):
        path = self.write("results.json", json.dumps(support.sapphire_rapids()))
        return lambda out, counters: ("export", "--to", "likwid", path, "--counters", counters, "--output", out)

    def test_an_export_that_is_killed(self):
        export = self.exports()

        def make(out, counters="4"):
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

    def test_groups_of_others_stay(self):
        export = self.exports()
        out = self.folder / "groups"
        out.mkdir()
        foreign = out / "CATMINT_BRANCH.txt"
        foreign.write_text("SHORT mine\n")
        before = contents(out)
        said = r"^catmint: .*/CATMINT_BRANCH\.txt: an earlier export did not write it here, so it is not replaced"
        self.expect(support.Run(*export(out, "8")), 4, said, out="")
        self.assertEqual(contents(out), before)
        foreign.unlink()
        (out / "CATMINT_OTHER.txt").write_text("SHORT mine\n")
        self.expect(support.Run(*export(out, "8")), 0, out="")
        group = next(out.glob("CATMINT_CPU*.txt"))
        group.write_text(group.read_text() + "# edited\n")
        before = contents(out)
        self.expect(support.Run(*export(out, "4")), 4, rf"{group.name}: it was changed since an earlier export wrote it", out="")
        self.assertEqual(contents(out), before)
        group.unlink()
        self.expect(support.Run(*export(out, "4")), 1, out="")
        self.assertEqual((out / "CATMINT_OTHER.txt").read_text(), "SHORT mine\n")
        self.assertFalse(group.exists())

    # ---- whose files ----

    def test_nothing_of_anybody_else_is_touched(self):
        other, import_cat = self.swept("other", *OLD), ("import-cat", CAT / "run1", CAT / "run2")
        theirs = self.folder / "theirs"
        theirs.mkdir()
        (theirs / "a.csv").write_text("theirs\n")
        (theirs / ".catmint").write_text("")

        def file(name, text="mine\n"):
            return lambda out: (out / name).write_text(text)

        def link(name, target):
            return lambda out: (out / name).symlink_to(target)
        sweep, merge = (*SWEEP, *OLD), ("merge", other)
        rows = (  # the command, what is in its folder, what is said
            (sweep, file("branch.csv"), r"branch\.csv: catmint did not write it here, so it is not replaced: move it away"),
            (sweep, file("events.csv"), r"events\.csv: catmint did not write it here"),
            (sweep, file("manifest.json", "{}"), r"manifest\.json: catmint did not write it, so it is not replaced"),
            (sweep, file("manifest.json", '{"schema": "catmint.sweep/1", "benchmarks": [{"file": "../theirs/a.csv"}]}'),
             r"manifest\.json: an older catmint wrote it, without the checksums of its files, so it is not replaced"),
            (sweep, file("journal", "Dear diary\n"), r"journal: it is not the journal of a sweep, so it is not replaced"),
            (sweep, link("journal", theirs / "a.csv"), r"journal: it is a symbolic link or not a regular file"),
            (sweep, link("journal", theirs / "new"), r"journal: it is a symbolic link or not a regular file"),
            (sweep, link("branch.csv", theirs / "a.csv"), r"branch\.csv: it is a symbolic link"),
            (sweep, link("branch.csv", theirs / "new"), r"branch\.csv: it is a symbolic link"),
            (sweep, link("events.csv", theirs / "a.csv"), r"events\.csv: it is a symbolic link"),
            (sweep, link("manifest.json", other / "manifest.json"), r"manifest\.json: it is a symbolic link"),
            (sweep, link(".sweep-commit", theirs), r"\.sweep-commit: is in the way"),
            (sweep, link(".sweep-aaaaaa", theirs), None),
            (merge, file("branch.csv"), r"branch\.csv: catmint did not write it here"),
            (merge, link("branch.csv", theirs / "a.csv"), r"branch\.csv: it is a symbolic link"),
            (merge, file("manifest.json", "[]"), r"manifest\.json: catmint did not write it"),
            (merge, link(".sweep-aaaaaa", theirs), None),
            (import_cat, file("branch.csv"), r"branch\.csv: catmint did not write it here"),
            (import_cat, link("events.csv", theirs / "a.csv"), r"events\.csv: it is a symbolic link"),
            (import_cat, link(".sweep-aaaaaa", theirs), None),
        )
        kept = contents(theirs), contents(other)
        for number, (command, prepare, said) in enumerate(rows):
            with self.subTest(command=command[0], said=said):
                out = self.folder / f"out-{number}"
                out.mkdir()
                prepare(out)
                before = contents(out)
                run = support.Run(*command, "--out", out)
                if said is None:
                    self.assertIn(run.code, (0, 1), str(run))
                    self.assertEqual({name: text for name, text in contents(out).items() if name in before}, before)
                else:
                    self.expect(run, 4, rf"^catmint: {out}/{said}", out="")
                    self.assertEqual(contents(out), before)
                    self.assertNotRegex(run.err, "kernels left out|is kept in")
                self.assertEqual((contents(theirs), contents(other)), kept)

    def test_discover_and_shards(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "branch.csv").write_text("mine\n")
        self.expect(support.Run("discover", *SWEEP[1:], *OLD, "--out", out), 4, r"branch\.csv: catmint did not write it here", out="")
        self.assertEqual(contents(out), {"branch.csv": b"mine\n"})
        theirs = self.folder / "theirs"
        theirs.mkdir()
        (out / "shard-1-of-2").symlink_to(theirs)
        self.sweep(out, *OLD, "--shard", "1/2", code=4, err=r"shard-1-of-2: it is a symbolic link, expected a directory")
        self.assertEqual(names(theirs), [])

    def test_a_merge_leaves_an_unfinished_sweep(self):
        part, out = self.swept("part", *OLD), self.folder / "out"
        out.mkdir()
        (out / "journal").write_text("catmint.journal/1\t{}\t0\n")
        self.expect(support.Run("merge", part, "--out", out), 2, r"it is an unfinished sweep", out="")
        self.expect(support.Run("import-cat", CAT / "run1", CAT / "run2", "--out", out), 2, r"it is an unfinished sweep", out="")
        self.assertEqual(names(out), ["journal"])

    # ---- reading ----

    def test_mixtures_are_refused(self):
        one, two = self.swept("one", *OLD), self.swept("two", *NEW)
        rows = (  # file of the other sweep, what is said
            ("branch.csv", r"^catmint: .*/branch\.csv: it differs from the file that manifest\.json lists: it was changed, or belongs to another sweep$"),
            ("cpu-flops.csv", r"cpu-flops\.csv: it differs from the file"), ("events.csv", r"events\.csv: it differs from the file"),
            ("manifest.json", r"it differs from the file"))
        for name, said in rows:
            with self.subTest(name):
                mixed = self.folder / f"mixed-{name}"
                shutil.copytree(one, mixed)
                shutil.copy(two / name, mixed / name)
                formulas = self.write("formulas.csv", "metric,formula,unit,source\nm,BR_INST_RETIRED:COND,1,test\n")
                for command in (("analyze", mixed), ("merge", mixed, "--out", self.folder / "merged"),
                                ("explain", "BR_INST_RETIRED:COND", mixed), ("audit", formulas, "--against", mixed)):
                    self.expect(support.Run(*command), 3, said, out="")
                self.assertFalse((self.folder / "merged").exists())
                (mixed / name).unlink()
                if name != "manifest.json":
                    self.expect(support.Run("analyze", mixed), 3, rf"{name}: cannot be read, though manifest\.json lists it", out="")

    def test_what_is_said_of_other_files(self):
        one, two = self.swept("one", *OLD), self.swept("two", *NEW)
        alone = results(one)
        (one / "dcache.csv").write_text("mine\n")
        (one / "journal").write_text("catmint.journal/1\t{}\t0\n")
        run = support.Run("analyze", one, "--format", "json")
        self.expect(run, 0, r"^catmint: \S+: ignoring the unfinished sweep here: finish it with 'catmint sweep --resume'")
        self.assertRegex(run.err, r"(?m)^catmint: .*/dcache\.csv: ignored, manifest\.json does not list it$")
        self.assertEqual(results(one), alone)
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nm,BR_INST_RETIRED:COND,1,test\n")
        for command in (("merge", one, "--out", self.folder / "merged"), ("audit", formulas, "--against", one)):
            self.assertRegex(support.Run(*command).err, rf"(?m)^catmint: {one}: ignoring the unfinished sweep here")
        self.expect(support.Run("analyze", one, "--benchmark", "dcache"), 3, r"dcache\.csv: is missing, expected measurements", out="")
        (two / "journal").write_text("Dear diary\n")
        self.expect(support.Run("analyze", two), 0, "")

    def test_directories_without_checksums_are_read(self):
        one = self.swept("one", *OLD)
        alone = results(one)
        manifest = json.loads((one / "manifest.json").read_text())
        del manifest["files"], manifest["checksum"]
        (one / "manifest.json").write_text(json.dumps(manifest))
        self.assertEqual(results(one), alone)
        self.expect(support.Run("merge", one, "--out", self.folder / "merged"), 0, out="")
        self.assertEqual(results(self.folder / "merged"), alone)
        (one / "manifest.json").unlink()
        self.assertEqual(results(one), alone)


class Output(support.Case):
    """--output replaces one regular file."""

    def analyse(self, output, **keywords):
        return support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", output,
                           **keywords)

    def test_links(self):
        target = self.write("target", "theirs")
        link = self.folder / "link"
        for leads_to in (target, self.folder / "nowhere", "target"):
            with self.subTest(leads_to):
                link.symlink_to(leads_to)
                self.expect(self.analyse(link), 4, rf"^catmint: {link}: cannot be written: it is a symbolic link", out="")
                self.assertEqual(names(self.folder), ["link", "target"])
                self.assertTrue(link.is_symlink())
                self.assertEqual(target.read_text(), "theirs")
                link.unlink()

    def test_what_is_no_file(self):
        expected = self.analyse("/dev/stdout").out
        self.assertEqual(json.loads(expected)["schema"], "catmint.metrics/1")
        self.expect(self.analyse("/dev/null"), 0, "", "")
        link = self.folder / "link"
        link.symlink_to("/dev/null")
        self.expect(self.analyse(link), 0, "", "")
        self.assertTrue(link.is_symlink())
        path = self.folder / "redirected"
        path.write_text("before\n")
        with open(path, "a", encoding="utf-8") as appended:
            self.expect(self.analyse("/dev/stdout", stdout=appended), 0, "")
        self.assertEqual(path.read_text(), "before\n" + expected)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
            self.expect(self.analyse(pipe), 0, "", "")
            self.assertEqual(reader.communicate(timeout=60)[0], expected)


if __name__ == "__main__":
    support.main()
