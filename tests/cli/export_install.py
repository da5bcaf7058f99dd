"""Presets put where PAPI finds them: nobody else's file is touched, and papi_avail says what PAPI makes of them."""

import copy
import json
import os
import shutil
import unittest

import support

KERNEL_COUNTS = os.environ["CATMINT_KERNEL_COUNTS"]  # lets PAPI count by the kernel's own events
ENDING_CALLS = os.environ["CATMINT_ENDING_CALLS"]
CPU = "amd64_fam19h_zen4"
EVENTS = ["RETIRED_INSTRUCTIONS", "CYCLES_NOT_IN_HALT"]
AVAILABLE = "{}  0x80000037  {}No   Branch instructions (catmint: backward error 0)\n"


class Install(support.Case):
    def setUp(self):
        super().setUp()
        self.results = self.write("results.json", json.dumps(self.document({"PAPI_BR_INS": EVENTS[0], "PAPI_TOT_INS": EVENTS[1]})))
        self.place = self.folder / "place"
        self.place.mkdir()
        self.table = self.place / "papi_events.csv"

    def document(self, presets):
        document = support.Run("analyze", "--method", "paper", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json").json()
        benchmark = document["benchmarks"][0]
        model = next(entry for entry in benchmark["metrics"] if entry["metric"] == "All Branches")
        benchmark["metrics"] = [copy.deepcopy(model) | {"metric": f"of {preset}", "preset": preset, "definition": [
            {"event": event, "coefficient": 1}]} for preset, event in presets.items()]
        return document

    def install(self, *options, code=0, err=None, results=None, **changes):
        run = support.Run("export", results or self.results, "--to", "papi", "--cpu", CPU, "--install", *options,
                          **{"PATH": str(self.folder), "PAPI_CSV_EVENT_FILE": ""} | changes)
        return self.expect(run, run.code if code is None else code, out="", err=err)

    def exported(self):
        return self.expect(support.Run("export", self.results, "--to", "papi", "--cpu", CPU), 0).out

    def contents(self):
        return {path.name: path.read_bytes() for path in self.place.iterdir() if path.is_file()}

    def put_papi_avail(self, known, counted):
        """One that knows these presets, and can count those."""
        lines = ["#!/bin/sh\n", 'test "$PAPI_CSV_EVENT_FILE" = "' + str(self.table) + '" || exit 3\n', "if test x$1 = x-c; then /bin/cat <<END\n",
                 *(AVAILABLE.format(name, "") for name in counted), "END\nelse /bin/cat <<END\n",
                 *(AVAILABLE.format(name, "Yes   " if name in known else "No    ") for name in ("PAPI_BR_INS", "PAPI_TOT_INS")), "END\nfi\n"]
        self.write("papi_avail", "".join(lines)).chmod(0o755)


class Places(Install):
    def test_a_file_that_appears_while_it_is_written(self):
        """Whether nothing was there before or what catmint installed, and whatever the file system can."""
        appears = {"CATMINT_RUN": f"echo mine >'{self.table}.new' && /bin/mv '{self.table}.new' '{self.table}'"}
        for before, call in ((False, 1), (True, 1), (True, 2)):
            for file_system in ({}, {"CATMINT_NO_RENAMEAT2": "1"}):
                with self.subTest(before=before, call=call, file_system=file_system):
                    self.table.unlink(missing_ok=True)
                    if before:
                        self.install("--output", self.place)
                    said = rf"^catmint: {self.table}: catmint did not install this file"
                    self.install("--output", self.place, code=4, err=said, **support.preloading(ENDING_CALLS), **appears, **file_system,
                                 CATMINT_RUN_AT=f"rename:{call}")
                    self.assertEqual(self.contents(), {"papi_events.csv": b"mine\n"})
        self.table.unlink()
        for _ in range(2):
            self.install("--output", self.place, **support.preloading(ENDING_CALLS), CATMINT_NO_RENAMEAT2="1")
        self.assertEqual(list(self.contents()), ["papi_events.csv"])

    def test_into_a_directory_a_file_and_what_the_variable_names(self):
        for options, changes, path in (
            (("--output", self.place), {}, self.table), (("--output", self.place / "mine.csv"), {}, self.place / "mine.csv"),
            ((), {"PAPI_CSV_EVENT_FILE": str(self.place / "named.csv")}, self.place / "named.csv"),
            ((), {"PAPI_CSV_EVENT_FILE": str(self.place)}, self.table),
        ):
            with self.subTest(options=options, changes=changes):
                told = "" if changes.get("PAPI_CSV_EVENT_FILE") == str(path) else rf"^catmint: PAPI reads it with: export PAPI_CSV_EVENT_FILE={path}$"
                run = self.install(*options, err=told or "2 presets are in", **changes)
                self.assertEqual("PAPI reads it with" in run.err, bool(told), str(run))
                self.assertTrue(path.read_text().startswith(self.exported()))
                self.assertRegex(path.read_text()[len(self.exported()):], r"\A# catmint installed this table; .*fnv1a64:[0-9a-f]{16}\n\Z")
        self.assertEqual(sorted(self.contents()), ["mine.csv", "named.csv", "papi_events.csv"])

    def test_what_catmint_installed_is_replaced(self):
        self.install("--output", self.place)
        before = self.contents()
        self.install("--output", self.place, results=self.write("other.json", json.dumps(self.document({"PAPI_BR_CN": EVENTS[0]}))))
        self.assertEqual(len(self.contents()), 1)
        self.assertNotEqual(self.contents(), before)
        self.install("--output", self.place)
        self.assertEqual(self.contents(), before)

    def test_nobody_elses_file_is_touched(self):
        self.install("--output", self.place)
        installed = self.table.read_bytes()
        for content in (b"CPU,mine\n", b"", installed + b"# mine\n", installed.replace(b"PAPI_BR_INS", b"PAPI_BR_CN"), installed[:-1],
                        self.exported().encode()):
            with self.subTest(content=content[-60:]):
                self.table.write_bytes(content)
                self.install("--output", self.place, code=4, err="catmint did not install this file, or it was changed since(.|\n)*--replace")
                self.assertEqual(self.contents(), {self.table.name: content})
                self.install("--output", self.place, "--replace")
                self.assertEqual(self.table.read_bytes(), installed)

    def test_links_and_pipes_stay(self):
        theirs = self.write("theirs.csv", "CPU,theirs\n")
        self.table.symlink_to(theirs)
        self.install("--output", self.table, code=4, err="did not install")
        self.install("--output", self.table, "--replace", code=4, err="symbolic link")
        self.assertEqual((self.table.is_symlink(), theirs.read_text()), (True, "CPU,theirs\n"))
        self.table.unlink()
        os.mkfifo(self.table)
        self.install("--output", self.folder / "none/t.csv", code=4, err=r"\A(?!(.|\n)*--replace)")
        self.install("--output", self.table, code=4, err="did not install")
        self.assertTrue(self.table.is_fifo())

    def test_an_empty_table_would_take_all_presets_away(self):
        nothing = self.write("nothing.json", json.dumps(self.document({"": EVENTS[0]})))
        self.install("--output", self.place, results=nothing, code=3, err="no definition is a preset that PAPI takes: nothing was installed")
        self.assertEqual(self.contents(), {})

    def test_wrong_usage(self):
        self.install(code=2, err="needs --output, a file or a directory, or PAPI_CSV_EVENT_FILE")
        for options, fault in ((("--to", "csv", "--install"), "--to papi and no --patch with --install"),
                               (("--to", "papi", "--cpu", CPU, "--install", "--patch", "t.csv"), "--to papi and no --patch with --install"),
                               (("--to", "papi", "--cpu", CPU, "--replace"), "--install with --replace")):
            self.expect(support.Run("export", self.results, *options), 2, out="", err=fault)


class Avail(Install):
    def test_what_it_says(self):
        both, one = ("PAPI_BR_INS", "PAPI_TOT_INS"), ("PAPI_BR_INS",)
        for known, counted, code, said, named in (
            (both, both, 0, "PAPI takes 2 of 2 presets here, and can count 2$", ()),
            (both, one, 1, "PAPI takes 2 of 2 presets here, and can count 1$", ("PAPI_TOT_INS: PAPI takes it, and cannot count it here",)),
            (one, one, 1, "PAPI takes 1 of 2 presets here, and can count 1$", ("PAPI_TOT_INS: PAPI does not take it",)),
            (both, (), 1, "PAPI takes 2 of 2 presets here, and can count 0; 'catmint doctor' says why$", ()),
            ((), (), 1, "PAPI takes 0 of 2 presets here, and can count 0; 'catmint doctor' says why$", ()),
        ):
            with self.subTest(known=known, counted=counted):
                self.put_papi_avail(known, counted)
                run = self.install("--output", self.place, code=code, err=f"^catmint: papi_avail: {said}")
                self.assertEqual([line for line in run.err.splitlines() if ": PAPI_" in line], [f"catmint: {line}" for line in named])

    def test_where_it_is_not_there_or_fails(self):
        self.install("--output", self.place, err="papi_avail is missing or does not run: not checked")
        self.write("papi_avail", "#!/bin/sh\nexit 1\n").chmod(0o755)
        self.install("--output", self.place, err="papi_avail is missing or does not run: not checked")


class Papi(Install):
    @unittest.skipUnless(shutil.which("papi_avail"), "papi-tools is not installed")
    def test_papi_takes_and_counts_them(self):
        run = self.install("--output", self.place, code=None, PATH=os.environ["PATH"], LIBPFM_FORCE_PMU=CPU, **support.preloading(KERNEL_COUNTS))
        if "can count 0" in run.err:
            self.skipTest("the kernel's own events cannot be counted here")
        self.expect(run, 0, err="papi_avail: PAPI takes 2 of 2 presets here, and can count 2$")

    @unittest.skipUnless(shutil.which("papi_avail"), "papi-tools is not installed")
    def test_papi_takes_none_of_another_processor(self):
        self.install("--output", self.place, code=1, err="PAPI takes 0 of 2 presets here, and can count 0", PATH=os.environ["PATH"],
                     LIBPFM_FORCE_PMU="skx")


if __name__ == "__main__":
    support.main()
