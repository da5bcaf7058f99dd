"""catmint on a genuine perf_event PMU, in the guest of guest.py: counts against the facts of the kernels, and what stands in the way of counting."""

import csv
import functools
import io
import json
import os
import pathlib
import re
import unittest

import guest
import support

EVENTS = ("INST_RETIRED", "CPU_CYCLES", "BR_RETIRED")
# Instructions by which entering a kernel exceeds entering the empty one.
ENTRY = 40


def sweep(benchmark, repetitions, events, folder):
    options = f"--pmu hardware --benchmark {benchmark} --repetitions {repetitions} --out {folder}" + "".join(f" --events {event}" for event in events)
    return f'catmint sweep {options}; echo "exit $?"\n'


COUNT = f"""echo 2 > /proc/sys/kernel/perf_event_paranoid
echo "== sweep"
{sweep("branch", 2, EVENTS, "b")}
echo "== branch.csv"
cat b/branch.csv
"""
# Sets of 6 counters and the one of cycles.
MANY = ("INST_RETIRED", "CPU_CYCLES", "BR_RETIRED", "BR_MIS_PRED", "BR_PRED", "L1D_CACHE", "L1D_CACHE_REFILL", "L2D_CACHE_ACCESS", "INST_SPEC", "MEM_ACCESS",
        "STALL_FRONTEND", "STALL_BACKEND", "BR_MIS_PRED_RETIRED")
OTHERS = f"""echo "== analysis"
catmint analyze b --format json
echo "== instructions"
{sweep("instructions", 2, EVENTS, "i")}
echo "== definitions"
catmint analyze i --format json
echo "== events"
catmint events --format json
echo "== flops"
{sweep("cpu-flops", 1, EVENTS, "f")}
echo "== flops.csv"
cat f/cpu-flops.csv
echo "== many"
{sweep("branch", 1, MANY, "many")}
echo "== many.csv"
cat many/branch.csv
for options in "" --multiplex; do
    echo "== program $options"
    catmint count --pmu hardware --format json $options {" ".join(f"--event {event}" for event in MANY)} -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done' 2>&1
done
cat > one <<'END'
{sweep("branch", 1, EVENTS[:1], "/tmp/one$1")}
END
for level in 0 1 2 3; do
    echo $level > /proc/sys/kernel/perf_event_paranoid
    echo "== somebody $level"
    su somebody -c "PATH=$PATH LD_LIBRARY_PATH=$LD_LIBRARY_PATH sh one $level"
    echo "== somebody.csv $level"
    cat one$level/branch.csv
done
echo "== root 3"
sh one root
echo "== doctor 3"
catmint doctor
"""


@functools.cache
def facts():
    """Instructions of each kernel in one iteration, and their standard deviation."""
    found = {}
    with open(support.SOURCE / "bases/aarch64/facts.csv", newline="") as stream:
        for row in csv.DictReader(line for line in stream if not line.startswith("#")):
            each, chance = (re.search(r"(?:([\d.]+)\*)?instructions", row[column]) for column in ("facts", "chance"))
            found[row["kernel"]] = float(each[1] or 1) if each else 0.0, float(chance[1] or 1) if chance else 0.0
    return found


def counts(table):
    """{event: [by repetition {kernel: count}]}, and {kernel: iterations}."""
    lines = list(csv.reader(line for line in io.StringIO(table) if line.strip() and not line.startswith("#")))
    kernels, found = lines[0][3:], {}
    for line in lines[1:]:
        found.setdefault(line[0], []).append(dict(zip(kernels, map(int, line[3:]))))
    return found, found.pop("iterations")[0]


def wrong(table):
    """Kernels whose INST_RETIRED are not their facts and a constant: what comes with starting and stopping, and with entering the kernel."""
    found, iterations = counts(table)
    faults = []
    for repetition in found["INST_RETIRED"]:
        for kernel, count in repetition.items():
            each, chance = facts()[kernel]
            rest = count - repetition["empty"] - each * iterations[kernel] if kernel != "empty" else 0
            if abs(rest - ENTRY / 2) > ENTRY / 2 + 6 * chance * iterations[kernel] ** 0.5:
                faults.append((kernel, rest))
    exact = [{kernel: count for kernel, count in repetition.items() if not facts()[kernel][1]} for repetition in found["INST_RETIRED"]]
    return faults if faults or exact[0] == exact[-1] else [("repetitions differ", exact)]


