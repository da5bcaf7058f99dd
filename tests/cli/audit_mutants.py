"""Formulas of every format, right ones, broken in seven ways and rewritten in as many: no fault is missed, and no rewrite is called wrong."""

import json
import random
import re
import shutil

import auditing
import support

D = ["FP_ARITH_INST_RETIRED.SCALAR_DOUBLE", "FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE", "FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE",
     "FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE"]
S = [event.replace("DOUBLE", "SINGLE") for event in D]
ANY, ALL, TAKEN, COND = "INST_RETIRED.ANY", "BR_INST_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.NEAR_TAKEN", "BR_INST_RETIRED.COND"
CALL, RETURN, MISS, NOT = "BR_INST_RETIRED.NEAR_CALL", "BR_INST_RETIRED.NEAR_RETURN", "BR_MISP_RETIRED.ALL_BRANCHES", "BR_INST_RETIRED.COND_NTAKEN"
LOADS, STORES = "MEM_INST_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_STORES"
L1, L2 = "MEM_LOAD_RETIRED.L1_MISS", "MEM_LOAD_RETIRED.L2_MISS"

# What the metric is by a map, the factor, and the sums above and below: weights of events.
RIGHT = [
    ("{f} DP Ops. / Instructions", 1, dict(zip(D, (1, 2, 4, 8))), {ANY: 1}),
    ("{f} SP Ops. / Instructions", 1000, dict(zip(S, (1, 4, 8, 16))), {ANY: 1}),
    ("{f} FP Ops. / All Branches", 1, dict(zip(D + S, (1, 2, 4, 8, 1, 4, 8, 16))), {ALL: 1}),
    ("{f} Instructions / FP Instrs.", 1, {ANY: 1}, {event: 1 for event in D + S}),
    ("{f} Packed DP Instrs. / DP Instrs.", 100, {event: 1 for event in D[1:]}, {event: 1 for event in D}),
    ("{f} DP Ops.", 1, dict(zip(D, (1, 2, 4, 8))), None),
    ("{f} SP Ops.", 1, dict(zip(S, (1, 4, 8, 16))), None),
    ("{f} All Mispredicted Branches / All Branches", 100, {MISS: 1}, {ALL: 1}),
    ("{f} Calls and Returns / All Branches", 1, {CALL: 1, RETURN: 1}, {ALL: 1}),
    ("{f} Instructions / Taken Branches", 1, {ANY: 1}, {TAKEN: 1}),
    ("{f} Conditional Branches Not Taken / Conditional Branches Retired", 1, {NOT: 1}, {COND: 1}),
    ("{f} Unconditional Branches / Instructions", 1000, {ALL: 1, COND: -1}, {ANY: 1}),
    ("{f} L1 Misses / Instructions", 1000, {L1: 1}, {ANY: 1}),
    ("{f} L2 Misses / L1 Misses", 100, {L2: 1}, {L1: 1}),
    ("{f} Loads and Stores / Instructions", 1, {LOADS: 1, STORES: 1}, {ANY: 1}),
]
FAULTS = ("weight", "sign", "missing term", "swapped event", "swapped precision", "unit", "dead branch")
OTHERS = [D[0], S[1], ALL, CALL, COND, RETURN]
PRECISIONS = {"DOUBLE": "SINGLE", "SINGLE": "DOUBLE"}


def other_precision(event):
    return re.sub("DOUBLE|SINGLE", lambda match: PRECISIONS[match.group()], event)


def text(terms):
    return " + ".join(f"{weight} * {event}" if weight >= 0 else f"(0 - {-weight}) * {event}" for event, weight in terms.items())


def formula(factor, above, below):
    whole = f"{factor} * ({text(above)})"
    return whole if below is None else f"{whole} / ({text(below)})"


def break_one(draw, fault, factor, above, below):
    """The formula with a fault; None where it cannot have that one."""
    side = above if below is None or draw.random() < 0.6 else below
    event = draw.choice(list(side))
    broken = dict(side)
    if fault == "weight":
        broken[event] *= draw.choice((0.5, 1.2, 2, 3))
    elif fault == "sign":
        broken[event] *= -1
    elif fault == "missing term":
        if len(side) == 1:
            return None
        del broken[event]
    elif fault == "swapped event":
        new = draw.choice([other for other in OTHERS if other not in side])
        broken = {new if name == event else name: weight for name, weight in side.items()}
    elif fault == "swapped precision":
        if other_precision(event) == event or other_precision(event) in side:
            return None
        broken = {other_precision(name) if name == event else name: weight for name, weight in side.items()}
    elif fault == "unit":
        factor *= draw.choice((0.001, 0.01, 10, 100, 1000))
    else:
        worse = break_one(draw, "weight", factor, above, below)
        right = formula(factor, above, below)
        return draw.choice((f"({right}) if #smt_on else ({worse})", f"({worse}) if #smt_on else ({right})",
                            f"({right}) if has_event({event}) else ({worse})", f"({worse}) if #num_cpus > 4 else ({right})"))
    return formula(factor, broken, below) if side is above else formula(factor, above, broken)


