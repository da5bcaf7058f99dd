"""Which events are swept, and what a sweep would do."""

import csv
import itertools
import re

import support

EVENTS = len(support.counted_events())
SETS = -(-EVENTS // 40)  # as many as PAPI takes at a time
SWEEP = ("sweep", "--pmu", "software", "--benchmark", "instructions", "--repetitions", "2")


def events(directory, component="sde"):
    """Those of one component of PAPI: which others are there, perhaps under the same names, is another machine's matter."""
    with open(directory / "events.csv", newline="") as stream:
        return [row["event"] for row in csv.DictReader(stream) if row["component"] == component]


class Selecting(support.Case):
    def swept(self, *arguments, code=0, err=None):
        out = self.folder / "out"
        self.expect(support.Run(*SWEEP, "--out", out, *arguments), code, err, out="")
        return events(out)

    def test_files(self):
        branches = ["BR_INST_RETIRED:ALL_BRANCHES", "BR_INST_RETIRED:COND", "BR_INST_RETIRED:COND_NTAKEN"]
        everything = set(self.swept())
        family = {name for name in everything if name.startswith("BR_INST_RETIRED:")}
        self.assertLess(set(branches), family)
        rows = (  # content of the file, what is swept
            ("\n".join(branches) + "\n", set(branches)),
            ("# a comment\r\n\r\n  " + branches[1] + "  # why\r\n", {branches[1]}),
            ("BR_INST_RETIRED 1\n", family),
            ("BR_INST_RETIRED 1\n!*:COND*\n", {name for name in family if ":COND" not in name}),
            ("BR_INST_RETIRED:COND 0", {"BR_INST_RETIRED:COND"}),
            ("BR_INST_RETIRED:COND*\n", {name for name in family if ":COND" in name}),
        )
        for content, selected in rows:
            with self.subTest(content):
                self.assertEqual(set(self.swept("--events-file", self.write("list", content))), selected)

    def test_a_line_that_fits_nothing(self):
        path = self.write("list", "BR_INST_RETIRED:COND\nMEM_OF_ANOTHER_MACHINE 1\n")
        self.assertEqual(self.swept("--events-file", path, code=1,
                                    err=r"list:2: no event matches \"MEM_OF_ANOTHER_MACHINE\""), ["BR_INST_RETIRED:COND"])

    def test_what_is_refused(self):
        rows = (
            (("--events-file", self.write("empty", "# nothing\n")), 3, r"empty: it names no event"),
            (("--events-file", self.write("bad", "A\nB many\n")), 3, r"bad:2: expected a name"),
            (("--events-file", self.write("worse", "A 1 2\n")), 3, r"worse:1: expected a name"),
            (("--events-file", self.write("shriek", "!\n")), 3, r"shriek:1: no name after"),
            (("--events-file", self.folder / "none"), 3, r"none: cannot be opened"),
            (("--events-file", ""), 2, r"--events-file: expected .*, found ''"),
            (("--component", "no_such"), 2, r"no component matches \"no_such\""),
            (("--events", "BR_INST_RETIRED:COND", "--events", "!BR_*"), 2, r"no event is selected: .* leave none of \d+ events"),
            (("--qualifiers", "x"), 2, r"--qualifiers: expected .*, found 'x'"),
            (("--shard", "3/2"), 2, r"--shard: expected .*, found '3/2'"),
            (("--shard", "0/2"), 2, r"--shard: expected .*, found '0/2'"),
            (("--shard", "1"), 2, r"--shard: expected .*, found '1'"),
            (("--component", "sde", "--shard", f"{EVENTS + 1}/{EVENTS + 1}"), 2, rf"{EVENTS} events are too few for {EVENTS + 1} shards"),
        )
        for arguments, code, said in rows:
            with self.subTest(said):
                self.expect(support.Run(*SWEEP, "--out", self.folder / "out", *arguments), code, said, out="")

    def test_components_and_qualifiers(self):
        self.assertEqual(len(self.swept("--component", "sde")), EVENTS)
        plain = self.swept("--qualifiers", "0")
        self.assertTrue(plain)
        self.assertFalse([name for name in plain if ":" in name.replace("::", "")])

    def test_combinations(self):
        """Events that PAPI lists for a foreign PMU have qualifiers that can be combined; that they count nothing here does
        not matter."""
        foreign = {"LIBPFM_FORCE_PMU": "amd64_fam19h_zen4"}
        listed = {event["event"] for event in support.Run("events", "--pmu", "software", "--format", "json", **foreign).json()["events"]}
        base, qualifiers = "RETIRED_X87_FP_OPS", ("ADD_SUB_OPS", "MUL_OPS", "DIV_SQRT_OPS")
        if not {base, *(f"{base}:{qualifier}" for qualifier in qualifiers)} <= listed:
            self.skipTest("this PAPI does not list the events of another processor's PMU")
        single = [base, *(f"{base}:{qualifier}" for qualifier in qualifiers)]
        pairs = [":".join((base, *pair)) for pair in itertools.combinations(qualifiers, 2)]
        every = ":".join((base, *qualifiers))
        triple = [pairs[0], every, *pairs[1:]]  # each before those that go on with a further one
        options = ("--events", f"{base}*", "--events", "INST_RETIRED:ANY")
        rows = (  # arguments, the family's events in their order, combinations that are told
            (options, single, None),
            (("--qualifiers", "1", *options), single, None),
            (("--qualifiers", "2", *options), single + pairs, 3),
            (("--qualifiers", "3", *options), single + triple, 4),
            (("--qualifiers", "9", *options), single + triple, 4),
            (("--qualifiers", "3", *options, "--events", "!*:MUL*"), [single[0], single[1], single[3], pairs[1]], 1),
            (("--qualifiers", "2", *options, "--events", every), [*single, *pairs], 3),
            (("--events", pairs[1], *options[2:]), pairs[1:2], None),
            (("--events-file", self.write("two", f"INST_RETIRED:ANY 0\n{base} 2\n")), single + pairs, 3),
            (("--events-file", self.write("one", f"INST_RETIRED:ANY 0\n{base} 1\n{base} 0\n")), single, None),
            (("--events-file", self.write("three", f"INST_RETIRED:ANY\n{base}\n{base} 3\n")), single + triple, 4),
        )
        for number, (arguments, family, told) in enumerate(rows):
            with self.subTest(arguments):
                out = self.folder / f"out{number}"
                run = self.expect(support.Run(*SWEEP, "--out", out, *arguments, **foreign), 0, out="")
                self.assertEqual([name for name in events(out, "perf_event") if name.startswith(base)], family)
                said = re.findall(r"trying (\d+) combinations of qualifiers takes about [0-9.]+ s", run.err)
                self.assertEqual(said, [str(told)] if told is not None else [])
        self.expect(support.Run(*SWEEP, "--out", self.folder / "no", "--qualifiers", "20", **foreign), 2,
                    r"more than 1000000 combinations of qualifiers: ask for fewer", out="")

    def test_dry_run(self):
        run = self.expect(support.Run(*SWEEP, "--component", "sde", "--dry-run"), 0, err="", out=rf"^{EVENTS} events selected, {EVENTS} can be counted")
        self.assertRegex(run.out, rf"(?m)^sde +{EVENTS} +{SETS} +40$")
        self.assertRegex(run.out, rf"(?m)^instructions +\d+ +{SETS} +\d+ +[0-9.]+ s$")
        self.assertRegex(run.out, r"\d+ runs of kernels in 2 repetitions, about [0-9.]+ s")
        self.assertEqual(list(self.folder.iterdir()), [])


class Many(support.Case):
    def test_fifty_thousand_events(self):
        """All of them, half of them by name, and half of them by name and number of qualifiers. Where choosing were quadratic, this
        took hours."""
        kinds = [event for event in support.model_events() if event["expression"] != "unknown"]
        names = [f"{kinds[i % len(kinds)]['event']}_{i}" for i in range(50000)]
        model = self.folder / "many"
        model.mkdir()
        (model / "machine.csv").write_bytes((support.SOURCE / "data/pmu/golden-cove/machine.csv").read_bytes())
        with open(model / "events.csv", "w", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(["event", "description", "expression"])
            writer.writerows((name, "", kinds[i % len(kinds)]["expression"]) for i, name in enumerate(names))
        half = self.write("half", "\n".join(names[::2]))
        counted = self.write("counted", "\n".join(f"{name} {2 * i % 3}" for i, name in enumerate(names[::2])))
        for options, planned in (((), r"(?m)^sde +50000 +1250 +40$"), (("--events-file", half), r"(?m)^sde +25000 +625 +40$"),
                                 (("--events-file", counted), r"(?m)^sde +25000 +625 +40$")):
            self.expect(support.Run("sweep", "--dry-run", "--benchmark", "branch", "--pmu", f"software:{model}", *options), 0, out=planned)


if __name__ == "__main__":
    support.main()
