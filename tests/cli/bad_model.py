"""A PMU model that is wrong: file and line, exit 3, nothing begun."""

import support


class BadModel(support.Case):
    def setUp(self):
        super().setUp()
        self.machine = (support.SOURCE / "data/pmu/golden-cove/machine.csv").read_text()

    def test_models(self):
        header = "event,description,expression\n"
        good = header + "LOADS,all loads,loads\n"
        rows = [
            ("events.csv", 1, "", ""),
            ("events.csv", 1, "", header),
            ("events.csv", 2, "no_such_fact", header + "E,d,no_such_fact\n"),
            ("events.csv", 2, "zero", header + "E,d,loads/0\n"),
            ("events.csv", 2, "", header + "E,d,loads+\n"),
            ("events.csv", 3, "LOADS", good + "LOADS,again,stores\n"),
            ("machine.csv", 0, "", "key,value\n"),
        ]
        for name, line, text, content in rows:
            with self.subTest(name=name, content=content):
                self.write("model/events.csv", good)
                self.write("model/machine.csv", self.machine)
                self.write(f"model/{name}", content)
                place = rf"{name}:{line}:" if line else rf"{name}:"
                for command in (["events"], ["discover"], ["sweep", "--out", self.folder / "sweep"]):
                    run = support.Run(*command, "--pmu", f"software:{self.folder}/model")
                    self.expect(run, 3, err=rf"^catmint: .*/{place}.*{text}", out="")
                self.assertFalse((self.folder / "sweep").exists())

    def test_a_folder_that_is_no_model(self):
        self.expect(support.Run("events", "--pmu", f"software:{self.folder}"), 3, err=r"^catmint: .*events\.csv")


if __name__ == "__main__":
    support.main()