def rewrite(draw, factor, above, below):
    """The same formula in other words."""
    events = list(above.items())
    draw.shuffle(events)
    top, bottom = text(dict(events)), text(below) if below is not None else None
    over = "" if bottom is None else f" / ({bottom})"
    event = events[0][0]
    ways = [f"{factor} * max({top}, 0){over}", f"({factor} * ({top}){over}) if #smt_on else ({factor} * ({top}){over})",
            f"{factor * 2} * ({top} + {event} - {event}){over} / 2", f"min({factor} * ({top}){over}, 1e30)",
            f"{factor} * ({' + '.join(f'({weight} * {name})' if weight >= 0 else f'(0 - {-weight} * {name})' for name, weight in events)}){over}",
            f"(1 - (1 - {factor} * ({top}){over}))" if bottom is not None else f"({top}) * {factor} + 0"]
    if bottom is not None:
        ways += [f"{factor} * ({top}) / max({bottom}, 1)", f"d_ratio({factor} * ({top}), {bottom})", f"{factor} / (({bottom}) / ({top}))",
                 f"({factor} * ({top}) * ({bottom})) / (({bottom}) * ({bottom}))"]
    return draw.choice(ways)


WORDS = re.compile(r"[A-Z][A-Z_]+\.[0-9A-Z_]+")


def events_of(formula):
    return sorted(set(WORDS.findall(formula)))


def numbered(formula, names):
    return WORDS.sub(lambda match: names[events_of(formula).index(match.group())], formula)


def as_perf(rows):
    return {"f.json": json.dumps([{"MetricName": name, "MetricExpr": formula} for name, formula in rows])}


def as_perfmon(rows):
    metrics = []
    for name, formula in rows:
        aliases = [f"{a}{b}" for a in "ab" for b in "cdghjk"]
        text = numbered(formula, aliases).replace("#", "")
        metrics.append({"MetricName": name, "BriefDescription": "", "UnitOfMeasure": "", "Constants": [], "Category": "", "MetricGroup": "",
                        "Events": [{"Name": event, "Alias": alias} for event, alias in zip(events_of(formula), aliases)], "Formula": text})
    return {"f.json": json.dumps({"Header": {"Info": "made for this test"}, "Metrics": metrics})}


def as_likwid(rows):
    files = {}
    for name, formula in rows:
        counters = [f"PMC{i}" for i in range(len(events_of(formula)))]
        eventset = "".join(f"{counter} {event.replace('.', '_')}\n" for counter, event in zip(counters, events_of(formula)))
        files[f"{name}.txt"] = f"SHORT {name}\n\nEVENTSET\n{eventset}\nMETRICS\n{name} {numbered(formula, counters).replace(' ', '')}\n\nLONG\nHere.\n"
    return files


def as_csv(rows):
    return {"f.csv": "metric,formula,unit,source\n" + "".join(f'{name},"{WORDS.sub(lambda match: chr(39) + match.group() + chr(39), formula)}",,\n'
                                                               for name, formula in rows)}


def as_papi(rows):
    """Of sums "f * (w * E + w * F + ...)" alone, in integers."""
    lines = ["CPU,mine"]
    for name, formula in rows:
        weights = sorted(re.findall(r"(\(0 - )?([0-9.]+)\)? \* ([A-Z]\S+?)(?=[ )]|$)", formula))  # what is subtracted is last
        steps = "|".join(f"N{i}|{int(float(weight))}|*" + ("" if i == 0 else "|-" if minus else "|+") for i, (minus, weight, _) in enumerate(weights))
        lines.append(f"PRESET,PAPI_{name},DERIVED_POSTFIX,{steps}|," + ",".join(event.replace(".", ":") for _, _, event in weights))
    return {"f.csv": "\n".join(lines) + "\n"}


def rewrite_postfix(draw, above):
    """A sum in PAPI's postfix, in other words."""
    events = list(above.items())
    draw.shuffle(events)
    terms = [draw.choice((f"N{i}|{weight}|*", f"{weight}|N{i}|*", f"N{i}|{2 * weight}|*|2|/", f"N{i}|{'|'.join([f'N{i}|+'] * (weight - 1))}".rstrip("|")))
             for i, (_, weight) in enumerate(events)]
    last = len(events) - 1
    whole = "|+|".join(["|".join(terms[:2]), *terms[2:], ""]) if draw.random() < 0.5 else "|".join([*terms, *["+"] * last, ""])
    return whole + draw.choice(("", f"N{last}|+|N{last}|-|", "0|+|")) + "," + ",".join(event.replace(".", ":") for event, _ in events)


