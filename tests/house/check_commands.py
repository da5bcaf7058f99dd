#!/usr/bin/env python3
"""Holds the command lines in README.md and docs/ against the program's help: check_commands.py CATMINT TREE [--write].

Names each command that the program does not have, each option that the command's help does not list, and each command that
README.md leaves out. A command line is `catmint COMMAND ...` in backticks, or a line of code that begins so.
docs/reference/commands.md and docs/reference/using-commands.md must be what the help of all commands is; --write makes them so.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

INLINE = re.compile(r"`(?:build/bin/)?catmint ([^`]*)`")
CODE = re.compile(r"^ {4,}(?:\w*run (?:\S+ )*)?(?:build/bin/)?catmint (.*)$")
# Commands that make definitions, and those that do something with them.
PAGES = {"docs/reference/commands.md": "Commands that measure and define", "docs/reference/using-commands.md": "Commands that use definitions"}
MEASURING = ("discover", "sweep", "analyze", "validate", "events", "doctor", "metrics", "models", "kernels", "measure", "merge", "import", "import-cat")
HEAD = """# {}

Made from `catmint COMMAND --help` by `tests/house/check_commands.py build/bin/catmint . --write`.
"""
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def help_of(program, *command):
    surroundings = {**os.environ, "COLUMNS": "100"}
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, timeout=30, check=True,
                          env=surroundings).stdout


def command_lines(page):
    """Line and text of each, without the name of the program."""
    for number, line in enumerate(page.read_text().splitlines(), 1):
        code = CODE.match(line)
        for text in [code[1].split(" # ")[0]] if code else INLINE.findall(line):
            yield number, text


def fault(text, helps):
    """What is wrong with a command line, None if nothing is."""
    command, *rest = text.split(None, 1)
    if not re.fullmatch(r"[a-z][a-z-]*", command):
        return None
    if command not in helps:
        return f"there is no command {command}"
    options = OPTION.findall(rest[0] if rest else "")
    missing = [option for option in options if not re.search(rf"{option}(?![a-z-])", helps[command])]
    return f"catmint {command} has no {', '.join(missing)}" if missing else None


def pages_of(helps):
    for page, title in PAGES.items():
        shown = [command for command in helps if (command in MEASURING) == (page == next(iter(PAGES)))]
        yield page, HEAD.format(title) + "".join(f"\n## catmint {command}\n\n```\n{helps[command]}```\n" for command in shown)


def main(program, top, write):
    commands = re.findall(r"^  ([a-z-]+) {2,}", help_of(program), re.M)
    helps = {command: help_of(program, command) for command in commands}
    wrong, count = [], 0
    for page, text in pages_of(helps):
        if write:
            (top / page).write_text(text)
        elif not (top / page).exists() or (top / page).read_text() != text:
            wrong.append(f"{page} is not what the program's help is: run {Path(__file__).name} with --write")
    for page in [top / "README.md", *sorted(top.glob("docs/**/*.md"))]:
        for number, text in command_lines(page):
            count += 1
            what = fault(text, helps) if text.strip() else None
            wrong += [f"{page}:{number}: {what}"] if what else []
    shown = {text.split()[0] for _, text in command_lines(top / "README.md") if text.strip()}
    wrong += [f"README.md does not show catmint {command}" for command in commands if command not in shown]
    wrong += ["too few command lines were found for this to mean anything"] if count < 50 else []
    print("\n".join(wrong), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:] == ["--write"]))
