"""The files of the tree itself: those that git knows, or all outside of build folders where git knows none."""
import subprocess


def known_to_git(top):
    try:
        listed = subprocess.run(["git", "-C", top, "ls-files", "-z"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return listed.stdout.split("\0") if listed.returncode == 0 else []


def files_of(top):
    """Paths from `top` on, in order."""
    names = [name for name in known_to_git(top) if name] or [str(path.relative_to(top)) for path in top.rglob("*")]
    return sorted(name for name in names if not name.startswith(("build", ".git/", "sweep/", "sweep-")) and
                  "__pycache__" not in name and (top / name).is_file())
