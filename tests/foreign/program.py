"""Whole programs, counted by the plugin of QEMU into a file: threads, forked children, programs begun by exec."""

import os
import shlex
import subprocess
import unittest

import support

EMULATOR = shlex.split(os.environ["CATMINT_EMULATOR"])  # what runs this processor's programs, here
TOOL = [*shlex.split(os.environ["CATMINT_TOOL_EMULATOR"]), os.environ["CATMINT_TOOL"]]
PLUGIN = os.environ["CATMINT_PLUGIN"]
PROGRAM = os.environ["CATMINT_COUNTED"]
BITS = os.environ["CATMINT_VECTOR_BITS"]


def run(*command, code=0):
    done = subprocess.run(command, env=support.environment(CATMINT_FOREIGN_PLUGIN="off"), capture_output=True, text=True, timeout=600, check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return done


class Counted(support.Case):
    def setUp(self):
        super().setUp()
        if run("sh", "-c", 'command -v "$1"', "sh", EMULATOR[0], code=None).returncode != 0:
            self.skipTest(f"{EMULATOR[0]} is not installed")
        self.file = self.folder / "a,b facts"

    def count(self, *command, code=0):
        run(*TOOL, "create", self.file, BITS)
        argument = str(self.file).replace(",", ",,")
        done = run(*EMULATOR, "-plugin", f"{PLUGIN},facts={argument}", *command, code=code)
        return self.read(), done

    def read(self):
        lines = run(*TOOL, "read", self.file).stdout.splitlines()
        return {name: int(value) for name, value in (line.split() for line in lines)}


class Program(Counted):
    def test_all_threads_and_children_count(self):
        facts, _ = self.count(PROGRAM, "4", "3")
        self.assertEqual((facts["fp_d_scalar_add"], facts["fp_d_scalar"]), (4310, 4310), facts)
        self.assertEqual((facts["threads"], facts["uncounted"], facts["other_programs"]), (8, 0, 0), facts)
        self.assertEqual(facts["loads"], facts["l1d_load_hit"] + facts["l1d_load_miss"], facts)
        self.assertGreater(facts["loads"], 4310)
        self.assertGreater(facts["branches_cond_taken"], 4310)
        self.assertLessEqual(abs(facts["interrupts"] - facts["instructions"] / 1000), facts["threads"], facts)
        self.assertEqual((facts["kernel_instructions"], facts["kernel_loads"], facts["kernel_stores"]), tuple(share * facts["interrupts"] for share in (64, 16, 8)))

    def test_nothing_is_counted_before_a_program_runs(self):
        run(*TOOL, "create", self.file, BITS)
        self.assertEqual(set(self.read().values()), {0})

    def test_a_file_that_is_none(self):
        self.file.write_bytes(b"catmint.facts/2")
        done = run(*TOOL, "read", self.file, code=None)
        self.assertIn("no file of facts of this version of catmint", done.stderr)
        argument = str(self.file).replace(",", ",,")
        done = run(*EMULATOR, "-plugin", f"{PLUGIN},facts={argument}", PROGRAM, code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("it is no file of facts of this version of catmint", done.stderr)

    def test_an_unknown_argument(self):
        done = run(*EMULATOR, "-plugin", f"{PLUGIN},fact=x", PROGRAM, code=None)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("unknown argument 'fact=x', expected facts=FILE", done.stderr)


if EMULATOR[0] == "qemu-x86_64":  # one processor shows it, and has a shell
    class Others(Counted):
        def test_more_processes_than_there_is_room_for_at_a_time(self):
            facts, _ = self.count(PROGRAM, "0", "1100")
            self.assertEqual((facts["fp_d_scalar_add"], facts["uncounted"]), (110010, 0), facts)

        def test_programs_that_are_not_counted_are_said(self):
            facts, done = self.count("/bin/sh", "-c", "/bin/true; /nonexistent; :")
            self.assertIn("/nonexistent", done.stderr)
            self.assertEqual((facts["threads"], facts["other_programs"]), (3, 1), facts)


if __name__ == "__main__":
    support.main()
