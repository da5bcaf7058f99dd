"""What a sweep shows while it runs: a line on a terminal, all of it at any common width, nothing where it is short."""

import fcntl
import os
import re
import struct
import subprocess
import termios
import threading

import support

SWEEP = ("sweep", "--pmu", "software:golden-cove", "--component", "sde", "--benchmark", "cpu-flops", "--workers", "1", "--repetitions", "30")
RUNS = 30 * -(-len(support.counted_events()) // 40)  # 40 events at a time
WORDS = rf"\d+/{RUNS} repetitions, \d+ %(, [1-9]\d* events, [\d.]+/s)?, \d+ s left"


class Progress(support.Case):
    def shown(self, columns, **changes):
        """The lines that were drawn over each other."""
        ours, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        chunks = []

        reader = threading.Thread(target=lambda: chunks.append(support.read_terminal(ours)))
        reader.start()
        process = subprocess.Popen(["catmint", *SWEEP, "--out", str(self.folder / "out")], executable=support.PROGRAM, stderr=terminal,
                                   env=support.environment(**changes))
        os.close(terminal)
        self.assertEqual(process.wait(300), 0)
        reader.join()
        return re.findall(r"\r\x1b\[K([^\r\n]*)", chunks[0])

    def test_a_terminal(self):
        for columns, line in ((200, rf"cpu-flops \[[#.]{{24}}\] {WORDS}"), (80, rf"cpu-flops \[[#.]+\] {WORDS}"),
                              (68, rf"cpu-flops (\[[#.]+\] )?{WORDS}")):
            with self.subTest(columns):
                drawn = [text for text in self.shown(columns, TERM="xterm") if " s left" in text]
                self.assertTrue(drawn)
                for text in drawn:
                    self.assertRegex(text, f"^{line}$")
                    self.assertLess(len(text), columns)

    def test_none_is_drawn_on_a_dumb_one(self):
        self.assertEqual(self.shown(80, TERM="dumb"), [])


if __name__ == "__main__":
    support.main()
