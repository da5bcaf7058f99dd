"""Writes measurement tables of made-up events for the analysis benchmark: generate.py FILE EVENTS, and
generate.py --reorder FILE REPETITIONS SHUFFLED, the same rows repetition by repetition, and in any order.

48 kernels of cpu-flops, 5 repetitions. A quarter of the events is zero, a quarter exact sums of ideal events, a quarter
nearly such sums with noise, a quarter has nothing to do with the kernels."""

import csv
import pathlib
import random
import sys

KERNELS, REPETITIONS = 48, 5


def main(path, events):
    basis = pathlib.Path(__file__).resolve().parents[3] / "bases/paper/cpu-flops.csv"
    rows = [row for row in csv.reader(line for line in basis.open() if not line.startswith("#"))]
    symbols = rows[0][1:]
    rows = [row for row in rows[1:] if not row[0].startswith("H_")][:KERNELS]
    matrix = [[float(value) for value in row[1:]] for row in rows]
    random.seed(1)
    columns = [[row[j] for row in matrix] for j in range(len(symbols)) if any(row[j] for row in matrix)]
    with open(path, "w") as table:
        table.write("event,repetition,thread," + ",".join(row[0] for row in rows) + "\n")
        for event in range(events):
            name = f"UNIT_{event % 64}::EVENT_{event:07}:UMASK_{event % 7}"
            kind = event % 4
            if kind == 0:
                lines = [",".join(["0"] * len(rows))] * REPETITIONS
            else:
                parts = random.sample(columns, 1 if event < 200 else random.randint(1, 4))
                weights = [random.choice((1, 1, 1, 2, 4)) for _ in parts]
                counts = [1000 * sum(w * part[i] for w, part in zip(weights, parts)) for i in range(len(rows))]
                if kind == 1:
                    lines = [",".join(f"{count:.0f}" for count in counts)] * REPETITIONS
                elif kind == 2:
                    lines = [",".join(str(round(count * (1 + 1e-3 * random.random()))) if count else "0" for count in counts)
                             for _ in range(REPETITIONS)]
                else:
                    lines = [",".join(str(random.getrandbits(20)) for _ in rows) for _ in range(REPETITIONS)]
            for repetition, line in enumerate(lines):
                table.write(f"{name},{repetition},0,{line}\n")


def reorder(path, by_repetition, shuffled):
    with open(path, "rb") as table:
        header, rows = table.readline(), table.readlines()
    with open(by_repetition, "wb") as table:
        table.write(header)
        for repetition in range(REPETITIONS):
            table.writelines(rows[repetition::REPETITIONS])
    random.seed(2)
    random.shuffle(rows)
    with open(shuffled, "wb") as table:
        table.write(header)
        table.writelines(rows)


if __name__ == "__main__":
    if sys.argv[1] == "--reorder":
        reorder(*sys.argv[2:])
    else:
        main(sys.argv[1], int(sys.argv[2]))
