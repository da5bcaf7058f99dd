"""Manual pages and completions, which come from the tables that --help comes from."""

import re
import shutil
import subprocess
import unittest

import support


def commands():
    return re.findall(r"(?m)^  ([a-z-]+) +\S", support.Run("--help").out)


def options_of(command):
    return re.findall(r"(?m)^  (--[a-z-]+)", support.Run(command, "--help").out)


def complete(*words):
    """What bash offers for the last of the words."""
    script = f'source <("$1" completion bash); shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catmint; printf "%s\\n" "${{COMPREPLY[@]}}"'
    done = subprocess.run(["bash", "-c", script, "bash", support.PROGRAM, "catmint", *words], capture_output=True, text=True,
                          env=support.environment(), check=True)
    return done.stdout.split()


class Pages(support.Case):
    def test_every_command_has_one_with_all_its_options(self):
        self.assertGreater(len(commands()), 12)
        for command in commands():
            with self.subTest(command=command):
                page = self.expect(support.Run("manual", command), 0, err="").out
                self.assertTrue(page.startswith(f'.TH "CATMINT-{command.upper()}" 1 '))
                listed = [name.replace("\\-", "-") for name in re.findall(r"(?m)^\.TP\n\\fB([a-z\\-]+)\\fR", page)]
                self.assertEqual(listed, options_of(command))

    def test_the_program_has_one_with_all_commands(self):
        page = self.expect(support.Run("manual", "catmint"), 0, err="").out
        self.assertEqual(re.findall(r"\.BR catmint\\-([a-z-]+) \(1\)", page), commands())

    def test_examples_are_commands_that_there_are(self):
        for command in ("catmint", *commands()):
            page = support.Run("manual", command).out
            examples = re.findall(r"(?s)\.EX\n(.*?)\n\.EE", page.partition(".SH EXAMPLES\n")[2].replace("\\-", "-"))
            self.assertTrue(any(command == "catmint" or f"catmint {command}" in example for example in examples), command)
            for example in examples:
                name = re.search(r"catmint ([a-z-]+)", example)[1]
                self.assertLessEqual(len(example), 69)  # with the indentation 80 columns
                options = re.findall(r"--[a-z-]+", example.partition(" -- ")[0])
                self.assertEqual([option for option in options if option not in options_of(name)], [], example)

    def test_synopses_and_statuses_are_those_of_the_command(self):
        for command, synopsis, status in (("count", "[options] \\-\\- COMMAND...", "126 if COMMAND cannot be run"),
                                          ("diff", "BEFORE AFTER... [options]", "0 they agree; 1 they differ"), ("sweep", " [options]", "1 done, but part of it failed")):
            page = support.Run("manual", command).out
            self.assertIn(f".SH SYNOPSIS\n\\fBcatmint {command}\\fR {synopsis.lstrip()}\n", page)
            self.assertIn(status, page.partition(".SH EXIT STATUS\n")[2])

    def test_there_is_no_other(self):
        self.expect(support.Run("manual", "nothing"), 2, out="", err="there is no page 'nothing'")
        self.expect(support.Run("manual"), 2, out="", err="needs one argument")

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_objection(self):
        for command in ["catmint", *commands()]:
            page = support.Run("manual", command).out
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z"], input=page, capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)


class Completion(support.Case):
    def test_bash(self):
        for words, expected in (
            (("au",), ["audit"]), (("audit", "--ag"), ["--against"]), (("analyze", "--format", ""), ["table", "json"]),
            (("evaluate", "--format", "c"), ["csv"]), (("export", "--to", "li"), ["likwid"]), (("sweep", "--tau"), []),
            (("discover", "--pmu", "har"), ["hardware"]), (("explain", "--metric", "PAPI_DP"), ["PAPI_DP_OPS"]),
            (("sweep", "--pmu", "software", ":", "golden-c"), ["golden-cove", "golden-cove-client"]), (("audit", "--pmu", "software:zen4"), ["software:zen4"]), (("sweep", "--repetitions", ""), []), (("project", "--to", "pa"), []),
            (("sweep", "--benchmark", "bra"), ["branch"]), (("count", "--metrics", "PAPI_DP"), ["PAPI_DP_OPS"]),
        ):
            with self.subTest(words=words):
                self.assertEqual(complete(*words), expected)
        for command in commands():
            self.assertEqual(complete(command, "--"), options_of(command))

    def test_bash_files(self):
        (self.folder / "table.csv").touch()
        (self.folder / "tables").mkdir()
        begin = str(self.folder / "tab")
        self.assertEqual(sorted(complete("analyze", begin)), [f"{self.folder}/table.csv", f"{self.folder}/tables"])
        self.assertEqual(complete("sweep", "--out", begin), [f"{self.folder}/tables"])

    def test_other_shells_have_all_options(self):
        for shell, pattern in (("zsh", "'*--{}"), ("fish", "-l {} ")):
            script = self.expect(support.Run("completion", shell), 0, err="").out
            for command in commands():
                for option in options_of(command):
                    if option != "--help":
                        self.assertIn(pattern.format(option[2:]), script)

    def test_there_is_no_other(self):
        self.expect(support.Run("completion", "tcsh"), 2, out="", err="expected bash, zsh or fish")


class Shells(support.Case):
    def test_they_can_read_it(self):
        there = [shell for shell in ("zsh", "fish") if shutil.which(shell)]
        if not there:
            self.skipTest("neither zsh nor fish is installed")
        for shell in there:
            script = self.folder / shell
            script.write_text(support.Run("completion", shell).out)
            done = subprocess.run([shell, "-n", script], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), shell)

    def test_fish_completes(self):
        if not shutil.which("fish"):
            self.skipTest("fish is not installed")
        script = self.folder / "catmint.fish"
        script.write_text(support.Run("completion", "fish").out)
        for words, expected in (("ev", ["evaluate", "events"]), ("analyze --format ", ["json", "table"]), ("sweep --benchmark bra", ["branch"]), ("topdown --pmu software:zen4", ["software:zen4"])):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C 'catmint {words}'"], capture_output=True, text=True, check=True,
                                  cwd=self.folder)
            self.assertEqual([line.split("\t")[0] for line in done.stdout.splitlines()], expected, words)


if __name__ == "__main__":
    support.main()
