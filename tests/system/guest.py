"""A guest with a genuine perf_event PMU: Debian's arm64 kernel under qemu-system-aarch64 with -icount, and in its memory catmint, its
libraries and data, PAPI and a shell. INST_RETIRED and CPU_CYCLES count there, exactly; the other events of the processor stay 0."""

import functools
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

BUILD = pathlib.Path(os.environ["CATMINT_BUILD"])
SYSROOT = pathlib.Path(os.environ["CATMINT_SYSROOT"])
IMAGE = pathlib.Path(os.environ["CATMINT_GUEST"])  # the kernel and the shell, unpacked
SOURCE = pathlib.Path(os.environ["CATMINT_SOURCE"])
LIBRARIES = "usr/lib/aarch64-linux-gnu"
DATA = ("bases", "signatures", "data")

INIT = b"""#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs -o mode=1777 tmp /tmp
chmod 755 /
cd /tmp
export PATH=/catmint/bin:/bin LD_LIBRARY_PATH=/usr/lib/aarch64-linux-gnu COLUMNS=200
sh /run.sh
echo "== end"
poweroff -f
"""


def missing():
    """What the guest lacks here; None: nothing."""
    if shutil.which("qemu-system-aarch64") is None:
        return "qemu-system-aarch64 is not installed"
    if not list(IMAGE.glob("boot/vmlinuz-*")):
        return "Debian's arm64 kernel cannot be had"
    return None


def archive(files):
    """A cpio archive (newc): {name: (mode, content)}."""
    parts = []
    for number, (name, (mode, content)) in enumerate([*files.items(), ("TRAILER!!!", (0, b""))], 1):
        fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(name) + 1, 0)
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        parts += [head, b"\0" * (-len(head) % 4), content, b"\0" * (-len(content) % 4)]
    return b"".join(parts)


def with_folders(files):
    folders = {str(folder): (0o40755, b"") for name in files for folder in pathlib.PurePosixPath(name).parents if str(folder) != "."}
    return dict(sorted(folders.items())) | files


def needed(path):
    text = subprocess.run(["aarch64-linux-gnu-readelf", "-d", path], check=True, capture_output=True, text=True).stdout
    return re.findall(r"NEEDED.*\[(.*)\]", text)


def add_libraries(path, files, folders):
    """What a program needs, and what that needs."""
    for name in needed(path):
        target = f"{LIBRARIES}/{name}"
        found = next((folder / name for folder in folders if (folder / name).exists()), None)
        if found is None or target in files:
            continue
        files[target] = (0o100755, found.read_bytes())
        add_libraries(found, files, folders)


@functools.cache
def base():
    """The compressed archive of all guests."""
    program = BUILD / "bin/catmint"
    loader = next(SYSROOT / folder / "ld-linux-aarch64.so.1" for folder in ("lib", LIBRARIES) if (SYSROOT / folder / "ld-linux-aarch64.so.1").exists())
    files = {"init": (0o100755, INIT), "bin/busybox": (0o100755, next(IMAGE.glob("**/bin/busybox")).read_bytes()),
             "lib/ld-linux-aarch64.so.1": (0o100755, loader.read_bytes()), "catmint/bin/catmint": (0o100755, program.read_bytes()),
             "etc/passwd": (0o100644, b"root:x:0:0::/:/bin/sh\nsomebody:x:1000:1000::/tmp:/bin/sh\n")}
    add_libraries(program, files, (BUILD / "lib", SYSROOT / LIBRARIES, SYSROOT / "lib/aarch64-linux-gnu"))
    for part in DATA:
        for path in (SOURCE / part).rglob("*.csv") if (SOURCE / part).is_dir() else (SOURCE / part,):
            files[f"usr/share/catmint/{path.relative_to(SOURCE)}"] = (0o100644, path.read_bytes())
    files |= {f"{folder}/.keep": (0o100644, b"") for folder in ("proc", "sys", "dev", "tmp")}
    return gzip.compress(archive(with_folders(files)), 1)


def boot(script, shift=0, files=None, timeout=900):
    """Runs a script of the guest's shell as root, and returns what it printed, by part: a part begins with `== NAME`. With `shift`, an
    instruction takes 2^shift nanoseconds. `files`: what is added to the guest, or put into the place of something."""
    more = {"run.sh": (0o100644, script.encode())} | {name: (0o100755, content) for name, content in (files or {}).items()}
    with tempfile.TemporaryDirectory(prefix="catmint-guest-") as folder:
        memory = pathlib.Path(folder) / "initrd"
        memory.write_bytes(base() + gzip.compress(archive(more), 1))
        done = subprocess.run(
            ["qemu-system-aarch64", "-M", "virt", "-cpu", "neoverse-n1", "-smp", "1", "-m", "1024", "-nographic", "-no-reboot", "-nodefaults",
             "-serial", "stdio", "-icount", f"shift={shift}", "-kernel", next(IMAGE.glob("boot/vmlinuz-*")), "-initrd", memory,
             "-append", "console=ttyAMA0 quiet panic=-1 rdinit=/init"],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    text = done.stdout.decode("utf-8", "replace").replace("\r", "")
    if done.returncode != 0 or "\n== end\n" not in text:
        raise AssertionError(f"the guest: exit {done.returncode}\n{text}\n{done.stderr.decode()}")
    parts = re.split(r"^== (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))
