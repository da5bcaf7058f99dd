#!/usr/bin/env python3
"""Holds that src/core/input.c alone opens files for reading: check_reading.py TREE.

A call that makes or changes a file, or opens a folder, says so by its mode or flags.
"""
import re
import sys
from pathlib import Path

from files import files_of

OPENERS = r"(?<!->)\b(?:fopen|freopen|open|open64|openat|archive_read_open_filename|json_load_file)\("
WRITES = r'"[wa]|O_WRONLY|O_RDWR|O_CREAT|O_DIRECTORY'
ALLOWED = {
    "src/core/input.c": "the opener",
    "src/core/temporary.c": "locks what was left, and reads nothing",
    "src/cli/main.c": "/dev/null in the place of a stream that is closed",
    "src/count/regions.c": "writes here, and reads through the opener",
    "src/sweep/record/journal_file.c": "opens for reading and writing, regular files alone",
}


def faults(top):
    for name in files_of(top):
        if not re.fullmatch(r"(src|cat-kernels)/.*\.[ch]", name) or name in ALLOWED:
            continue
        text = (top / name).read_text()
        for call in re.finditer(OPENERS + "[^;]*", text):
            if not re.search(WRITES, call[0]):
                yield f"{name}:{text.count(chr(10), 0, call.start()) + 1}: {call[0]}: expected cm_input_open, cm_input_stream or cm_input_descriptor"


def main(top):
    found = list(faults(top))
    for fault in found:
        print(fault)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
