"""Nobody is blamed for what comes from outside: processes that cannot be started, a job that is stopped, workers that
somebody ends, little memory. DISTURBANCES says how many of each there are."""

import csv
import os
import pathlib
import random
import resource
import signal
import subprocess
import time

import faults
import support

DISTURBANCES = int(os.environ.get("CATMINT_DISTURBANCES", "1"))
STOPPED = 2.5  # seconds, longer than the timeout of a worker
TIMEOUT = 300.0
EVENTS, SETS = 120, 20


def children(parent):
    """Processes that are alive."""
    found = []
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            state, its_parent = path.read_text().rsplit(")", 1)[1].split()[:2]
        except (OSError, IndexError):
            continue  # it is gone
        if int(its_parent) == parent and state not in "ZX":
            found.append((int(path.parent.name), state))
    return found


class Outside(support.Case):
    def setUp(self):
        super().setUp()
        random.seed(DISTURBANCES)
        self.model = faults.faulty_model(self.folder / "model", {}, EVENTS)
        machine = self.folder / "model/machine.csv"
        machine.write_text(machine.read_text().replace("counters,0", f"counters,{EVENTS // SETS}"))
        self.out = self.folder / "out"
        self.sweep = ["sweep", "--pmu", self.model, "--component", "sde", "--out", str(self.out), "--benchmark", "cpu-flops",
                      "--repetitions", "2"]

    def start(self, *more):
        process = subprocess.Popen(["catmint", *self.sweep, *more], executable=support.PROGRAM, env=support.environment(), text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   start_new_session=True)
        self.addCleanup(process.kill)
        return process

    def wait_until(self, condition, what):
        limit = time.monotonic() + TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), limit, what)
            time.sleep(0.002)

    def check_complete(self):
        rows = list(csv.DictReader(line for line in (self.out / "cpu-flops.csv").read_text().splitlines()
                                   if not line.startswith("#")))
        self.assertEqual({row["status"] for row in faults.read(self.out, "events.csv")}, {"counted"})
        self.assertEqual([(row["event"], row["repetition"]) for row in rows if row["event"] != "iterations"],
                         [(f"EVENT_{e}", str(r)) for e in range(EVENTS) for r in (1, 2)])

    def finish(self, code, err):
        """Nobody is blamed; what was ended can be resumed. Returns whether it was ended."""
        self.assertIn(code, (0, 4), err)
        self.assertNotIn("EVENT_", err)
        if code == 0:
            self.check_complete()
            for path in self.out.iterdir():
                path.unlink()
        elif (self.out / "journal").exists():
            self.assertRegex(err, r"the counts so far are kept in .*/out; the same command with --resume")
        return code == 4

    def disturb(self, how):
        """Does it so many times, over as many sweeps as that takes, and lets the last one end."""
        done = ended = sweeps = 0
        resumed = False
        while done < DISTURBANCES:
            process = self.start(*(["--resume"] if resumed else []))
            while done < DISTURBANCES and process.poll() is None:
                time.sleep(random.uniform(0.0, 0.3))
                done += how(process)
            _, err = process.communicate(timeout=TIMEOUT)
            resumed = self.finish(process.returncode, err)
            ended += resumed
            sweeps += 1
        if resumed:
            self.expect(support.Run(*self.sweep, "--resume"), 0)
            self.check_complete()
        return f"{done} times over {sweeps} sweeps, {ended} of them ended with status 4"

    def test_the_whole_job_is_stopped(self):
        def stop(process):
            os.killpg(process.pid, signal.SIGSTOP)
            self.wait_until(lambda: process.poll() is not None or
                            all(state in "Tt" for _, state in children(process.pid)), "somebody does not stop")
            if process.poll() is not None:
                return False  # it was over before
            time.sleep(STOPPED)
            os.killpg(process.pid, signal.SIGCONT)
            return True
        print("stopped:", self.disturb(stop))

    def end_workers(self, number):
        def end(process):
            self.wait_until(lambda: process.poll() is not None or children(process.pid), "there is no worker")
            ended = False
            for worker, _ in children(process.pid)[:1]:
                try:
                    os.kill(worker, number)
                    ended = True
                except ProcessLookupError:
                    pass
            return ended
        print(f"workers that were sent {number.name}:", self.disturb(end))

    def test_workers_are_terminated(self):
        self.end_workers(signal.SIGTERM)

    def test_workers_are_killed(self):
        self.end_workers(signal.SIGKILL)

    def test_workers_are_sent_a_fault(self):
        self.end_workers(signal.SIGSEGV)

    def run_with_forks(self, first, count, *more):
        return support.Run(*self.sweep, *more, FAILING_FORKS=f"{first}:{count}",
                           **support.preloading(os.environ["CATMINT_FAILING_FORK"]))

    def test_a_process_cannot_be_started(self):
        for first in range(1, DISTURBANCES + 1):
            with self.subTest(first):
                run = self.expect(self.run_with_forks(first, 1), 0, out="")
                self.assertFalse(self.finish(run.code, run.err))

    def test_no_process_can_be_started_any_more(self):
        ended = 0
        for first in sorted({*range(1, DISTURBANCES + 1), SETS // 2}):
            with self.subTest(first):
                run = self.run_with_forks(first, 0)
                ended += run.code == 4
                if self.finish(run.code, run.err):
                    self.assertRegex(run.err, r"cannot start another process: Resource temporarily unavailable")
                    self.expect(support.Run(*self.sweep, "--resume"), 0)
                    self.check_complete()
                    for path in self.out.iterdir():
                        path.unlink()
        self.assertGreaterEqual(ended, DISTURBANCES)

    def test_little_memory(self):
        """It works or says that memory is out, and hangs in no case."""
        table = str(support.RECORDED["branch"])
        ends = {}
        for mebibytes in (8, 12, 24, 48, 112, 192, 384):  # the libraries alone take 96
            limit = mebibytes << 20
            for name, arguments in (
                    ("analyze", ["analyze", table, "--benchmark", "branch"]), ("sweep", self.sweep),
                    ("discover", ["discover", *self.sweep[1:]])):
                done = subprocess.run(
                    [support.PROGRAM, *arguments], env=support.environment(), stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
                with self.subTest(f"{name}, {mebibytes} MiB"):
                    loaded = done.returncode != 127  # the loader itself ran out
                    partly = done.returncode == 1 and "out of memory\ncatmint: the definitions are not held against programs" in done.stderr
                    self.assertTrue(not loaded or done.returncode in (0, 4) or partly, f"{done.returncode}: {done.stderr}")
                    self.assertNotIn("EVENT_", done.stderr)
                ends.setdefault((name, done.returncode), []).append(mebibytes)
                for path in self.out.glob("*"):
                    path.unlink()
        print("ends with little memory:", ends)

    def test_few_files(self):
        """PAPI ends its process where it cannot open a file; that is the probe's, and never catmint's own."""
        ends = {}
        for arguments in (["events", *self.sweep[1:3]], self.sweep):
            for files in range(4, 13):
                done = subprocess.run(
                    [support.PROGRAM, *arguments], env=support.environment(), stdin=subprocess.DEVNULL, timeout=TIMEOUT,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False, text=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (files, files)))
                with self.subTest(f"{arguments[0]}, {files} files"):
                    self.assertIn(done.returncode, (0, 4), done.stderr)
                    self.assertTrue(done.returncode == 0 or "catmint: " in done.stderr, "it says nothing")
                    self.assertNotIn("EVENT_", done.stderr)
                ends.setdefault((arguments[0], done.returncode), []).append(files)
                for path in self.out.glob("*"):
                    path.unlink()
                if done.returncode == 0:  # as with more
                    break
            else:
                self.fail(f"{arguments[0]} always fails")
        print("ends with few files:", ends)


if __name__ == "__main__":
    support.main()
