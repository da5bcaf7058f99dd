"""The steps of `catmint analyze` as one would write them with NumPy and pandas: pandas_analysis.py FILE

Reads the table, computes variability, representation and residual of each event, selects by the paper's Algorithm 2 and
fits every metric of cpu-flops."""

import pathlib
import sys

import numpy as np
import pandas as pd

TAU, ALPHA, RESIDUAL = 1e-10, 5e-4, 1e-2
SOURCE = pathlib.Path(__file__).resolve().parents[3]


def variability(vectors):
    """The paper's eq. 4 over all pairs of repetitions."""
    largest = 0.0
    for i in range(len(vectors)):
        for j in range(i + 1, len(vectors)):
            apart = np.linalg.norm(vectors[i] - vectors[j])
            if apart > 0:
                means = vectors[i].mean() * vectors[j].mean()
                largest = max(largest, apart / np.sqrt(vectors.shape[1] * means) if means > 0 else 1.0)
    return largest


def score(columns):
    rounded = np.abs(ALPHA * np.floor(columns / ALPHA + 0.5))
    with np.errstate(divide="ignore"):
        return np.where(rounded >= 1, rounded, np.where(rounded > 0, 1 / rounded, 0)).sum(axis=0)


def select(columns):
    """Updates all columns after each choice, as a QR with column pivoting does."""
    rest, scores = columns.copy(), score(columns)
    beta, chosen = ALPHA * np.sqrt(len(columns)), []
    while True:
        norms = np.linalg.norm(rest, axis=0)
        allowed = (norms >= beta) & (scores > 0)
        if not allowed.any():
            return chosen
        best = int(np.argmin(np.where(allowed, scores, np.inf)))
        chosen.append(best)
        direction = rest[:, best] / norms[best]
        rest -= np.outer(direction, direction @ rest)


def main(path):
    table = pd.read_csv(path, comment="#")
    basis = pd.read_csv(SOURCE / "bases/paper/cpu-flops.csv", comment="#").set_index("kernel")
    kernels = list(table.columns[3:])
    basis = basis.loc[kernels]
    basis = basis.loc[:, (basis != 0).any()]
    expectations = basis.to_numpy(float)
    kept = []
    for _, rows in table.groupby("event", sort=False):
        vectors = rows[kernels].to_numpy(float)
        if not vectors.any() or variability(vectors) > TAU:
            continue
        mean = vectors.mean(axis=0)
        solution = np.linalg.lstsq(expectations, mean, rcond=None)[0]
        if np.linalg.norm(expectations @ solution - mean) <= RESIDUAL * np.linalg.norm(mean):
            kept.append(solution)
    columns = np.array(kept).T
    chosen = columns[:, select(columns)]
    signatures = pd.read_csv(SOURCE / "signatures/paper/cpu-flops.csv", comment="#").set_index("metric")[basis.columns]
    for metric, signature in signatures.iterrows():
        signature = signature.to_numpy(float)
        if signature.any():
            solution = np.linalg.lstsq(chosen, signature, rcond=None)[0]
            print(metric, np.linalg.norm(chosen @ solution - signature) / np.linalg.norm(signature))


if __name__ == "__main__":
    main(sys.argv[1])
