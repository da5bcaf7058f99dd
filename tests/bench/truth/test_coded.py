"""Codes that are swept blind, garbage among them: most of what names define is found, and nothing wrong."""

import os
import unittest

import coded

PROGRAM = os.environ["CATMINT_PROGRAM"]


class CodedModels(unittest.TestCase):
    def test_blind(self):
        """Some hundred codes, of which most of the metrics can be had."""
        named = coded.named_metrics(PROGRAM, "golden-cove", "--programs", "0")
        found, tally = coded.judge_one(PROGRAM, "golden-cove", 1, "event=0xc4-0xc7|0xd0-0xd1,umask=0x00-0xff", named)
        self.assertGreaterEqual(found, 0.7 * sum(map(len, named.values())))
        self.assertEqual([claim for claim in tally.worst if claim[2] != "equivalent"], [])

    def test_what_codes_count(self):
        """What is known of the sequence that decides on garbage: numbers of splitmix64 from 0 (Vigna's test), and kinds of answers."""
        numbers = coded.splitmix(0)
        self.assertEqual([next(numbers), next(numbers)], [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4])
        loaded, _ = coded.run.prepare("tree", "coded")
        model = coded.Model("golden-cove", 1, loaded.derived)
        self.assertEqual(model.counts(coded.packed("0xc0:0x00")), ({"instructions": 1}, False))
        answers = [model.counts(code) for code in range(65536)]
        self.assertTrue(500 < answers.count(None) < 800)
        self.assertTrue(800 < sum(answer is not None and answer[1] for answer in answers) < 1200)


if __name__ == "__main__":
    unittest.main(verbosity=2)
