"""Time and peak memory of the analysis, beside cat and the same steps in pandas: run.py CATMINT [FOLDER]

Writes the tables of 100,000 and 1,000,000 events into FOLDER (default: a temporary one) unless they are there."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent


def measure(*command):
    """Seconds and MB of one run; all of its output is thrown away."""
    start = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{command}: status {status}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def main(catmint, folder):
    for events in (100_000, 1_000_000):
        table = folder / f"{events}.csv"
        if not table.exists():
            subprocess.run([sys.executable, HERE / "generate.py", table, str(events)], check=True)
        measure("cat", table)
        read, _ = min(measure("cat", table) for _ in range(3))
        rows = [("cat", read, 0)]
        rows.append(("catmint", *min(measure(catmint, "analyze", table, "--benchmark", "cpu-flops") for _ in range(3))))
        if events == 100_000:
            rows.append(("pandas", *measure(sys.executable, HERE / "pandas_analysis.py", table)))
        for name, seconds, memory in rows:
            print(f"{events:9} {name:8} {seconds:8.2f} s {memory:7.0f} MB {seconds / read:8.1f} x cat "
                  f"{seconds / rows[1][1] if len(rows) > 1 else 1:8.2f} x catmint", flush=True)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        main(sys.argv[1], pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else temporary))
