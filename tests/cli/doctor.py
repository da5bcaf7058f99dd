"""What stops or disturbs counting: made-up machines, each with one thing that is wrong, and this one."""

import json
import pathlib
import re

import support

FINE = {  # a quiet machine of two cores on which everybody may count
    "proc/cpuinfo": "processor\t: 0\nflags\t\t: fpu sse2\n\n",
    "proc/loadavg": "0.04 0.10 0.10 1/200 999\n",
    "proc/meminfo": "MemTotal: 16000000 kB\nMemAvailable:   15000000 kB\n",
    "proc/self/cgroup": "0::/user.slice/one\n",
    "proc/self/status": "Name:\tcatmint\nCapEff:\t0000000000000000\nSeccomp:\t0\nCpus_allowed_list:\t0-1\n",
    "proc/sys/kernel/nmi_watchdog": "0\n",
    "proc/sys/kernel/perf_event_paranoid": "0\n",
    "sys/bus/event_source/devices/cpu/rdpmc": "1\n",
    "sys/bus/event_source/devices/uncore_imc_0/cpumask": "0\n",
    "sys/devices/system/cpu/cpu0/cache/index0/size": "48K\n",
    "sys/devices/system/cpu/cpu0/cache/index3/size": "32768K\n",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "performance\n",
    "sys/devices/system/cpu/cpu0/microcode/version": "0x2b\n",
    "sys/devices/system/cpu/cpu1/microcode/version": "0x2b\n",
    "sys/devices/system/cpu/isolated": "\n",
    "sys/devices/system/cpu/online": "0-1\n",
    "sys/devices/system/cpu/smt/active": "0\n",
    "sys/fs/cgroup/user.slice/cpu.max": "max 100000\n",
    "sys/fs/cgroup/user.slice/one/memory.max": "max\n",
}


def kinds(**cpus):
    """Devices of cores with the processors that each counts on."""
    return {f"sys/bus/event_source/devices/{device}/{file}": text for device, listed in cpus.items()
            for file, text in (("cpus", listed + "\n"), ("type", "4\n"), ("format/event", "config:0-7\n"))}


STATUS = FINE["proc/self/status"]

