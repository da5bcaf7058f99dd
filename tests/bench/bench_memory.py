"""What memory a sweep takes with more and more events: the most that was resident in the process that sweeps.

Run by hand: CATMINT_PROGRAM=build/bin/catmint CATMINT_SOURCE=. python3 tests/bench/bench_memory.py
A dry run holds the session, PAPI's tables and names, and the plan; what a sweep adds to it must not grow with the events."""

import csv
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import support  # noqa: E402

COUNTS = (100, 1000, 10000, 50000)
REPETITIONS = (2, 20)


def write_model(folder, count):
    kinds = support.model_events()
    folder.mkdir()
    (folder / "machine.csv").write_bytes((support.SOURCE / "data/pmu/golden-cove/machine.csv").read_bytes())
    with open(folder / "events.csv", "w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["event", "description", "expression"])
        writer.writerows((f"{kinds[i % len(kinds)]['event']}_{i}", "", kinds[i % len(kinds)]["expression"])
                         for i in range(count))
    return f"software:{folder}"


def resident(*arguments):
    """KiB that were resident at most, as far as can be seen 200 times a second; of the process itself, not of its workers."""
    process = subprocess.Popen([support.PROGRAM, *map(str, arguments)], env=support.environment(),
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while process.poll() is None:
        lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
        most = max([most, *(int(line.split()[1]) for line in lines if line.startswith("VmHWM:"))])
        time.sleep(0.005)
    if process.returncode != 0:
        sys.exit(f"catmint {' '.join(map(str, arguments))}: exit {process.returncode}")
    return most


def main():
    print("events  dry-run" + "".join(f"  {r:2} repetitions" for r in REPETITIONS) + "   KiB resident at most")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for count in COUNTS:
            model = write_model(folder / f"model{count}", count)
            options = ("--pmu", model, "--benchmark", "branch")
            figures = [resident("sweep", "--dry-run", *options)]
            for repetitions in REPETITIONS if count <= 10000 else ():
                out = folder / f"out{count}-{repetitions}"
                figures.append(resident("sweep", *options, "--repetitions", repetitions, "--out", out))
            print(f"{count:6} {figures[0]:8}" + "".join(f"  {figure:14}" for figure in figures[1:]), flush=True)


if __name__ == "__main__":
    main()
