"""A page of `catmint report` in Chromium, without a window: it says nothing to the console, fits, and its script finds events."""

import pathlib
import unittest

import browser
import report_page
import support

WIDER = """return Array.from(document.querySelectorAll('body *')).filter(element => !element.closest('.scroll, pre, .tools label') &&
    element.getBoundingClientRect().right > innerWidth + 1).map(element => element.outerHTML.slice(0, 200))"""
BROKEN = """return Array.from(document.querySelectorAll('td.long, .terms .name')).flatMap(name => Array.from(name.childNodes).filter(part => {
    if (part.nodeType !== Node.TEXT_NODE || part.textContent.trim() === '' || part.textContent.includes(' ')) return false;
    const range = document.createRange();
    range.selectNodeContents(part);
    return new Set(Array.from(range.getClientRects()).map(box => Math.round(box.top))).size > 1;
}).map(part => part.textContent))"""
OPEN_ALL = """for (const details of document.querySelectorAll('details')) details.open = true;
document.documentElement.classList.add('whole')"""
MARKS = "return document.querySelectorAll('#benchmark-0-0 .m.found').length"
FIND = """const search = document.getElementById('search');
search.value = arguments[0]; search.dispatchEvent(new Event('input'));
const status = document.getElementById('status');
status.value = arguments[1]; status.dispatchEvent(new Event('change'));
return new Promise(done => setTimeout(() => done(Array.from(document.querySelectorAll('#benchmark-0-0 tr[data-event]'))
    .filter(row => !row.hidden).map(row => row.cells[0].textContent)), 400))"""
METRICS = """const search = document.getElementById('search');
search.value = arguments[0]; search.dispatchEvent(new Event('input'));
const names = list => Array.from(document.querySelectorAll(list)).filter(part => !part.closest('[hidden]')).map(part => part.textContent);
return new Promise(done => setTimeout(() => done([names('.overview td.metric'), names('.card[data-metric] h3')]), 400))"""
LAND = """scrollTo(0, 0); document.documentElement.classList.remove('whole'); // as if never seen
const link = Array.from(document.querySelectorAll('nav a')).at(arguments[0]), target = document.querySelector(link.hash);
link.click();
return new Promise(done => setTimeout(() => done([target.getBoundingClientRect().top,
    scrollY + innerHeight >= document.documentElement.scrollHeight - 1]), 1000))"""
CUT = """return Array.from(document.querySelectorAll('svg.plot')).flatMap(plot => Array.from(plot.querySelectorAll('text')).filter(text =>
    text.getBoundingClientRect().right > plot.getBoundingClientRect().right + 1).map(text => text.textContent))
    .concat(Array.from(document.querySelectorAll('.plot .cell')).filter(cell => cell.getBoundingClientRect().width > 30).map(cell => cell.textContent))"""
COPY = """document.querySelectorAll('details').forEach(details => { details.open = true });
const button = document.querySelector('button[data-copy]'), said = [];
Object.defineProperty(navigator, 'clipboard', {value: {writeText: text => { said.push(text); return Promise.resolve(); }}});
button.click();
return new Promise(done => setTimeout(() => done([button.textContent, said[0],
    document.getElementById(button.dataset.copy).textContent]), 200))"""
TIP = """const mark = document.querySelector('#benchmark-0-0 .m[data-event]'), box = mark.getBoundingClientRect();
mark.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, clientX: box.x + 1, clientY: box.y + 1}));
const tip = document.getElementById('tip');
return [tip.hidden, tip.textContent, tip.getBoundingClientRect().right <= innerWidth]"""


MARKED = "return Array.from(document.querySelectorAll('#benchmark-0-0 .m[data-event]')).map(mark => +mark.dataset.event)"
SHOWN = """return Array.from(document.querySelectorAll(arguments[0]))
    .filter(element => getComputedStyle(element).display !== 'none').length"""
FAULTS = "; return axe.run().then(found => found.violations.map(fault => fault.id + ': ' + fault.nodes[0].html.slice(0, 200)))"


