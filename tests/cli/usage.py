"""Command lines that make sense, and those that do not."""

import re
import unittest

import subprocess

import support


class Usage(support.Case):
    def test_help_and_version(self):
        commands = ("discover", "sweep", "analyze", "validate", "explain", "evaluate", "events", "kernels", "import-cat", "merge", "report", "diff")
        run = self.expect(support.Run("--help"), 0, err="")
        for command in commands:
            self.assertIn(f"\n  {command} ", run.out)
            told = self.expect(support.Run(command, "--help"), 0, err="")
            self.assertIn(f"usage: catmint {command}", told.out)
        self.expect(support.Run("--version"), 0, err="", out=r"^catmint \d+\.\d+\.\d+(-rc\d+)?$")

    def test_help_fits(self):
        commands = re.findall(r"(?m)^  ([a-z-]+) {2,}", support.Run("--help").out)
        self.assertGreater(len(commands), 25)
        for words in ((), *((command,) for command in commands)):
            for width in (80, 100, 120):
                for line in support.Run(*words, "--help", COLUMNS=str(width)).out.splitlines():
                    self.assertLessEqual(len(line), width, line)

    def test_help_is_of_its_command_alone(self):
        """No description names another command's option, or says what is for another command, as of an option that both have."""
        commands = re.findall(r"(?m)^  ([a-z-]+)  ", support.Run("--help").out)
        self.assertGreater(len(commands), 20)
        for command in commands:
            told = support.Run(command, "--help").out
            own = {word for line in told.splitlines() if line.startswith("  --") for word in line.split()[:1]}
            described = re.sub(r"'(?:catmint|ncu|rocprofv3) [^']*'", "", told)
            self.assertEqual(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", described)) - own, set(), command)
            self.assertEqual([other for other in commands if other != command and re.search(rf"[;,(] ?{other}: ", described)], [], command)

    def test_what_makes_no_sense_is_refused(self):
        rows = [
            ([], r"^usage: catmint"),
            (["mint"], r"^catmint: unknown command 'mint'; 'catmint --help' lists"),
            (["--mint"], r"^catmint: unknown option '--mint'"),
            (["discover", "--benchmrk", "x"], r"^catmint: unknown option '--benchmrk', did you mean '--benchmark'\? See 'catmint discover --help'"),
            (["analyse"], r"^catmint: unknown command 'analyse'; .* did you mean 'analyze'\?"),
            (["analyze"], r"^catmint: analyze needs at least one argument, DIR\.\.\. \| FILE\.csv"),
            (["models", "a", "b"], r"^catmint: models needs one argument"),
            (["analyze", "--mint", "a"], r"^catmint: unknown option '--mint'; see 'catmint analyze --help'"),
            *((["analyze", "a", f"-{letter}"], rf"^catmint: unknown option '-{letter}'; see 'catmint analyze --help'$") for letter in "xdvtBjA"),
            (["analyze", "a", "--benchmark", ""], r"^catmint: --benchmark: expected .*, found ''$"),
            (["analyze", "--tau=1", "-qq"], r"^catmint: unknown option '-qq'"), (["sweep", "-q.csv"], r"^catmint: unknown option '-q.csv'"),
            (["analyze", "--nosuch", "-x"], r"^catmint: unknown option '--nosuch'"),
            (["kernels", "--core", "cpu_core"], r"^catmint: kernels has no option '--core', which is an option of discover, sweep, count, topdown, export, events, measure; see"),
            (["kernels", "--pmu", "hardware"], r"^catmint: --pmu needs --verify, --run or --plan$"),
            (["roofline", "--out", "x", "--cores", "abc"], r"^catmint: --cores: expected processors, as in '0-3,8', found 'abc'$"),
            (["metrics", "--format", "json"], r"^catmint: metrics has no option '--format', which is an option of (\w[\w-]*, ){7}\w[\w-]* and \d+ more; see"),
            (["kernels", "--to=papi"], r"^catmint: kernels has no option '--to=papi', which is an option of project, export; see"),
            (["analyze", "a", "--with-o"], r"^catmint: unknown option '--with-o'"),
            (["analyze", "a", "--tau"], r"^catmint: option '--tau' needs a value"),
            (["analyze", "a", "--tau", "much"], r"^catmint: --tau: expected .*, found 'much'"),
            (["analyze", "a", "--tau", "-1"], r"^catmint: --tau: expected .*, found '-1'"),
            (["analyze", "a", "--tau", "nan"], r"^catmint: --tau: expected .*, found 'nan'"),
            (["analyze", "a", "--tau", "1e-3x"], r"^catmint: --tau: expected .*, found '1e-3x'"),
            (["analyze", "a", "--alpha", "0"], r"^catmint: --alpha: expected .*, found '0'"),
            (["analyze", "a", "--alpha", "1"], r"^catmint: --alpha: expected .*, found '1'"),
            (["analyze", "a", "--residual", "inf"], r"^catmint: --residual: expected .*, found 'inf'"),
            (["analyze", "a", "--format", "xml"], r"^catmint: --format: expected table or json, found 'xml'"),
            (["analyze", "a", "--output", ""], r"^catmint: --output: expected .*, found ''"),
            (["analyze", "a", "--benchmark", "branch,branch"], r"expected each benchmark once"),
            (["analyze", "a", "--benchmark", "branch,"], r"expected names separated by commas"),
            (["analyze", "a", "--benchmark", "mint"], r"^catmint: unknown benchmark 'mint'"),
            (["analyze", "a.csv"], r"^catmint: a measurement table does not name its benchmark"),
            (["analyze", "a.csv", "--basis", "b.csv"], r"^catmint: a measurement table does not name"),
            (["analyze", "a.csv", "--benchmark", "cpu-flops,branch"], r"^catmint: a measurement table does not name"),
            (["analyze", ".", "--basis", "b.csv"], r"^catmint: a basis or signatures file applies to one"),
            (["explain", "a"], r"^catmint: explain needs EVENT and DIR, or --metric NAME and DIR"),
            (["explain", "--metric", "m", "a", "b"], r"^catmint: explain needs EVENT and DIR, or --metric NAME"),
            (["explain", "--metric", "", "a"], r"^catmint: --metric: expected .*, found ''"),
            (["sweep"], r"^catmint: sweep needs --out DIR"),
            (["sweep", "--out", "d", "--repetitions", "0"], r"^catmint: --repetitions: expected .*, found '0'"),
            (["sweep", "--out", "d", "--repetitions", "1.5"], r"^catmint: --repetitions: expected .*, found '1.5'"),
            (["sweep", "--out", "d", "--events", ""], r"^catmint: --events: expected .*, found ''"),
            (["sweep", "--out", "d", "--benchmark", "mint"], r"^catmint: unknown benchmark 'mint'"),
            (["discover", "--repetitions", "1"], r"^catmint: one repetition does not show noise"),
            (["discover", "--pmu", "wetware"], r"^catmint: --pmu: expected .*, found 'wetware'"),
            (["events", "--pmu", "software:no-such-model"], r"^catmint: .*no-such-model"),
        ]
        table = self.write("a.csv", "event,repetition,thread,b1\n")
        for arguments, message in rows:
            with self.subTest(arguments=arguments):
                run = self.expect(support.Run(*arguments, cwd=self.folder), 2, err=message, out="")
                self.assertTrue(run.err.startswith(("catmint: ", "usage: ")), str(run))
        self.assertEqual(list(self.folder.iterdir()), [table])

    def test_what_is_not_there_is_named(self):
        for arguments in (["analyze", "nothing"], ["analyze", "nothing.csv", "--benchmark", "branch"]):
            self.expect(support.Run(*arguments, cwd=self.folder), 3, err=rf"^catmint: {arguments[1]}: .*No such file", out="")


class Numbers(support.Case):
    def test_numbers_are_decimal(self):
        """What strtod takes besides: hexadecimal, blanks before it, infinity, and what is none."""
        tried = set()
        for command in re.findall(r"(?m)^  ([a-z-]+)  ", support.Run("--help").out):
            for option, form in re.findall(r"(?m)^  (--[a-z-]+) (N|K|X|S|MS|PID|GFLOPS|SIZE|TIME|K/N)(?: |$)", support.Run(command, "--help").out):
                if option in tried:
                    continue
                tried.add(option)
                for number in ("0x2", "0X1p1", " 2", "2 ", "+ 2", "nan", "infinity", "2e999", ""):
                    value = {"SIZE": "{}M", "TIME": "{}m", "K/N": "1/{}"}.get(form, "{}").format(number)
                    self.expect(support.Run(command, option, value), 125 if command in ("count", "topdown") else 2, rf"^catmint: {option}: expected .*, found '{re.escape(value)}'$", "")
        self.assertGreater(len(tried), 20)
        for shard in ("0x1/2", " 1/2", "1/0x2", "1/ 2", "3/2"):
            self.expect(support.Run("sweep", "--shard", shard), 2, "^catmint: --shard: expected")
        run = support.Run("sweep", "--out", self.folder / "out", SLURM_PROCID="0x1", SLURM_STEP_NUM_TASKS="2")
        self.expect(run, 2, "^catmint: the variable SLURM_PROCID is '0x1', expected a number")



class Catalogue(support.Case):
    def test_metrics_before_any_sweep(self):
        every = self.expect(support.Run("metrics"), 0, err="", out=r"(?m)^DP Ops\. +cpu-flops, PAPI_DP_OPS\n  Double-precision").out
        for words in ("dp ops", "DP_OPS", "papi_dp_ops"):
            found = self.expect(support.Run("metrics", words), 0, err="", out=r"(?m)^DP Ops\.").out
            self.assertLess(len(found), len(every) / 5)
        self.expect(support.Run("metrics", "PAPI_DP_OPZ"), 3, out="", err=r"did you mean 'PAPI_DP_OPS'\?")
        self.expect(support.Run("metrics", "a", "b"), 2, out="", err="needs one argument")

    def test_models(self):
        listed = self.expect(support.Run("models"), 0, err="", out=r"(?m)^golden-cove +x86_64, \d+ events$").out.splitlines()
        self.assertEqual([line.split()[0] for line in listed], sorted(path.name for path in (support.SOURCE / "data/pmu").iterdir()))
        self.assertFalse([line for line in listed if line.endswith(" 0 events")])
        found = self.expect(support.Run("models", "Golden Cove"), 0, err="").out.splitlines()
        self.assertEqual([line.split()[0] for line in found], [line.split()[0] for line in listed if line.startswith("golden-cove")])
        self.expect(support.Run("models", "golden-cave"), 3, out="", err=r"^catmint: no model has 'golden-cave' in its name; did you mean 'golden-cove'\?$")


class Hints(support.Case):
    def test_they_name_the_path_that_runs(self):
        """As a shell would run it here: by PATH, below the current directory, or elsewhere, with blanks."""
        place = self.folder / "my place"
        place.mkdir()
        for argument, cwd, said in (("catmint", None, "'catmint explain --help'"), ("./bin/catmint", place, "'./bin/catmint explain --help'"),
                                    (f"{place}/bin/catmint", place, "'bin/catmint explain --help'"), (f"{place}/catmint", "/", "'" + f"{place}/catmint".replace(" ", "\\ ") + " explain --help'")):
            done = subprocess.run([argument, "explain", "x"], executable=support.PROGRAM, cwd=cwd, env=support.environment(), capture_output=True, text=True, check=False)
            self.assertIn(f"; see {said}", done.stderr)


if __name__ == "__main__":
    support.main()
