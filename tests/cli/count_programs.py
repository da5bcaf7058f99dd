"""Programs counted under emulation, where their facts are known: whether each value's error holds the truth."""

import json
import os
import random
import shutil
import subprocess

import count
import support

# Five in a run of all tests, 200 with CATMINT_LONG.
PROGRAMS = 200 if os.environ.get("CATMINT_LONG") else 5
SEED = 34

# Turns, and of 1,000 turns: random loads from that many bytes, stores, random branches, additions in double, divisions, calls.
SOURCE = r"""
#include <stdlib.h>
static double data[1 << 19];
static volatile double sum = 1.0;
__attribute__((noinline)) static double twice(double x) { return x + x; }
int main(int count, char **words)
{
    unsigned number[8] = {0}, random = 1;
    for (int i = 1; i < count && i < 9; i++)
        number[i - 1] = (unsigned)atoi(words[i]);
    for (unsigned turn = 0; turn < number[0]; turn++) {
        unsigned place = turn % 1000;
        random = random * 1664525 + 1013904223;
        if (place < number[2])
            sum += data[(random >> 8) % (number[1] / 8)];
        if (place < number[3])
            data[turn % (number[1] / 8)] = sum;
        if (place < number[4] && random >> 31)
            sum = sum * 0.5;
        if (place < number[5])
            sum = sum + 1.0;
        if (place < number[6])
            sum = sum / 1.25;
        if (place < number[7])
            sum = twice(sum);
    }
    return 0;
}
"""


def drawn(generator):
    """Numbers for a program: of each kind none, few or many."""
    rate = [generator.choice((0, 10 ** generator.uniform(0, 3))) for _ in range(6)]
    return [generator.randint(20000, 60000), 2 ** generator.randint(9, 22), *rate]


# Events of a PMU that leaks, as real ones do: a part of what is frequent is in what is rare.
EVENTS = {
    "LOADS": "loads", "STORES": "stores", "BRANCHES": "branches_cond", "TAKEN": "branches_cond_taken", "CALLS": "calls",
    "MISSES": "l1d_load_miss + 0.02*l1d_load_hit", "HITS": "l1d_load_hit + 0.03*l1d_load_miss", "L2_MISSES": "l2_load_miss + 0.004*loads",
    "STORE_MISSES": "l1d_store_miss + 0.01*stores", "MISPREDICTED": "mispredicted_cond + 0.004*branches_cond", "STORED": "store_bytes",
}


class Programs(count.Counted):
    def test_errors_hold_the_truth(self):
        if shutil.which("cc") is None or os.uname().machine != "x86_64":
            self.skipTest("no compiler for x86-64 is here")
        program = self.folder / "program"
        subprocess.run(["cc", "-O1", "-static", "-o", program, self.write("program.c", SOURCE)], check=True)
        model = support.make_model(self.folder / "leaks", EVENTS)
        results = self.folder / "results.json"
        run = support.Run("discover", "--pmu", f"software:{model}", *support.software_alone(), "--benchmark", "branch,dcache,mem-ops", "--format", "json",
                          *support.BRIEFLY, "--output", results)
        metrics = [metric for benchmark in json.loads(self.expect(run, 0) and results.read_text())["benchmarks"] for metric in benchmark["metrics"]
                   if metric["composable"] or metric["valid_above"]]
        meanings = {metric["metric"]: compile(metric["meaning"], metric["metric"], "eval") for metric in metrics}
        facts = sorted({fact for meaning in meanings.values() for fact in meaning.co_names})
        generator, known, off, missed = random.Random(SEED), 0, 0, []
        for _ in range(PROGRAMS):
            numbers = [str(int(number)) for number in drawn(generator)]
            scope = self.count("--pmu", f"software:{model}", "--results", results, "--events", ",".join(facts), "--", program, *numbers)["scopes"][0]
            truth = {event["event"]: event["value"] for event in scope["events"]}
            for metric in scope["metrics"]:
                if metric["error"] is None or metric["metric"] not in meanings:
                    continue
                difference = abs(metric["value"] - eval(meanings[metric["metric"]], {}, truth))  # a sum of facts
                known += 1
                off += difference > 0.5
                if difference > metric["error"] + 0.5:
                    missed.append((metric["metric"], metric["value"], difference, metric["error"], *numbers))
        self.assertGreater(known, 8 * PROGRAMS)
        self.assertGreater(off, 0.1 * known)  # an error of nothing would not hold them
        self.assertLessEqual(len(missed), 0.05 * known, missed[:20])


if __name__ == "__main__":
    support.main()
