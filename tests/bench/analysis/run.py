"""Time and peak memory of the analysis, beside cat and the same steps in pandas: run.py CATMINT [FOLDER]

The rows of an event together, repetition by repetition, and in any order; and all events as JSON. Writes the tables of 100,000 and 1,000,000 events into FOLDER (default: a temporary one) unless they are there."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def measure(*command):
    """Seconds, seconds of processor time and MB of one run; all of its output is thrown away."""
    start = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(*command):
    return min(measure(*command) for _ in range(3))


def make(folder, events):
    """The table event by event, repetition by repetition, and in any order."""
    tables = [folder / f"{events}{order}.csv" for order in ("", "-rep", "-shuf")]
    if not tables[0].exists():
        subprocess.run([sys.executable, HERE / "generate.py", tables[0], str(events)], check=True)
    if not all(table.exists() for table in tables):
        subprocess.run([sys.executable, HERE / "generate.py", "--reorder", *tables], check=True)
    return tables


def main(catmint, folder):
    for events in (100_000, 1_000_000):
        together, by_repetition, shuffled = make(folder, events)
        analyze = (catmint, "analyze", "--benchmark", "cpu-flops")
        measure("cat", together)
        rows = [("cat", best("cat", together)), ("catmint", best(*analyze, together)),
                ("by repetition", best(*analyze, by_repetition)), ("shuffled", best(*analyze, shuffled)),
                ("all as JSON", best(*analyze, together, "--format", "json", "--events-detail", "all"))]
        if events == 100_000:
            rows.append(("pandas", measure(sys.executable, HERE / "pandas_analysis.py", together)))
        read, own = rows[0][1][0], rows[1][1]
        for name, (seconds, processor, memory) in rows:
            print(f"{events:9} {name:13} {seconds:8.2f} s {processor:8.2f} s of processors {memory:7.0f} MB "
                  f"{seconds / read:8.1f} x cat {seconds / own[0]:7.2f} x catmint, {processor / own[1]:7.2f} of "
                  f"processors", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary))
