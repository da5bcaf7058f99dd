"""What the tests of audit share: formulas on trial, and formulas that are broken on purpose."""

import json
import re

import support


def terms_text(terms):
    return " + ".join(f"({coefficient!r}) * '{event}'" for event, coefficient in terms.items())


def formulas(rows):
    """metric: terms"""
    return "metric,formula,unit,source\n" + "".join(f'"{metric}","{terms_text(terms)}",,\n' for metric, terms in rows)


def composable(document):
    """Every definition that measures its metric, with its benchmark."""
    return [(entry["benchmark"], metric["metric"], support.definition(metric)) for entry in document["benchmarks"]
            for metric in entry["metrics"] if support.usable(metric)]


def swapped(event):
    return re.sub("SINGLE|DOUBLE", lambda match: "DOUBLE" if match.group() == "SINGLE" else "SINGLE", event)


def mutants(terms, selected):
    """The definition broken in every way: name of the fault, terms. `selected`: events, each of which is added, if it counts something else."""
    for event in selected:
        if event not in terms:
            yield f"with {event} too", {**terms, event: 1}
    if len(set(terms.values())) > 1:
        events = sorted(terms, key=terms.get)
        yield "weights in the wrong order", dict(zip(events, (terms[event] for event in reversed(events))))
    for event, coefficient in terms.items():
        for name, weight in (("twice", 2 * coefficient), ("half", coefficient / 2), ("a fifth more", 1.2 * coefficient),
                             ("sign", -coefficient)):
            yield f"{name} {event}", {**terms, event: weight}
        if len(terms) > 1:
            yield f"without {event}", {name: weight for name, weight in terms.items() if name != event}
        if swapped(event) != event:
            yield f"swapped {event}", {swapped(name) if name == event else name: weight for name, weight in terms.items()}
    if any(swapped(event) != event for event in terms):
        other = {swapped(event): weight for event, weight in terms.items()}
        if other != terms:
            yield "all swapped", other


class Audit(support.Case):
    def audit(self, against, *files, options=(), code=0, err=""):
        run = support.Run("audit", *files, "--against", against, "--format", "json", *options)
        return self.expect(run, code, err=err).json()

    def verdicts(self, *arguments, **more):
        return [(entry["metric"], entry["verdict"]) for entry in self.audit(*arguments, **more)["formulas"]]

    def judge(self, against, rows, code=0):
        """Entries for many definitions at once; several may be of the same metric."""
        numbered = self.write("many.csv", formulas([(str(number), terms) for number, (_, terms) in enumerate(rows)]))
        mapped = self.write("many-map.csv", "metric,signature\n" + "".join(
            f"{number},{metric}\n" for number, (metric, _) in enumerate(rows)))
        return self.audit(against, numbered, options=["--map", mapped], code=code)["formulas"]

    def check_broken(self, path):
        """Breaks every definition of the results, with a third of the events too; gives how many broken ones were found. A fifth more of what a term counts may leave a range."""
        document = json.loads(path.read_text())
        ranges = {metric["metric"]: metric["valid_above"] for entry in document["benchmarks"] for metric in entry["metrics"]}
        unexplained = {event["event"] for entry in document["benchmarks"] for event in entry["events"] if event["status"] in ("zero", "unrepresentable")}
        rows = [(metric, name, broken) for number, (benchmark, metric, terms) in enumerate(composable(document))
                for name, broken in mutants(terms, support.benchmark(document, benchmark)["selected"][number % 3::3])]
        for (metric, name, _), entry in zip(rows, self.judge(path, [(metric, broken) for metric, _, broken in rows], code=1)):
            with self.subTest(results=path.name, metric=metric, fault=name):
                if name.startswith("a fifth") and entry["in_range"]:
                    self.assertNotIn(entry["numerator"]["valid_above"], (None, ranges[metric]))
                    self.assertEqual(entry["numerator"]["definition"] == [], ranges[metric] is not None)
                    continue
                self.assertEqual(entry["verdict"], "wrong")
                self.assertNotEqual(entry["numerator"]["measures"], "")
                if name.split()[-1] not in unexplained:  # which no symbol has
                    self.assertNotEqual(entry["numerator"]["off"], [])
        return len(rows)

    def one(self, against, formula, metric="DP Ops.", code=0, unit="", **more):
        path = self.write("one.csv", f'metric,formula,unit,source\n"{metric}","{formula}",{unit},\n')
        entry, = self.audit(against, path, code=code, **more)["formulas"]
        return entry

    def table(self, name, events, **more):
        """A directory with one measurement table."""
        self.write(f"{name}-only/{name}.csv", support.measurements(name, events, **more))
        return self.folder / f"{name}-only"
