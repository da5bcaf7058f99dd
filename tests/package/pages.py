"""The manual pages that are made of documents and headers, and the headers as pages for a browser: nothing is missing."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

import support

BUILD = pathlib.Path(os.environ["CATMINT_BUILD"])
PAGES = BUILD / "src/package/pages"


LIBRARIES = {"libcatmint": os.environ["CATMINT_LIBRARY"], "libcatmint-machines": os.environ["CATMINT_MACHINES_LIBRARY"]}


def exported(library):
    """The functions of the library's interface."""
    done = subprocess.run(["nm", "--dynamic", "--defined-only", LIBRARIES[library]], capture_output=True, text=True, check=True)
    return {line.split()[-1].partition("@")[0] for line in done.stdout.splitlines() if " T " in line and "_PRIVATE_" not in line}


class Manual(support.Case):
    def test_every_function_has_its_prototype(self):
        for library in LIBRARIES:
            page = (PAGES / f"{library}.3").read_text()
            declared = re.findall(r"(?m)^\\fB.*?(cm_\w+)\(.*;\\fR$", page)
            self.assertEqual((set(declared), len(declared)), (exported(library), len(exported(library))))
            self.assertGreater(len(declared), 20)
        page = (PAGES / "libcatmint.3").read_text()
        header = (support.SOURCE / "include/catmint/definitions.h").read_text()
        said = " ".join(re.search(r"/\* (The definition's value for .*?) \*/", header, re.DOTALL)[1].split())
        self.assertTrue(f"\\fR\n{said}\n" in page, said)

    def test_every_section_of_the_formats_is_there(self):
        document = (support.SOURCE / "docs/reference/formats.md").read_text()
        page = (PAGES / "catmint-formats.5").read_text()
        sections = [title.upper() for title in re.findall(r"(?m)^## ([^:\n]*)", document)]
        self.assertEqual([title for title in re.findall(r'(?m)^\.SH "(.*)"$', page)], sections)
        for line in re.findall(r"(?m)^[A-Z]\w+,\w.*,.*$", document):
            self.assertIn(line.replace("-", "\\-"), page)
        for schema in re.findall(r"catmint\.\w+-1\.schema\.json", document):
            self.assertIn(schema.replace("-", "\\-"), page)
        self.assertNotRegex(page, r"\]\(|`|\*\*")

    def test_every_page_has_examples(self):
        pages = sorted(PAGES.iterdir()) + sorted((BUILD / "src/package/manual/man1").iterdir())
        self.assertGreater(len(pages), 30)
        for page in pages:
            self.assertRegex(page.read_text(), r'(?s)\n\.SH "?EXAMPLES"?\n.*\n\.EX\n', page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_groff_has_no_objection(self):
        for page in sorted(PAGES.iterdir()):
            done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", page], capture_output=True, text=True, check=False)
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    @unittest.skipUnless(shutil.which("groff"), "groff is not installed")
    def test_lines_fit_80_columns(self):
        for page in sorted(PAGES.iterdir()):
            shown = subprocess.run(["groff", "-man", "-Tascii", "-P-cbou", "-rLL=78n", page], capture_output=True, text=True, check=True).stdout
            self.assertEqual([line for line in shown.splitlines() if len(line) > 80], [], page)


class Browser(support.Case):
    @unittest.skipUnless(shutil.which("doxygen"), "doxygen is not installed")
    def test_no_warning_and_every_function(self):
        done = subprocess.run(["doxygen", BUILD / "src/package/Doxyfile"], capture_output=True,
                              text=True, check=False, env=support.environment())
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        pages = "".join(page.read_text() for page in (BUILD / "api/html").glob("*_8h.html"))
        self.assertEqual(set.union(*map(exported, LIBRARIES)) - set(re.findall(r"\b(cm_\w+)\(\)", pages)), set())
        for said in ("The definition's value for the given counts, one a term", "&quot;hardware&quot; or &quot;software:&lt;model&gt;&quot;;",
                     "<code>catmint analyze --format json</code>"):
            self.assertTrue(said in pages, said)


if __name__ == "__main__":
    support.main()
