"""Folders that catmint writes into: nobody else's files are touched, and what was changed is not read."""

import json
import os
import shutil

import support
from writing_folders import CAT, FILES, NEW, OLD, SWEEP, Folders, contents, names, results


NCU = """"ID","Kernel Name","Block Size","Grid Size","sm__inst_executed.sum"
"0","catmint_A_D_24","(64, 1, 1)","(320, 1, 1)","1"
"""


class Whose(Folders):
    def test_rows_are_counted(self):
        parts = []
        for number in (1, 2):
            self.sweep(self.folder / "shards", *OLD, "--shard", f"{number}/2")
            parts.append(self.folder / f"shards/shard-{number}-of-2")
        table = (parts[1] / "cpu-flops.csv").read_text().splitlines(keepends=True)
        event = table[-1].split(",")[0]
        first, second = [line for line in table if line.startswith(f"{event},")]
        rows = (  # the table, what is said
            ([line for line in table if line != second], rf"cpu-flops\.csv: event {event} has 1 row, expected 2 repetitions x 1 threads"),
            ([line for line in table if not line.startswith(event)], rf"cpu-flops\.csv: event {event} has 0 rows"),
            ([*table, second], rf"cpu-flops\.csv:\d+: the row appears twice, event {event}"),
            ([*table, second.replace(",2,0,", ",3,0,")], rf"cpu-flops\.csv:\d+: a repetition that the sweep did not have, event {event}"),
            ([*table, second.replace(",2,0,", ",2,1,")], rf"cpu-flops\.csv:\d+: a thread that the sweep did not have, event {event}"),
            ([*table, second.replace(event, "ANOTHER")], r"cpu-flops\.csv:\d+: events\.csv in the same directory does not list the event of this row, event ANOTHER"),
            ([*[line for line in table if line not in (first, second)], second, first], None),
        )
        for lines, said in rows:
            with self.subTest(said):
                shutil.rmtree(self.folder / "changed", True)
                shutil.copytree(parts[1], self.folder / "changed")
                (self.folder / "changed/cpu-flops.csv").write_text("".join(lines))
                run = support.Run("merge", parts[0], self.folder / "changed", "--out", self.folder / "merged")
                self.expect(run, 3, r"changed/cpu-flops\.csv: it differs from the file that manifest\.json lists", out="")
                manifest = json.loads((self.folder / "changed/manifest.json").read_text())
                del manifest["files"]  # an older catmint wrote none
                (self.folder / "changed/manifest.json").write_text(json.dumps(manifest))
                run = support.Run("merge", parts[0], self.folder / "changed", "--out", self.folder / "merged")
                self.expect(run, 0 if said is None else 3, said, out="")
                self.assertEqual((self.folder / "merged").exists(), said is None)

    def test_groups_of_others_stay(self):
        export = self.exports()
        out = self.folder / "groups"
        out.mkdir()
        foreign = out / "BRANCH_CATMINT.txt"
        foreign.write_text("SHORT mine\n")
        before = contents(out)
        said = r"^catmint: .*/BRANCH_CATMINT\.txt: an earlier export did not write it here, so it is not replaced"
        self.expect(support.Run(*export(out, "8")), 4, said, out="")
        self.assertEqual(contents(out), before)
        foreign.unlink()
        (out / "OTHER_CATMINT.txt").write_text("SHORT mine\n")
        self.expect(support.Run(*export(out, "8")), 1, "are not composable and were left out", out="")
        group = next(out.glob("CPU*_CATMINT*.txt"))
        group.write_text(group.read_text() + "# edited\n")
        before = contents(out)
        self.expect(support.Run(*export(out, "4")), 4, rf"{group.name}: it was changed since an earlier export wrote it", out="")
        self.assertEqual(contents(out), before)
        group.unlink()
        self.expect(support.Run(*export(out, "4")), 1, out="")
        self.assertEqual((out / "OTHER_CATMINT.txt").read_text(), "SHORT mine\n")
        self.assertFalse(group.exists())

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
        discover = ("discover", *SWEEP[1:], *OLD, "--programs", "0")
        table = shutil.copy(other / "instructions.csv", self.folder / "t.csv")
        imports, ncu = ("import", table, "--benchmark", "instructions"), ("import-ncu", self.write("ncu.csv", NCU))
        rows = (  # the command, what is in its folder, what is said
            (sweep, file("cpu-flops.csv"), r"cpu-flops\.csv: catmint did not write it here, so it is not replaced: move it away"),
            (sweep, file("events.csv"), r"events\.csv: catmint did not write it here"),
            (sweep, file("manifest.json", "{}"), r"manifest\.json: catmint did not write it, so it is not replaced"),
            (sweep, file("manifest.json", '{"schema": "catmint.sweep/1", "benchmarks": [{"file": "../theirs/a.csv"}]}'),
             r"manifest\.json: an older catmint wrote it, without the checksums of its files, so it is not replaced"),
            (sweep, file("journal", "Dear diary\n"), r"journal: it is not the journal of a sweep, so it is not replaced"),
            (sweep, link("journal", theirs / "a.csv"), r"journal: it is a symbolic link or not a regular file"),
            (sweep, link("journal", theirs / "new"), r"journal: it is a symbolic link or not a regular file"),
            (sweep, link("cpu-flops.csv", theirs / "a.csv"), r"cpu-flops\.csv: it is a symbolic link"),
            (sweep, link("cpu-flops.csv", theirs / "new"), r"cpu-flops\.csv: it is a symbolic link"),
            (sweep, link("events.csv", theirs / "a.csv"), r"events\.csv: it is a symbolic link"),
            (sweep, link("manifest.json", other / "manifest.json"), r"manifest\.json: it is a symbolic link"),
            (sweep, link(".sweep-commit", theirs), r"\.sweep-commit: it is a symbolic link, or not a directory: move it"),
            (sweep, link(".sweep-aaaaaa", theirs), None),
            (merge, file("cpu-flops.csv"), r"cpu-flops\.csv: catmint did not write it here"),
            (merge, link("cpu-flops.csv", theirs / "a.csv"), r"cpu-flops\.csv: it is a symbolic link"),
            (merge, file("manifest.json", "[]"), r"manifest\.json: catmint did not write it"),
            (merge, link(".sweep-aaaaaa", theirs), None),
            (import_cat, file("branch.csv"), r"branch\.csv: catmint did not write it here"),
            (import_cat, link("events.csv", theirs / "a.csv"), r"events\.csv: it is a symbolic link"),
            (import_cat, link(".sweep-aaaaaa", theirs), None),
            *((discover, put(name), rf"{name}: {said}") for name in ("results.json", "report.html", "presets.csv") for put, said in (
                (file, "an earlier discover did not write it here"), (lambda name: link(name, theirs / "a.csv"), "it is a symbolic link"))),
            (discover, file(".catmint-discover"), r"\.catmint-discover: catmint did not write it"),
            (discover, link(".discover-commit", theirs), r"\.discover-commit: it is a symbolic link"),
            *((command, put, said) for command in (sweep, discover) for put, said in (
                (file("together.json"), r"together\.json: catmint did not write it"), (link("together.json", theirs / "a.csv"), r"together\.json: it is a symbolic link"),
                (file("validation"), "validation: it is not a directory"), (link("validation-2", theirs), "validation-2: it is not a directory"))),
            (imports, file("instructions.csv"), r"instructions\.csv: an earlier import did not write it here"),
            (imports, link("instructions.csv", theirs / "a.csv"), r"instructions\.csv: it is a symbolic link"),
            (ncu, file("gpu-flops.csv"), r"gpu-flops\.csv: an earlier import did not write it here"),
            (ncu, file("manifest.json", "{}"), ""),
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
                    self.expect(run, 4, rf"(?m)^catmint: {out}/?{said}", out="")
                    self.assertTrue("journal" in said or "counting on" not in run.err, str(run))
                    self.assertEqual(contents(out), before)
                    self.assertNotRegex(run.err, "kernels left out|is kept in")
                self.assertEqual((contents(theirs), contents(other)), kept)

    def test_own_input_and_measurements_are_no_output(self):
        """What a command reads, and what was measured, is never where it writes."""
        swept, imported = self.swept("swept", *OLD), self.folder / "imported"
        table = shutil.copy(swept / "instructions.csv", self.folder / "t.csv")
        for _ in range(2):  # what it imported before is replaced, beside what else was
            self.expect(support.Run("import", table, "--benchmark", "instructions", "--out", imported), 0)
        self.expect(support.Run("import", swept / "cpu-flops.csv", "--benchmark", "cpu-flops", "--out", imported), 0)
        self.assertEqual(names(imported), [".catmint-import", "cpu-flops.csv", "instructions.csv"])
        self.assertTrue(results(imported))
        result = self.write("r.json", json.dumps(support.sapphire_rapids()))
        (self.folder / "link.json").hardlink_to(result)
        formulas = self.write("formulas/f.csv", "metric,formula,unit,source\nm,BR_INST_RETIRED:COND,1,test\n")
        (swept / "journal").write_text("catmint.journal/1\t{}\t0\n")
        record = self.write(".catmint-discover", json.dumps({"schema": "catmint.discover/1", "files": []}, indent=2))
        analyze, said = ("analyze", support.RECORDED["branch"], "--benchmark", "branch"), "it holds measurements, so it is not replaced"
        rows = (  # the command, what is said
            (("import", swept / "instructions.csv", "--benchmark", "instructions", "--out", swept), "manifest.json lists all tables"),
            (("import", imported / "instructions.csv", "--benchmark", "instructions", "--out", imported), "the imported file would be replaced"),
            *(((*analyze, "--output", swept / name), said) for name in ("instructions.csv", "events.csv", "manifest.json", "journal")),
            (("report", result, "--output", swept / "manifest.json"), said),
            (("analyze", table, "--benchmark", "instructions", "--output", table), "it is read by this command"),
            (("report", result, f"--output={result}"), "it is read by this command"),
            (("report", result, "--output", self.folder / "link.json"), "it is read by this command"),
            (("export", result, "--to", "csv", "--output", result), "it is read by this command"),
            (("report", result, "--output", record), r"\.catmint-discover: it lists files that catmint wrote, so it is not replaced"),
            (("evaluate", formulas, "--counts", f"a={table}", "--output", table), "it is read by this command"),
            (("audit", formulas.parent, "--against", result, "--output", formulas), "it is read by this command"),
        )
        before = contents(self.folder)
        for command, what in rows:
            with self.subTest(command=command):
                self.expect(support.Run(*command), 4, what, out="")
                self.assertEqual(contents(self.folder), before)
        self.expect(support.Run("merge", swept, "--out", swept), 2, "is joined, and cannot hold the result")
        self.assertEqual(contents(self.folder), before)

    def test_a_sweep_of_fewer_benchmarks(self):
        out = self.swept("out", *OLD)
        before = (out / "cpu-flops.csv").read_bytes()
        fewer = [*("instructions" if word == "cpu-flops,instructions" else word for word in SWEEP), *NEW, "--out", out]
        self.expect(support.Run(*fewer), 0, err=rf"(?m)^catmint: cpu-flops\.csv stays in {out} from the sweep before; --replace removes it$")
        self.assertEqual((names(out), (out / "cpu-flops.csv").read_bytes()), (FILES, before))
        manifest = json.loads((out / "manifest.json").read_text())
        self.assertEqual([entry["name"] for entry in manifest["files"]], ["instructions.csv", "events.csv", "cpu-flops.csv"])
        kept = next(entry for entry in manifest["benchmarks"] if entry["benchmark"] == "cpu-flops")
        self.assertEqual((kept["earlier"]["options"]["events"], len(manifest["benchmarks"])), ([OLD[1]], 2))
        listed = {line.split(",")[0] for line in (out / "events.csv").read_text().splitlines()}
        self.assertTrue({"BR_INST_RETIRED:COND", "BR_MISP_RETIRED:COND"} <= listed, listed)
        self.assertEqual([benchmark for benchmark, _, _ in results(out)], ["cpu-flops", "instructions"])
        merged = self.folder / "merged"
        self.expect(support.Run("merge", out, "--out", merged), 0, r"\d+ events of 1 sweep are in")
        rows = [{line.split(",")[0] for line in (folder / name).read_text().splitlines()} for folder in (out, merged) for name in ("cpu-flops.csv", "instructions.csv")]
        self.assertEqual((rows[:2], results(out)), (rows[2:], results(merged)))
        self.expect(support.Run(*fewer, "--resume"), 0, "stays in")
        other = ["software:skylake" if word == "software" else word for word in fewer]
        state = contents(out)
        self.expect(support.Run(*other), 2, err=r"cannot keep cpu-flops\.csv of .*: the PMU was software:golden-cove")
        self.assertEqual(contents(out), state)
        (out / "mine.csv").write_text("mine\n")
        self.expect(support.Run(*other, "--replace"), 0)
        self.assertEqual(names(out), ["events.csv", "instructions.csv", "manifest.json", "mine.csv"])

    def test_discover_and_shards(self):
        out = self.folder / "out"
        out.mkdir()
        (out / "cpu-flops.csv").write_text("mine\n")
        self.expect(support.Run("discover", *SWEEP[1:], *OLD, "--out", out), 4, r"cpu-flops\.csv: catmint did not write it here", out="")
        self.assertEqual(contents(out), {"cpu-flops.csv": b"mine\n"})
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

    def test_who_reads_while_a_result_is_replaced(self):
        """The commit is finished, or another result is there, between one look at the directory and the next: all that is read is of one."""
        calls, old, new = os.environ["CATMINT_ENDING_CALLS"], self.swept("old", *OLD), self.swept("new", *NEW)
        out, other = self.folder / "out", self.folder / "other"

        def prepare():
            for folder in (out, other):
                shutil.rmtree(folder, True)
                shutil.copytree(old if folder is out else new, folder)

        def committing():
            prepare()
            run = support.Run(*SWEEP, "--out", out, *NEW, **support.preloading(calls), CATMINT_END_AT="rename:6")
            self.assertEqual((run.code, (out / ".sweep-commit/manifest.json").exists()), (-9, True), str(run))
        finish = f"cd '{out}' && mv .sweep-commit/*.csv . && mv .sweep-commit/manifest.json . && rm -r .sweep-commit"
        swap = f"mv '{out}' '{out}.old' && mv '{other}' '{out}'"
        found = {"analyze": results(new), "merge": results(new)}
        both = ("analyze", "merge")
        rows = ((committing, "manifest.json", 2, finish, both), (committing, "events.csv", 1, finish, both),
                (prepare, "events.csv", 1, swap, both[:1]), (prepare, "instructions.csv", 3, swap, both[:1]))
        for make, opened, number, then, commands in rows:
            for command in commands:
                with self.subTest(command=command, opened=opened, number=number, then=then):
                    make()
                    shutil.rmtree(self.folder / "merged", True)
                    shutil.rmtree(f"{out}.old", True)
                    arguments = ("--out", self.folder / "merged") if command == "merge" else ("--method", "paper", "--format", "json")
                    run = support.Run(command, out, *arguments, **support.preloading(calls), CATMINT_OPENED=opened,
                                      CATMINT_RUN_AT=f"open:{number}", CATMINT_RUN=then)
                    self.expect(run, 0)
                    self.assertFalse((out / ".sweep-commit").exists() or (other.exists() and then == swap), "nothing happened meanwhile")
                    read = results(self.folder / "merged") if command == "merge" else [
                        (entry["benchmark"], entry["kernels"], sorted(event["event"] for event in entry["events"])) for entry in run.json()["benchmarks"]]
                    self.assertEqual(read, found[command])

    def test_a_link_is_no_interrupted_commit(self):
        other, out = self.swept("other", *OLD), self.folder / "out"
        (other / ".catmint").write_text("")
        out.mkdir()
        (out / ".sweep-commit").symlink_to(other)
        self.expect(support.Run("analyze", out), 3, r"out: holds no measurements", out="")
        self.expect(support.Run("merge", out, "--out", self.folder / "merged"), 3, r"manifest\.json: cannot be opened", out="")

    def test_mixtures_are_refused(self):
        one, two = self.swept("one", *OLD), self.swept("two", *NEW)
        rows = (  # file of the other sweep, what is said
            ("cpu-flops.csv", r"^catmint: .*/cpu-flops\.csv: it differs from the file that manifest\.json lists: it was changed, or belongs to another sweep$"),
            ("instructions.csv", r"instructions\.csv: it differs from the file"), ("events.csv", r"events\.csv: it differs from the file"),
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
        (one / "branch.csv").write_text("mine\n")
        (one / "journal").write_text("catmint.journal/1\t{}\t0\n")
        run = support.Run("analyze", one, "--format", "json")
        self.expect(run, 0, r"^catmint: \S+: ignoring the unfinished sweep here: finish it with 'catmint sweep --resume'")
        self.assertRegex(run.err, r"(?m)^catmint: .*/branch\.csv: ignored, manifest\.json does not list it$")
        self.assertEqual(results(one), alone)
        formulas = self.write("formulas.csv", "metric,formula,unit,source\nm,BR_INST_RETIRED:COND,1,test\n")
        for command in (("merge", one, "--out", self.folder / "merged"), ("audit", formulas, "--against", one)):
            self.assertRegex(support.Run(*command).err, rf"(?m)^catmint: {one}: ignoring the unfinished sweep here")
        self.expect(support.Run("analyze", one, "--benchmark", "branch"), 3, r"branch\.csv: is missing, expected measurements", out="")
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
        end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)  # it is read before catmint looks
        with open(end, encoding="utf-8") as reader:
            self.expect(self.analyse(pipe), 0, "", "")
            self.assertEqual(reader.read(), expected)


if __name__ == "__main__":
    support.main()
