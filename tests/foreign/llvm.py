"""Decoders against LLVM's: a processor's decoder.py works out anew what a disassembled text says, and it is compared with what the decoder says."""

import collections
import os
import random
import re
import shutil
import subprocess
import unittest

LLVM = next(filter(None, map(shutil.which, ("llvm-mc-19", "llvm-mc-14", "llvm-mc"))), None)
OBJDUMP = next(filter(None, map(shutil.which, ("llvm-objdump-19", "llvm-objdump-14", "llvm-objdump"))), None)
SECOND = 1 + 4 * len("0x00 ")  # column of the second word of an instruction
PART = 1 if "CATMINT_LONG" in os.environ else 10  # of all words so many are one that is looked at
Meaning = collections.namedtuple("Meaning", "kind offset load store locked facts")


def source(number):
    """Random words: others at each commit."""
    return random.Random(f"{os.environ.get('CATMINT_SEED', '1')}/{number}")


def decode(words):
    listed = "".join(f"{word:08x}\n" for word in words)
    out = subprocess.run(os.environ["CATMINT_DECODE_WORDS"].split(), input=listed, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        kind, *rest = line.split()
        yield Meaning(kind, *map(int, rest[:4]), sorted(rest[4:]))


def word_of(parts):
    """Of bytes, or of words: the first is the lowest."""
    bits = 4 * len(parts[0])
    return sum(int(part, 16) << bits * number for number, part in enumerate(parts))


def listed(lines):
    """What is assembled, as the disassembler writes it."""
    return [re.sub(" ", "\t", line, count=1) for line in lines]


class Agreement(unittest.TestCase):
    """`options`: of llvm-mc. expected(word, text): the Meaning of a word that LLVM disassembles so, None: what LLVM says is unknown."""

    options = expected = None

    @staticmethod
    def length(word):
        """Bytes of an instruction; a word has the first in its lowest."""
        return 4

    def setUp(self):
        if LLVM is None or OBJDUMP is None:
            self.skipTest("llvm-mc and llvm-objdump are not installed")

    def agree(self, words, texts):
        different = []
        for word, text, found in zip(words, texts, decode(words), strict=True):
            if text is None:
                continue
            expected = self.expected(word, text)
            if expected is None or expected != found:
                different.append(f"{word:08x} {text}: expected {expected}, found {found}")
        self.assertEqual(different, [], "\n".join(different[:20]))

    def disassemble(self, words):
        """Texts of words, None for what is no instruction."""
        program = [LLVM, "-disassemble", *self.options]
        found = []
        listed = "\n".join(" ".join(f"0x{byte:02x}" for byte in word.to_bytes(self.length(word), "little")) for word in words)
        done = subprocess.run(program, input=listed, capture_output=True, text=True, check=False)
        wrong = {(int(line), int(column)) for line, column in re.findall(r"^<stdin>:(\d+):(\d+): warning: invalid", done.stderr, re.MULTILINE)}
        doubtful = {int(line) for line in re.findall(r"^<stdin>:(\d+):\d+: warning: potentially", done.stderr, re.MULTILINE)}
        lines = [line.strip() for line in done.stdout.splitlines() if line.startswith("\t") and not line.startswith("\t.")]
        texts = iter(lines)
        for number, word in enumerate(words, 1):
            text = None if (number, 1) in wrong else next(texts)
            found.append(None if number in doubtful else text)
            if text is None and self.length(word) == 8 and (number, SECOND) not in wrong:
                next(texts)  # what is no instruction of two words may begin with one
        assert next(texts, None) is None
        return [text and re.sub(r"\s*//.*", "", text) for text in found]

    def assemble(self, lines):
        out = subprocess.run([LLVM, *self.options, "-show-encoding"], input="\n".join(lines),
                             capture_output=True, text=True, check=True).stdout
        encodings = re.findall(r"encoding: \[(.*?)\]", out)
        assert len(encodings) == len(lines)
        return [int.from_bytes(bytes(int(byte, 16) for byte in encoding.split(",")), "little") for encoding in encodings]

    def agree_on_kernels(self, at_least):
        raw = subprocess.run([OBJDUMP, "-d", os.environ["CATMINT_LIBRARY"]], capture_output=True, text=True,
                             check=True).stdout
        words = []
        for body in re.findall(r"<cm_kernel_\w+>:\n((?: .*\n)+)", raw):
            for line in body.splitlines():
                found = re.match(r"\s*[0-9a-f]+: ((?:(?:[0-9a-f]{2}){1,4} )+)", line)
                words.append(word_of(found[1].split()))
        self.assertGreater(len(words), at_least)
        self.agree(words, self.disassemble(words))