# What is different, and the findings: name, severity, what the text says.
CASES = (
    ({}, ()),
    ({"proc/sys/kernel/perf_event_paranoid": None}, (("perf-event-missing", "stops", "perf_event_paranoid"),)),
    ({"proc/sys/kernel/perf_event_paranoid": "4\n"}, (("perf-event-paranoid", "stops", "is 4:"),)),
    ({"proc/sys/kernel/perf_event_paranoid": "2\n"}, (("perf-event-paranoid", "note", "is 2:"),)),
    ({"proc/sys/kernel/perf_event_paranoid": "-1\n"}, ()),
    ({"proc/sys/kernel/perf_event_paranoid": "3\n",  # CAP_PERFMON
      "proc/self/status": "Name:\tx\nCapEff:\t0000004000000000\n"}, (("perf-event-paranoid", "stops", "PAPI 7.0 does not for root either"),)),
    ({"proc/sys/kernel/perf_event_paranoid": "4\n",  # CAP_PERFMON
      "proc/self/status": STATUS.replace("0000000000000000", "0000004000000000")}, ()),
    ({"sys/bus/event_source/devices/cpu/rdpmc": None, "sys/bus/event_source/devices/software/type": "1\n"},
     (("core-pmu-missing", "stops", "no driver for this processor"),)),
    ({"sys/bus/event_source/devices/cpu/rdpmc": None, "sys/bus/event_source/devices/software/type": "1\n",
      "proc/cpuinfo": "flags\t\t: fpu hypervisor sse2\n"},
     (("core-pmu-missing", "stops", "virtual machine has no hardware counters"), ("hypervisor", "note", "its host"))),
    ({"sys/bus/event_source/devices/cpu/rdpmc": None, "sys/bus/event_source/devices/armv8_pmuv3_0/type": "8\n"}, ()),
    ({"sys/bus/event_source/devices/uncore_imc_0/cpumask": None}, (("uncore-pmu-missing", "note", "no PMU of memory controllers"),)),
    ({"sys/bus/event_source/devices/uncore_imc_0/cpumask": None, "sys/bus/event_source/devices/amd_umc_3/cpumask": "0\n"}, ()),
    ({"sys/bus/event_source/devices/uncore_imc_0/cpumask": None, "proc/device-tree/hypervisor": ""}, (("hypervisor", "note", "its host"),)),
    ({"sys/hypervisor/type": "xen\n"}, (("hypervisor", "note", "its host"),)),
    ({"sys/bus/event_source/devices/cpu/rdpmc": "0\n"}, (("rdpmc", "note", "system call"),)),
    ({"proc/sys/kernel/perf_user_access": "0\n"}, (("perf-user-access", "note", "system call"),)),
    ({"proc/self/status": STATUS.replace("Seccomp:\t0", "Seccomp:\t2")}, (("seccomp", "note", "perf_event_open"),)),
    ({"proc/sys/kernel/nmi_watchdog": "1\n"}, (("nmi-watchdog", "disturbs", "holds a counter"),)),
    ({"sys/devices/system/cpu/smt/active": "1\n"}, (("smt", "note", "SMT"),)),
    ({"proc/loadavg": "1.50 0 0 1/2 3\n"}, (("load", "disturbs", "load was 1.50 in the last minute: other programs use the caches."),)),
    ({"proc/loadavg": "1.50 0 0 1/2 3\n", "sys/devices/system/cpu/smt/active": "1\n"},
     (("load", "disturbs", "and the second thread of each core"),)),
    ({"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor": "powersave\n"},
     (("governor", "note", "1 of 2 CPUs is not 'performance' but such as 'powersave'"),)),
    ({"sys/devices/system/cpu/intel_pstate/no_turbo": "0\n"}, (("turbo", "note", "turbo"),)),
    ({"sys/devices/system/cpu/cpufreq/boost": "1\n"}, (("turbo", "note", "turbo"),)),
    ({"sys/devices/system/cpu/intel_pstate/no_turbo": "1\n"}, ()),
    ({"sys/devices/system/cpu/cpu1/microcode/version": "0x2c\n"}, (("microcode", "disturbs", "0x2b and 0x2c"),)),
    ({"sys/devices/system/cpu/isolated": "1\n"}, (("isolated-cores", "note", "CPUs 1 are isolated"),)),
    ({"proc/self/status": STATUS.replace("0-1", "1")}, (("allowed-cpus", "note", "on CPUs 1 only, of 0-1"),)),
    (kinds(cpu_core="0", cpu_atom="1"), (("hybrid-cores", "note", "2 kinds (cpu_atom, cpu_core)"),)),
    (kinds(armv8_cortex_a53="0", armv8_cortex_a72="1"), (("hybrid-cores", "note", "2 kinds (armv8_cortex_a53, armv8_cortex_a72)"),)),
    (kinds(armv8_pmuv3_0="0-1"), ()),
    ({"sys/fs/cgroup/user.slice/cpu.max": "150000 100000\n"}, (("cpu-quota", "disturbs", "allows 1.50 CPUs"),)),
    ({"sys/fs/cgroup/user.slice/one/memory.max": "268435456\n"},
     (("memory", "disturbs", "256 MiB of memory are free; the longest chains of dcache want 512 MiB"),)),
    ({"proc/self/cgroup": "4:cpu,cpuacct:/docker/one\n5:memory:/docker/one\n1:name=systemd:/x\n",
      "sys/fs/cgroup/cpu/docker/one/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us": "50000\n",
      "sys/fs/cgroup/cpu/docker/cpu.cfs_period_us": "100000\n"}, (("cpu-quota", "disturbs", "allows 0.50 CPUs"),)),
    ({"proc/self/cgroup": "4:cpu,cpuacct:/\n5:memory:/docker/one\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n",
      "sys/fs/cgroup/memory/docker/one/memory.limit_in_bytes": "268435456\n"}, (("memory", "disturbs", "256 MiB"),)),
    ({"proc/meminfo": "MemAvailable: 102400 kB\n"}, (("memory", "disturbs", "100 MiB"),)),
    ({"sys/devices/system/cpu/cpu0/cache/index0/size": None, "sys/devices/system/cpu/cpu0/cache/index3/size": None},
     (("cache-sizes", "note", "leaves out its chains"),)),
)


