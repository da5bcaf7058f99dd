#!/usr/bin/env python3
"""Replays corrections that people made to formulas: what catmint says of the text before each, and of the text after it.

    replay.py CASES.csv... --papi GITDIR --likwid GITDIR --perfmon GITDIR [--results DIR] [--catmint PROGRAM] [--output CSV]

`first.csv`, `more.csv` and `drawn.csv`, beside this program, hold the cases. A file of cases has the columns id,repo,commit,file,metric,what_was_wrong,model; a file of PAPI's is followed by a colon and the name of a CPU line. BEFORE is
the file at the commit's parent, AFTER at the commit, each in a tree of its own with the lists of events beside it. `reasons.csv`, beside this
program, says which words of a finding are the right reason for each case; a case that is not there has none. Formulas are audited against what the
events of the processor's model count, by the facts that come with catmint; `data/upstream.csv` says which model. --results keeps these results.

A case is `caught` if BEFORE has a finding with these words, `passed` if it was judged and none has, and has `no verdict` if there is nothing to judge by.
AFTER is `false alarm` if the same words are said of it, `still wrong` if reasons.csv says why they are true of it, and `other` if anything else is said
of that metric, which a person looks at.
"""
import argparse
import csv
import io
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
BESIDE = {  # what goes into a tree beside the file itself
    "papi": ("src/papi_events.csv", "src/libpfm4/lib", "src/papi.h", "src/papiStdEventDefs.h", "src/papi_internal.h"),
    "likwid": ("groups", "src/includes"),
    "perfmon": (),
}


def rows_of(path):
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


class Trees:
    """Trees of revisions, each unpacked once."""

    def __init__(self, folder, repositories):
        self.folder, self.repositories = pathlib.Path(folder), repositories

    def git(self, repo, *arguments):
        return subprocess.run(["git", "-C", self.repositories[repo], *arguments], capture_output=True, check=False)

    def wanted(self, row):
        path = row["file"].split(":")[0]
        if row["repo"] == "perfmon":
            return (path.split("/")[0],)
        if row["repo"] == "likwid":
            return (str(pathlib.PurePosixPath(path).parent), "src/includes")
        return BESIDE[row["repo"]]

    def take(self, row, revision):
        """The file in its tree; None: the revision has no such file."""
        path = row["file"].split(":")[0]
        name = self.git(row["repo"], "rev-parse", "--verify", "--quiet", revision).stdout.decode().strip()
        if not name or self.git(row["repo"], "cat-file", "-e", f"{name}:{path}").returncode:
            return None
        tree = self.folder / row["repo"] / name
        there = [one for one in self.wanted(row) if not self.git(row["repo"], "cat-file", "-e", f"{name}:{one}").returncode]
        if not (tree / path).exists():
            packed = self.git(row["repo"], "archive", "--format=tar", name, *there).stdout
            with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
                archive.extractall(tree, filter="data")
        return tree / path


def lines_of_section(path, section):
    """The numbers of the lines of PAPI's sections that are for this processor."""
    found, within, names = set(), False, set()
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        fields = [field.strip() for field in line.split(",")]
        if fields[0].upper() == "CPU" and len(fields) > 1:
            names = names | {fields[1]} if within else {fields[1]}
            within = True
            if fields[1] == section or section in names:
                found.add(number)
        elif line.strip() and not line.startswith("#"):
            within = False
        if section in names:
            found.add(number)
    return found


class Results:
    """What the events of models count, by kept facts; each is analyzed once."""

    def __init__(self, catmint, folder):
        self.catmint, self.folder = catmint, pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rows = rows_of(HERE.parents[2] / "data" / "upstream.csv")

    def model_of(self, row):
        path, _, section = row["file"].partition(":")
        parts = path.split("/")
        name = {"papi": section, "likwid": parts[1], "perfmon": parts[0]}[row["repo"]]
        return next((found["model"] for found in self.rows if found[row["repo"]].lower() == name.lower()), row["model"].removesuffix("-proxy"))

    def path_for(self, row):
        """None: there is no model."""
        model = self.model_of(row)
        if not model:
            return None
        found = self.folder / f"{model}.json"
        if not found.exists():
            sweep = self.folder / model
            subprocess.run([self.catmint, "sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", sweep], capture_output=True, check=True)
            subprocess.run([self.catmint, "analyze", sweep, "--format", "json", "--output", found], capture_output=True, check=True)
        return found


def unreadable(run, path):
    """The message, without the folder that the tree was unpacked into."""
    return f"unreadable: {run.stderr.strip()}".replace(f"{path.parent}/", "")


