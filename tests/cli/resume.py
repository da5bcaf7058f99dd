"""A sweep that is killed goes on where it stopped, and nothing is lost or doubled. KILLS says how often it is killed."""

import os
import random
import re
import signal
import subprocess
import time

import faults
import support

KILLS = int(os.environ.get("CATMINT_KILLS", "2"))


class Killed(support.Case):
    """A sweep that is killed at random times."""
    benchmark, events, repetitions, threads, counters = "cpu-flops", 240, 4, 1, 0

    def setUp(self):
        super().setUp()
        self.model = faults.faulty_model(self.folder / "model", {}, self.events)
        machine = self.folder / "model/machine.csv"
        machine.write_text(machine.read_text().replace("counters,0", f"counters,{self.counters}"))
        self.out = self.folder / "out"
        self.sweep = ["sweep", "--pmu", self.model, "--out", str(self.out), "--benchmark", self.benchmark, "--repetitions",
                      str(self.repetitions), "--threads", str(self.threads)]

    def check_complete(self, out):
        """Every event that can be counted has each of its repetitions once, in the order of the session: those of other
        components of PAPI too, where there are any."""
        rows = [(row["event"], row["repetition"], row["thread"]) for row in faults.read(out, f"{self.benchmark}.csv")
                if row["event"] != "iterations"]
        counted = [row["event"] for row in faults.read(out, "events.csv") if row["status"] == "counted"]
        self.assertEqual(rows, [(event, str(r), str(t)) for event in counted
                                for r in range(1, self.repetitions + 1) for t in range(self.threads)])
        self.assertEqual(faults.own(out), {f"EVENT_{e}": "counted" for e in range(self.events)})
        # together.json is there where a definition was found: kernels that this processor lacks may have refused it.
        self.assertEqual({path.name for path in out.iterdir()} - {"together.json"}, {f"{self.benchmark}.csv", "events.csv", "manifest.json"})

    def start(self, *more):
        process = subprocess.Popen(["catmint", *self.sweep, *more], executable=support.PROGRAM, env=support.environment(),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def test_killed_again_and_again(self):
        random.seed(KILLS)
        started = time.monotonic()
        self.expect(support.Run(*self.sweep), 0)
        whole = time.monotonic() - started
        events = (self.out / "events.csv").read_text()
        kills, finished = 0, 0
        while kills < KILLS:
            for path in self.out.iterdir():
                path.unlink()
            while kills < KILLS:
                process = self.start("--resume")
                time.sleep(random.uniform(0.0, 0.5 * whole))
                if process.poll() is not None:
                    self.assertEqual(process.returncode, 0, process.communicate()[1])
                    break
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
            run = self.expect(support.Run(*self.sweep, "--resume"), 0, out="")
            self.check_complete(self.out)
            self.assertEqual((self.out / "events.csv").read_text(), events, str(run))
            finished += 1
        print(f"{self.benchmark}: {kills} kills, {finished} sweeps complete, none lost or doubled a repetition")


class KilledTeam(Killed):
    benchmark, events, repetitions, counters = "dcache", 6, 2, 2
    threads = min(2, len(os.sched_getaffinity(0)))


class Resume(Killed):
    events = 400  # so that a sweep is not over before it is stopped
    test_killed_again_and_again = None  # is the other class'

    def wait_for_sets(self, process):
        journal = self.out / "journal"
        while process.poll() is None and not (journal.exists() and b"\nS\t" in journal.read_bytes()):
            time.sleep(0.002)
        self.assertIsNone(process.poll(), "the sweep was over before it was killed")

    def unfinished(self):
        process = self.start()
        self.wait_for_sets(process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return self.out / "journal"

    def test_torn_lines_are_dropped(self):
        journal = self.unfinished()
        content = journal.read_bytes()
        first = content.index(b"\nS\t") + 1
        end = content.index(b"\n", first) + 1
        tails = (b"E\tcpu-flops\tsde:::EVENT_399\nEVENT_399,1,0,1,2", b"E\tcpu-flops\tsde:::EVENT_399\nEVENT_399,1,0,1,2,3\nS\t0000000000000000\n", b"S", b"\0\0\0\0",
                 content[end:end + 100])
        for tail in tails:
            with self.subTest(tail):
                journal.write_bytes(content[:end] + tail)
                self.expect(support.Run(*self.sweep, "--resume"), 0, out="")
                self.check_complete(self.out)
        journal.write_bytes(content[:40])  # not even the first line is whole
        self.expect(support.Run(*self.sweep), 0, out="")
        self.check_complete(self.out)

    def test_a_changed_first_line_gives_nothing_up(self):
        journal = self.unfinished()
        content = journal.read_bytes()
        changed = content.replace(b'"repetitions":', b'"Repetitions":', 1)
        self.assertLess(changed.index(b'"Repetitions":'), changed.index(b"\n"))
        journal.write_bytes(changed)
        for more in ((), ("--resume",)):
            self.expect(support.Run(*self.sweep, *more), 3, r"journal:1: it was changed, so the sweep cannot be resumed", out="")
            self.assertEqual(journal.read_bytes(), changed)
        journal.write_bytes(content.replace(b"catmint.journal/2", b"catmint.journal/1", 1))
        self.expect(support.Run(*self.sweep, "--resume"), 3, r"journal:1: another version of catmint wrote it, so the sweep cannot be resumed", out="")
        journal.write_bytes(changed[:changed.index(b"\n") + 1])  # nothing was counted
        self.expect(support.Run(*self.sweep), 0, out="")
        self.check_complete(self.out)

    def test_what_was_counted_is_kept(self):
        journal = self.unfinished()
        lines = journal.read_bytes().split(b"\nS\t")[0].decode().splitlines()
        last = max(number for number, line in enumerate(lines) if line.startswith("E\t"))
        component, event = lines[last].split("\t")[2].split(":::")
        self.assertEqual(component, "sde")
        self.expect(support.Run(*self.sweep, "--resume"), 0, out="")
        rows = [line for line in (self.out / "cpu-flops.csv").read_text().splitlines() if line.startswith(event + ",")]
        self.assertEqual(lines[last + 1:], rows)

    def test_an_interrupt_can_be_gone_on_with(self):
        process = self.start()
        self.wait_for_sets(process)
        process.send_signal(signal.SIGINT)
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.expect(support.Run(*self.sweep), 2, r"journal: this directory holds an unfinished sweep: continue it with --resume", out="")
        refused = self.expect(support.Run("discover", *self.sweep[1:]), 2, r"journal: this directory holds an unfinished sweep: continue it with --resume, which 'catmint sweep'", out="")
        self.check_advice("discover", refused.err)
        self.expect(support.Run(*self.sweep, "--resume"), 0, out="")
        self.check_complete(self.out)

    def check_advice(self, command, text):
        """A command advises options that it has, or names the command that has them."""
        for named, option in re.findall(r"(?:'catmint (\w+)[^']*)?(--[a-z-]+)", re.sub(r"(--[a-z-]+), which ('catmint \w+)'", r"\2 \1'", text)):
            self.assertIn(f" {option} ", support.Run(named or command, "--help").out, text)

    def test_another_sweep_is_refused(self):
        self.unfinished()
        rows = (  # options that differ, what is said
            (("--repetitions", "5"), r"cannot resume: the sweep in .*/out used --repetitions 4, this one uses 5$"),
            (("--qualifiers", "0"), r"used no --qualifiers, this one uses --qualifiers 0$"),
            (("--benchmark", "branch,cpu-flops"), r"used --benchmark cpu-flops, this one uses branch,cpu-flops$"),
            (("--events", "*"), r"used no --events, this one uses --events '\*'$"),
            (("--max-buffer", "12M"), r"used no --max-buffer, this one uses --max-buffer 12582912$"),
            (("--pmu", "software:zen4"), r"the PMU was software:model for the sweep in .*/out, and is software:zen4 now$"),
        )
        for options, said in rows:
            with self.subTest(options):
                changed = self.sweep[:]
                if options[0] in changed:
                    changed[changed.index(options[0]) + 1] = options[1]
                else:
                    changed += options
                self.expect(support.Run(*changed, "--resume"), 2, said, out="")
        machine = self.folder / "model/machine.csv"
        machine.write_text(machine.read_text().replace("counters,0", "counters,7"))
        self.expect(support.Run(*self.sweep, "--resume"), 2, r"the value of counters of the model was 0 for the sweep in .*/out, and is 7 now$", out="")

    def test_another_model_of_the_same_name_is_refused(self):
        self.unfinished()
        said = r"cannot resume: events.csv or machine.csv of the model differs from that of the sweep in .*/out$"
        for name, old, new in (("events.csv", "EVENT_7,,instructions\n", "EVENT_7,,instructions + 1\n"),
                               ("machine.csv", "l1d_ways,8", "l1d_ways,4")):
            path = self.folder / "model" / name
            text = path.read_text()
            self.assertIn(old, text)
            path.write_text(text.replace(old, new))
            self.expect(support.Run(*self.sweep, "--resume"), 2, said, out="")
            path.write_text(text)
        events = self.folder / "model/events.csv"
        events.write_text(events.read_text().replace("EVENT_7,,", "EVENT_7,another description,"))
        self.expect(support.Run(*self.sweep, "--resume"), 0, out="")
        self.check_complete(self.out)

    def test_a_complete_sweep_is_not_replaced_by_another(self):
        few = [*self.sweep, "--events", "EVENT_1*"]
        self.expect(support.Run(*few), 0, out="")
        before = {path.name: path.read_bytes() for path in self.out.iterdir()}
        rows = (  # options that differ, what is said
            (("--repetitions", "5"), r"cannot resume: the sweep in .*/out used --repetitions 4, this one uses 5$"),
            (("--events", "EVENT_2*"), r"used --events 'EVENT_1\*', this one uses 'EVENT_2\*'$"),
            (("--benchmark", "branch"), r"used --benchmark cpu-flops, this one uses branch$"),
            (("--qualifiers", "0"), r"used no --qualifiers, this one uses --qualifiers 0$"),
            (("--pmu", "software:zen4", "--events", "*"), r"the PMU was software:model for the sweep in .*/out, and is software:zen4 now$"),
        )
        for options, said in rows:
            with self.subTest(options):
                changed = few[:]
                for name, value in zip(options[::2], options[1::2]):
                    if name in changed:
                        changed[changed.index(name) + 1] = value
                    else:
                        changed += [name, value]
                self.expect(support.Run(*changed, "--resume"), 2, said, out="")
                self.assertEqual({path.name: path.read_bytes() for path in self.out.iterdir()}, before)
        self.expect(support.Run(*few, "--resume"), 0, out="")
        self.expect(support.Run(*self.sweep, "--events", "EVENT_2*"), 0, out="")

    def test_two_sweeps_at_once(self):
        process = self.start()
        self.wait_for_sets(process)
        process.send_signal(signal.SIGSTOP)
        self.expect(support.Run(*self.sweep, "--resume"), 2, r"another sweep is writing into this directory", out="")
        process.send_signal(signal.SIGCONT)
        process.communicate()
        self.assertEqual(process.returncode, 0)
        self.check_complete(self.out)


if __name__ == "__main__":
    support.main()
