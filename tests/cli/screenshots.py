"""Takes the pictures of the documents: screenshots.py PAGE FOLDER."""

import pathlib
import sys

import browser

# Name, width, height, dark, what stands at the top.
PICTURES = (
    ("report-1280", 1280, 860, False, "body"),
    ("report-1920", 1920, 1080, False, "#benchmark-0-0"),
    ("report-380-dark", 380, 760, True, "#metric-0-0-4"),
    ("report-noise", 860, 560, False, "#benchmark-0-1 .panel:has(.limit-text):has(path.noisy)"),
)
# What was never seen has no height of its own yet.
SHOW = """document.documentElement.classList.add('whole');
document.querySelector(arguments[0]).scrollIntoView()"""


def main(page, folder):
    if browser.missing():
        print(browser.missing(), file=sys.stderr)
        return 1
    for name, width, height, dark, place in PICTURES:
        with browser.Browser(width, height, dark) as window:
            window.open(page)
            window.run(SHOW, place)
            window.picture(folder / f"{name}.png")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:])))