class Judge:
    def __init__(self, catmint, results):
        self.catmint, self.results = catmint, results

    def run(self, *arguments):
        return subprocess.run([self.catmint, *map(str, arguments)], capture_output=True, text=True, check=False)

    def lint(self, path, section, metric):
        """What lint says of the metric, and of no metric: (of the metric, words)."""
        run = self.run("lint", path, "--format", "json")
        if not run.stdout.startswith("{"):
            return [(True, unreadable(run, path))]
        lines = lines_of_section(path, section) if section else None
        said = []
        for file in json.loads(run.stdout)["files"]:
            for fault in file["faults"]:
                if lines is None or fault["line"] in lines:
                    said.append((fault["metric"] == metric, f"{fault['kind']}: {fault['metric'] or ''}: {fault['text']}"))
        if run.returncode == 3:
            said.append((True, unreadable(run, path)))
        return said

    def audit(self, path, section, metric, results):
        """The verdict on the metric, with its reason; None: none."""
        if results is None:
            return None
        run = self.run("audit", path, "--against", results, "--format", "json", *(["--section", section] if section else []))
        if not run.stdout.startswith("{"):
            return None
        for entry in json.loads(run.stdout)["formulas"]:
            if entry["metric"] == metric:
                above = entry.get("numerator") or {}
                said = "; ".join(filter(None, (above.get("measures"), above.get("remark"))))
                return entry["verdict"], f"{entry['verdict']}: {said}"
        return None


def cut(text, size):
    """Its first words."""
    return text if len(text) <= size else text[:size].rsplit(" ", 1)[0]


def judge(row, judged, path, reason):
    """What is said of one side: (judged, right, all that is said of the metric)."""
    section = row["file"].split(":")[1] if ":" in row["file"] else None
    said = judged.lint(path, section, row["metric"])
    right = [words for _, words in said if reason and re.search(reason, words)]
    of_it = [words for its, words in said if its]
    verdict = judged.audit(path, section, row["metric"], judged.results.path_for(row))
    if verdict and verdict[0] == "wrong":
        of_it.append(verdict[1])
        right += [verdict[1]] if reason and re.search(reason, verdict[1]) else []
    known = verdict is not None and verdict[0] in ("right", "wrong")
    return known or bool(said), right, of_it


def replay(rows, trees, judged, reasons, still):
    for row in rows:
        before, after = trees.take(row, row["commit"] + "^"), trees.take(row, row["commit"])
        reason = reasons.get(row["id"], "")
        found = {"id": row["id"], "repo": row["repo"], "commit": row["commit"], "file": row["file"], "metric": row["metric"]}
        if before is None:
            yield found | {"before": "no file", "after": "", "caught": "no", "reason": ""}
            continue
        known, right, of_it = judge(row, judged, before, reason)
        found |= {"before": "caught" if right else "passed" if known else "no verdict", "caught": "yes" if right else "no",
                  "reason": cut((right or of_it or [""])[0], 200)}
        found["after"] = "no file"
        if after is not None:
            _, again, of_it = judge(row, judged, after, reason)
            mine = [words for words in again if words in of_it]
            alarm = f"still wrong: {still[row['id']]}" if still.get(row["id"]) else f"false alarm: {cut((mine or [''])[0], 120)}"
            found["after"] = alarm if mine and right else f"other: {cut(of_it[0], 120)}" if of_it else "silent"
        yield found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+")
    for repo in BESIDE:
        parser.add_argument(f"--{repo}", required=True, metavar="GITDIR")
    parser.add_argument("--results", metavar="DIR")
    parser.add_argument("--catmint", default="catmint")
    parser.add_argument("--output", type=pathlib.Path)
    arguments = parser.parse_args()
    table = rows_of(HERE / "reasons.csv")
    reasons, still = ({row["id"]: row[column] for row in table} for column in ("words", "still"))
    repositories = {repo: getattr(arguments, repo) for repo in BESIDE}
    with tempfile.TemporaryDirectory(prefix="catmint-history-") as folder:
        results = Results(arguments.catmint, arguments.results or folder)
        cases = [row for file in arguments.cases for row in rows_of(file)]
        found = list(replay(cases, Trees(folder, repositories), Judge(arguments.catmint, results), reasons, still))
    if arguments.output:
        with arguments.output.open("w", newline="", encoding="utf-8") as file:
            table = csv.DictWriter(file, ["id", "repo", "commit", "file", "metric", "before", "after", "caught", "reason"], lineterminator="\n")
            table.writeheader()
            table.writerows(found)
    for row in found:
        print(f"{row['id']:5} {row['before']:10} {row['after']:14.60} {row['metric']:.28} {row['reason']:.90}")
    for repo in BESIDE:
        of_it = [row for row in found if row["repo"] == repo]
        print(f"{repo}: {sum(row['caught'] == 'yes' for row in of_it)} of {len(of_it)} caught, {sum(row['after'].startswith('false') for row in of_it)} false alarms")


if __name__ == "__main__":
    main()
