"""A page of `catmint report`, read as browsers read it, and results to make pages of."""

import html.parser
import json
import re

import support

VOID = {"meta", "input", "br", "img", "link", "hr", "wbr"}
OF_ONE_TAG = {"path", "rect", "line"}  # in SVG these may end where they begin


class Element:
    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.children = []

    @property
    def text(self):
        return "".join(child if isinstance(child, str) else child.text for child in self.children)

    @property
    def classes(self):
        return (self.attributes.get("class") or "").split()

    def all(self, tag=None, css=None, **attributes):
        """Elements below this one: of a tag, of a class, with attributes (data_event stands for data-event)."""
        for child in self.children:
            if isinstance(child, str):
                continue
            wanted = all(child.attributes.get(name.replace("_", "-")) == value for name, value in attributes.items())
            if tag in (None, child.tag) and (css is None or css in child.classes) and wanted:
                yield child
            yield from child.all(tag, css, **attributes)

    def first(self, tag=None, css=None, **attributes):
        return next(self.all(tag, css, **attributes), None)


class Page(html.parser.HTMLParser):
    """Every tag that begins must end, in order."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.root = self.at = Element(None, {}, None)
        self.source = path.read_bytes().decode("utf-8")
        self.feed(self.source)
        self.close()
        assert self.at is self.root, f"<{self.at.tag}> does not end"

    def handle_starttag(self, tag, attrs):
        names = [name for name, value in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, dict(attrs), self.at)
        self.at.children.append(element)
        if tag not in VOID:
            self.at = element

    def handle_startendtag(self, tag, attrs):
        assert tag in OF_ONE_TAG, tag
        self.handle_starttag(tag, attrs)
        self.at = self.at.parent

    def handle_endtag(self, tag):
        assert self.at.tag == tag, f"</{tag}> ends <{self.at.tag}>"
        self.at = self.at.parent

    def handle_data(self, data):
        self.at.children.append(data)

    def metric(self, view, benchmark, number):
        return self.root.first("article", id=f"metric-{view}-{benchmark}-{number}")

    def benchmark(self, view, number):
        return self.root.first("section", id=f"benchmark-{view}-{number}")

    def plot(self, section, name):
        """The first plot of a section whose title has this in it."""
        return next((plot for plot in section.all("svg") if name in plot.attributes["aria-label"]), None)


def shown(text):
    """As the page shows a text: control characters and what turns the direction of writing, in words."""
    def show(match):
        character = match.group()
        known = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}
        return known.get(character) or (rf"\x{ord(character):02x}" if ord(character) < 0x80 else rf"\u{ord(character):04x}")
    return re.sub("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]", show, text)


def number(text):
    """Of the page: a minus of its own, fractions, percents."""
    text = text.replace("\u2212", "-").strip()
    if text.endswith("%"):
        return float(text[:-1]) / 100
    numerator, _, denominator = text.partition("/")
    return float(numerator) / float(denominator or 1)


HOSTILE = ("</script><b>bold</b>", "\"><img src=x onerror=alert(1)>", "a&lt;b&amp;c&#39;d", "--><!-- x", "]]>", "tab\tline\nbell\x07",
           "turned \u202e around", "\x9b31m", "'single' `back`", "x" * 300, "<![CDATA[<i>", "{{constructor}}")


def hostile(document):
    """The same results with names that are markup."""
    text = json.dumps(document)
    document = json.loads(text)
    benchmark = document["benchmarks"][0]
    renamed = {event["event"]: f"{HOSTILE[i % len(HOSTILE)]} {i}" for i, event in enumerate(benchmark["events"])}
    for event in benchmark["events"]:
        event["event"] = renamed[event["event"]]
        event["equivalent_to"] = renamed.get(event["equivalent_to"])
    benchmark["selected"] = [renamed[event] for event in benchmark["selected"]]
    for i, metric in enumerate(benchmark["metrics"]):
        metric["metric"] = f"{HOSTILE[i % len(HOSTILE)]} metric {i}"
        metric["description"] = HOSTILE[(i + 3) % len(HOSTILE)]
        for term in metric["terms"] + metric["definition"]:
            term["event"] = renamed[term["event"]]
    for key in ("kernels", "symbols"):
        benchmark[key] = [f"{HOSTILE[i % len(HOSTILE)]} {i}" for i in range(len(benchmark[key]))]
    benchmark["benchmark"] = HOSTILE[0]
    document["machine"] = {"model_name": HOSTILE[1], "odd": HOSTILE[0], "cores": 4, "virtual": True, "list": [1]}
    document["pmu"] = f"software:{HOSTILE[0]}"
    document["pmu_reason"] = HOSTILE[2]
    document["findings"] = [{"finding": "x", "severity": "stops", "text": HOSTILE[0], "advice": HOSTILE[1]}]
    document["unavailable"] = [{"event": f"{name} {i}", "reason": HOSTILE[i % 3]} for i, name in enumerate(HOSTILE)]
    return document


def many(document, count):
    """The same results with so many events in the first benchmark."""
    document = json.loads(json.dumps(document))
    benchmark = document["benchmarks"][0]
    kinds = ("zero", "noisy", "unrepresentable")
    for i in range(count - len(benchmark["events"])):
        kind = kinds[i % 3]
        benchmark["events"].append({"event": f"EVENT_{i}:UMASK_{i % 7}", "status": kind,
                                    "max_rnmse": (0.0, 3.0 / (1 + i), 1e-15 * i)[i % 3], "residual": None, "offset": 0.0,
                                    "representation": None, "equivalent_to": None})
        benchmark["counts"][kind] += 1
    benchmark["counts"]["measured"] = count
    return document


def make(case, document, name="results.json", *arguments):
    """The page of a document."""
    results = case.write(name, json.dumps(document))
    page = case.folder / f"{name}.html"
    case.expect(support.Run("report", results, "--output", page, *arguments), 0, err="", out="")
    return Page(page)