def as_postfix(rows):
    return {"f.csv": "CPU,mine\n" + "".join(f"PRESET,PAPI_{name},DERIVED_POSTFIX,{formula}\n" for name, formula in rows)}


# What each format cannot say.
FORMATS = {"perf": (as_perf, None), "perfmon": (as_perfmon, "d_ratio|has_event"), "LIKWID": (as_likwid, " if |d_ratio|1e30"),
           "CSV": (as_csv, " if |d_ratio")}


class Mutants(auditing.Audit):
    """Against what the software PMU counts of Golden Cove's events."""

    @classmethod
    def setUpClass(cls):
        cls.results = support.discovered("golden-cove") / "results.json"

    def setUp(self):
        super().setUp()
        here = support.benchmark(json.loads(self.results.read_text()), "cpu-flops")["symbols"]
        gone = [f"{width}B" for width in (128, 256, 512) if f"D_ADD_{width}" not in here]
        self.right = [(claim, factor, *({event: weight for event, weight in side.items() if not any(width in event for width in gone)} if side else side
                                        for side in sides)) for claim, factor, *sides in RIGHT]

    def verdicts_of(self, write, rows, prefix="m"):
        """Of (claim, formula); a formula's name is its number."""
        files = write([(f"{prefix}{i}", formula) for i, (_, formula) in enumerate(rows)])
        shutil.rmtree(self.folder / "formulas", True)
        for name, content in files.items():
            self.write(f"formulas/{name}", content)
        papi = "PAPI_" if write in (as_papi, as_postfix) else ""
        mapped = self.write("map.csv", "metric,signature\n" + "".join(f"{papi}{prefix}{i},{claim}\n" for i, (claim, _) in enumerate(rows)))
        run = support.Run("audit", self.folder / "formulas", "--against", self.results, "--map", mapped, "--format", "json")
        found = {entry["metric"].removeprefix("PAPI_"): entry["verdict"] for entry in run.json()["formulas"]}
        self.assertEqual(len(found), len(rows), run.err)
        return [found[f"{prefix}{i}"] for i in range(len(rows))]

    def check_broken(self, write, rows, faults):
        """All are caught."""
        for row, fault, verdict in zip(rows, faults, self.verdicts_of(write, rows)):
            with self.subTest(fault=fault, formula=row):
                self.assertEqual(verdict, "wrong")

    def check_rewritten(self, write, rows):
        verdicts = self.verdicts_of(write, rows)
        self.assertEqual([row for row, verdict in zip(rows, verdicts) if verdict == "wrong"], [])
        self.assertGreaterEqual(verdicts.count("right"), 0.95 * len(rows), [row for row, verdict in zip(rows, verdicts) if verdict != "right"])

    def broken(self, draw, cannot, count, right, without=()):
        rows, faults = [], []
        kinds = [fault for fault in FAULTS if fault not in without]
        while len(rows) < count:
            claim, factor, above, below = draw.choice(right)
            text = break_one(draw, kinds[len(rows) % len(kinds)], factor, above, below)
            if text is not None and not (cannot and re.search(cannot, text)):
                faults.append(kinds[len(rows) % len(kinds)])
                rows.append((claim.format(f=factor), text))
        return rows, faults

    def test_formats(self):
        for seed, (name, (write, cannot)) in enumerate(FORMATS.items()):
            draw = random.Random(seed)
            with self.subTest(format=name):
                rows = [(claim.format(f=factor), formula(factor, above, below)) for claim, factor, above, below in self.right]
                self.assertEqual(set(self.verdicts_of(write, rows)), {"right"})
                without = ["dead branch"] if cannot and " if " in cannot else []
                self.check_broken(write, *self.broken(draw, cannot, 140, self.right, without))
                rows = []
                while len(rows) < 100:
                    claim, factor, above, below = draw.choice(self.right)
                    text = rewrite(draw, factor, above, below)
                    if not (cannot and re.search(cannot, text)):
                        rows.append((claim.format(f=factor), text))
                self.check_rewritten(write, rows)

    def test_papi(self):
        sums = [row for row in self.right if row[3] is None]
        sums += [(claim, 1, above, None) for claim, above in (("Loads and Stores", {LOADS: 1, STORES: 1}), ("Calls and Returns", {CALL: 1, RETURN: 1}))]
        rows = [(claim.format(f=1), formula(1, above, None)) for claim, _, above, _ in sums]
        self.assertEqual(set(self.verdicts_of(as_papi, rows)), {"right"})
        rows, faults = self.broken(random.Random(9), r"\d\.\d", 100, sums, ["dead branch", "unit"])
        self.check_broken(as_papi, rows, faults)
        draw = random.Random(10)
        self.check_rewritten(as_postfix, [(claim.format(f=1), rewrite_postfix(draw, above)) for claim, _, above, _ in draw.choices(sums, k=100)])


if __name__ == "__main__":
    support.main()
