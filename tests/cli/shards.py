"""Shards: parts of a sweep, by hand and by the engines that start processes; joined they are the sweep."""

import csv
import json
import os
import pathlib
import shutil
import socket
import subprocess
import time

import support

EVENTS = len(support.counted_events())
SWEEP = ("sweep", "--pmu", "software", "--benchmark", "cpu-flops", "--repetitions", "2")


def rows(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.reader(lines))


def counted(directory):
    """Events that are counted, and how many there are: also those of other components of PAPI, where there are any."""
    every = rows(directory / "events.csv")[1:]
    return {"counted": len([row for row in every if row[2] == "counted"]), "unavailable": len([row for row in every if row[2] != "counted"])}


class Shards(support.Case):
    def whole(self):
        out = self.folder / "whole"
        self.expect(support.Run(*SWEEP, "--out", out), 0, out="")
        return out

    def check_equal(self, shards):
        """The shards' merge has the event list of the sweep as a whole, and each event's repetitions once."""
        merged, whole = self.folder / "merged", self.whole()
        every = counted(whole)
        self.assertGreaterEqual(every["counted"], EVENTS)
        self.expect(support.Run("merge", shards, "--out", merged), 0, rf"{sum(every.values())} events of \d sweeps", out="")
        self.assertEqual((merged / "events.csv").read_text(), (whole / "events.csv").read_text())
        keys = [[row[:3] for row in rows(path / "cpu-flops.csv")] for path in (merged, whole)]
        self.assertEqual(sorted(keys[0]), sorted(keys[1]))
        manifest = json.loads((merged / "manifest.json").read_text())
        self.assertIsNone(manifest["shard"])
        self.assertEqual(manifest["events"], every)

    def sharded(self, count, *arguments):
        out = self.folder / "shards"
        for number in range(1, count + 1):
            self.expect(support.Run(*SWEEP, "--out", out, "--shard", f"{number}/{count}", *arguments), 0, out="")
        return out

    def test_environments(self):
        table = (  # variables, what is swept
            ({"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "4"}, "shard-2-of-4"),
            ({"PMI_RANK": "3", "PMI_SIZE": "4"}, "shard-4-of-4"),
            ({"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2"}, "shard-1-of-2"),
            ({"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "3", "SLURM_ARRAY_TASK_STEP": "2",
              "SLURM_ARRAY_TASK_COUNT": "3"}, "shard-3-of-3"),
            ({"SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "2",
              "SLURM_PROCID": "1", "SLURM_STEP_NUM_TASKS": "3"}, "shard-5-of-6"),
            ({"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}, None),  # a batch script: srun has not started this
            ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}, None),
        )
        for number, (variables, name) in enumerate(table):
            with self.subTest(variables):
                out = self.folder / f"out{number}"
                self.expect(support.Run(*SWEEP, "--out", out, "--events", "BR_*", **variables), 0, out="")
                self.assertTrue((out / (name or "") / "manifest.json").exists())
        for variables in ({"PMI_RANK": "4", "PMI_SIZE": "4"}, {"PMI_RANK": "x", "PMI_SIZE": "4"},
                          {"SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2"}):
            with self.subTest(variables):
                self.expect(support.Run(*SWEEP, "--out", self.folder / "no", **variables), 2, "--shard K/N", out="")

    def test_what_does_not_belong_together(self):
        shards = self.sharded(2)
        one, two = sorted(shards.iterdir())
        other, again = self.folder / "other", self.folder / "again"
        shutil.copytree(one, again)
        merged = self.folder / "merged"
        for named in ((one, one), (one, two, f"{one}/.")):
            self.expect(support.Run("merge", *named, "--out", merged), 2, rf"^catmint: {named[-1]} is named twice$", out="")
        table = [  # sources, what is said
            ((one,), r"shard 2 of 2 is missing"),
            ((two,), r"shard 1 of 2 is missing"),
            ((one, again), r"shard 1 appears twice"),
            ((one, self.folder / "none"), r"none/manifest\.json: cannot be opened: .*, expected the manifest of a sweep"),
        ]
        for number, (change, said) in enumerate((
                (lambda m: m.update(pmu="software:zen4"), r"cannot merge .*changed0 with .*shard-1-of-2: the PMU is software:golden-cove in .*, and software:zen4 in "),
                (lambda m: m["machine"].update(model=1234), r"the model of the processor is \S+ in .*, and 1234 in "),
                (lambda m: m["benchmarks"][0]["kernels"][3].update(iterations=1), r"the value of iterations of kernel \S+ of cpu-flops is \d+ in .*, and 1 in "),
                (lambda m: m["options"].update(qualifiers=3), r"-1-of-2 used no --qualifiers, .*changed3 used 3$"),
                (lambda m: m.update(repetitions=9), r"-1-of-2 used --repetitions 2, .*changed4 used 9$"),
                (lambda m: m.update(prefixed_events=["sde:::X"]), r"only the tables of .*changed5 name sde:::X with"),
                (lambda m: m.update(shard=None), r"it is a whole sweep, and .* is shard [12] of 2"))):
            changed = self.folder / f"changed{number}"
            shutil.copytree(two, changed)
            manifest = json.loads((changed / "manifest.json").read_text())
            change(manifest)
            (changed / "manifest.json").write_text(json.dumps(manifest))
            table.append(((one, changed), said))
        for sources, said in table:
            with self.subTest(said):
                self.expect(support.Run("merge", *sources, "--out", merged), 3, said, out="")
                self.assertFalse(merged.exists())
        for name, pattern in (("a", "BR_*"), ("b", "BR_INST*")):
            self.expect(support.Run(*SWEEP, "--out", self.folder / name, "--events-file",
                                    self.write("list", pattern + "\n")), 0, out="")
        self.expect(support.Run("merge", self.folder / "a", self.folder / "b", "--out", other), 3,
                    r"/b: the event \S+:::BR_INST_\S* is also in .*/a$", out="")

    def test_shards_beside_a_whole_sweep_are_not_read_silently(self):
        out = self.whole()
        alone = self.expect(support.Run("analyze", out), 0, err="")
        self.expect(support.Run(*SWEEP, "--out", out, "--shard", "1/2"), 0, out="")
        both = self.expect(support.Run("analyze", out), 0, r"/whole: ignoring the shards here: this directory also holds a whole sweep")
        self.assertEqual(both.out, alone.out)

    def test_sweeps_without_a_common_event(self):
        for name, pattern in (("a", "BR_INST*"), ("b", "BR_MISP*")):
            self.expect(support.Run(*SWEEP, "--out", self.folder / name, "--events-file",
                                    self.write("list", pattern + "\n")), 0, out="")
        self.expect(support.Run("merge", self.folder / "a", self.folder / "b", "--out", self.folder / "c"), 0, out="")
        self.assertEqual(len(rows(self.folder / "c/cpu-flops.csv")),
                         len(rows(self.folder / "a/cpu-flops.csv")) + len(rows(self.folder / "b/cpu-flops.csv")) - 2)


class Joined(Shards):
    def test_by_hand(self):
        shards = self.sharded(3)
        self.assertEqual(sorted(path.name for path in shards.iterdir()), [f"shard-{k}-of-3" for k in (1, 2, 3)])
        self.check_equal(shards)
        together = self.expect(support.Run("analyze", shards, "--format", "json"), 0, err="").json()
        apart = support.Run("analyze", *sorted(shards.iterdir()), "--format", "json").json()
        self.assertEqual(support.benchmark(together, "cpu-flops")["selected"], support.benchmark(apart, "cpu-flops")["selected"])
        self.assertEqual(support.benchmark(together, "cpu-flops")["counts"]["measured"], counted(self.folder / "whole")["counted"])


class OpenMpi(Shards):
    def test_open_mpi(self):
        if shutil.which("mpirun") is None:
            self.skipTest("mpirun of Open MPI is not installed")
        version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=False).stdout
        if "Open MPI" not in version:
            self.skipTest("mpirun is not Open MPI's")
        out = self.folder / "shards"
        done = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2", support.PROGRAM, *SWEEP,
                               "--out", str(out)], env=support.environment(), capture_output=True, text=True,
                              timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["shard-1-of-2", "shard-2-of-2"])
        self.check_equal(out)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Slurm(Shards):
    """A cluster of one node, this one, for the time of the test."""

    def setUp(self):
        super().setUp()
        self.daemons = []
        self.addCleanup(self.stop)
        missing = [name for name in ("slurmctld", "slurmd", "munged", "srun") if self.find(name) is None]
        if missing:
            self.skipTest(f"not installed: {', '.join(missing)}")
        if os.geteuid() != 0:
            self.skipTest("slurmd wants to be root")

    @staticmethod
    def find(name):
        return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")

    def stop(self):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start(self, *command, **changes):
        log = open(self.folder / f"{pathlib.Path(command[0]).name}.log", "wb")
        self.addCleanup(log.close)
        self.daemons.append(subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, **changes}))

    def cluster(self):
        """Returns the configuration, or skips with the reason."""
        folder = self.folder / "slurm"
        for name in ("state", "spool", "munge"):
            (folder / name).mkdir(parents=True)
        host = socket.gethostname().split(".")[0]
        os.chmod(self.folder, 0o755)
        key = folder / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        munge = folder / "munge/socket"
        self.start(self.find("munged"), "--foreground", "--force", f"--key-file={key}", f"--socket={munge}",
                   f"--pid-file={folder}/munge/pid", f"--log-file={folder}/munge/log", f"--seed-file={folder}/munge/seed")
        configuration = folder / "slurm.conf"
        configuration.write_text("\n".join((
            "ClusterName=test", f"SlurmctldHost={host}(127.0.0.1)", "SlurmUser=root", "SlurmdUser=root",
            "AuthType=auth/munge", f"AuthInfo=socket={munge}", "CredType=cred/munge", "MpiDefault=none",
            f"SlurmctldPort={free_port()}", f"SlurmdPort={free_port()}", f"StateSaveLocation={folder}/state",
            f"SlurmdSpoolDir={folder}/spool", f"SlurmctldPidFile={folder}/ctld.pid", f"SlurmdPidFile={folder}/d.pid",
            "ProctrackType=proctrack/linuxproc", "TaskPlugin=task/none", "SelectType=select/cons_tres",
            "SwitchType=switch/none", "JobAcctGatherType=jobacct_gather/none", "ReturnToService=2",
            f"NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN",
            f"PartitionName=all Nodes={host} Default=YES State=UP OverSubscribe=FORCE:4", "")))
        self.start(self.find("slurmctld"), "-D", "-f", str(configuration), SLURM_CONF=str(configuration))
        self.start(self.find("slurmd"), "-D", "-N", host, "-f", str(configuration), SLURM_CONF=str(configuration))
        deadline, said = time.monotonic() + 30, ""
        while time.monotonic() < deadline:
            state = subprocess.run(["sinfo", "-h", "-o", "%T"], env={**os.environ, "SLURM_CONF": str(configuration)},
                                   capture_output=True, text=True, check=False)
            said = (state.stdout + state.stderr).strip()
            if state.stdout.strip() in ("idle", "mixed", "allocated"):
                return str(configuration)
            time.sleep(0.5)
        logs = "".join((self.folder / name).read_text(errors="replace")[-300:] for name in ("slurmctld.log", "slurmd.log"))
        self.skipTest(f"the cluster does not come up here: {said} {logs}")
        return None

    def test_srun(self):
        configuration = self.cluster()
        out = self.folder / "shards"
        done = subprocess.run(["srun", "-n", "2", "--overcommit", support.PROGRAM, *SWEEP, "--out", str(out)],
                              env=support.environment(SLURM_CONF=configuration), capture_output=True, text=True,
                              timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in out.iterdir()), ["shard-1-of-2", "shard-2-of-2"])
        self.check_equal(out)


for inherited in [name for name in dir(Shards) if name.startswith("test_")]:
    for engine in (Joined, OpenMpi, Slurm):
        setattr(engine, inherited, None)  # they are the other class'

if __name__ == "__main__":
    support.main()
