"""What counting under the emulated PMU costs, as multiples of QEMU's own time for the same program: processor time, in one run.

Run by hand: CATMINT_PROGRAM=build/bin/catmint CATMINT_SOURCE=. python3 tests/bench/emulated_count.py [ROUNDS [PROGRAM ...]]
PROGRAM: start (Python's), python (a loop), floating (a triad and a stencil in double precision), sorting (quicksort of numbers, then a walk
along a list). Each round runs each program under QEMU alone and counted in each way, one after the other, in about a minute of processor
time; printed are the least times of the rounds, by that of QEMU alone. Habits are
prefetchers, prefetch instructions and wrong paths."""

import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import support  # noqa: E402

FLOATING = """#include <stdlib.h>
enum { N = 4096 };
static double a[N], b[N], c[N];
int main(int argc, char **argv)
{
    for (int i = 0; i < N; i++)
        b[i] = i + argc, c[i] = 1.0 / (i + 1);
    for (int turn = atoi(argv[1]); turn > 0; turn--) {
        for (int i = 0; i < N; i++)
            a[i] = b[i] + 0.5 * c[i];
        for (int i = 1; i + 1 < N; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
    }
    return b[N / 2] < 0.0;
}
"""
SORTING = """#include <stdlib.h>
static int compare(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return (a > b) - (a < b);
}
struct node { struct node *next; unsigned key; };
int main(int argc, char **argv)
{
    unsigned count = (unsigned)atoi(argv[1]), state = 1, sum = 0;
    unsigned *keys = malloc(count * sizeof *keys);
    struct node *nodes = malloc(count * sizeof *nodes);
    for (unsigned i = 0; i < count; i++)
        keys[i] = state = state * 1664525u + 1013904223u;
    for (unsigned i = 0; i < count; i++) {
        unsigned to = keys[i] % count;
        nodes[i].key = i, nodes[i].next = &nodes[to];
    }
    struct node *at = nodes;
    for (unsigned i = 0; i < 8 * count; i++)
        sum += at->key, at = i % 64 == 0 ? &nodes[i % count] : at->next;
    qsort(keys, count, sizeof *keys, compare);
    return (sum ^ keys[count / 2]) == (unsigned)argc;
}
"""
LOOP = "s = 0\nd = {}\nfor i in range(%d):\n    s += i * 3 %% 7\n    d[i & 1023] = (s, str(i))\n"
FACTS = "instructions,loads,stores,load_bytes,store_bytes,branches_cond,branches_uncond,calls,returns,fp_d_scalar_add,fp_d_scalar_mul,fp_d_scalar_div"
COUNT = [support.PROGRAM, "count", "--pmu", "software:golden-cove", "--output", "/dev/null"]
WAYS = {
    "plain": [shutil.which("qemu-x86_64") or sys.exit("qemu-x86_64 is not installed"), "-cpu", "max"],
    "instructions": [*COUNT, "-e", "instructions", "--"],
    "facts of blocks": [*COUNT, "-e", FACTS, "--"],
    "and taken branches": [*COUNT, "-e", f"{FACTS},branches_cond_taken", "--"],
    "caches, TLBs, predictors": [support.PROGRAM, "count", "--pmu", "software:golden-cove-plain", "--output", "/dev/null", "--"],
    "and habits": [*COUNT, "--"],
}


def processor_time():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def time_of(command):
    before = processor_time()
    subprocess.run(command, env=support.environment(), stdout=subprocess.DEVNULL, check=True)
    return processor_time() - before


def compiled(folder, name, source):
    program = pathlib.Path(folder, name)
    program.with_suffix(".c").write_text(source)
    subprocess.run(["cc", "-O2", "-o", program, program.with_suffix(".c")], check=True)
    return program


def main(rounds="1", *chosen):
    with tempfile.TemporaryDirectory(prefix="catmint-emulated-") as folder:
        python = [sys.executable, "-S", "-c"]
        programs = {"start": [*python, "pass"], "python": [*python, LOOP % 100_000], "floating": [compiled(folder, "floating", FLOATING), "3000"],
                    "sorting": [compiled(folder, "sorting", SORTING), "300000"]}
        print(f"{'':10} {'plain':>8}", *(f"{way:>25}" for way in WAYS if way != "plain"))
        for name in chosen or programs:
            times = {way: [] for way in WAYS}
            for _ in range(int(rounds)):
                for way, words in WAYS.items():
                    times[way].append(time_of([*words, *programs[name]]))
            least = {way: min(seconds) for way, seconds in times.items()}
            print(f"{name:10} {least['plain']:6.2f} s", *(f"{least[way] / least['plain']:25.2f}" for way in WAYS if way != "plain"), flush=True)


main(*sys.argv[1:])
