"""Events that crash, hang, refuse to start or cannot be read twice cost themselves and nothing else."""

import csv
import os

import support


def faulty_model(folder, faults, count=120):
    """A model of `count` plain events, some of which fail: {number: kind}."""
    folder.mkdir()
    machine = (support.SOURCE / "tests/data/pmu/tiny/machine.csv").read_text().splitlines()
    rows = [line for line in machine if not line.startswith(("#", "counters", "key"))]
    (folder / "machine.csv").write_text("\n".join(
        ["key,value,kind", "counters,0,", *(f"{row}," for row in rows),
         *(f"fault,EVENT_{number},{kind}" for number, kind in faults.items())]) + "\n")
    (folder / "events.csv").write_text("event,description,expression\n" + "".join(
        f"EVENT_{number},,instructions\n" for number in range(count)))
    return f"software:{folder}"


def read(directory, name):
    lines = [line for line in (directory / name).read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


def own(directory):
    """What became of the events of the software PMU; those of other components of PAPI, where there are any, are not to blame."""
    rows = read(directory, "events.csv")
    blamed = [row for row in rows if row["component"] != "sde" and row["status"].startswith(("crashed", "timed out"))]
    assert not blamed, blamed
    return {row["event"]: row["status"] for row in rows if row["component"] == "sde"}


def others_counted(directory):
    """Names of other components' events in the tables."""
    return {row["event"] for row in read(directory, "events.csv") if row["component"] != "sde" and row["status"] == "counted"}


class Faults(support.Case):
    def swept(self, faults, *arguments, code=1, err=None, benchmark="cpu-flops", count=120):
        out = self.folder / "out"
        model = faulty_model(self.folder / "model", faults, count)
        run = self.expect(support.Run("sweep", "--pmu", model, "--out", out, "--benchmark", benchmark,
                                      "--component", "sde", "--repetitions", "3", *arguments), code, err, out="")
        return out, run

    def test_workers_that_wait(self):
        """Sets wait for the facts that another one keeps, which may be the last to be counted: each event is in the table all the same."""
        model = self.folder / "model"
        faulty_model(model, {0: "second-read", 1: "second-read", 2: "conflict", 3: "conflict"}, 4)
        machine = model / "machine.csv"
        machine.write_text(machine.read_text().replace("counters,0,", "counters,2,"))
        for number in range(6):
            out = self.folder / f"waiting{number}"
            self.expect(support.Run("sweep", "--pmu", f"software:{model}", "--out", out, "--benchmark", "branch", "--component", "sde", "--repetitions", "2",
                                    "--workers", "2"), 1)
            table = {row["event"] for row in read(out, "branch.csv")}
            self.assertEqual({event for event, status in own(out).items() if status == "counted"}, table - {"iterations"})

    def check(self, faults, *arguments, benchmark="cpu-flops", count=120, threads=1):
        outcomes = {"crash": r"crashed \(SIGSEGV\)", "hang": r"timed out", "refuse": r"refused \(.*refuse to start\)",
                    "second-read": r"refused \(.*read only once\)", "crash-add": r"crashed \(SIGSEGV\)",
                    "hang-add": r"timed out", "crash-trial": r"crashed \(SIGSEGV\)", "hang-trial": r"timed out"}
        out, run = self.swept(faults, *arguments, benchmark=benchmark, count=count)
        statuses = own(out)
        self.assertEqual(len(statuses), count)
        for number, kind in faults.items():
            self.assertRegex(statuses.pop(f"EVENT_{number}"), f"^{outcomes[kind]}$")
            when = " when it was tried" if kind.endswith("trial") else ""
            self.assertRegex(run.err, rf"(?m)^catmint: EVENT_{number}: {outcomes[kind]}{when}$")
        self.assertEqual(set(statuses.values()), {"counted"})
        self.assertRegex(run.err, rf"(?m)^catmint: {len(faults)} events crashed, hung or failed;")
        rows = read(out, f"{benchmark}.csv")
        self.assertEqual({row["event"] for row in rows} - {"iterations"}, set(statuses) | others_counted(out))
        every = [(str(repetition), str(thread)) for repetition in (1, 2, 3) for thread in range(threads)]
        for event in statuses:
            self.assertEqual(sorted((row["repetition"], row["thread"]) for row in rows if row["event"] == event), every, event)

    def test_one_of_each_among_many(self):
        self.check({17: "crash", 63: "hang", 101: "refuse"})

    def test_all_in_one_set(self):
        self.check({0: "crash", 1: "refuse", 2: "second-read", 39: "crash"}, "--workers", "1")

    def test_a_team(self):
        threads = min(2, len(os.sched_getaffinity(0)))
        self.check({0: "crash", 1: "refuse"}, "--threads", str(threads), benchmark="dcache", count=3, threads=threads)

    def test_a_team_of_one(self):
        self.check({0: "second-read", 1: "hang"}, "--threads", "1", benchmark="dcache", count=3)

    def test_when_they_are_tried(self):
        self.check({0: "crash-trial", 1: "crash-trial", 60: "hang-trial", 119: "crash-trial"})

    def test_when_sets_are_planned(self):
        self.check({0: "crash-add", 1: "crash-add", 45: "hang-add", 119: "crash-add"})

    def test_before_and_while_they_are_counted(self):
        self.check({3: "crash-add", 4: "crash", 5: "crash-trial", 6: "refuse"})

    def test_events_are_listed_with_what_became_of_them(self):
        run = self.expect(support.Run("events", "--pmu", faulty_model(self.folder / "model", {7: "crash-trial"}),
                                      "--format", "json"), 0, err="")
        reasons = {event["event"]: event["reason"] for event in run.json()["events"] if event["component"] == "sde"}
        self.assertEqual(reasons.pop("EVENT_7"), "crashed (SIGSEGV) when it was tried")
        self.assertEqual(set(reasons.values()), {""})

    def test_nothing_but_crashes(self):
        for kind, said in (("crash-trial", r"none of the selected events can be counted here: crashed \(SIGSEGV\)"),
                           ("crash-add", r"EVENT_1: crashed \(SIGSEGV\)")):
            with self.subTest(kind):
                model = faulty_model(self.folder / kind, {0: kind, 1: kind}, count=2)
                run = support.Run("sweep", "--pmu", model, "--out", self.folder / f"out-{kind}", "--benchmark", "cpu-flops",
                                  "--component", "sde")
                self.expect(run, 4 if kind == "crash-trial" else 1, said, out="")

    def test_what_refuses_each_other_is_parted(self):
        out, run = self.swept({3: "conflict", 4: "conflict", 90: "conflict"}, code=0)
        self.assertEqual(set(own(out).values()), {"counted"})
        self.assertNotIn("EVENT", run.err)

    def test_none(self):
        out, run = self.swept({}, code=0)
        self.assertEqual(set(own(out).values()), {"counted"})
        self.assertNotIn("EVENT", run.err)

    def test_faults_are_validated(self):
        rows = (("fault,EVENT_7,explode", r"machine\.csv:15: unknown fault 'explode'"),
                ("fault,EVENT_999,crash", r"machine\.csv:15: unknown event 'EVENT_999'"),
                ("counters,4,crash", r"machine\.csv:15: .*only conflict and fault have a third column"))
        model = faulty_model(self.folder / "model", {})
        path = self.folder / "model/machine.csv"
        good = path.read_text()
        for row, said in rows:
            with self.subTest(row):
                path.write_text(good + row + "\n")
                self.expect(support.Run("events", "--pmu", model), 3, said, out="")


if __name__ == "__main__":
    support.main()