class MadeUp(support.Case):
    def machine(self, name, changes):
        root = self.folder / name
        for path, text in {**FINE, **changes}.items():
            if text is not None:
                file = root / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        return root

    def test_findings(self):
        for index, (changes, expected) in enumerate(CASES):
            with self.subTest(changes=changes):
                root = self.machine(f"machine {index}", changes)
                serious = any(severity != "note" for _, severity, _ in expected)
                run = self.expect(support.Run("doctor", "--root", root, "--format", "json"), int(serious), err="")
                document = run.json()
                self.assertEqual(document["schema"], "catmint.doctor/1")
                found = document["findings"]
                self.assertEqual([(one["finding"], one["severity"]) for one in found],
                                 [(name, severity) for name, severity, _ in expected])
                for one, (_, _, text) in zip(found, expected):
                    self.assertIn(text, one["text"])

    def test_table(self):
        root = self.machine("many", {"proc/sys/kernel/nmi_watchdog": "1\n", "proc/sys/kernel/perf_event_paranoid": "3\n",
                                     "sys/devices/system/cpu/smt/active": "1\n"})
        run = self.expect(support.Run("doctor", "--root", root), 1, err="")
        places = [run.out.index(text) for text in (
            "Stops counting\n  perf-event-paranoid\n", "-> sudo sysctl kernel.perf_event_paranoid=2",
            "Disturbs counting\n  nmi-watchdog\n", "Good to know\n  smt\n", "Some or all hardware events cannot be counted here")]
        self.assertEqual(places, sorted(places))
        self.expect(support.Run("doctor", "--root", self.machine("fine", {})), 0, err="",
                    out=r"\ANothing here stops or disturbs counting\.\n\Z")

    def test_wrong_roots(self):
        self.expect(support.Run("doctor", "--root", self.folder), 3, out="", err="there is no directory 'proc' in it")
        self.expect(support.Run("doctor", "--root", ""), 2, out="", err="--root")

    def test_text_is_harmless(self):
        root = self.machine("hostile", {"sys/devices/system/cpu/isolated": "\033[2J1\n"})
        run = self.expect(support.Run("doctor", "--root", root), 0, err="")
        self.assertNotIn("\033", run.out)


class ThisMachine(support.Case):
    def test_components_of_papi_and_the_manifest(self):
        run = support.Run("doctor", "--format", "json", "--component-timeout", "60")
        self.assertIn(run.code, (0, 1))
        disabled = {one["finding"] for one in run.json()["findings"] if one["finding"].startswith("papi-")}
        listed = support.Run("events", "--format", "json", "--component-timeout", "60").json()["components"]
        self.assertEqual(disabled, {f"papi-{one['component']}" for one in listed if not one["enabled"]})

        told = " ".join(support.Run("doctor", "--component-timeout", "60").out.split())
        for advice in {one["advice"] for one in run.json()["findings"] if one["advice"]}:
            self.assertLessEqual(told.count("-> " + advice), 1, advice)

        out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", "software", "--benchmark", "branch", "--repetitions", "2", "--events",
                                "BR_*", "--out", out), 0)
        manifest = json.loads((out / "manifest.json").read_text())
        kept = manifest["findings"]
        said = re.search(r"(?m)^microcode\s*: (\S+)$", pathlib.Path("/proc/cpuinfo").read_text())
        self.assertEqual(manifest["machine"]["microcode"], said and said[1])
        self.assertTrue({one["finding"] for one in kept} >= disabled)
        results = support.Run("analyze", out, "--format", "json")
        self.assertEqual(results.json()["findings"], kept)
        self.assertNotIn("Disturbed by", support.Run("analyze", out).out)  # the software PMU is not

    def test_results_say_what_disturbed_hardware(self):
        """The record of a sweep, as one of hardware would be: what stopped or disturbed it is named, notes are not."""
        out = self.folder / "out"
        self.expect(support.Run("sweep", "--pmu", "software", "--benchmark", "branch", "--repetitions", "2", "--events", "BR_*", "--out", out), 0)
        manifest = json.loads((out / "manifest.json").read_text())
        manifest["pmu"] = "hardware"
        manifest["findings"] = [{"finding": name, "severity": severity, "text": f"{name}.", "advice": ""} for name, severity in (
            ("papi-infiniband", "stops"), ("nmi-watchdog", "disturbs"), ("load", "disturbs"), ("turbo", "note"))]
        (out / "manifest.json").write_text(json.dumps(manifest))
        self.expect(support.Run("analyze", out), 0, out=r"^Disturbed by +papi-infiniband, nmi-watchdog, load; 'catmint doctor' gives\s+advice$")
        results = self.expect(support.Run("analyze", out, "--format", "json"), 0)
        self.assertEqual(results.json()["findings"], manifest["findings"])
        (self.folder / "results.json").write_text(results.out)
        page = self.folder / "page.html"
        self.expect(support.Run("report", self.folder / "results.json", "--output", page), 0)
        self.assertIn("nmi-watchdog", page.read_text())


if __name__ == "__main__":
    support.main()
