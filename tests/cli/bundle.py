"""Bundles: made, checked, and refused where anything in them is another than it was. Definitions as a patch of PAPI's own table."""

import csv
import hashlib
import io
import json
import os
import re
import shutil
import struct
import subprocess
import tarfile
import zlib

import support

# A table as PAPI has it: sections that share processors, one of spr's own, comments.
TABLE = """# PAPI's presets
CPU,icl
# icelake is like it
CPU,spr
PRESET,PAPI_BR_INS,NOT_DERIVED,OLD:ALL
PRESET,PAPI_BR_CN,NOT_DERIVED,OLD:COND
# only some have these
CPU,spr
PRESET,PAPI_BR_TKN,NOT_DERIVED,OLD:TAKEN
PRESET,PAPI_BR_NTK,NOT_DERIVED,BR_INST_RETIRED:COND_NTAKEN

# the next one
CPU,zen4
PRESET,PAPI_BR_INS,NOT_DERIVED,RETIRED_BRANCH_INSTRUCTIONS
"""


class Bundle(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = cls.enterClassContext(support.tempfile.TemporaryDirectory(prefix="catmint-bundle-"))
        cls.sweep = os.path.join(cls.home, "sweep")
        cls.bundle = os.path.join(cls.home, "made.tar.gz")
        run = support.Run("discover", "--pmu", "software:golden-cove", "--component", "sde", "--benchmark", "branch", "--programs", "4", "--repetitions", "2", "--out",
                          cls.sweep, "--format", "json", "--output", os.path.join(cls.home, "results.json"))
        for name in ("id_rsa", "notes.csv", "validation/secret.txt"):
            with open(os.path.join(cls.sweep, name), "w", encoding="utf-8") as stream:
                stream.write("secret")
        cls.made = support.Run("bundle", cls.sweep, "--output", cls.bundle, "--cpu", "spr")
        cls.runs = (run, cls.made)

    def setUp(self):
        super().setUp()
        if "built without libarchive" in self.made.err:
            self.skipTest("this catmint was built without libarchive and nettle")
        for run in self.runs:
            self.assertEqual(run.code, 0, str(run))

    def members(self):
        """[(name, content)] in their order."""
        with tarfile.open(self.bundle) as archive:
            return [(member.name, archive.extractfile(member).read()) for member in archive]

    def pack(self, members, kind=tarfile.REGTYPE):
        path = self.folder / f"other-{len(list(self.folder.iterdir()))}.tar.gz"
        with tarfile.open(path, "w:gz") as archive:
            for name, content in members:
                member = tarfile.TarInfo(name)
                member.size, member.type = len(content), tarfile.REGTYPE if name == "bundle.json" else kind
                archive.addfile(member, io.BytesIO(content))
        return path

    def relisted(self, members):
        """The members with a list that fits them: who forges a file forges the list."""
        members = members[:1] + sorted(members[1:])
        files = [{"path": name, "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()} for name, content in members[1:]]
        listed = json.loads(members[0][1]) | {"files": files}
        return [("bundle.json", json.dumps(listed).encode())] + members[1:]

    def test_what_is_in_it(self):
        names = [name for name, _ in self.members()]
        self.assertEqual(names[0], "bundle.json")
        for name in ("results.json", "report.html", "measurements/branch.csv", "measurements/manifest.json", "measurements/validation/programs.csv",
                     "exports/metrics.csv", "exports/perf.json", "exports/papi_events.csv", "exports/likwid/BRANCH_CATMINT_1.txt"):
            self.assertIn(name, names)
        self.assertEqual([name for name in names if name.startswith("measurements/") and "validation" not in name],
                         [f"measurements/{name}" for name in ("branch.csv", "events.csv", "manifest.json", "together.json")])
        self.assertFalse([name for name, content in self.members() if content == b"secret"])
        page = dict(self.members())["report.html"].decode()
        self.assertNotIn(self.home, page)
        self.assertNotIn("/tmp", page)

    def test_another_machine_checks_it(self):
        """Without what made it, in another folder, as another one."""
        moved = self.folder / "moved.tar.gz"
        shutil.copy(self.bundle, moved)
        run = self.expect(support.Run("bundle", "--check", moved, cwd=self.folder, CATMINT_WITHOUT_ISA="AVX512F"), 0, err="")
        self.assertEqual(run.out.splitlines()[-1], self.made.out.splitlines()[-1])
        self.assertRegex(run.out, r"\d+ files, \d+ bytes, SHA-256 of their list [0-9a-f]{64}\n$")

    def counted_on(self, architecture):
        """A directory of bytes that kernels of aarch64 load, as their facts say, from a machine that says it is another one."""
        folder = self.folder / architecture
        folder.mkdir()
        lines = (support.SOURCE / "bases/aarch64/facts.csv").read_text().splitlines()
        kernels = [row for row in csv.DictReader(line for line in lines if not line.startswith("#"))]
        for benchmark in ("mem-ops", "branch"):
            table = {row["kernel"]: re.search(r"(?:(\d+)\*)?\bload_bytes\b", row["facts"]) for row in kernels if row["benchmark"] == benchmark}
            counts = ",".join((found[1] or "1") if found else "0" for found in table.values())
            rows = [f"LOAD_BYTES,{repetition},0,{counts}" for repetition in (1, 2)]
            (folder / f"{benchmark}.csv").write_text("\n".join([",".join(["event", "repetition", "thread", *table]), *rows]) + "\n")
        (folder / "manifest.json").write_text(json.dumps({"schema": "catmint.sweep/1", "pmu": "software:paper", "pmu_reason": "", "benchmarks": [],
                                                          "machine": {"architecture": architecture, "model_name": "Paper"}}))
        return folder

    def test_one_of_another_architecture(self):
        """What kernels do is that of the architecture that counted, wherever it is analysed: a call of x86-64 loads, one of aarch64 does not."""
        for architecture, defined in (("aarch64", {"LOAD_BYTES": 1}), ("x86_64", None)):
            run = self.expect(support.Run("analyze", self.counted_on(architecture), "--format", "json"), 0)
            self.assertEqual(support.composable(support.benchmark(run.json(), "mem-ops")).get("Load Bytes"), defined)
        bundle = self.folder / "other.tar.gz"
        self.expect(support.Run("bundle", self.folder / "aarch64", "--output", bundle), 0)
        self.expect(support.Run("bundle", "--check", bundle), 0, err="")

    def test_what_was_changed_is_refused(self):
        members = self.members()
        table = next(number for number, (name, _) in enumerate(members) if name == "measurements/branch.csv")
        results = next(number for number, (name, _) in enumerate(members) if name == "results.json")

        def with_content(number, content):
            return members[:number] + [(members[number][0], content)] + members[number + 1:]

        forged = members[results][1].replace(b"BR_MISP_RETIRED:COND", b"BR_MISP_RETIRED:FONT")
        for what, path, said in (
                ("a digit", self.pack(with_content(table, members[table][1].replace(b"1", b"2", 1))), "'measurements/branch.csv' is not the file"),
                ("more bytes", self.pack(with_content(table, members[table][1] + b"\n")), "'measurements/branch.csv' is not the file"),
                ("fewer files", self.pack(members[:-1]), f"'{members[-1][0]}' is missing"),
                ("more files", self.pack(members + [("more.txt", b"")]), "'more.txt' is not in its list"),
                ("another order", self.pack(members[:1] + members[:0:-1]), "its members stand in another order"),
                ("twice", self.pack(members + members[-1:]), "is there twice"),
                ("no list", self.pack(members[1:]), "expected a bundle of catmint"),
                ("a link", self.pack(members, tarfile.SYMTYPE), "is no file"),
                ("forged results", self.frame(self.tar(self.relisted(with_content(results, forged)))), "its results are not those of its measurements"),
                ("a path above", self.pack(self.relisted(members + [("../above.txt", b"")])), "the path '../above.txt' leads out of the bundle"),
                ("no archive", self.write("text.tar.gz", "text"), "cannot be read as a bundle"),
                ("nothing", self.folder / "nothing", "cannot be opened")):
            with self.subTest(what):
                self.expect(support.Run("bundle", "--check", path), 3, err=said)
        self.assertFalse((self.folder.parent / "above.txt").exists())

    def forged(self, name, change):
        """A bundle with another member of that name, and a list that fits."""
        return self.frame(self.tar(self.relisted([(member, change(content) if member == name else content) for member, content in self.members()])))

    def test_whoever_forges_the_list_too(self):
        """Figures are found again, and manifests are those of catmint, with their own checksums."""
        def whole(value):
            """Without fractions, of which every writer has other digits."""
            if isinstance(value, dict):
                return {key: whole(item) for key, item in value.items()}
            return [whole(item) for item in value] if isinstance(value, list) else int(value) if isinstance(value, float) else value

        def seal(document):
            document = whole(document)
            document.pop("checksum", None)
            checksum = 0xcbf29ce484222325
            for byte in json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode():
                checksum = (checksum ^ byte) * 0x100000001b3 % 2 ** 64
            return document | {"checksum": f"fnv1a64:{checksum:016x}"}

        def edited(edit, sealed=False):
            def change(content):
                document = json.loads(content)
                edit(document)
                return json.dumps(seal(document) if sealed else document).encode()
            return change
        results, manifest, programs = "results.json", "measurements/manifest.json", "measurements/validation/manifest.json"
        rows = [  # the member, what is done to it, what is said
            (results, edited(lambda d: d["benchmarks"][0]["metrics"][1].update(misfit=0.5)), r"not those of its measurements, which differ at benchmarks\[0\]\.metrics\[1\]\.misfit"),
            (results, edited(lambda d: d["benchmarks"][0]["events"][0].update(residual=0.5)), r"differ at benchmarks\[0\]\.events\[0\]\.residual"),
            (results, edited(lambda d: d.update(more=1)), "not those of its measurements"),
            ("report.html", lambda page: page.replace(b"</body>", b"<script>alert(1)</script></body>"), "'report.html' does not follow from its results"),
            (manifest, edited(lambda d: d["machine"].update(model_name="Another")), r"'manifest\.json' was changed: it does not have the checksum that it says"),
            (programs, edited(lambda d: d.update(seconds=0.0)), r"'validation/manifest\.json' was changed: it does not have the checksum"),
        ]
        for key in ("catmint", "options", "checksum", "files"):
            rows.append((manifest, edited(lambda d, key=key: d.pop(key), sealed=key != "checksum"), rf"'manifest\.json' was changed: catmint writes another member {key}"))
        rows += [(manifest, edited(lambda d: d["machine"].pop("family"), True), "writes another member family"),
                 (manifest, edited(lambda d: d["benchmarks"][0].pop("kernels"), True), "another member kernels"),
                 (manifest, edited(lambda d: d.update(options=[]), True), "another member options"),
                 (manifest, edited(lambda d: d["benchmarks"][0].update(file="other.csv"), True), "does not list the table other.csv"),
                 (manifest, edited(lambda d: d.update(seconds=-1), True), "its member seconds is -1, expected 0 or more"),
                 (manifest, edited(lambda d: d["benchmarks"][0]["kernels"][0].update(iterations=-5), True), "its member iterations is -5, expected 1 or more"),
                 (manifest, edited(lambda d: d["benchmarks"][0]["kernels"][0].update(iterations=7), True), r"other iterations than the table branch\.csv"),
                 (manifest, edited(lambda d: d["benchmarks"][0]["kernels"].pop(), True), r"other kernels than the table branch\.csv"),
                 (manifest, edited(lambda d: d["benchmarks"][0].update(repetitions=4), True), r"other repetitions than the table branch\.csv"),
                 (manifest, edited(lambda d: d["benchmarks"][0].update(threads=2), True), r"other threads than the table branch\.csv"),
                 (programs, edited(lambda d: d["benchmarks"][0].update(repetitions=1), True), r"other repetitions than the table programs\.csv"),
                 (manifest, edited(lambda d: d.update(more=1), True), r"'manifest\.json' was changed: it has a member more, which catmint does not write"),
                 (manifest, edited(lambda d: d["machine"].update(more=1), True), "it has a member more, which catmint does not write"),
                 (manifest, edited(lambda d: d.update(more=1, catmint="99.0.0"), True), r"a member more that catmint \S+ does not know: catmint 99\.0\.0 wrote it, and can check it")]
        for name, change, said in rows:
            with self.subTest(name=name, said=said):
                self.expect(support.Run("bundle", "--check", self.forged(name, change)), 3, err=said)
        for more in ("measurements/id_rsa", "notes.txt"):
            with self.subTest(more):
                path = self.frame(self.tar(self.relisted(self.members() + [(more, b"secret")])))
                self.expect(support.Run("bundle", "--check", path), 3, err=f"'{more}' is no file that catmint packs")
        sealed = self.forged(manifest, lambda content: json.dumps(seal(json.loads(content))).encode())  # programs name another one's checksum
        self.expect(support.Run("bundle", "--check", sealed), 3, err="not those of its measurements")
        members = self.members()
        members[0] = ("bundle.json", json.dumps(json.loads(members[0][1]) | {"catmint": "9.0.1"}).encode())
        more = [("bundle.json", json.dumps(json.loads(self.members()[0][1]) | {"more": 1}).encode()), *members[1:]]
        self.expect(support.Run("bundle", "--check", self.frame(self.tar(more))), 3, err=r"'bundle\.json' was changed: it has a member more, which catmint does not write")
        for version in ("0.0.1", "0.1.0", "0.2", "0.2.0-x", "1.0.0-rc", "1.0.0-rc1x", "1.0-rc1", "+1.2.0", " 1.2.0", "none", ""):
            garbled = [("bundle.json", json.dumps(json.loads(members[0][1]) | {"catmint": version}).encode()), *members[1:]]
            self.expect(support.Run("bundle", "--check", self.frame(self.tar(garbled))), 3, err=re.escape(f"no catmint of version '{version}' packs bundles"))
        run = self.expect(support.Run("bundle", "--check", self.frame(self.tar(members))), 1, err=r"catmint 9\.0\.1 made the bundle.* page and exports are not compared")
        self.assertIn("Checksums do not prove who made it", run.out)

    def test_signatures(self):
        if shutil.which("ssh-keygen") is None:
            self.skipTest("ssh-keygen is not installed")
        keys = [self.folder / name for name in ("key", "other")]
        for key in keys:
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key], check=True)
        signers = self.write("signers", f"ann@example.org {(keys[0].with_suffix('.pub')).read_text()}")
        bundle = self.folder / "b.tar.gz"
        signature = self.folder / "b.tar.gz.sig"
        make = lambda *options, **changes: support.Run("bundle", self.sweep, "--output", bundle, "--cpu", "spr", *options, **changes)
        check = lambda *options, **changes: support.Run("bundle", "--check", bundle, *options, **changes)
        signed = ("--signature", signature, "--signers", signers)
        self.expect(make("--sign", keys[0]), 0, err="")
        self.assertTrue(signature.read_text().startswith("-----BEGIN SSH SIGNATURE-----"))
        run = self.expect(check(*signed), 0, err="")
        self.assertRegex(run.out, rf"^signed by ann@example\.org, whom {signers} lists\n")
        self.assertNotIn("do not prove", run.out)
        for code, said, options, changes in (
                (3, "is no signature of this bundle by anybody whom", ("--signature", signature, "--signers", self.write("nobody", "")), {}),
                (3, "is no signature of this bundle", ("--signature", self.folder / "no.sig", "--signers", signers), {}),
                (3, "it is larger than 1048576 bytes", ("--signature", self.write("large", b" " * (1 << 20) + b"."), "--signers", signers), {}),
                (4, "ssh-keygen is not installed", signed, {"PATH": str(self.folder)}),
                (2, "bundle needs --signature and --signers together", signed[:2], {}),
                (2, "bundle needs no --check with --sign", ("--sign", keys[0]), {})):
            with self.subTest(said):
                self.expect(check(*options, **changes), code, err=said)
        content = bundle.read_bytes()
        bundle.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        self.expect(check(*signed), 3, err=r"is no signature of this bundle")
        signature.write_text("mine\n")
        self.expect(make("--sign", keys[0]), 4, err=rf"{signature}: it is no signature, so it is not replaced")
        self.assertEqual((signature.read_text(), bundle.read_bytes()[:-1]), ("mine\n", content[:-1]))
        signature.unlink()
        before = sorted(self.folder.iterdir())
        self.expect(make("--sign", self.folder / "no-key"), 3, err="no-key: cannot be opened")
        self.assertEqual(sorted(self.folder.iterdir()), before)
        self.expect(make("--sign", self.write("a-key", "no key")), 4, err="ssh-keygen does not sign with it.*\n.*is written, and has no signature")

    def test_what_was_derived_is_derived_again(self):
        """Who forges the page or an export forges the list, too; what follows from the results is another."""
        members = self.members()
        for name in ("report.html", "exports/metrics.csv", "exports/perf.json", "exports/papi_events.csv", "exports/likwid/BRANCH_CATMINT_1.txt"):
            with self.subTest(name):
                number = next(number for number, (member, _) in enumerate(members) if member == name)
                forged = members[:number] + [(name, members[number][1] + b"# more\n")] + members[number + 1:]
                self.expect(support.Run("bundle", "--check", self.frame(self.tar(self.relisted(forged)))), 3,
                            err=f"'{name}' does not follow from its results")
        more = self.frame(self.tar(self.relisted(members + [("exports/likwid/MORE.txt", b"SHORT more\n")])))
        self.expect(support.Run("bundle", "--check", more), 3, err="'exports/likwid/MORE.txt' does not follow from its results")
        fewer = self.frame(self.tar(self.relisted([member for member in members if member[0] != "exports/perf.json"])))
        self.expect(support.Run("bundle", "--check", fewer), 3, err="'exports/perf.json' does not follow")

    def tar(self, members, **head):
        """The archive, uncompressed; what `head` says is so in the third member."""
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for number, (name, text) in enumerate(members):
                member = tarfile.TarInfo(name)
                member.size = len(text)
                for key, value in head.items() if number == 2 else ():
                    setattr(member, key, value)
                archive.addfile(member, io.BytesIO(text))
            end = archive.offset + 2 * tarfile.BLOCKSIZE
        return content.getvalue()[:end]

    def frame(self, tar, first=b"\x1f\x8b\x08\0\0\0\0\0\0\x03", last=b""):
        """As gzip has it, without name and time."""
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        stream = first + packer.compress(tar) + packer.flush() + struct.pack("<II", zlib.crc32(tar), len(tar))
        return self.write(f"frame-{len(list(self.folder.iterdir()))}.tar.gz", stream + last)

    def test_what_is_around_the_files(self):
        """Nothing can be put into heads, between members or behind them, and nothing cut off."""
        members = self.members()
        with open(self.bundle, "rb") as stream:
            whole = stream.read()
        tar, frame = self.tar(members), self.frame
        self.expect(support.Run("bundle", "--check", frame(tar)), 0)
        for what, path, said in (
                ("half", self.write("half", whole[:len(whole) // 2]), "cannot be read as a bundle"),
                ("without its last byte", self.write("cut1", whole[:-1]), "cannot be read as a bundle|was changed"),
                ("without its checksum", self.write("cut8", whole[:-8]), "cannot be read as a bundle|was changed"),
                ("another checksum", self.write("crc", whole[:-6] + bytes([whole[-6] ^ 1]) + whole[-5:]), "it was cut off, or more was written behind it"),
                ("text behind it", self.write("text", whole + b"text"), "it was cut off, or more was written behind it"),
                ("zeros behind it", self.write("zeros", whole + bytes(512)), "it was cut off, or more was written behind it"),
                ("itself behind it", self.write("twice", whole + whole), "it was cut off, or more was written behind it"),
                ("a time of gzip", frame(tar, b"\x1f\x8b\x08\0\1\0\0\0\0\x03"), "a name or a time"),
                ("text behind the members", frame(tar + b"secret".ljust(512, b"\0")), "more than its files is in it"),
                ("zeros behind the members", frame(tar + bytes(512)), "more than its files is in it"),
                ("text in the end", frame(tar[:-512] + b"secret".ljust(512, b"\0")), "more than its files is in it"),
                ("a time", frame(self.tar(members, mtime=1)), "the head of a member has a time"),
                ("an owner", frame(self.tar(members, uid=1)), "has an owner"),
                ("a group's name", frame(self.tar(members, gname="x")), "has an owner"),
                ("permissions", frame(self.tar(members, mode=0o755)), "has other permissions"),
                ("a hard link", frame(self.tar(members, type=tarfile.LNKTYPE, linkname="bundle.json")), "the bundle was changed")):
            with self.subTest(what):
                self.expect(support.Run("bundle", "--check", path), 3, err=said)

    def test_usage(self):
        for options, said in (((self.sweep,), "bundle needs --output FILE"), ((), "DIR | BUNDLE")):
            with self.subTest(options):
                self.expect(support.Run("bundle", *options), 2, err=said)
        self.expect(support.Run("bundle", self.folder / "nowhere", "--output", self.folder / "b"), 3)


class Patch(support.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = cls.enterClassContext(support.tempfile.TemporaryDirectory(prefix="catmint-patch-"))
        cls.results = os.path.join(cls.home, "results.json")
        cls.run_before = support.Run("discover", "--pmu", "software:golden-cove", "--component", "sde", "--benchmark", "branch", "--programs", "0", "--repetitions", "2",
                                     "--format", "json", "--output", cls.results)

    def setUp(self):
        super().setUp()
        self.expect(self.run_before, 0)
        self.table = self.write("papi/papi_events.csv", TABLE)

    def patch(self, *options, code=1):
        return self.expect(support.Run("export", self.results, "--to", "papi", *options), code)

    def test_sections_and_comments_stay_in_place(self):
        """spr's own preset is replaced, one that it shares goes behind its last section, one that is right stays; patch(1) applies it."""
        diff = self.patch("--cpu", "spr", "--patch", self.table).out
        lines = diff.splitlines()
        self.assertEqual(lines[:2], ["--- a/papi_events.csv", "+++ b/papi_events.csv"])
        self.assertEqual([line for line in lines[2:] if line.startswith("-")], ["-PRESET,PAPI_BR_TKN,NOT_DERIVED,OLD:TAKEN"])
        added = [line[1:] for line in lines[2:] if line.startswith("+")]
        self.assertTrue(any(line.startswith("PRESET,PAPI_BR_INS,NOT_DERIVED,BR_INST_RETIRED:ALL_BRANCHES") for line in added))
        self.assertFalse(any("PAPI_BR_NTK" in line or line.startswith("CPU,") for line in added))
        self.assertTrue(any(line.startswith("# catmint: definitions of software:golden-cove") for line in added))
        if shutil.which("patch") is None:
            self.skipTest("patch, which applies it, is not installed")
        done = subprocess.run(["patch", "-p1", "--fuzz=0"], input=diff, text=True, cwd=self.table.parent, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        patched = self.table.read_text()
        self.assertLess(patched.index("PRESET,PAPI_BR_INS,NOT_DERIVED,BR_INST"), patched.index("# the next one"))
        self.assertTrue(patched.endswith(TABLE[TABLE.index("\n# the next one"):]))
        for line in self.expect(support.Run("lint", self.table), 1).out.splitlines():
            self.assertRegex(line, r": \[unknown event\] PAPI_\w+: no event 'OLD:|: \[duplicate\] PAPI_BR_\w+: line \d+ says otherwise for some")
        self.assertEqual(self.patch("--cpu", "spr", "--patch", self.table).out, "")  # nothing is left to change

    def test_it_applies_where_it_was_made(self):
        """A table named from a folder above it is patched from there: by patch(1), and by git where there is one."""
        for path, name in (("papi/papi_events.csv", "papi/papi_events.csv"), ("./papi/papi_events.csv", "papi/papi_events.csv"),
                           ("papi/../papi/papi_events.csv", "papi_events.csv"), (self.table, "papi_events.csv")):
            with self.subTest(path):
                run = support.Run("export", self.results, "--to", "papi", "--cpu", "spr", "--patch", path, cwd=self.folder)
                self.assertEqual(self.expect(run, 1).out.splitlines()[:2], [f"--- a/{name}", f"+++ b/{name}"])
                folder = self.folder if "/" in name else self.table.parent
                for program, *options in (("patch", "-p1", "--fuzz=0", "--dry-run"), ("git", "apply", "--check")):
                    if shutil.which(program) is not None:
                        done = subprocess.run([program, *options], input=run.out, text=True, cwd=folder, capture_output=True, check=False)
                        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_processor_that_the_table_lacks(self):
        added = [line[1:] for line in self.patch("--cpu", "perf_new", "--patch", self.table).out.splitlines() if line.startswith("+")]
        self.assertIn("CPU,perf_new", added)

    def test_a_section_that_is_shared(self):
        lines = self.patch("--cpu", "icl", "--patch", self.table).out.splitlines()
        self.assertEqual([line for line in lines[2:] if line.startswith("-")], [])
        self.assertIn("+CPU,icl", lines)

    def test_no_end_of_line(self):
        self.table.write_text(TABLE.rstrip("\n"))
        diff = self.patch("--cpu", "zen4x", "--patch", self.table).out
        self.assertIn("\\ No newline at end of file", diff)

    def test_usage(self):
        for options, code, said in (
                (("--patch", self.table), 2, "--to papi and --cpu PMU with --patch"),
                (("--cpu", "spr", "--patch", self.folder / "none.csv"), 3, "none.csv"),
                (("--cpu", "spr", "--patch", self.write("empty.csv", "")), 3, "expected a table of PAPI's presets"),
                (("--cpu", "spr", "--patch", self.table, "--output", self.folder / "o"), 2, "no --output with --patch")):
            with self.subTest(options):
                self.expect(support.Run("export", self.results, "--to", "papi", *options), code, err=said)


if __name__ == "__main__":
    support.main()