@unittest.skipIf(guest.missing(), guest.missing())
class System(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.parts = guest.boot(COUNT + OTHERS)

    def test_instructions_are_those_of_the_facts(self):
        self.assertIn("3 events counted, 0 unavailable", self.parts["sweep"])
        for part in ("branch.csv", "flops.csv"):
            found, _ = counts(self.parts[part])
            self.assertEqual(wrong(self.parts[part]), [], part)
            self.assertEqual(found["CPU_CYCLES"], found["INST_RETIRED"])  # one instruction, one nanosecond, one cycle
            self.assertEqual({count for repetition in found["BR_RETIRED"] for count in repetition.values()}, {0})

    def test_analysis_says_what_events_count(self):
        entry, = json.loads(self.parts["analysis"])["benchmarks"]
        events = {event["event"]: event for event in entry["events"]}
        self.assertEqual(events["BR_RETIRED"]["status"], "zero")
        self.assertEqual(events["INST_RETIRED"]["max_rnmse"], 0)
        self.assertEqual(events["INST_RETIRED"]["counts"], events["CPU_CYCLES"]["counts"])

    def test_a_definition_says_what_cannot_be_told_from_its_events(self):
        entry, = json.loads(self.parts["definitions"])["benchmarks"]
        metric, = (metric for metric in entry["metrics"] if metric["metric"] == "Instructions")
        self.assertTrue(support.usable(metric), metric)
        self.assertEqual([(term["event"], [(other["event"], other["factor"]) for other in term["equivalents"]]) for term in metric["definition"]],
                         [("INST_RETIRED", [("CPU_CYCLES", 1)])])
        self.assertIn("event CPU_CYCLES, which counts as INST_RETIRED on every kernel", metric["confounded_with"])

    def test_events_are_those_of_the_processor(self):
        events = json.loads(self.parts["events"])
        self.assertEqual(events["pmu"], "hardware")
        self.assertLessEqual(set(MANY), {event["event"] for event in events["events"] if event["countable"]})

    def test_events_that_want_more_counters_than_there_are(self):
        found, _ = counts(self.parts["many.csv"])
        self.assertEqual(set(found), set(MANY))
        self.assertEqual(wrong(self.parts["many.csv"]), [])

    def test_events_that_take_turns(self):
        """The program's instructions come out alike by several runs, of which each counts some of the events, and by one in which they take turns."""
        runs, turns = (json.loads(self.parts[f"program {options}"]) for options in ("", "--multiplex"))
        self.assertEqual([(one["multiplexed"], len({event["run"] for event in one["events"]})) for one in (runs, turns)], [(False, 2), (True, 1)])
        for event in ("INST_RETIRED", "CPU_CYCLES"):
            of_runs, of_turns = (next(entry["value"] for entry in one["scopes"][0]["events"] if entry["event"] == event) for one in (runs, turns))
            self.assertGreater(of_runs, 10**8)
            self.assertLess(abs(of_turns / of_runs - 1), 0.05, event)

    def test_who_may_count(self):
        for level in (0, 1, 2):
            self.assertIn("1 event counted, 0 unavailable", self.parts[f"somebody {level}"])
            self.assertEqual(wrong(self.parts[f"somebody.csv {level}"]), [])
        for who in ("root", "somebody"):
            self.assertIn("at perf_event_paranoid 3, PAPI 7.0 counts nothing, not even for root", self.parts[f"{who} 3"])
            self.assertIn("exit 4", self.parts[f"{who} 3"])
        self.assertIn("PAPI 7.0 does not for root either", self.parts["doctor 3"])


@unittest.skipIf(guest.missing(), guest.missing())
class OtherGuests(unittest.TestCase):
    def test_cycles_of_two_nanoseconds(self):
        """With another shift an instruction takes two cycles: everything else is the same."""
        table = guest.boot(COUNT, shift=1)["branch.csv"]
        found, _ = counts(table)
        self.assertEqual(wrong(table), [])
        for instructions, cycles in zip(found["INST_RETIRED"], found["CPU_CYCLES"]):
            self.assertEqual({kernel: 2 * count for kernel, count in instructions.items()}, cycles)

    def test_a_planted_instruction_is_noticed(self):
        planted = pathlib.Path(os.environ["CATMINT_PLANTED"]).read_bytes()
        library = next(name for name in guest.needed(guest.BUILD / "bin/catmint") if name.startswith("libcatmint.so"))
        table = guest.boot(COUNT, files={f"{guest.LIBRARIES}/{library}": planted})["branch.csv"]
        self.assertEqual({kernel for kernel, _ in wrong(table)}, {"unrolled.2"})


if __name__ == "__main__":
    support.main()
