"""The Debian packages: built, looked at by lintian, and installed in a root that has nothing else.

What takes long stays in CATMINT_DEBIAN_FOLDER: the objects, the root as it was made, and the packages that were fetched for it.
"""

import os
import pathlib
import platform
import pty
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

import support
from files import files_of

FOLDER = pathlib.Path(os.environ["CATMINT_DEBIAN_FOLDER"])
TREE = FOLDER / "catmint"
PACKAGES = ("catmint", "catmint-data", "libcatmint-dev", "libcatmint-machines1", "libcatmint1", "python3-catmint")
INSTALLED = [name for name in PACKAGES if name != "libcatmint-dev"]  # which wants a compiler's headers and much else
ENVIRONMENT = {name: value for name, value in support.environment().items() if not name.startswith(("CATMINT_", "PYTHON"))} | {"LC_ALL": "C.UTF-8"}


def run(*command, **options):
    """What the command prints."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          **{"env": ENVIRONMENT} | options)
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit {done.returncode}\n{done.stdout[-6000:]}")
    return done.stdout


def codename():
    release = platform.freedesktop_os_release()
    return release.get("VERSION_CODENAME") if release["ID"] == "debian" else None


def obstacle():
    """Why no packages can be built here; None where they can."""
    absent = [name for name in ("dpkg-buildpackage", "dh", "dh_python3") if not shutil.which(name)]
    if codename() is None:
        return "this is no Debian"
    if absent:
        return f"{' and '.join(absent)} not installed"
    done = subprocess.run(["dpkg-checkbuilddeps", "-Pnocheck", support.SOURCE / "debian/control"], capture_output=True, text=True,
                          check=False, env=ENVIRONMENT)
    return done.stderr.strip() if done.returncode else None


def copy_tree():
    """The sources with their times, so that objects of an earlier build are used again."""
    TREE.mkdir(parents=True, exist_ok=True)
    for path in TREE.iterdir():
        if path.is_dir() and not path.name.startswith("obj-"):
            shutil.rmtree(path)
        elif path.is_file():
            path.unlink()
    for name in files_of(support.SOURCE):
        (TREE / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(support.SOURCE / name, TREE / name)


def build():
    copy_tree()
    for path in FOLDER.glob("*catmint*_*"):
        path.unlink()
    kept = ENVIRONMENT | {"DEB_BUILD_OPTIONS": f"nocheck noautodbgsym parallel={os.cpu_count()}"}
    if pathlib.Path("/usr/lib/ccache").is_dir():
        kept |= {"PATH": f"/usr/lib/ccache:{kept['PATH']}", "CCACHE_BASEDIR": str(TREE), "CCACHE_NOHASHDIR": "1"}
    run("dpkg-buildpackage", "--build=binary", "--no-sign", "--no-pre-clean", "-Pnocheck", cwd=TREE, env=kept)
    return {path.name.partition("_")[0]: path for path in FOLDER.glob("*.deb")}


class Packages(support.Case):
    @classmethod
    def setUpClass(cls):
        why = obstacle()
        if why:
            raise unittest.SkipTest(f"Debian packages cannot be built here: {why}")
        cls.packages = build()

    def test_they_are_six(self):
        self.assertEqual(tuple(sorted(self.packages)), PACKAGES)
        for name, path in self.packages.items():
            architecture = "all" if name in ("catmint-data", "python3-catmint") else run("dpkg", "--print-architecture").strip()
            self.assertEqual(run("dpkg-deb", "--field", path, "Architecture").strip(), architecture, name)

    @unittest.skipUnless(shutil.which("lintian"), "lintian is not installed")
    def test_lintian_finds_nothing(self):
        changes, = FOLDER.glob("*.changes")
        overrides = [path for path in (support.SOURCE / "debian").rglob("*") if "overrides" in path.name]
        self.assertEqual((run("lintian", "--allow-root", "--fail-on", "warning", changes), overrides), ("", []))

    def test_programs_are_built_with_the_development_files(self):
        for package in self.packages.values():
            run("dpkg-deb", "--extract", package, self.folder)
        libraries, = (path.parent for path in self.folder.rglob("pkgconfig"))
        printed = run("sh", support.SOURCE / "tests/package/pkg-config.sh", libraries, support.SOURCE / "tests/consumer/consumer.c",
                      self.folder / "consumer", "cc")
        self.assertIn("Mispredicted Branches = 1 x BR_MISP", printed)
        examples = sorted(path.name for path in (self.folder / "usr/share/doc/libcatmint-dev/examples").iterdir())
        self.assertEqual(examples, sorted(path.name for path in (support.SOURCE / "docs/examples").iterdir()))

    def test_a_fresh_root(self):
        with tempfile.TemporaryDirectory(prefix="catmint-root-") as folder:
            root = Root(self, pathlib.Path(folder) / "root")
            root.install([self.packages[name] for name in INSTALLED])
            self.check_installed(root)
            root.run("apt-get", "purge", "--yes", *INSTALLED)
            kept = ("proc", "var/cache/man", "var/log")
            self.assertEqual([path for path in root.path.rglob("*catmint*") if not any(
                path.is_relative_to(root.path / folder) for folder in kept)], [])

    def check_installed(self, root):
        self.assertRegex(root.run("man", "-P", "cat", "catmint"), r"catmint +- find out what hardware events count")
        self.assertRegex(root.run("man", "-P", "cat", "catmint-audit"), r"--against")
        self.assertRegex(root.run("man", "-P", "cat", "5", "catmint-formats"), r"event,repetition,thread")
        self.assertIn("catmint audit --against", root.type("catmint audit --ag\t"))
        for place in ("zsh/vendor-completions/_catmint", "fish/vendor_completions.d/catmint.fish"):  # where Debian's zsh and fish look
            self.assertTrue((root.path / "usr/share" / place).is_file(), place)
        root.run("catmint", "discover", "--pmu", "software", "--benchmark", "branch", "--programs", "0", "--repetitions", "2",
                 "--format", "json", "--output", "/tmp/results.json")
        script = "import catmint; results = catmint.load('/tmp/results.json'); print(catmint.__version__, results['All Branches'])"
        self.assertRegex(root.run("python3", "-c", script), rf"^{run(support.PROGRAM, '--version').split()[-1].replace('-rc', 'rc')} All Branches = 1 x ")


class Root:
    """A fresh root of this Debian, with pages of manuals and completion, in which commands run."""

    def __init__(self, case, path):
        self.path = path
        if os.geteuid() != 0:
            case.skipTest("a fresh root wants the superuser")
        if not shutil.which("mmdebstrap"):
            case.skipTest("mmdebstrap is not installed")
        archive = FOLDER / f"{codename()}.tar"
        try:
            if not archive.exists():
                run("mmdebstrap", "--variant=apt", "--include=bash-completion,man-db", codename(), f"{archive}.new.tar")
                os.rename(f"{archive}.new.tar", archive)
            path.mkdir()
            run("tar", "--extract", "--file", archive, "--directory", path)
            self.run("true")
            self.run("apt-get", "update")
        except AssertionError as failure:
            print(failure, file=sys.stderr)
            case.skipTest("a root of this Debian cannot be made here")

    def command(self, *words):
        return ("unshare", "--mount", "--pid", "--fork", f"--mount-proc={self.path}/proc", "chroot", str(self.path), "env", "-i",
                "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8", "TERM=dumb", "DEBIAN_FRONTEND=noninteractive", *words)

    def run(self, *words):
        return run(*self.command(*words))

    def install(self, packages):
        """By the user's own command; packages that were fetched are kept for the next time."""
        fetched, archives = FOLDER / "fetched", self.path / "var/cache/apt/archives"
        fetched.mkdir(exist_ok=True)
        for path in fetched.glob("*.deb"):
            shutil.copy(path, archives)
        for path in packages:
            shutil.copy(path, self.path / "tmp")
        self.run("apt", "-o", "APT::Keep-Downloaded-Packages=true", "install", "--yes", "--no-install-recommends",
                 *(f"/tmp/{path.name}" for path in packages))
        for path in archives.glob("*.deb"):
            shutil.copy(path, fetched)
        for path in packages:
            (self.path / "tmp" / path.name).unlink()

    def type(self, text):
        """What a terminal shows after `text` is typed into bash with its completions."""
        child, terminal = pty.fork()
        if child == 0:
            command = self.command("bash", "--rcfile", "/usr/share/bash-completion/bash_completion", "-i")
            os.execvp(command[0], command)
        shown = ""
        try:
            while "# " not in shown:
                shown += os.read(terminal, 4096).decode()
            os.write(terminal, text.encode())
            until = time.monotonic() + 60
            while "--against" not in shown and select.select([terminal], [], [], max(0, until - time.monotonic()))[0]:
                shown += os.read(terminal, 4096).decode()
        finally:
            os.close(terminal)
            os.waitpid(child, 0)
        return shown


if __name__ == "__main__":
    support.main()