@unittest.skipIf(browser.missing(), browser.missing())
class Page(support.Case):
    def values(self):
        """Of a hierarchy, in more runs than fit beside each other, some without a value."""
        target, stalls = self.folder / "values.json", ("ROB_EMPTY", "BR_COMP_WAIT", "LD_COMP_WAIT", "EU_COMP_WAIT", "UOP_ONLY_COMMIT")
        rows = {"CPU_CYCLES": 100, **{f"{n}INST_COMMIT": 20 for n in range(5)}, **dict.fromkeys(stalls, 3)}
        counts = self.write("counts.csv", "event," + ",".join(f"run{n}" for n in range(20)) + "\n" + "".join(f"{event}{f',{value}' * 20}\n" for event, value in rows.items()))
        formulas = support.SOURCE / "data/formulas/topdown-a64fx.csv"
        self.expect(support.Run("evaluate", formulas, "--counts", counts, "--format", "json", "--output", target), 1, err="SINGLE_MOVPRFX_COMMIT")
        return target

    def page(self, document, name):
        report_page.make(self, document, name, "--values", self.values())
        return pathlib.Path(self.folder / f"{name}.html")

    def check_fits(self, window, page):
        window.open(page)
        self.assertEqual(window.run("return document.documentElement.scrollWidth <= innerWidth"), True)
        window.run(OPEN_ALL)
        self.assertEqual(window.run(WIDER), [])
        self.assertEqual(window.run(CUT), [])
        if page.name != "hostile.json.html":  # whose names have no place to break
            self.assertEqual(window.run(BROKEN), [])
        self.assertEqual(window.run("return document.documentElement.scrollWidth <= innerWidth"), True)
        self.assertEqual(window.messages(), [])

    def check_script(self, window, document):
        benchmark = document["benchmarks"][0]
        events = [event["event"] for event in benchmark["events"]]
        wanted = benchmark["selected"][0]
        self.assertEqual(window.run(FIND, wanted, ""), [report_page.shown(event) for event in events if wanted.lower() in event.lower()])
        self.assertGreater(window.run(MARKS), 0)
        noisy = [event["event"] for event in benchmark["events"] if event["status"] == "noisy"]
        self.assertEqual(window.run(FIND, "", "noisy"), [report_page.shown(event) for event in noisy])
        self.assertEqual(sorted(window.run(FIND, "", "")), sorted(map(report_page.shown, events)))
        measured = {number for number, event in enumerate(benchmark["events"]) if event["status"] != "zero"}
        self.assertEqual(measured - set(window.run(MARKED)), set())
        self.assertEqual(window.run(MARKS), 0)
        names = [metric["metric"] for metric in benchmark["metrics"]]
        for words in ("DP Ops", "dp_ops", "papi_dp_ops"):
            found = window.run(METRICS, words)
            self.assertEqual(found[0], found[1])
            self.assertIn("DP Ops.", found[0])
            self.assertLess(len(found[0]), len(names) / 2)
        self.assertEqual(window.run(METRICS, "which no kernel has"), [[], []])  # a note, which is collapsed
        self.assertIn("DP Ops.", window.run(METRICS, "")[0])
        for link in (-1, 1):
            top, at_the_end = window.run(LAND, link)
            self.assertTrue(abs(top) < 120 or (at_the_end and top > 0), (link, top))
        hidden, text, fits = window.run(TIP)
        self.assertEqual((hidden, fits), (False, True))
        self.assertRegex(text, r": \w+, noise ")
        said, copied, shown = window.run(COPY)
        self.assertEqual((said, copied), ("Copied", shown))
        self.assertEqual(window.messages(), [])

    def test_on_paper(self):
        """A sheet of A4: no tools, nothing folded away, nothing cut."""
        with browser.Browser(794) as window:
            window.open(self.page(support.sapphire_rapids(), "results.json"))
            self.assertGreater(window.run(SHOWN, ".tools"), 0)
            window.print()
            self.assertEqual(window.run(SHOWN, ".tools"), 0)
            self.assertEqual(window.run("return document.documentElement.scrollWidth <= innerWidth"), True)

    def test_axe_finds_nothing(self):
        axe = browser.axe()
        if axe is None:
            self.skipTest("axe-core cannot be had")
        pages = [self.page(support.sapphire_rapids(), "results.json"), self.page(report_page.hostile(support.sapphire_rapids()), "hostile.json")]
        for width, dark, looked_at in ((380, False, pages), (1280, True, pages[:1]), (1920, False, pages[:1])):
            with browser.Browser(width, dark=dark) as window:
                for page in looked_at:
                    window.open(page)
                    window.run(OPEN_ALL)
                    self.assertEqual(window.run(axe + FAULTS), [], f"{page.name} at {width}")

    def test_in_a_browser(self):
        document = support.sapphire_rapids()
        pages = [self.page(document, "results.json"), self.page(report_page.hostile(document), "hostile.json")]
        for width, dark in ((380, False), (1280, True), (1920, False)):
            with browser.Browser(width, dark=dark) as window:
                for page in pages if width < 1920 else pages[:1]:
                    with self.subTest(f"{page.name} at {width}"):
                        self.check_fits(window, page)
                if dark:
                    window.open(pages[0])
                    self.check_script(window, document)


if __name__ == "__main__":
    support.main()
