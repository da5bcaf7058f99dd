"""What the system has no room for, and what a killed run leaves: exit 4 with a message, and nothing stays behind."""

import contextlib
import fcntl
import os
import pathlib
import re
import resource
import subprocess
import tempfile

import support

COUNT = ("--benchmark", "branch", "--pmu", "software", "--events", "BR_INST_RETIRED:COND", "--repetitions", "2")
FILES = range(4, 11)  # 3 are open, and with 10 everything here works


@contextlib.contextmanager
def limited(kind, most):
    before = resource.getrlimit(kind)
    resource.setrlimit(kind, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(kind, before)


def ending(random):
    """What the name of a temporary ends in: three characters, and three that follow from them."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    number = 0xcbf29ce484222325  # FNV-1a
    for character in random.encode():
        number = (number ^ character) * 0x100000001b3 % 2**64
    return random + "".join(digits[number // 62**i % 62] for i in range(3))


class Limits(support.Case):
    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="catmint-limits-")))
        cls.sweep, cls.results, cls.packed = cls.home / "sweep", cls.home / "results.json", cls.home / "packed.tar.gz"
        for words in (("sweep", *COUNT, "--out", cls.sweep), ("analyze", cls.sweep, "--format", "json", "--output", cls.results),
                      ("bundle", cls.sweep, "--output", cls.packed)):
            run = support.Run(*words)
            assert run.code == 0, str(run)

    def setUp(self):
        super().setUp()
        self.temporary, self.out = self.folder / "temporary", self.folder / "out"
        self.temporary.mkdir()
        self.out.mkdir()

    def run_here(self, *words, **keywords):
        return support.Run(*words, TMPDIR=str(self.temporary), cwd=self.out, **keywords)

    def left(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if "catmint-" in path.name)

    def test_files_that_grow_too_large(self):
        """The limit of the shell, ulimit -f: a signal ends who does not expect it."""
        for most, words in (
                (4096, ("analyze", self.sweep, "--format", "json", "--output", "r.json")), (4096, ("bundle", self.sweep, "--output", "b.tar.gz")),
                (512, ("bundle", "--check", self.packed)), (4096, ("report", self.results, "--output", "page.html")),
                (1, ("export", self.results, "--to", "likwid", "--output", "groups")), (1, ("export", self.results, "--to", "csv", "--output", "f.csv")),
                (512, ("sweep", *COUNT, "--out", "sweep")), (512, ("discover", *COUNT)),
                (512, ("import", support.RECORDED["branch"], "--benchmark", "branch", "--out", "table"))):
            with self.subTest(words=words, most=most), limited(resource.RLIMIT_FSIZE, most):
                self.expect(self.run_here(*words), 4, err=r"(?m)^catmint: .*: File too large$")
            self.assertEqual(self.left(), [])
        with limited(resource.RLIMIT_FSIZE, 512):
            run = self.expect(self.run_here("discover", *COUNT, "--out", "kept"), 4, err="'catmint sweep --out kept --resume' with the same options")
        self.assertNotRegex(run.err, "the same command with --resume")  # discover has no such option
        with limited(resource.RLIMIT_FSIZE, 512), open(self.out / "page", "wb") as page:
            self.expect(self.run_here("report", "--help", stdout=page), 4, err="^catmint: stdout cannot be written: File too large$")

    def test_programs_that_are_started_have_the_signal_again(self):
        """papi_avail is such a program."""
        script = self.write("bin/papi_avail", "#!/bin/sh\ngrep SigIgn /proc/self/status > ignored\n")
        script.chmod(0o755)
        results = self.home / "recorded.json"
        self.expect(support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", results), 0)
        self.run_here("export", results, "--to", "papi", "--cpu", "spr", "--install", "--output", "table.csv", PATH=f"{script.parent}:{os.environ['PATH']}")
        ignored = int((self.out / "ignored").read_text().split()[1], 16)
        self.assertEqual(ignored >> 24 & 1, 0)

    def test_too_many_open_files(self):
        for words in (("analyze", self.sweep, "--format", "json", "--output", "r.json"), ("bundle", self.sweep, "--output", "b.tar.gz"),
                      ("bundle", "--check", self.packed), ("report", self.results, "--output", "page.html"), ("diff", self.sweep, self.results),
                      ("export", self.results, "--to", "csv"), ("merge", self.sweep, "--out", "merged"), ("lint", support.SOURCE / "data/formulas/portable-a64fx.csv")):
            codes = []
            for files in FILES:
                with limited(resource.RLIMIT_NOFILE, files + 40): # Python's own
                    done = subprocess.run(["sh", "-c", f'ulimit -n {files}; exec "$0" "$@"', support.PROGRAM, *map(str, words)], cwd=self.out, stdin=subprocess.DEVNULL,
                                          env=support.environment(TMPDIR=str(self.temporary)), capture_output=True, text=True, check=False)
                codes.append(done.returncode)
                with self.subTest(words=words, files=files):
                    self.assertIn(done.returncode, (0, 1, 2 if words[0] == "diff" else 4), done.stderr)
                    if done.returncode not in (0, 1):
                        self.assertRegex(done.stderr, "Too many open files")
            self.assertIn(codes[-1], (0, 1), words)
        self.assertEqual(self.left(), [])

    def test_what_a_killed_run_left(self):
        with subprocess.Popen(["catmint", "discover", *COUNT], executable=support.PROGRAM, env=support.environment(TMPDIR=str(self.temporary)), cwd=self.out,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as killed:
            while not self.left() and killed.poll() is None:
                pass
            os.killpg(killed.pid, 9)
        self.assertEqual(len(self.left()), 1)
        # Its processes hold what they used until they are gone.
        held = os.open(self.folder / self.left()[0], os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        os.close(held)

        # Somebody else's, and what is in use, stays.
        public, link, used = (f"catmint-run-{ending(name)}" for name in ("pub", "lnk", "use"))
        mine = [self.write(f"out/b.tar.gz.catmint-{ending('Ab1')}", "left")]
        theirs = [self.write(name, "theirs") for name in ("out/b.tar.gz.backup", "out/b.tar.gz.catmint-backup", "out/b.tar.gz.catmint-Ab12C-", f"out/c.tar.gz.catmint-{ending('Ab1')}",
                                                          f"temporary/{public}/file", "temporary/catmint-master/file", "temporary/catmint-run-papers/file")]
        os.chmod(self.temporary / public, 0o755)
        os.chmod(self.temporary / "catmint-master", 0o700)
        os.chmod(self.temporary / "catmint-run-papers", 0o700)
        (self.temporary / link).symlink_to(self.home)
        used = self.write(f"temporary/{used}/file", "used")
        used.parent.chmod(0o700)
        lock = os.open(used.parent, os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.expect(self.run_here("bundle", self.sweep, "--output", "b.tar.gz"), 0)
        self.assertFalse(mine[0].exists())
        self.assertEqual(sorted(path.name for path in self.temporary.iterdir()), sorted(["catmint-master", "catmint-run-papers", public, link, used.parent.name]))
        for path in (*theirs, used, self.sweep / "manifest.json"):
            self.assertTrue(path.exists(), path)


class Printed(support.Case):
    """Commands that are printed are for a shell, whatever is in the paths."""

    def shell(self, command, **changes):
        return subprocess.run(["bash", "-c", command], cwd=self.folder, env=support.environment(PATH=f"{os.path.dirname(support.PROGRAM)}:{os.environ['PATH']}", **changes),
                              capture_output=True, text=True, check=True).stdout

    def test_paths(self):
        for folder in ("a b;c'd $HOME", "-x"):
            run = self.expect(support.Run("sweep", *COUNT, "--out=" + folder, cwd=self.folder), 0)
            command = re.search(r"'(catmint analyze .*)' turns them into metrics", run.err)[1]
            self.assertIn("branch: ", self.shell(command))
        results = self.folder / "r.json"
        self.expect(support.Run("analyze", support.RECORDED["branch"], "--benchmark", "branch", "--format", "json", "--output", results), 0)
        run = support.Run("export", results, "--to", "papi", "--cpu", "spr", "--install", "--output", self.folder / "a b;c'd $HOME")
        command = re.search(r"PAPI reads it with: (export .*)", run.err)[1]
        self.assertEqual(self.shell(command + '; printf %s "$PAPI_CSV_EVENT_FILE"'), str(self.folder.resolve() / "a b;c'd $HOME/papi_events.csv"))

    def test_every_command_is_quoted(self):
        for source in (support.SOURCE / "src/cli").glob("*.c"):
            text = re.sub(r'"(?:[^"\\]|\\.)*"', lambda string: string[0].replace(";", ","), source.read_text())
            for statement in text.split(";"):
                if re.search(r"'catmint [a-z]+ [^']*%s|export [^']*=%s", statement):
                    self.assertRegex(statement, r"cli_quote\(|command->name", source.name)


if __name__ == "__main__":
    support.main()
