"""Sweeps that are killed a hundred times each, at random times, and resumed: branch by workers, dcache by a team.

Run by hand: CATMINT_PROGRAM=build/bin/catmint CATMINT_SOURCE=. python3 tests/bench/bench_kills.py
Says how many sweeps were completed by that; fails where one lost or doubled a repetition."""

import os
import pathlib
import sys

os.environ.setdefault("CATMINT_KILLS", "100")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import resume  # noqa: E402
import support  # noqa: E402

sys.argv[1:] = ["Killed", "KilledTeam"]
Killed, KilledTeam = resume.Killed, resume.KilledTeam

if __name__ == "__main__":
    support.main()
