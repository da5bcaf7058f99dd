"""What packing, side-by-side counting and workers save: a sweep against one event at a time, on this machine.

Run by hand: CATMINT_PROGRAM=build/bin/catmint CATMINT_SOURCE=. python3 tests/bench/bench_sweep.py
One event at a time is what CAT does: a sweep for each event by itself, over the same kernels and repetitions; the program's own start
is taken off its time, measured as the planning of the same event. Both sides are this program, on the same PMU: the software PMU's
events alone, whatever else PAPI counts on this machine, perhaps under the same names."""

import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import support  # noqa: E402

OPTIONS = ("--pmu", "software:golden-cove", "--component", "sde", "--benchmark", "cpu-flops,branch", "--repetitions", "5")


def timed(*arguments):
    started = time.monotonic()
    run = support.Run(*arguments, timeout=3600)
    if run.code != 0:
        sys.exit(str(run))
    return time.monotonic() - started, run


def statuses(directory):
    with open(directory / "events.csv", newline="") as stream:
        return {row["event"]: row["status"] for row in csv.DictReader(stream)}


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        _, plan = timed("sweep", "--dry-run", *OPTIONS)
        runs = int(re.search(r"(\d+) runs of kernels", plan.out).group(1))
        whole, _ = timed("sweep", *OPTIONS, "--out", folder / "whole")
        events = [row["event"] for row in support.model_events()]
        single_runs, single_time, single = 0, 0.0, {}
        for number, event in enumerate(events):
            names = folder / "name"
            names.write_text(event + "\n")
            chosen = ("--events-file", names, "--workers", "1")
            _, plan = timed("sweep", "--dry-run", *OPTIONS, *chosen)
            single_runs += int(re.search(r"(\d+) runs of kernels", plan.out).group(1))
            start, _ = timed("events", "--pmu", "software:golden-cove")
            took, _ = timed("sweep", *OPTIONS, *chosen, "--out", folder / f"single{number}")
            single_time += took - start
            single.update(statuses(folder / f"single{number}"))
        same = single == statuses(folder / "whole")
    print(f"{len(events)} events: {single_runs} runs of kernels one at a time, {runs} together: {single_runs / runs:.1f} times fewer")
    print(f"{single_time:.1f} s one at a time, {whole:.1f} s together: {single_time / whole:.1f} times less")
    print(f"statuses: {'the same' if same else 'DIFFERENT'}")


if __name__ == "__main__":
    main()
