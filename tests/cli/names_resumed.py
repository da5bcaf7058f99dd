"""Sweeps of the models that come with catmint, beside namesakes of all of their events, are killed, resumed and sharded.
KILLS says how often each is killed."""

import os
import random
import shutil
import signal
import subprocess
import time

import support
import twins

KILLS = int(os.environ.get("CATMINT_KILLS", "1"))


class Resumed(support.Case):
    model = "golden-cove"

    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"
        self.surroundings = twins.environment(self, twins.marked(self.model))

    def command(self, model, repetitions=2, benchmark="cpu-flops"):
        return ("sweep", "--pmu", f"software:{model}", "--benchmark", benchmark, "--repetitions", str(repetitions),
                *twins.COMPONENTS)

    def start(self, *command):
        process = subprocess.Popen(["catmint", *command], executable=support.PROGRAM, env=support.environment(**self.surroundings),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        return process

    def unfinished(self, *command):
        """Leaves a sweep in self.out that was killed once a set was done."""
        process, journal = self.start(*command, "--out", str(self.out)), self.out / "journal"
        while process.poll() is None and not (journal.exists() and b"\nS\t" in journal.read_bytes()):
            time.sleep(0.002)
        self.assertIsNone(process.poll(), "the sweep was over before it was killed")
        process.send_signal(signal.SIGKILL)
        process.communicate()

    def whole(self, command):
        out = self.folder / "whole"
        started = time.monotonic()
        self.expect(support.Run(*command, "--out", out, **self.surroundings), 1, out="")
        return out, time.monotonic() - started

    def kill_and_resume(self, command, seconds):
        """Kills until it was done KILLS times; a sweep that was over before begins anew. Returns how many were over."""
        kills, over = 0, 0
        while kills < KILLS and over < 10 * KILLS:
            process = self.start(*command, "--out", str(self.out), "--resume")
            time.sleep(random.uniform(0.2, 0.8) * seconds)
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                kills += 1
            else:
                self.assertEqual(process.returncode, 1)
                shutil.rmtree(self.out)
                over += 1
            process.communicate()
        self.expect(support.Run(*command, "--out", self.out, "--resume", **self.surroundings), 1, out="")
        self.assertEqual(kills, KILLS)
        return over

    def check_equal(self, one, other, benchmark):
        self.assertEqual(twins.events(one), twins.events(other))
        self.assertEqual(sorted(twins.keys(one, benchmark)), sorted(twins.keys(other, benchmark)))
        self.assertEqual(len(set(twins.keys(one, benchmark))), len(twins.keys(one, benchmark)))
        self.assertEqual(twins.manifest(one)["prefixed_events"], twins.manifest(other)["prefixed_events"])
        self.expect(support.Run("analyze", one, "--format", "json"), 0, err="")

    def check_kills(self, benchmark):
        random.seed(KILLS)
        for model in twins.MODELS:
            with self.subTest(model):
                self.surroundings = twins.environment(self, twins.marked(model))
                command = self.command(model, 2, benchmark)
                whole, seconds = self.whole(command)
                over = self.kill_and_resume(command, seconds)
                self.check_equal(self.out, whole, benchmark)
                print(f"{benchmark}, {model}: {KILLS} kills, {over} sweeps over before; the last equals one that ran through")
                shutil.rmtree(whole)
                shutil.rmtree(self.out)

    def test_killed_flops(self):
        self.check_kills("cpu-flops")

    def test_what_namesakes_counted_is_kept_apart(self):
        command = self.command(self.model, 20)
        self.unfinished(*command)
        counts, key = {}, None
        for line in (self.out / "journal").read_text().split("\nS\t")[0].splitlines():
            if line.startswith("E\t"):
                _, _, key = line.split("\t")
                self.assertNotIn(key, counts)
                counts[key] = []
            elif "\t" not in line:
                counts[key].append(line)
        self.assertTrue(counts)
        self.assertTrue(all(key.startswith(("sde:::", "twin:::")) for key in counts))
        self.expect(support.Run(*command, "--out", self.out, "--resume", **self.surroundings), 1, out="")
        rows, prefixed = (self.out / "cpu-flops.csv").read_text().splitlines(), twins.prefixed(self.model)
        for key, counted in counts.items():
            label = key if key in prefixed else key.split(":::")[1]
            self.assertEqual([row for row in rows if row.split(",")[0] == label], counted, key)

    def test_another_naming_is_refused(self):
        self.unfinished(*self.command(self.model, 20))
        first = support.counted_events(self.model)[0]
        marks = {**twins.marked(self.model), first: twins.REFUSED}
        self.surroundings = twins.environment(self, marks)
        resume = (*self.command(self.model, 20), "--out", self.out, "--resume")
        self.expect(support.Run(*resume, **self.surroundings), 2,
                    rf"^catmint: cannot resume: tables of the sweep in {self.out} name twin:::{first} with its component, "
                    r"those of this one do not$", out="")
        del marks[first]
        self.surroundings = twins.environment(self, marks)
        self.expect(support.Run(*resume, **self.surroundings), 2,
                    rf"^catmint: cannot resume: the events differ: the sweep in {self.out} counts twin:::{first}, this one "
                    r"does not$", out="")

    def check_shards(self, count, model):
        command = self.command(model, benchmark="instructions")  # which few kernels have
        whole = self.folder / f"whole-{model}"
        if not whole.exists():
            self.expect(support.Run(*command, "--out", whole, **self.surroundings), 1, out="")
        shards, merged = self.folder / f"{model}-{count}", self.folder / f"merged-{model}-{count}"
        for first in range(1, count + 1, 2):
            pair = [self.start(*command, "--out", str(shards), "--shard", f"{number}/{count}")
                    for number in range(first, min(first + 2, count + 1))]
            for process in pair:
                said = process.communicate(timeout=300)[1]
                self.assertIn(process.returncode, (0, 1), said)
        self.expect(support.Run("merge", shards, "--out", merged), 0, out="")
        self.assertEqual(twins.events(merged), twins.events(whole))
        self.check_equal(merged, whole, "instructions")

    def test_shards(self):
        for model in twins.MODELS:
            self.surroundings = twins.environment(self, twins.marked(model))
            for count in (2, 3):
                with self.subTest(model, count=count):
                    self.check_shards(count, model)

    def test_many_shards(self):
        self.check_shards(12, self.model)


class Thorough(Resumed):
    """By hand, for they take minutes."""

    def test_killed_branch(self):
        self.check_kills("branch")

    def test_killed_dcache(self):
        self.check_kills("dcache")


for inherited in [name for name in dir(Resumed) if name.startswith("test_")]:
    setattr(Thorough, inherited, None)  # they are the other class'

if __name__ == "__main__":
    if "CATMINT_KILLS" not in os.environ:
        del Thorough
    support.main()
